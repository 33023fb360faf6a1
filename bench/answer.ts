import type { Bench } from './frame/bench.js';
import { METRICS, measureApi } from './http/measure-api.js';
import { unprotected } from './http/protection.js';
import { sameAnswer } from './http/same-answer.js';
import { tollgateInMemory } from './http/tollgate.js';

const only = { only: 'HTTP, typical' };

export const bench: Bench = {
  title:
    'what it costs to say what is left, over HTTP, 64 operations in flight: "same answer" is a plugin that says on every ' +
    'answer what Tollgate has said on one',
  metrics: METRICS,
  variants: {
    unprotected: measureApi(unprotected, only),
    'same answer': measureApi(sameAnswer, only),
    'tollgate, memory': measureApi(tollgateInMemory, only),
  },
  baselines: ['unprotected', 'same answer'],
  rounds: 3,
};
