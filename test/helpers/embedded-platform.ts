import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyEmbeddedDatabase } from './embedded-folder.js';
import { type Platform, type PlatformOptions, startPlatform } from './platform.js';

/** Path of the database of an embedded platform, below its working directory. */
export const EMBEDDED_DATABASE = join('.tollgate', 'postgres');

export interface EmbeddedOptions extends Omit<PlatformOptions, 'folder'> {
  /** Prepares the working directory before the platform starts. */
  prepare?(folder: string): void;
}

/**
 * Starts an embedded platform on a copied database, which needs no initialization: see
 * `copyEmbeddedDatabase`.
 */
export async function startEmbeddedPlatform({ prepare, ...options }: EmbeddedOptions = {}): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-platform-'));
  await copyEmbeddedDatabase(join(folder, EMBEDDED_DATABASE));
  prepare?.(folder);
  const platform = await startPlatform({ ...options, folder });
  return {
    ...platform,
    async stop() {
      const status = await platform.stop();
      rmSync(folder, { recursive: true, force: true });
      return status;
    },
  };
}
