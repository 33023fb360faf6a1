import { type Counter, NO_ENTRIES, NO_PARTS } from '../algorithms/counter.js';
import type { Limit } from '../algorithms/limit-algorithm.js';

/** A counter that the memory engine keeps. */
export interface StoredCounter extends Counter {
  /** The limit that wrote it last. */
  limit: Limit;
  emptyAtMs: number;
}

/** One literal with all fields of a counter, and not a spread of one, which V8 gives another form. NaN keeps them doubles: a later change of kind would make every access slow. */
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
