import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Variant } from '../frame/bench.js';
import { type Decide, measureDecisions } from './measure-decisions.js';
import { SIX_LIMITS } from './six-limits.js';

export const tollgate: Variant = async (conditions) => {
  const limiter = createLimiter({ redis: conditions.redisUrl, deadlineMs: 1000 });
  const limits = [...SIX_LIMITS];
  const decide: Decide = async (subject) => {
    const decision = await limiter.charge({ subject, limits });
    if (!decision.admitted || decision.degraded || decision.limits.length !== limits.length) {
      throw new Error(`Tollgate did not charge all six limits in Redis: ${JSON.stringify(decision)}`);
    }
  };
  return measureDecisions(conditions, decide, () => limiter.close());
};
