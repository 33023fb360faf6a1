import { existsSync } from 'node:fs';
import { startPlatform } from '../../test/helpers/platform.js';
import type { Variant } from '../frame/bench.js';
import { type Population, startSeeded } from './seed.js';

/**
 * Measures the time from `tollgate start` to the first 200 of `/readyz`, with an empty Redis and no
 * snapshot. Needs `npm run build`.
 */
export function becomeReady(population: Population): Variant {
  return async ({ redisUrl }) => {
    if (!existsSync(new URL('../../dist/cli.js', import.meta.url))) throw new Error('run `npm run build` first');
    const server = await startSeeded(population);
    try {
      const startedMs = performance.now();
      const platform = await startPlatform({ env: { REDIS_URL: redisUrl, DATABASE_URL: server.url } });
      const readyMs = performance.now() - startedMs;
      await platform.stop();
      return { 'cold start': { 'ready ms': readyMs } };
    } finally {
      await server.stop();
    }
  };
}
