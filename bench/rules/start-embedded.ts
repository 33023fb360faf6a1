import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '../../test/helpers/platform.js';
import type { Variant } from '../frame/bench.js';

/**
 * Measures the time from `tollgate start` with embedded PostgreSQL to the first 200 of `/readyz`.
 * The data folder is empty if `isFirst` is true. Otherwise, an earlier run has used the folder.
 */
export function startEmbedded({ isFirst }: { isFirst: boolean }): Variant {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-cold-start-'));
    try {
      if (!isFirst) await (await startPlatform({ folder })).stop();
      const startedMs = performance.now();
      const platform = await startPlatform({ folder });
      const readyMs = performance.now() - startedMs;
      await platform.stop();
      return { 'cold start': { 'ready ms': readyMs } };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}
