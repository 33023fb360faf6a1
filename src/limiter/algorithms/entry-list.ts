import { MAX_ENTRIES } from '../../model/limit-parameters.js';
import type { Counter, Entry } from './counter.js';
import { mayBorrow } from './create-shares.js';
import { type Limit, type LimitAlgorithm, SHAPE } from './limit-algorithm.js';
import { stateOfSum, withoutDelays } from './parse-window.js';

// Sliding window logs and concurrency limits store one entry per charge, in the order in which the
// entries expire.

/** Methods that sliding window logs and concurrency limits have in common. */
export const entryList = {
  ...withoutDelays,
  shape: SHAPE.LIST,
  numberCount: 3,

  refresh(_limit, counter, now) {
    const live = counter.entries.findIndex((entry) => entry.endsAtMs > now);
    counter.entries = live < 0 ? [] : counter.entries.slice(live);
    counter.used = counter.entries.reduce((sum, entry) => sum + entry.cost, 0);
  },

  admits(limit, { used }, _now, cost) {
    return used + cost <= limit.capacity || mayBorrow(limit, used, cost);
  },

  emptyAtMs: (_limit, counter) => lastEndsAtMs(counter),

  rebase(_limit, counter, from, to) {
    counter.entries = counter.entries.map((entry) => ({ ...entry, endsAtMs: entry.endsAtMs + to - from }));
  },

  state: stateOfSum,
} satisfies Partial<LimitAlgorithm>;

/** Adds an entry in the order of expiry. A list of `MAX_ENTRIES` entries stays unchanged. */
export function addEntry(counter: Counter, entry: Entry): void {
  if (counter.entries.length >= MAX_ENTRIES) return;
  let place = counter.entries.length;
  while (place > 0 && counter.entries[place - 1]!.endsAtMs > entry.endsAtMs) place--;
  counter.entries.splice(place, 0, entry);
  counter.used += entry.cost;
}

/**
 * Sets the cost of a charge's entry. A cost of zero removes the entry. Returns whether the entry
 * exists.
 */
export function correctEntry(counter: Counter, chargeId: string, cost: number): boolean {
  const place = counter.entries.findIndex((entry) => entry.chargeId === chargeId);
  const entry = counter.entries[place];
  if (!entry) return false;
  counter.used += cost - entry.cost;
  if (cost === 0) counter.entries.splice(place, 1);
  else counter.entries[place] = { ...entry, cost };
  return true;
}

/**
 * Reports three numbers: the sum of the costs, the time at which the list becomes empty, and the
 * time at which the cost fits. A time is 0 if its condition already holds.
 */
export function reportList(
  counter: Counter,
  hasRoom: boolean,
  retryAtMs: number,
  numbers: number[],
  offset: number,
): void {
  numbers[offset] = hasRoom ? counter.used : -1 - counter.used;
  numbers[offset + 1] = lastEndsAtMs(counter);
  numbers[offset + 2] = hasRoom ? 0 : retryAtMs;
}

/**
 * Returns the time at which enough entries have expired for `cost` to fit. If it never fits, that
 * is the time at which the last entry expires.
 */
export function roomAtMs(limit: Limit, counter: Counter, cost: number): number {
  let { used } = counter;
  for (const entry of counter.entries) {
    used -= entry.cost;
    if (used + cost <= limit.capacity || used === 0) return entry.endsAtMs;
  }
  return 0;
}

function lastEndsAtMs(counter: Counter): number {
  return counter.entries.at(-1)?.endsAtMs ?? 0;
}
