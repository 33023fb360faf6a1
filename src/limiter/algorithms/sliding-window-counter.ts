import { MAX_COUNT, MAX_UNITS } from '../../model/limit-parameters.js';
import type { Counter } from './counter.js';
import { borrowedAfter, mayBorrow, windowsToRepay } from './create-shares.js';
import { type Limit, type LimitAlgorithm, SHAPE, stateOf } from './limit-algorithm.js';
import { clampCount, correctCount, parseWindow, windowEndsAtMs, withoutDelays } from './parse-window.js';

export const slidingWindowCounter: LimitAlgorithm = {
  ...withoutDelays,
  shape: SHAPE.SLIDING,
  numberCount: 2,

  parse(read) {
    const { windowMs, capacity } = parseWindow(read, MAX_COUNT);
    if (capacity > MAX_UNITS / windowMs) {
      throw read.fail('amount', 'amount x windowMs of at most 2^52 (use FIXED_WINDOW, strict, or a bucket)', capacity);
    }
    return { windowMs, capacity, maxCount: Math.min(MAX_COUNT, Math.floor(MAX_UNITS / windowMs)) };
  },

  refresh(limit, counter, now) {
    const index = Math.floor(now / limit.windowMs);
    const passed = index - counter.at;
    if (passed === 0) return;
    const borrowed = borrowedAfter(limit, counter.used, passed);
    counter.previousCount =
      passed === 1 ? counter.used - borrowed : Math.min(limit.capacity, borrowedAfter(limit, counter.used, passed - 1));
    counter.used = borrowed;
    counter.at = index;
  },

  admits(limit, counter, now, cost) {
    const used = slidingUsed(limit, now, counter.used, counter.previousCount);
    return used + cost <= limit.capacity || mayBorrow(limit, used, cost);
  },

  take(_limit, counter, _now, cost) {
    counter.used += cost;
  },

  takeDenied(limit, counter, now, cost) {
    correctWindow(limit, counter, now, cost);
  },

  correct(limit, counter, stampMs, _chargeId, charged, actual) {
    correctWindow(limit, counter, stampMs, actual - charged);
  },

  emptyAtMs(limit, { at, used, previousCount }) {
    if (used > 0) return (at + 1 + windowsToRepay(limit, used)) * limit.windowMs;
    return previousCount > 0 ? (at + 1) * limit.windowMs : 0;
  },

  rebase(limit, counter, _from, to) {
    counter.at = Math.floor(to / limit.windowMs);
  },

  /** Reports the current count and the previous one. */
  report(_limit, { used, previousCount }, _cost, hasRoom, numbers, offset) {
    numbers[offset] = hasRoom ? used : -1 - used;
    numbers[offset + 1] = previousCount;
  },

  state(limit, cost, { clock, now }, numbers, offset) {
    const first = numbers[offset]!;
    const lacking = first < 0;
    const current = lacking ? -1 - first : first;
    const previous = numbers[offset + 1]!;
    const usedTokens = slidingUsed(limit, now, current, previous);
    const retryAtMs = lacking ? slidingRetryAtMs(limit, now, current, previous, cost) : 0;
    return stateOf(limit, cost, clock, lacking, usedTokens, windowEndsAtMs(limit, now), retryAtMs);
  },

  correctNumbers: correctCount,
};

/**
 * Returns the weighted count: the count of the current window, and part of the count of the
 * previous window. The part is proportional to the overlap of the previous window with the sliding
 * window, and is rounded up.
 */
export function slidingUsed(limit: Limit, now: number, current: number, previous: number): number {
  const overlapMs = limit.windowMs - (now - Math.floor(now / limit.windowMs) * limit.windowMs);
  return current + Math.ceil((previous * overlapMs) / limit.windowMs);
}

/**
 * Changes the count of the window that contains `stampMs`, if that window still counts. The count
 * stays at least zero.
 */
function correctWindow(limit: Limit, counter: Counter, stampMs: number, difference: number): void {
  const passed = counter.at - Math.floor(stampMs / limit.windowMs);
  if (passed === 0) counter.used = clampCount(limit, counter.used + difference);
  else if (passed === 1) counter.previousCount = clampCount(limit, counter.previousCount + difference);
}

/**
 * Returns the first millisecond at which the weighted count leaves room for `cost`. Until then the
 * weighted count never rises.
 */
function slidingRetryAtMs(limit: Limit, now: number, current: number, previous: number, cost: number): number {
  const { windowMs, capacity } = limit;
  const start = Math.floor(now / windowMs) * windowMs;
  if (cost > capacity) return start + (current === 0 ? 1 : windowsToRepay(limit, current) + 1) * windowMs;
  if (current > capacity && capacity < limit.wholeCapacity) {
    // The share has borrowed tokens. The calculation skips the windows in which the borrowed amount
    // alone leaves no room.
    const windows = Math.ceil((current + cost - capacity) / capacity);
    const before = Math.min(capacity, borrowedAfter(limit, current, windows - 1));
    return slidingRetryAtMs(limit, start + windows * windowMs, borrowedAfter(limit, current, windows), before, cost);
  }
  const room = capacity - current - cost;
  if (room >= 0 && previous > 0) {
    const sinceStartMs = windowMs - Math.floor((room * windowMs) / previous);
    if (sinceStartMs < windowMs) return start + sinceStartMs;
  }
  // In the next window the current count becomes the previous one.
  const nextRoom = capacity - cost;
  const sinceNextMs = current <= nextRoom ? 0 : windowMs - Math.floor((nextRoom * windowMs) / current);
  return start + windowMs + sinceNextMs;
}
