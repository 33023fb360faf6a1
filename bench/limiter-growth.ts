import type { Bench } from './frame/bench.js';
import { decideMany, METRICS } from './limiter/grow.js';

export const bench: Bench = {
  title: 'one decision by the number of its limits, all for one user, compared with a single limit',
  metrics: METRICS,
  variants: {
    '1 limit': decideMany(1),
    '2 limits': decideMany(2),
    '4 limits': decideMany(4),
    '6 limits': decideMany(6),
    '8 limits': decideMany(8),
    '12 limits': decideMany(12),
  },
  baselines: ['1 limit'],
  redis: true,
};
