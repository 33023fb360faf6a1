import { type Counter, NO_ENTRIES, NO_PARTS } from '../algorithms/counter.js';
import type { Limit } from '../algorithms/limit-algorithm.js';

/** A counter that the memory engine stores. */
export interface StoredCounter extends Counter {
  /** Limit that wrote the counter last. */
  limit: Limit;
  emptyAtMs: number;
}

/**
 * Creates a counter as one literal with all fields. A spread would get another shape in V8. NaN
 * keeps the fields doubles: a later change of their representation would make every access slow.
 */
export function createStoredCounter(limit: Limit): StoredCounter {
  return {
    at: Number.NaN,
    used: Number.NaN,
    debt: Number.NaN,
    previousCount: Number.NaN,
    refillAmount: Number.NaN,
    refillPeriodMs: Number.NaN,
    parts: NO_PARTS,
    entries: NO_ENTRIES,
    limit,
    emptyAtMs: Number.NaN,
  };
}
