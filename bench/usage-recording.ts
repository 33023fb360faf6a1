import type { Bench } from './frame/bench.js';
import { METRICS, measureApi } from './http/measure-api.js';
import { tollgateOnPostgres } from './http/tollgate.js';

export const bench: Bench = {
  title:
    'the sample API with six limits on Redis and PostgreSQL, 64 operations in flight, in process and over HTTP: what ' +
    'recording usage adds, to the processor time of an operation above all',
  metrics: METRICS,
  variants: {
    'usage off': measureApi(tollgateOnPostgres(false)),
    'usage on': measureApi(tollgateOnPostgres({})),
    'usage on, no decisions': measureApi(tollgateOnPostgres({ decisionsPerSecond: 0 })),
  },
  baselines: ['usage off'],
  redis: true,
};
