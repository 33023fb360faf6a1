import type { Bench } from './frame/bench.js';
import { METRICS, measureApi } from './http/measure-api.js';
import { unprotected } from './http/protection.js';
import { sameAnswer } from './http/same-answer.js';
import { answeringInMemory, tollgateInMemory, tollgateOnRedis } from './http/tollgate.js';

const only = { only: 'HTTP, typical' };

export const bench: Bench = {
  title:
    'cost of reporting quotas over HTTP, 64 operations in flight, in brief, in full and not at all: "same answer" is ' +
    'a plugin that adds to every response what Tollgate has added to one, in brief',
  metrics: METRICS,
  variants: {
    unprotected: measureApi(unprotected, only),
    'same answer': measureApi(sameAnswer, only),
    'tollgate, memory': measureApi(tollgateInMemory, only),
    'tollgate, memory, FULL': measureApi(answeringInMemory('FULL'), only),
    'tollgate, memory, NONE': measureApi(answeringInMemory('NONE'), only),
    'tollgate, Redis': measureApi(tollgateOnRedis, only),
  },
  baselines: ['unprotected', 'same answer'],
  redis: true,
  rounds: 3,
};
