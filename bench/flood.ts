import { METRICS, measureFlood } from './flood/measure-flood.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title:
    'latency of callers who together send 500 operations per second, and calls to Redis, while another caller sends ' +
    '20,000 operations per second and is denied',
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
