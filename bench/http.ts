import type { Bench } from './frame/bench.js';
import { METRICS, measureApi } from './http/measure-api.js';
import { unprotected } from './http/protection.js';
import { queryComplexity } from './http/query-complexity.js';
import { tollgateInMemory, tollgateLeased, tollgateOnRedis } from './http/tollgate.js';

export const bench: Bench = {
  title:
    'the sample API with and without six limits, 64 operations in flight, in process and over HTTP; ' +
    '"from parts" is graphql-query-complexity with six limiters of rate-limiter-flexible',
  metrics: METRICS,
  variants: {
    unprotected: measureApi(unprotected),
    'tollgate, memory': measureApi(tollgateInMemory),
    'tollgate, Redis': measureApi(tollgateOnRedis),
    'tollgate, Redis, leased': measureApi(tollgateLeased),
    'from parts': measureApi(queryComplexity, { fewCallers: false }),
  },
  baselines: ['unprotected', 'tollgate, memory', 'from parts'],
  redis: true,
  rounds: 3,
};
