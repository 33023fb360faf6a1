import { MAX_COUNT, STRICT_PARTS } from '../../model/limit-parameters.js';
import type { Counter } from './counter.js';
import { borrowedAfter, mayBorrow, windowsToRepay } from './create-shares.js';
import { type Limit, type LimitAlgorithm, SHAPE } from './limit-algorithm.js';
import { clampCount, correctCount, parseWindow, stateOfSum, withoutDelays } from './parse-window.js';

/**
 * A sliding window whose time is divided into parts. Each part counts in full as long as it
 * overlaps the last `windowMs`. The sum admitted in any interval of `windowMs` therefore never
 * exceeds the amount.
 */
export const strictWindow: LimitAlgorithm = {
  ...withoutDelays,
  shape: SHAPE.STRICT,
  numberCount: 3,

  parse: (read) => parseWindow(read, MAX_COUNT),

  refresh(limit, counter, now) {
    const newest = Math.floor(now / limit.partMs);
    const oldest = Math.floor((now - limit.windowMs + 1) / limit.partMs);
    const passed = newest - counter.at;
    const parts: number[] = [];
    let used = 0;
    for (let back = 0; back <= STRICT_PARTS; back++) {
      const count = newest - back < oldest ? 0 : (counter.parts[back - passed] ?? 0);
      parts.push(count);
      used += count;
    }
    // When a part leaves the window, an amount borrowed in it may not be fully repaid. The rest of
    // that amount then counts in the newest part.
    const windows = Math.max(1, Math.floor(passed / STRICT_PARTS));
    const borrowed = used === 0 ? borrowedAfter(limit, counter.used, windows) : 0;
    parts[0]! += borrowed;
    counter.parts = parts;
    counter.used = used + borrowed;
    counter.at = newest;
  },

  admits(limit, { used }, _now, cost) {
    return used + cost <= limit.capacity || mayBorrow(limit, used, cost);
  },

  take(_limit, counter, _now, cost) {
    counter.used += cost;
    counter.parts[0]! += cost;
  },

  takeDenied(limit, counter, now, cost) {
    correctPart(limit, counter, now, cost);
  },

  correct(limit, counter, stampMs, _chargeId, charged, actual) {
    correctPart(limit, counter, stampMs, actual - charged);
  },

  emptyAtMs,

  rebase(limit, counter, _from, to) {
    counter.at = Math.floor(to / limit.partMs);
  },

  /**
   * Reports three numbers: the sum of the parts, the time at which the sum becomes zero, and the
   * time at which the cost fits. A time is 0 if its condition already holds.
   */
  report(limit, counter, cost, hasRoom, numbers, offset) {
    numbers[offset] = hasRoom ? counter.used : -1 - counter.used;
    numbers[offset + 1] = emptyAtMs(limit, counter);
    numbers[offset + 2] = hasRoom ? 0 : retryAtMs(limit, counter, cost);
  },

  state: stateOfSum,
  correctNumbers: correctCount,
};

function emptyAtMs(limit: Limit, { at, used, parts }: Counter): number {
  const back = parts.findIndex((count) => count > 0);
  if (back < 0) return 0;
  return partEndsAtMs(limit, at - back) + (windowsToRepay(limit, used) - 1) * limit.windowMs;
}

/** Returns the time at which enough parts have left the window for `cost` to fit. */
function retryAtMs(limit: Limit, counter: Counter, cost: number): number {
  if (cost > limit.capacity) return emptyAtMs(limit, counter); // A share admits this cost on credit, once it is empty.
  let used = counter.used;
  for (let back = STRICT_PARTS; back > 0; back--) {
    if (used + cost <= limit.capacity) return partEndsAtMs(limit, counter.at - back - 1);
    used -= counter.parts[back] ?? 0;
  }
  const last = used + cost <= limit.capacity ? 1 : 0;
  return partEndsAtMs(limit, counter.at - last);
}

/** Returns the first time at which a part no longer overlaps the window that ends at that time. */
function partEndsAtMs(limit: Limit, index: number): number {
  return (index + 1) * limit.partMs + limit.windowMs - 1;
}

/**
 * Changes the count of the part that contains `stampMs`, if that part still counts. The count stays
 * at least zero.
 */
function correctPart(limit: Limit, counter: Counter, stampMs: number, difference: number): void {
  const back = counter.at - Math.floor(stampMs / limit.partMs);
  const count = counter.parts[back];
  if (count === undefined) return;
  const corrected = clampCount(limit, count + difference);
  counter.parts[back] = corrected;
  counter.used += corrected - count;
}
