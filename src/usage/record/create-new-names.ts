import { LRUCache } from 'lru-cache';
import { atMost } from '../../runtime/sized-cache.js';

interface NewNamesOptions {
  /**
   * Average number of new names per hour, for all callers together. Up to ten times as many are
   * allowed within a short time. One caller may use at most a quarter of these names.
   */
  perHour: number;
}

/**
 * Decides which names of operations are counted separately: known names, and a limited number of
 * new ones.
 */
interface NewNames {
  mayCountSeparately(name: string, caller: string, atMs: number): boolean;
  /** Marks names as known. The last names of the list are remembered longest. */
  know(names: readonly string[]): void;
}

interface Budget {
  left: number;
  atMs: number;
}

/** Maximum number of known names, of at most 200 bytes: 4 MB. */
export const MAX_KNOWN_NAMES = 10_000;
const MAX_CALLERS = 1_000;
const HOURS_AT_ONCE = 10;
const HOUR_MS = 3_600_000;
const SHARE_OF_A_CALLER = 1 / 4;

/**
 * Creates the limit for new names. Callers choose the names of operations, and may use a new one
 * with each request, at no cost if they are denied. Each name becomes rows that are kept for more
 * than a year. With only a budget per minute, one caller could fill the database.
 */
export function createNewNames({ perHour }: NewNamesOptions): NewNames {
  const known = new LRUCache<string, true>(atMost(MAX_KNOWN_NAMES));
  const all: Budget = { left: perHour * HOURS_AT_ONCE, atMs: 0 };
  const ofCallers = new LRUCache<string, Budget>(atMost(MAX_CALLERS));

  function budgetOf(caller: string): Budget {
    let budget = ofCallers.get(caller);
    if (budget === undefined) {
      budget = { left: perHour * HOURS_AT_ONCE * SHARE_OF_A_CALLER, atMs: 0 };
      ofCallers.set(caller, budget);
    }
    return budget;
  }

  return {
    mayCountSeparately(name, caller, atMs) {
      if (known.get(name)) return true;
      const ofCaller = budgetOf(caller);
      refill(all, perHour, atMs);
      refill(ofCaller, perHour * SHARE_OF_A_CALLER, atMs);
      if (all.left < 1 || ofCaller.left < 1) return false;
      all.left--;
      ofCaller.left--;
      known.set(name, true);
      return true;
    },
    know(names) {
      for (const name of names) known.set(name, true);
    },
  };
}

/**
 * Refills a budget. If the clock is set back by less than the time of a full refill, the budget
 * refills again when the clock reaches its earlier time. If it is set back further, the budget
 * continues from the new time, because the wait would be too long.
 */
function refill(budget: Budget, perHour: number, atMs: number): void {
  if (budget.atMs - atMs > HOURS_AT_ONCE * HOUR_MS) budget.atMs = atMs;
  const passedMs = Math.max(0, atMs - budget.atMs);
  budget.left = Math.min(perHour * HOURS_AT_ONCE, budget.left + (passedMs * perHour) / HOUR_MS);
  budget.atMs += passedMs;
}
