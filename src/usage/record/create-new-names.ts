import { LRUCache } from 'lru-cache';
import { atMost } from '../../runtime/sized-cache.js';

interface NewNamesOptions {
  /** Of all callers together, on average; ten times as many at once. Of them, one caller has a quarter. */
  perHour: number;
}

/** Which names of operations are told apart: those that are known, and so many new ones. */
interface NewNames {
  mayTellApart(name: string, caller: string, atMs: number): boolean;
  /** These are known, and the last of them for longest. */
  know(names: readonly string[]): void;
}

interface Budget {
  left: number;
  atMs: number;
}

/** Names of at most 200 bytes: 4 MB. */
export const MAX_KNOWN_NAMES = 10_000;
const MAX_CALLERS = 1_000;
const HOURS_AT_ONCE = 10;
const HOUR_MS = 3_600_000;
const SHARE_OF_A_CALLER = 1 / 4;

/**
 * Callers choose the names of operations, a new one with each request where they like, and it costs them nothing where they are
 * denied. Each is rows that are kept for more than a year: within a budget by the minute alone one caller could fill the database.
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
    mayTellApart(name, caller, atMs) {
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
 * A clock that was set back refills nothing, and nothing twice. By more than fills a budget, it was wrong before, and is gone by from here
 * on: else none would be refilled until it is as late again.
 */
function refill(budget: Budget, perHour: number, atMs: number): void {
  if (budget.atMs - atMs > HOURS_AT_ONCE * HOUR_MS) budget.atMs = atMs;
  const passedMs = Math.max(0, atMs - budget.atMs);
  budget.left = Math.min(perHour * HOURS_AT_ONCE, budget.left + (passedMs * perHour) / HOUR_MS);
  budget.atMs += passedMs;
}
