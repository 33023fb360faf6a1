import type { Bench } from './frame/bench.js';
import { METRICS, measureApi } from './http/measure-api.js';
import { unprotected } from './http/protection.js';
import { tollgateOnRedis } from './http/tollgate.js';

const only = 'HTTP, typical';
const all = { only, requestsPerTurn: Number.POSITIVE_INFINITY };

export const bench: Bench = {
  title:
    'the sample API over HTTP, 64 requests in flight, if each turn of the event loop begins at most eight requests, ' +
    'and if it begins all requests that have arrived',
  metrics: METRICS,
  variants: {
    'unprotected, all': measureApi(unprotected, all),
    'unprotected, eight': measureApi(unprotected, { only }),
    'tollgate, Redis, all': measureApi(tollgateOnRedis, all),
    'tollgate, Redis, eight': measureApi(tollgateOnRedis, { only }),
  },
  baselines: ['unprotected, all', 'tollgate, Redis, all'],
  redis: true,
  rounds: 3,
};
