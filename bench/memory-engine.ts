import type { Bench } from './frame/bench.js';
import { consumeSideBySide } from './memory-engine/rate-limiter-memory.js';
import { METRICS } from './memory-engine/time-calls.js';
import { chargeTogether } from './memory-engine/tollgate.js';

export const bench: Bench = {
  title:
    'one decision of a single process, one after the other, 1,000 users, another cost every time; six limits are one ' +
    'charge here, and six calls side by side there, where each decides for itself',
  metrics: METRICS,
  variants: { RateLimiterMemory: consumeSideBySide, tollgate: chargeTogether },
  baselines: ['RateLimiterMemory'],
};
