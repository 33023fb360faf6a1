import type { ChargeSubject } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { changes } from '../charge/checked-request.js';
import type { Admission } from '../charge/decision.js';
import type { RedisWithFallback } from '../fallback/redis-with-fallback.js';
import { LeaseCharges } from './lease-charges.js';
import type { LeaseOptions, LeaseTotals } from './lease-options.js';

export interface LeasedRedis extends RedisWithFallback {
  readonly leaseTotals: Readonly<LeaseTotals>;
  /**
   * Charges a single limit from its lease. Returns undefined if the lease cannot cover the cost;
   * the calling code then charges normally.
   */
  chargeOne(subject: ChargeSubject, limit: Limit, cost: number): Admission | undefined;
  /**
   * Returns the number of tokens that this process may spend now without Redis, of all limits or of
   * those with this id.
   */
  held(id?: string): number;
}

/**
 * Adds leases to a Redis. An operation whose limits all have a sufficient lease needs no call to
 * Redis. If only some have one, the others are charged in Redis, which decides. Tokens are taken by
 * an ordinary charge before they are spent: Redis and the other instances need no support for
 * leases.
 *
 * A denial always comes from Redis. If this process holds tokens of a limit that denies, it returns
 * them to Redis and charges again before it denies the operation.
 */
export function createLeasedRedis(shared: RedisWithFallback, options: LeaseOptions): LeasedRedis {
  const charges = new LeaseCharges(shared, options);
  const { keeper } = charges;

  return {
    ...shared,
    // Tokens held here may cover the cost.
    denies: (request) => shared.denies(request) && !(request.hasLeased && charges.holdsSomeOf(request)),
    leaseTotals: charges.totals,
    held: (id) => keeper.held(id),
    charge: (request) => charges.charge(request),
    chargeOne: (subject, limit, cost) => charges.chargeOne(subject, limit, cost),

    settle(receipt, actual) {
      if (receipt.leases === undefined) return shared.settle(receipt, actual);
      keeper.putBack(receipt, actual);
      const unleased = receipt.unleased?.receipt;
      // True if a slot is released or a cost changes.
      const changed = unleased?.request.limits.some((_, i) => changes(unleased.request, i, actual));
      return changed ? shared.settle(unleased!, actual) : Promise.resolve();
    },

    async reset(request) {
      await keeper.drop(request);
      return shared.reset(request);
    },

    forget(request) {
      // Redis may have taken tokens before the reset that are still in flight to this process.
      void keeper.drop(request);
      shared.forget(request);
    },

    async close() {
      await keeper.close();
      await shared.close();
    },
  };
}
