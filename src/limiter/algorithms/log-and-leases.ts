import type { Limit } from './algorithm.js';
import type { Counter, Entry } from './counter.js';

// Sliding log and concurrency: single charges, each with the time at which it stops counting, in that order.

/** Above this a denied operation that counts is no longer added: the caller is far over by then. */
export const MAX_ENTRIES = 10_000;

export function refreshList(counter: Counter, now: number): void {
  const live = counter.entries.findIndex((entry) => entry.endsAtMs > now);
  counter.entries = live < 0 ? [] : counter.entries.slice(live);
  counter.used = counter.entries.reduce((sum, entry) => sum + entry.cost, 0);
}

export function addEntry(counter: Counter, entry: Entry): void {
  if (counter.entries.length >= MAX_ENTRIES) return;
  let place = counter.entries.length;
  while (place > 0 && counter.entries[place - 1]!.endsAtMs > entry.endsAtMs) place--;
  counter.entries.splice(place, 0, entry);
  counter.used += entry.cost;
}

/** A log's entry takes the actual cost; a lease ends, whatever the cost. */
export function correctEntry(limit: Limit, counter: Counter, chargeId: string, actual: number): void {
  const place = counter.entries.findIndex((entry) => entry.chargeId === chargeId);
  const entry = counter.entries[place];
  if (!entry) return;
  const cost = limit.leases ? 0 : actual;
  counter.used += cost - entry.cost;
  if (cost === 0) counter.entries.splice(place, 1);
  else counter.entries[place] = { ...entry, cost };
}

/** Log: when enough entries have left for `cost` to fit. Leases: when the first one can end. */
export function listRetryAtMs(limit: Limit, counter: Counter, cost: number): number {
  let { used } = counter;
  for (const entry of counter.entries) {
    used -= entry.cost;
    if (limit.leases || used + cost <= limit.capacity || used === 0) return entry.endsAtMs;
  }
  return 0;
}

export function listEmptyAtMs(counter: Counter): number {
  return counter.entries.at(-1)?.endsAtMs ?? 0;
}
