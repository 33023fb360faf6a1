import { METRICS, measureOperations } from './denials/measure-operations.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title:
    'one operation in process, with counters in memory: an admitted one with its settlement, and a denied one, which ' +
    'may suggest a smaller list',
  metrics: METRICS,
  variants: {
    admitted: measureOperations({ isDenied: false }),
    denied: measureOperations({ isDenied: true }),
  },
  baselines: ['admitted'],
  rounds: 3,
};
