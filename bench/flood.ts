import { METRICS, measureFlood } from './flood/measure-flood.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title:
    'callers who send 500 operations a second together, next to one who is denied and sends 20,000: latency of the others, ' +
    'and calls of Redis',
  metrics: METRICS,
  variants: {
    'no flood': measureFlood({}),
    flood: measureFlood({ isFlooded: true }),
    'flood, denials not remembered': measureFlood({ isFlooded: true, denialMemory: false }),
  },
  baselines: ['no flood'],
  redis: true,
  rounds: 3,
};
