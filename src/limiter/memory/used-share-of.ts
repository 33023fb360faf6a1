import type { StoredCounter } from './stored-counter.js';

/**
 * Returns the largest used part of a limit among the counters of a partition. This is the loss that
 * an eviction of the partition causes. The result is 0 if every counter is empty by `now`. In that
 * case, an eviction changes no decision.
 */
export function usedShareOf(counters: readonly StoredCounter[], now: number): number {
  let largest = 0;
  for (let i = 0; i < counters.length; i++) largest = Math.max(largest, usedShare(counters[i]!, now));
  return largest;
}

/**
 * Returns the used part of a limit. A bucket is refilled up to `now`. Windows are not updated: a
 * sliding window that is about to end counts in full.
 */
function usedShare(counter: StoredCounter, now: number): number {
  const { limit, emptyAtMs } = counter;
  if (emptyAtMs <= now) return 0;
  if (limit.refillPeriodMs === 0) return (counter.used + counter.previousCount) / limit.capacity;
  return ((emptyAtMs - now) * counter.refillAmount) / (limit.capacity * counter.refillPeriodMs);
}
