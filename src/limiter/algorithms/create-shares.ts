import { MAX_INSTANCES } from '../../model/limit-parameters.js';
import type { Limit } from './limit-algorithm.js';

// While Redis is away each instance enforces a share of every limit, so that all of them together admit no more than the
// whole. An operation that is larger than a share, and fits the whole, passes when the share is full and unused; then the
// share has borrowed, and nothing else passes until it has repaid.

/** Divides limits by the number of instances; the share of one limit is the same object each time. */
export function createShares(): (limit: Limit, instances: number) => Limit {
  let shares = new WeakMap<Limit, Limit>();
  let dividedBy = 1;
  return (limit, instances) => {
    if (instances <= 1) return limit;
    if (instances !== dividedBy) {
      shares = new WeakMap();
      dividedBy = instances;
    }
    let share = shares.get(limit);
    if (share === undefined) {
      share = shareOf(limit, Math.min(MAX_INSTANCES, instances));
      shares.set(limit, share);
    }
    return share;
  };
}

function shareOf(limit: Limit, instances: number): Limit {
  const capacity = Math.max(1, Math.floor(limit.capacity / instances));
  // A longer period instead of a smaller amount: it stays whole.
  const refillPeriodMs = limit.refillPeriodMs * instances;
  // The fast path is for whole limits.
  return { ...limit, capacity, refillPeriodMs, capacityUnits: capacity * refillPeriodMs, promptUnits: 0 };
}

/** Whether a cost that is larger than a share may pass on credit. */
export function mayBorrow(limit: Limit, used: number, cost: number): boolean {
  return used === 0 && cost > limit.capacity && cost <= limit.wholeCapacity;
}

/** How many windows it takes until a share has repaid what was used of it; one where nothing was borrowed. */
export function windowsToRepay(limit: Limit, used: number): number {
  return limit.capacity === limit.wholeCapacity ? 1 : Math.max(1, Math.ceil(used / limit.capacity));
}

/** What a window of a share carries into the one that follows `passed` windows later: what it has still borrowed by then. */
export function borrowedAfter(limit: Limit, used: number, passed: number): number {
  if (limit.capacity === limit.wholeCapacity || used <= limit.capacity) return 0;
  return Math.max(0, used - limit.capacity * passed);
}
