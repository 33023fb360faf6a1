import { MAX_COUNT } from '../../model/limit-parameters.js';
import { type Limit, type LimitAlgorithm, type ParameterReader, stateOf } from './limit-algorithm.js';

// Common parts of windows aligned to the epoch. They are fixed, sliding (weighted), or strict
// (sliding over parts that are counted in full). While Redis is unavailable, create-shares.ts adds
// the rules for a share of a limit.

/** Returns the end of the window that contains `now`. */
export function windowEndsAtMs({ windowMs }: Limit, now: number): number {
  return (Math.floor(now / windowMs) + 1) * windowMs;
}

export function parseWindow(read: ParameterReader, maxAmount: number): { windowMs: number; capacity: number } {
  const windowMs = read.whole('windowMs', 1, MAX_COUNT);
  return { windowMs, capacity: read.whole('amount', 1, maxAmount) };
}

export function clampCount(limit: Limit, count: number): number {
  return Math.max(0, Math.min(count, limit.maxCount));
}

/** Methods of algorithms that have no refill rate and never delay an operation. */
export const withoutDelays = {
  adoptRate: () => false,
  delayMs: () => 0,
  maxAdmissible: (_limit, state) => state.remaining,
} satisfies Partial<LimitAlgorithm>;

/**
 * Returns the state from three numbers: a sum, the time at which the sum becomes zero, and the time
 * at which the cost fits. A time is 0 if its condition already holds.
 */
export const stateOfSum: LimitAlgorithm['state'] = (limit, cost, { clock, now }, numbers, offset) => {
  const first = numbers[offset]!;
  const lacking = first < 0;
  const used = lacking ? -1 - first : first;
  return stateOf(limit, cost, clock, lacking, used, numbers[offset + 1]! || now, numbers[offset + 2]!);
};

/** Implements `correctNumbers` for algorithms whose first number is the count. */
export function correctCount(limit: Limit, numbers: number[], charged: number, actual: number): void {
  numbers[0] = clampCount(limit, numbers[0]! + actual - charged);
}
