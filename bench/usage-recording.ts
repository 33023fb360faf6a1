import type { Bench } from './frame/bench.js';
import { METRICS, measureApi } from './http/measure-api.js';
import { tollgateOnPostgres } from './http/tollgate.js';

const SCENARIOS = { operations: ['typical', 'small'], inProcess: false } as const;

export const bench: Bench = {
  title:
    'the sample API with six limits on Redis and PostgreSQL over HTTP, 64 requests in flight, 1,000 users: what recording ' +
    'usage adds to the processor time of a request, the batches to PostgreSQL included',
  metrics: METRICS,
  variants: {
    'without recording': measureApi(tollgateOnPostgres(false), SCENARIOS),
    'with recording': measureApi(tollgateOnPostgres({}), SCENARIOS),
  },
  baselines: ['without recording'],
  redis: true,
  // A batch is stored every second: several are to be part of it.
  measureMs: 4_000,
};
