/**
 * State of one counter. All algorithms use the same members, so that V8 can optimize the inner loop
 * of the engine for one type of object. The meaning of the members depends on the `SHAPE` of the
 * algorithm:
 *
 * | shape | at | used | further fields |
 * | --- | --- | --- | --- |
 * | bucket | time of the last refill, ms | taken, in 1 / refillPeriodMs token | `debt`, same unit |
 * | fixed window | window index | count | |
 * | calendar window | end of the window, ms | count (limit-calendar.ts) | `debt`: start of the window, ms |
 * | sliding window | window index | count of this window | `previousCount`: window before |
 * | strict window | index of the newest part | sum of `parts` | `parts`: counts, newest first |
 * | list (log) | | sum of the costs | `entries`, in the order in which they end |
 * | list (slots) | time of the last change, ms | sum of the costs | `entries`, `debt` |
 *
 * In a bucket, `debt` is the amount below zero, and `refillAmount` and `refillPeriodMs` are the
 * rate at which it refills. In a list of slots, `debt` stores the mean hold time in milliseconds (0
 * if unknown): a separate field would cost every counter 24 bytes.
 *
 * Buckets store the amount taken, not the amount left. If the capacity grows, the difference is
 * available immediately; if it shrinks, the amount taken stays the same. A missing counter equals
 * an empty one for every algorithm.
 */
export interface Counter {
  at: number;
  used: number;
  debt: number;
  previousCount: number;
  refillAmount: number;
  refillPeriodMs: number;
  parts: number[];
  entries: Entry[];
}

/** A logged charge, or a slot. It counts while `endsAtMs` is in the future. */
export interface Entry {
  endsAtMs: number;
  cost: number;
  /** Id of the charge of the entry. */
  chargeId: string;
}

/** Shared empty arrays: code that changes a counter creates new ones first. */
export const NO_PARTS: number[] = [];
export const NO_ENTRIES: Entry[] = [];

export function copyCounter(from: Counter, to: Counter): void {
  to.at = from.at;
  to.used = from.used;
  to.debt = from.debt;
  to.previousCount = from.previousCount;
  to.refillAmount = from.refillAmount;
  to.refillPeriodMs = from.refillPeriodMs;
  // Writing a reference into a long-lived object makes garbage collection slower, and most copies
  // change no reference.
  if (to.parts !== from.parts) to.parts = from.parts;
  if (to.entries !== from.entries) to.entries = from.entries;
}
