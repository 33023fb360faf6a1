import type { Bench } from './frame/bench.js';
import { METRICS, rateLimiterFlexible, tollgate } from './limiter/count-bytes.js';

export const bench: Bench = {
  title:
    'memory of Redis per subject with six limits: keys, values, expiry and overhead, measured as the difference of ' +
    'used_memory',
  metrics: METRICS,
  variants: { 'rate-limiter-flexible': rateLimiterFlexible, tollgate },
  baselines: ['rate-limiter-flexible'],
  redis: true,
  // One round is sufficient, because the load of the machine does not affect a number of bytes.
  rounds: 1,
};
