import type { Bench } from './frame/bench.js';
import { METRICS, measureApi } from './http/measure-api.js';
import { unprotected } from './http/protection.js';
import { tollgateInMemory, tollgateLeased, tollgateOnRedis } from './http/tollgate.js';

const only = { only: ['HTTP, typical, 5 callers', 'HTTP, typical, 1 caller, 1 connection'] };

export const bench: Bench = {
  title: 'the sample API over HTTP with six limits and few callers: exact, and leased',
  metrics: METRICS,
  variants: {
    unprotected: measureApi(unprotected, only),
    'tollgate, memory': measureApi(tollgateInMemory, only),
    'tollgate, Redis': measureApi(tollgateOnRedis, only),
    'tollgate, Redis, leased': measureApi(tollgateLeased, only),
  },
  baselines: ['unprotected', 'tollgate, memory'],
  redis: true,
  rounds: 3,
};
