import { type LimitState, MAX_COUNT } from '../../model/limit-parameters.js';
import type { Counter } from './counter.js';
import type { CalendarWindow } from './create-calendar.js';
import { borrowedAfter, windowsToRepay } from './create-shares.js';
import { fixedWindow, windowsToWait } from './fixed-window.js';
import { type Limit, type LimitAlgorithm, stateOf } from './limit-algorithm.js';
import { countAfter } from './limit-calendar.js';
import { clampCount } from './parse-window.js';

/**
 * A fixed window whose boundaries are those of a calendar. A counter keeps the boundaries with
 * which its window started, so that an edit of the rule never moves a start. The window ends at its
 * own end or at the end of the limit's current period, whichever comes first.
 */
export const calendarWindow: LimitAlgorithm = {
  ...fixedWindow,

  parse(read) {
    const calendar = read.calendar();
    const hardCap = read.optional('hardCap', calendar.amount, MAX_COUNT);
    return { calendar, capacity: hardCap + calendar.maxCarry };
  },

  refresh(limit, counter, now) {
    const calendar = limit.calendar!;
    const { startMs, endMs } = calendar.windowAt(now);
    if (counter.used > 0 && counter.at > now) {
      counter.at = Math.min(counter.at, endMs);
      return;
    }
    // After an older window, a period without usage has passed, so the older count has no effect.
    const isNext = counter.used > 0 && counter.at >= startMs;
    if (limit.capacity < limit.wholeCapacity) {
      const between = isNext ? 0 : Math.round((startMs - counter.at) / (counter.at - counter.debt));
      counter.used = borrowedAfter(limit, counter.used, 1 + between);
    } else counter.used = isNext ? countAfter(calendar, counter.used) : 0;
    counter.debt = isNext ? counter.at : startMs;
    counter.at = endMs;
  },

  takeDenied(limit, counter, _now, cost) {
    counter.used = clampCount(limit, counter.used + cost);
  },

  correct(limit, counter, stampMs, _chargeId, charged, actual) {
    if (stampMs < counter.debt || stampMs >= counter.at) return;
    counter.used = clampCount(limit, counter.used + actual - charged);
  },

  emptyAtMs(limit, counter) {
    return counter.used > 0 ? counter.at + limit.calendar!.keptMs + repaymentMs(limit, counter) : 0;
  },

  /** Keeps the window if it contains `to`, and otherwise moves its start to `to`. */
  rebase(limit, counter, from, to) {
    if (counter.at + limit.calendar!.keptMs <= from) counter.used = 0;
    if (to >= counter.debt) return;
    counter.at += to - counter.debt;
    counter.debt = to;
  },

  state(limit, cost, { clock, now }, numbers, offset) {
    const first = numbers[offset]!;
    const lacking = first < 0;
    const count = lacking ? -1 - first : first;
    const window = limit.calendar!.windowAt(now);
    return stateOfPeriod(
      limit,
      cost,
      clock,
      count,
      window,
      lacking ? retryAtMs(limit, cost, count, window) : undefined,
    );
  },
};

/**
 * Returns the state of a limit from the count of its current period.
 * @param retryAtMs time at which the cost fits; undefined if it fits now
 */
export function stateOfPeriod(
  limit: Limit,
  cost: number,
  clock: number,
  count: number,
  { startMs, endMs }: CalendarWindow,
  retryAtMs?: number,
): LimitState {
  const { amount, maxCarry } = limit.calendar!;
  const state = stateOf(limit, cost, clock, retryAtMs !== undefined, count, endMs, retryAtMs ?? 0);
  const ownUsed = state.used - maxCarry;
  // One literal: V8 stores members that are added later outside of the object.
  return {
    id: state.id,
    limit: state.limit - maxCarry,
    used: Math.max(0, ownUsed),
    remaining: state.remaining,
    resetAtMs: endMs,
    retryAfterMs: state.retryAfterMs,
    violated: state.violated,
    shadow: state.shadow,
    wouldDeny: state.wouldDeny,
    part: limit.part,
    overage: Math.max(0, ownUsed - amount),
    carriedOver: Math.max(0, -ownUsed),
    windowMs: endMs - startMs,
  };
}

/**
 * Returns the time at which a cost fits. The amount carried into the next period may be too small
 * for the cost. If that period stays unused, the largest amount is carried into the period after
 * it.
 */
function retryAtMs(limit: Limit, cost: number, count: number, { startMs, endMs }: CalendarWindow): number {
  const { capacity, wholeCapacity, calendar } = limit;
  if (capacity < wholeCapacity) return endMs + (windowsToWait(limit, count, cost) - 1) * (endMs - startMs);
  return countAfter(calendar!, count) + cost <= capacity ? endMs : calendar!.windowAt(endMs).endMs;
}

/** Returns the time that a share needs to repay a borrowed amount after its window, in milliseconds. */
function repaymentMs(limit: Limit, { at, debt, used }: Counter): number {
  return (windowsToRepay(limit, used) - 1) * (at - debt);
}
