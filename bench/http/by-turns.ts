import type { Variant } from '../frame/bench.js';
import { median } from '../frame/statistics.js';
import { type ApiProtection, forkApi } from './forked-api.js';
import { type LoadResult, startLoadGenerator } from './load.js';

const TURNS = 20;

export const METRICS = [
  { name: 'operations/s without', better: 'higher' },
  { name: 'operations/s with', better: 'higher' },
  { name: 'with : without', better: 'higher' },
  { name: 'CPU, with : without', better: 'lower' },
  { name: 'p50 later us', better: 'lower' },
] as const;

interface Turn extends LoadResult {
  cpuUs: number;
}

/**
 * The sample API without a limiter and with one, in two processes side by side, loaded by turns: the speed of a machine
 * changes by more than what is to be found from one minute to the next, and less from one turn to the next.
 */
export function measureByTurns(protection: ApiProtection): Variant {
  return async ({ redisUrl, measureMs, warmUpMs }) => {
    const generator = startLoadGenerator();
    const servers = [await forkApi('nothing', redisUrl), await forkApi(protection, redisUrl)] as const;
    async function load(server: (typeof servers)[number], connections: number, durationMs: number): Promise<Turn> {
      const before = await server.cpuUs();
      const result = await generator.run({ url: server.url, operation: 'typical', connections, durationMs });
      return { ...result, cpuUs: (await server.cpuUs()) - before };
    }
    // Some ten thousand requests pass until V8 has compiled all that serves HTTP: by turns too, or the first one is behind.
    for (let turn = 0; turn < 8; turn++) for (const server of servers) await load(server, 64, 4 * warmUpMs);
    const sample: Record<string, Record<string, number>> = {};
    for (const connections of [64, 1]) {
      const turns: (readonly [Turn, Turn])[] = [];
      for (let turn = 0; turn < TURNS; turn++) {
        const isFirst = turn % 2;
        const one = await load(servers[isFirst]!, connections, measureMs / 4);
        const other = await load(servers[1 - isFirst]!, connections, measureMs / 4);
        turns.push(isFirst === 0 ? [one, other] : [other, one]);
      }
      const rates = turns.map((pair) => pair.map(({ requests, elapsedMs }) => (requests / elapsedMs) * 1000));
      const cpu = turns.map((pair) => pair.map(({ cpuUs, requests }) => cpuUs / requests));
      sample[`HTTP, typical, ${connections} ${connections === 1 ? 'connection' : 'connections'}`] = {
        'operations/s without': median(rates.map(([without]) => without!)),
        'operations/s with': median(rates.map(([, within]) => within!)),
        'with : without': median(rates.map(([without, within]) => within! / without!)),
        'CPU, with : without': median(cpu.map(([without, within]) => within! / without!)),
        'p50 later us': median(turns.map(([without, within]) => (within.p50Ms - without.p50Ms) * 1000)),
      };
    }
    generator.stop();
    for (const server of servers) await server.stop();
    return sample;
  };
}
