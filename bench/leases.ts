import type { Bench } from './frame/bench.js';
import { METRICS, measureLeases } from './leases/measure-leases.js';

export const bench: Bench = {
  title:
    'one decision on limits that are exact, and on the same ones leased, 64 in flight: a caller at full rate, a few hot ' +
    'among 1,000 with six limits, and a limit that four processes share, each of which makes its own load',
  metrics: METRICS,
  variants: { exact: measureLeases('EXACT'), leased: measureLeases('LEASED') },
  baselines: ['exact'],
  redis: true,
};
