import type { Bench } from './frame/bench.js';
import { consumeSideBySide } from './memory-engine/rate-limiter-memory.js';
import { METRICS } from './memory-engine/time-calls.js';
import { chargeTogether } from './memory-engine/tollgate.js';

export const bench: Bench = {
  title:
    'one decision in memory, one at a time, 1,000 users, a different cost each time; six limits are one charge in ' +
    'Tollgate, and six parallel calls with separate decisions in rate-limiter-flexible',
  metrics: METRICS,
  variants: { RateLimiterMemory: consumeSideBySide, tollgate: chargeTogether },
  baselines: ['RateLimiterMemory'],
};
