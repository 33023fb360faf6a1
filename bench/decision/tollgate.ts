import type { LimitCharge } from '../../src/limiter/compile-limit.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Variant } from '../frame/bench.js';
import { type Decide, measureDecisions } from './measure-decisions.js';
import { BUCKET, COST, WINDOWS } from './workload.js';

const SCOPES = { user: 'USER', tenant: 'TENANT', ip: 'IP' } as const;

export const tollgate: Variant = async (conditions) => {
  const limiter = createLimiter({ redis: conditions.redisUrl, deadlineMs: 1000 });
  const limits: LimitCharge[] = [
    { id: 'bucket', scope: 'USER', algorithm: 'TOKEN_BUCKET', ...BUCKET, cost: COST },
    ...WINDOWS.map(({ of, amount, windowMs }, index) => ({
      id: `window-${index}`,
      scope: SCOPES[of],
      algorithm: 'SLIDING_WINDOW_COUNTER' as const,
      amount,
      windowMs,
      cost: 1,
    })),
  ];
  const decide: Decide = async (subject) => {
    const decision = await limiter.charge({ subject, limits });
    if (!decision.admitted || decision.degraded || decision.limits.length !== limits.length) {
      throw new Error(`Tollgate did not charge all six limits in Redis: ${JSON.stringify(decision)}`);
    }
  };
  return measureDecisions(conditions, decide, () => limiter.close());
};
