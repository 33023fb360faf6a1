import { MAX_COUNT } from '../../model/limit-parameters.js';
import type { Counter } from './counter.js';
import { borrowedAfter, mayBorrow, windowsToRepay } from './create-shares.js';
import { type Limit, type LimitAlgorithm, SHAPE, stateOf } from './limit-algorithm.js';
import { clampCount, correctCount, parseWindow, windowEndsAtMs, withoutDelays } from './parse-window.js';

export const fixedWindow: LimitAlgorithm = {
  ...withoutDelays,
  shape: SHAPE.FIXED,
  numberCount: 1,

  parse: (read) => parseWindow(read, MAX_COUNT),

  refresh(limit, counter, now) {
    const index = Math.floor(now / limit.windowMs);
    if (counter.at !== index) counter.used = borrowedAfter(limit, counter.used, index - counter.at);
    counter.at = index;
  },

  admits(limit, { used }, _now, cost) {
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

  emptyAtMs(limit, { at, used }) {
    return used > 0 ? (at + windowsToRepay(limit, used)) * limit.windowMs : 0;
  },

  rebase(limit, counter, _from, to) {
    counter.at = Math.floor(to / limit.windowMs);
  },

  /** Reports the count. */
  report(_limit, { used }, _cost, hasRoom, numbers, offset) {
    numbers[offset] = hasRoom ? used : -1 - used;
  },

  state(limit, cost, { clock, now }, numbers, offset) {
    const first = numbers[offset]!;
    const lacking = first < 0;
    const used = lacking ? -1 - first : first;
    const resetAtMs = windowEndsAtMs(limit, now);
    const retryAtMs = lacking ? resetAtMs + (windowsToWait(limit, used, cost) - 1) * limit.windowMs : resetAtMs;
    return stateOf(limit, cost, clock, lacking, used, resetAtMs, retryAtMs);
  },

  correctNumbers: correctCount,
};

/**
 * Changes the count of the window that contains `stampMs`, if it is the current one. The count
 * stays at least zero.
 */
function correctWindow(limit: Limit, counter: Counter, stampMs: number, difference: number): void {
  if (counter.at === Math.floor(stampMs / limit.windowMs)) counter.used = clampCount(limit, counter.used + difference);
}

/** Returns the number of windows that a cost has to wait, at least one. */
export function windowsToWait(limit: Limit, used: number, cost: number): number {
  if (limit.capacity === limit.wholeCapacity) return 1;
  // A cost above the capacity of a share needs an unused share. Any other cost only needs room.
  const toRepay = cost > limit.capacity ? used : used + cost - limit.capacity;
  return windowsToRepay(limit, toRepay);
}
