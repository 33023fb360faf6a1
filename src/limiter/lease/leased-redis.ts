import type { LimitState } from '../../model/limit.js';
import { type CheckedRequest, changes } from '../charge-request.js';
import type { Decision, Denial } from '../decision.js';
import type { RedisWithFallback } from '../outage/redis-with-fallback.js';
import { type ChargeReceipt, chargeBehind, leasedReceiptOf } from '../receipt.js';
import { createLeaseKeeper } from './keep-leases.js';
import { isLive, type Lease, note } from './lease.js';
import type { LeaseOptions, LeaseTotals } from './lease-options.js';
import { createLeaseTable } from './lease-table.js';
import { reportHeld } from './report-held.js';
import { partOf, restOf } from './served-part.js';

export interface LeasedRedis extends RedisWithFallback {
  readonly leaseTotals: Readonly<LeaseTotals>;
  /** Tokens that may be spent from here now, of all limits or of those with this id. */
  held(id?: string): number;
}

/** Counters that are watched, of so many callers. The others are asked in Redis. */
const MAX_HOLDERS = 10_000;

/**
 * One Redis, and in front of it what this process has taken ahead of it: operations whose limits are all leased, and have enough
 * left here, take no call. Where only some are, the others are charged in Redis, and decide. Per limit the tokens are taken
 * before they are spent, in an ordinary charge: Redis, its clock and the other instances know nothing of leases.
 *
 * A denial always comes from Redis: where a limit refuses of which something is held here, that is returned first.
 */
export function createLeasedRedis(shared: RedisWithFallback, options: LeaseOptions): LeasedRedis {
  const { clock, lengthMs: leaseMs = 100, after = 10 } = options;
  const table = createLeaseTable(MAX_HOLDERS);
  const totals: LeaseTotals = { decisions: 0, taken: 0, returned: 0, lost: 0 };
  const keeper = createLeaseKeeper({ ...options, leaseMs, after, shared, table, totals });
  // Reused by every call.
  const found: (Lease | undefined)[] = [];

  /** Finds the leases of a request, and says which of them can pay: one bit each. */
  function findPaying({ subject, limits, costs }: CheckedRequest, nowMs: number): number {
    let paying = 0;
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      const lease = limit.isLeased ? table.open(subject, limit, nowMs) : undefined;
      found[i] = lease;
      if (lease === undefined) continue;
      const cost = costs[i]!;
      if (cost > 0) {
        note(lease, cost, nowMs, leaseMs);
        if (lease.left >= cost && isLive(lease, nowMs)) paying |= 1 << i;
      } else if (lease.numbers !== undefined && nowMs - lease.askedAtMs < leaseMs && nowMs >= lease.askedAtMs) {
        // It is only looked at.
        paying |= 1 << i;
      }
    }
    return paying;
  }

  function holdsSomeOf({ subject, limits }: CheckedRequest): boolean {
    return limits.some((limit) => limit.isLeased && table.ofCounter(subject, limit).some(({ left }) => left > 0));
  }

  function charge(request: CheckedRequest): Promise<Decision> {
    const { limits } = request;
    // The bits of a number are as many.
    if (!request.hasLeased || request.impossible || limits.length > MAX_BITS) return shared.charge(request);
    const nowMs = clock();
    keeper.watch();
    const paying = findPaying(request, nowMs);
    if (paying === 0) return chargeShared(request, found.slice(0, limits.length), false);
    const isWhole = paying === 2 ** limits.length - 1;
    const part = isWhole ? request : partOf(request, paying);
    const leases: Lease[] = [];
    const wanting = isWhole ? undefined : found.slice(0, limits.length);
    for (let i = 0; i < limits.length; i++) {
      if ((paying & (1 << i)) === 0) continue;
      const lease = found[i]!;
      lease.left -= request.costs[i]!;
      leases.push(lease);
      if (lease.left < lease.renewBelow || nowMs >= lease.renewAtMs) keeper.renew(lease, nowMs);
    }
    const { result, states } = reportHeld(part, leases);
    const receipt = leasedReceiptOf(part, result, leases);
    if (wanting === undefined) {
      totals.decisions++;
      return Promise.resolve({
        admitted: true,
        delayMs: 0,
        degraded: false,
        limits: states,
        receipt,
        approximate: true,
      });
    }
    return chargeRest(request, paying, wanting, receipt, states);
  }

  /** Charges in Redis what is not leased. Its denial is that of the whole. */
  async function chargeRest(
    request: CheckedRequest,
    paying: number,
    leases: readonly (Lease | undefined)[],
    receipt: ChargeReceipt,
    states: readonly LimitState[],
  ): Promise<Decision> {
    const rest = restOf(request, paying);
    const restLeases = leases.filter((_, i) => (paying & (1 << i)) === 0);
    const decision = await chargeShared(rest, restLeases, false);
    const limits = merge(paying, states, decision.limits);
    if (!decision.admitted) {
      keeper.putBack(receipt, NOTHING);
      return { ...decision, limits };
    }
    receipt.beside = { receipt: chargeBehind(decision.receipt), paying };
    return { ...decision, limits, approximate: true, receipt };
  }

  /** Charges in Redis, and learns from what it says. */
  async function chargeShared(
    request: CheckedRequest,
    leases: readonly (Lease | undefined)[],
    isLast: boolean,
  ): Promise<Decision> {
    const askedAtMs = clock();
    const decision = await shared.charge(request);
    if (decision.degraded) return decision;
    if (decision.admitted) {
      keeper.learn(request, leases, chargeBehind(decision.receipt).result, decision.limits, askedAtMs);
      return decision;
    }
    for (let i = 0; i < leases.length; i++) {
      if (leases[i] !== undefined) leases[i]!.remaining = decision.limits[i]!.remaining;
    }
    const holding = isLast ? [] : holdingOf(decision, leases);
    if (holding.length === 0) return decision;
    await keeper.giveUp(holding);
    return chargeShared(request, leases, true);
  }

  return {
    ...shared,
    get anomalies() {
      return shared.anomalies;
    },
    get rememberedDenials() {
      return shared.rememberedDenials;
    },
    // What is held here may pay for it.
    refuses: (request) => shared.refuses(request) && !(request.hasLeased && holdsSomeOf(request)),
    leaseTotals: totals,
    held: keeper.held,
    charge,

    async settle(receipt, actual) {
      if (receipt.leases === undefined) return shared.settle(receipt, actual);
      keeper.putBack(receipt, actual);
      const beside = receipt.beside?.receipt;
      // A slot that ends, or a cost that changes.
      if (beside?.request.limits.some((_, i) => changes(beside.request, i, actual)))
        await shared.settle(beside, actual);
    },

    async reset(request) {
      await keeper.drop(request);
      return shared.reset(request);
    },

    async close() {
      await keeper.close();
      await shared.close();
    },
  };
}

const MAX_BITS = 30;
const NOTHING = undefined;

/** The leases of limits that refuse, of which this process holds something, or is about to. */
function holdingOf({ limits }: Denial, leases: readonly (Lease | undefined)[]): Lease[] {
  return leases.filter(
    (lease, i): lease is Lease =>
      lease !== undefined && limits[i]!.violated && (lease.left > 0 || lease.fetching !== undefined),
  );
}

function merge(paying: number, leased: readonly LimitState[], rest: readonly LimitState[]): LimitState[] {
  let nextLeased = 0;
  let nextRest = 0;
  const count = leased.length + rest.length;
  return Array.from({ length: count }, (_, i) =>
    (paying & (1 << i)) !== 0 ? leased[nextLeased++]! : rest[nextRest++]!,
  );
}
