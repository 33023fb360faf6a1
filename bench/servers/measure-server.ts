import type { Variant } from '../frame/bench.js';
import { startLoadGenerator } from '../http/load.js';
import type { StartedServer } from './start-servers.js';

export const METRICS = [
  { name: 'server CPU us', better: 'lower' },
  { name: 'operations/s', better: 'higher' },
  { name: 'p50 ms', better: 'lower' },
  { name: 'p99 ms', better: 'lower' },
] as const;

const CALLERS = 1000;

/** Measures a server over HTTP with `typical` operations, alternating with the other variants. */
export function measureServer(start: () => Promise<StartedServer>): Variant {
  return async ({ warmUpMs }) => {
    const { url, close } = await start();
    const generator = startLoadGenerator();
    const send = (connections: number) => async (durationMs: number) => {
      const before = process.cpuUsage();
      const load = await generator.run({ url, operation: 'typical', connections, callers: CALLERS, durationMs });
      const { user, system } = process.cpuUsage(before);
      return {
        'server CPU us': (user + system) / load.requests,
        'operations/s': (load.requests / load.elapsedMs) * 1000,
        'p50 ms': load.p50Ms,
        'p99 ms': load.p99Ms,
      };
    };
    return {
      // V8 needs some ten thousand requests to compile the HTTP path.
      warmUpMs: 8 * warmUpMs,
      run: { '64 connections': send(64), '1 connection': send(1) },
      async close() {
        generator.stop();
        await close();
      },
    };
  };
}
