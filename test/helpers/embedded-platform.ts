import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyEmbeddedDatabase } from './embedded-folder.js';
import { type Platform, type PlatformOptions, startPlatform } from './platform.js';

/** Where an embedded platform keeps its database, below its working directory. */
export const EMBEDDED_DATABASE = join('.tollgate', 'postgres');

export interface EmbeddedOptions extends Omit<PlatformOptions, 'folder'> {
  /** Puts into its working directory what it finds there at the start. */
  prepare?(folder: string): void;
}

/** Starts an embedded platform on a new database that need not be made first: see `copyEmbeddedDatabase`. */
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
