import type { LimitState } from '../../model/limit-parameters.js';
import { stateOfPeriod } from '../algorithms/calendar-window.js';
import { type Limit, SHAPE } from '../algorithms/limit-algorithm.js';
import type { LimitCalendar } from '../algorithms/limit-calendar.js';
import { slidingUsed } from '../algorithms/sliding-window-counter.js';
import type { Partition } from './partitions.js';
import type { StoredCounter } from './stored-counter.js';

// This file repeats rules of algorithms/, and bench/memory-engine.ts measures the gain. One
// function that handles buckets and windows in place takes half the time of the algorithms'
// functions on a copy of the counter.

/**
 * Charges a bucket, or a fixed or sliding window, if it has room and `limit` was the last to write
 * it. Most charges are of this kind. Returns the state of the limit afterwards. In all other cases
 * it returns undefined and takes nothing. The general path (algorithms/ and to-limit-states.ts)
 * handles those, and reaches the same result on a copy of the counter. A cost of zero also changes
 * the counter; the engine then restores the previous values.
 */
export function tryFastCharge(
  limit: Limit,
  partition: Partition,
  counter: StoredCounter,
  cost: number,
  now: number,
): LimitState | undefined {
  const { capacity } = limit;
  if (counter.limit !== limit || limit.shape > SHAPE.SLIDING || capacity !== limit.wholeCapacity) return undefined;
  let { used } = counter;
  let usedTokens: number;
  let resetAtMs: number;
  if (limit.shape === SHAPE.BUCKET) {
    const { refillAmount, refillPeriodMs } = limit;
    if (counter.refillAmount !== refillAmount || counter.refillPeriodMs !== refillPeriodMs) return undefined;
    const refilled = Math.max(0, now - counter.at) * refillAmount;
    const paid = Math.min(counter.debt, refilled);
    const debt = counter.debt - paid;
    used = Math.max(0, used - (refilled - paid)) + cost * refillPeriodMs;
    const taken = used + debt;
    if (taken > limit.promptUnits && cost > 0) return undefined;
    usedTokens = Math.ceil(taken / refillPeriodMs);
    resetAtMs = now + Math.ceil(taken / refillAmount);
    counter.at = now;
    counter.debt = debt;
    counter.emptyAtMs = resetAtMs;
  } else if (limit.calendar !== undefined) {
    return tryCalendarCharge(limit, limit.calendar, partition, counter, cost, now);
  } else {
    const { windowMs } = limit;
    const index = Math.floor(now / windowMs);
    const passed = index - counter.at;
    let previous = counter.previousCount;
    if (passed !== 0) {
      previous = passed === 1 && limit.shape === SHAPE.SLIDING ? used : 0;
      used = 0;
    }
    used += cost;
    usedTokens = previous === 0 ? used : slidingUsed(limit, now, used, previous);
    if (usedTokens > capacity && cost > 0) return undefined;
    resetAtMs = (index + 1) * windowMs;
    counter.at = index;
    counter.previousCount = previous;
    counter.emptyAtMs = limit.shape === SHAPE.SLIDING ? resetAtMs + windowMs : resetAtMs;
  }
  counter.used = used;
  partition.seenAt = now;
  return {
    id: limit.id,
    limit: capacity,
    used: usedTokens,
    remaining: Math.max(0, capacity - usedTokens),
    resetAtMs,
    retryAfterMs: 0,
    violated: false,
    shadow: limit.shadow,
    wouldDeny: false,
    part: limit.part,
  };
}

function tryCalendarCharge(
  limit: Limit,
  { windowAt, keptMs }: LimitCalendar,
  partition: Partition,
  counter: StoredCounter,
  cost: number,
  now: number,
): LimitState | undefined {
  const window = windowAt(now);
  const used = counter.used + cost;
  const isCurrent = counter.used > 0 && counter.at > now && counter.at <= window.endMs;
  if (!isCurrent || (used > limit.capacity && cost > 0)) return undefined;
  counter.used = used;
  counter.emptyAtMs = counter.at + keptMs;
  partition.seenAt = now;
  return stateOfPeriod(limit, cost, now, used, window);
}

/** Returns the second number that an engine reports of a limit on the fast path. */
export function secondNumber(limit: Limit, counter: StoredCounter): number {
  return limit.shape === SHAPE.BUCKET ? counter.debt : counter.previousCount;
}
