import { MAX_COUNT } from '../../model/limit-parameters.js';
import { type Limit, type LimitAlgorithm, type ParameterReader, stateOf } from './limit-algorithm.js';

// What windows aligned to the epoch have in common: fixed, sliding (weighted), and strict (sliding over parts that are counted
// in full). What a share of a limit adds to them, while Redis is away, is in outage/local-share.ts.

/** When the window that `now` lies in ends. */
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

/** What algorithms say that keep no level and reserve nothing ahead. */
export const withoutDelays = {
  adoptRate: () => false,
  delayMs: () => 0,
  maxAdmissible: (_limit, state) => state.remaining,
} satisfies Partial<LimitAlgorithm>;

/** The state of what reports a sum, when it is empty (0: it is), and when the cost fits (0: now). */
export const stateOfSum: LimitAlgorithm['state'] = (limit, cost, { clock, now }, numbers, offset) => {
  const first = numbers[offset]!;
  const lacking = first < 0;
  const used = lacking ? -1 - first : first;
  return stateOf(limit, cost, clock, lacking, used, numbers[offset + 1]! || now, numbers[offset + 2]!);
};

/** Numbers of which the first is the count that was charged. */
export function correctCount(limit: Limit, numbers: number[], charged: number, actual: number): void {
  numbers[0] = clampCount(limit, numbers[0]! + actual - charged);
}
