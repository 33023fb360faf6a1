import { bare } from './decision/bare.js';
import { floor } from './decision/floor.js';
import { METRICS } from './decision/measure-decisions.js';
import { rateLimiterFlexible } from './decision/rate-limiter-flexible.js';
import { tollgate } from './decision/tollgate.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title: 'one decision on six limits (a token bucket, five sliding counters) in three partitions, 1,000 users',
  metrics: METRICS,
  variants: {
    'rate-limiter-flexible': rateLimiterFlexible,
    tollgate,
    floor,
    bare,
  },
  baselines: ['rate-limiter-flexible', 'floor', 'tollgate'],
  redis: true,
};
