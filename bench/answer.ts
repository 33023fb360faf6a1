import type { Bench } from './frame/bench.js';
import { METRICS, measureApi } from './http/measure-api.js';
import { unprotected } from './http/protection.js';
import { sameAnswer } from './http/same-answer.js';
import { answeringInMemory, tollgateInMemory, tollgateOnRedis } from './http/tollgate.js';

const only = { only: 'HTTP, typical' };

export const bench: Bench = {
  title:
    'the sample API over HTTP, 64 operations in flight, if responses contain a brief, a full or no report of cost ' +
    'and limits. "same answer" is a plugin that adds the brief report of one response of Tollgate to every response',
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
