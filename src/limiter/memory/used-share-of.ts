import type { StoredCounter } from './stored-counter.js';

/**
 * What forgetting a partition would give away: of its counter that is used the most, the used part of the limit. 0: every
 * counter is empty again by `now`, and forgetting changes nothing.
 */
export function usedShareOf(counters: readonly StoredCounter[], now: number): number {
  let largest = 0;
  for (let i = 0; i < counters.length; i++) largest = Math.max(largest, usedShare(counters[i]!, now));
  return largest;
}

/** Not brought up to `now`: a sliding window that is about to leave counts in full. */
function usedShare(counter: StoredCounter, now: number): number {
  const { limit, emptyAtMs } = counter;
  if (emptyAtMs <= now) return 0;
  if (limit.refillPeriodMs === 0) return (counter.used + counter.previousCount) / limit.capacity;
  return ((emptyAtMs - now) * counter.refillAmount) / (limit.capacity * counter.refillPeriodMs);
}
