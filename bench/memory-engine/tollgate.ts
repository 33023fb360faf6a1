import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Decision } from '../../src/limiter/charge/decision.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Variant } from '../frame/bench.js';
import { type Calls, timeCalls } from './time-calls.js';

const windows = ['a', 'b', 'c', 'd', 'e'].map(
  (id): LimitCharge => ({
    id,
    scope: 'USER',
    algorithm: 'SLIDING_WINDOW_COUNTER',
    amount: 10_000_000,
    windowMs: 60_000,
    cost: 1,
  }),
);

function oneLimit(cost: number): LimitCharge[] {
  return [{ id: 'one', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 1e9, windowMs: 60_000, cost }];
}

function sixLimits(cost: number): LimitCharge[] {
  const bucket: LimitCharge = {
    id: 'bucket',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: 1e9,
    refillAmount: 1e6,
    refillPeriodMs: 1000,
    cost,
  };
  return [bucket, ...windows];
}

/**
 * Measures charges in the usual form, in which each limit contains the cost of the operation and
 * all parameters.
 */
export const chargeTogether: Variant = (conditions) => {
  const limiter = createLimiter();
  const scenarios: Record<string, Calls<Decision>> = {
    'one limit': {
      decide: (user, cost) => limiter.charge({ subject: { user }, limits: oneLimit(cost) }),
      check: (decision) => expectAdmission(decision, 1),
    },
    'six limits': {
      decide: (user, cost) => limiter.charge({ subject: { user }, limits: sixLimits(cost) }),
      check: (decision) => expectAdmission(decision, 6),
    },
  };
  return timeCalls(scenarios, conditions);
};

function expectAdmission(decision: Decision, count: number): void {
  if (!decision.admitted || decision.limits.length !== count)
    throw new Error(`not admitted: ${JSON.stringify(decision)}`);
}
