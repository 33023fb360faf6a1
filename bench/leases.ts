import type { Bench } from './frame/bench.js';
import { METRICS, measureLeases } from './leases/measure-leases.js';

export const bench: Bench = {
  title:
    'one decision on exact limits, and on the same limits leased, 64 in flight: a single caller at full rate, a few ' +
    'hot callers among 1,000 with six limits, and a limit that four processes share, each with its own load',
  metrics: METRICS,
  variants: { exact: measureLeases('EXACT'), leased: measureLeases('LEASED') },
  baselines: ['exact'],
  redis: true,
};
