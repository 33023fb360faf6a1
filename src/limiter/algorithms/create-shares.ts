import { MAX_INSTANCES } from '../../model/limit-parameters.js';
import type { Limit } from './limit-algorithm.js';

// While Redis is unavailable, each instance enforces a share of every limit, so that all instances
// together admit no more than the limit. An operation that is larger than a share but fits the
// whole limit is admitted if the share is unused. The share then admits nothing else until the
// borrowed amount is repaid.

/**
 * Returns a function that divides limits by the number of instances. It returns the same object for
 * a limit until the number of instances changes.
 */
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
  // The period is lengthened instead of the amount reduced, so that the amount stays a whole
  // number.
  const refillPeriodMs = limit.refillPeriodMs * instances;
  // `promptUnits: 0` disables the fast path, which handles whole limits only.
  return { ...limit, capacity, refillPeriodMs, capacityUnits: capacity * refillPeriodMs, promptUnits: 0 };
}

/** Returns whether a cost that is larger than a share may be admitted on credit. */
export function mayBorrow(limit: Limit, used: number, cost: number): boolean {
  return used === 0 && cost > limit.capacity && cost <= limit.wholeCapacity;
}

/**
 * Returns the number of windows after which the used amount of a share is repaid; 1 if nothing was
 * borrowed.
 */
export function windowsToRepay(limit: Limit, used: number): number {
  return limit.capacity === limit.wholeCapacity ? 1 : Math.max(1, Math.ceil(used / limit.capacity));
}

/**
 * Returns the amount that is still borrowed `passed` windows later, out of a share's count of
 * `used`.
 */
export function borrowedAfter(limit: Limit, used: number, passed: number): number {
  if (limit.capacity === limit.wholeCapacity || used <= limit.capacity) return 0;
  return Math.max(0, used - limit.capacity * passed);
}
