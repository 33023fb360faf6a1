import type { ChargeSubject } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { changes } from '../charge/checked-request.js';
import type { Admission } from '../charge/decision.js';
import type { RedisWithFallback } from '../fallback/redis-with-fallback.js';
import { LeaseCharges } from './lease-charges.js';
import type { LeaseOptions, LeaseTotals } from './lease-options.js';

export interface LeasedRedis extends RedisWithFallback {
  readonly leaseTotals: Readonly<LeaseTotals>;
  /** A charge of a single limit, where a lease can pay it; undefined: to be charged as any other. */
  chargeOne(subject: ChargeSubject, limit: Limit, cost: number): Admission | undefined;
  /** Tokens that may be spent from here now, of all limits or of those with this id. */
  held(id?: string): number;
}

/**
 * One Redis, and in front of it what this process has taken ahead of it: operations whose limits are all leased, and have enough
 * left here, take no call. Where only some are, the others are charged in Redis, and decide. Per limit the tokens are taken
 * before they are spent, in an ordinary charge: Redis, its clock and the other instances know nothing of leases.
 *
 * A denial always comes from Redis: where a limit refuses of which something is held here, that is returned first.
 */
export function createLeasedRedis(shared: RedisWithFallback, options: LeaseOptions): LeasedRedis {
  const charges = new LeaseCharges(shared, options);
  const { keeper } = charges;

  return {
    ...shared,
    // What is held here may pay for it.
    refuses: (request) => shared.refuses(request) && !(request.hasLeased && charges.holdsSomeOf(request)),
    leaseTotals: charges.totals,
    held: (id) => keeper.held(id),
    charge: (request) => charges.charge(request),
    chargeOne: (subject, limit, cost) => charges.chargeOne(subject, limit, cost),

    settle(receipt, actual) {
      if (receipt.leases === undefined) return shared.settle(receipt, actual);
      keeper.putBack(receipt, actual);
      const beside = receipt.beside?.receipt;
      // A slot that ends, or a cost that changes.
      const changed = beside?.request.limits.some((_, i) => changes(beside.request, i, actual));
      return changed ? shared.settle(beside!, actual) : Promise.resolve();
    },

    async reset(request) {
      await keeper.drop(request);
      return shared.reset(request);
    },

    forget(request) {
      // Those that are being taken now may be of before too.
      void keeper.drop(request);
      shared.forget(request);
    },

    async close() {
      await keeper.close();
      await shared.close();
    },
    get rememberedDenials() {
      return shared.rememberedDenials;
    },
  };
}
