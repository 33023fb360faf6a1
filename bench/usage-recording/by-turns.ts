import { startPostgresServer } from '../../test/helpers/servers.js';
import type { Variant } from '../frame/bench.js';
import { median } from '../frame/statistics.js';
import { type ForkedApi, forkApi } from '../http/forked-api.js';
import { startLoadGenerator } from '../http/load.js';
import type { OperationName } from '../http/operations.js';

const IN_FLIGHT = 64;
const TURNS = 10;
/** What was recorded in a turn is stored after it: it is to be over before the other one begins. */
const PAUSE_MS = 1_200;

export const METRICS = [
  { name: 'CPU us without', better: 'lower' },
  { name: 'CPU us with', better: 'lower' },
  { name: 'with : without', better: 'lower' },
] as const;

/**
 * Two servers, one that records and one that does not, side by side and loaded by turns of a second: the speed of a machine
 * changes by more than what is to be found from one minute to the next, and less from one second to the next.
 */
export function measureByTurns(operation: OperationName): Variant {
  return async ({ redisUrl, measureMs, warmUpMs }) => {
    const postgres = await startPostgresServer();
    const generator = startLoadGenerator();
    const servers = [
      await forkApi('PostgreSQL, not recording', redisUrl, postgres.url),
      await forkApi('PostgreSQL, recording', redisUrl, postgres.url),
    ] as const;
    const load = async ({ url, cpuUs }: ForkedApi, durationMs: number): Promise<number> => {
      const before = await cpuUs();
      const { requests } = await generator.run({ url, operation, connections: IN_FLIGHT, durationMs });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return ((await cpuUs()) - before) / requests;
    };
    // Some ten thousand requests pass until V8 has compiled all that serves HTTP: by turns too, or the first one is behind.
    for (let turn = 0; turn < 5; turn++) for (const server of servers) await load(server, 6 * warmUpMs);
    const turns: [number, number][] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const times: [number, number] = [0, 0];
      for (const which of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        times[which] = await load(servers[which], measureMs);
      }
      turns.push(times);
    }
    generator.stop();
    for (const server of servers) await server.stop();
    await postgres.stop();
    return {
      [`HTTP, ${operation}`]: {
        'CPU us without': median(turns.map(([without]) => without)),
        'CPU us with': median(turns.map(([, records]) => records)),
        'with : without': median(turns.map(([without, records]) => records / without)),
      },
    };
  };
}
