/**
 * The state of one counter. One form for all algorithms, so that the engine's inner loop meets a single object shape:
 *
 * | shape | at | used | besides |
 * | --- | --- | --- | --- |
 * | bucket | time of the last refill, ms | taken, in units of 1 / refillPeriodMs token | `debt` from settlements, same unit |
 * | fixed window | window index | count | |
 * | sliding window | window index | count of this window | `previousCount`: that of the one before |
 * | strict window | index of the newest part | sum of `parts` | `parts`: counts, newest first |
 * | list (log) | | sum of the costs | `entries`, in the order in which they end |
 * | list (slots) | time of the last change, ms | the same | `entries`; `debt`: mean hold time, ms, 0: unknown |
 *
 * A field of its own for the mean would cost every counter 24 bytes.
 *
 * Buckets store what was taken, not what is left: a larger capacity opens the difference at once, a smaller one keeps
 * what was used, and an absent counter is an empty one for every algorithm.
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
  /** The charge it belongs to. */
  chargeId: string;
}

/** Shared: whatever changes them makes new ones first. */
export const NO_PARTS: number[] = [];
export const NO_ENTRIES: Entry[] = [];

export function copyCounter(from: Counter, to: Counter): void {
  to.at = from.at;
  to.used = from.used;
  to.debt = from.debt;
  to.previousCount = from.previousCount;
  to.refillAmount = from.refillAmount;
  to.refillPeriodMs = from.refillPeriodMs;
  // Writing a reference into an old object costs the collector: mostly there is nothing to write.
  if (to.parts !== from.parts) to.parts = from.parts;
  if (to.entries !== from.entries) to.entries = from.entries;
}
