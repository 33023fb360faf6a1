import type { LimitState } from '../../model/limit.js';
import type { ChargeSubject, Scope } from '../../model/subject.js';
import { withGetters } from '../../runtime/with-getters.js';
import type { Limit } from '../algorithms/algorithm.js';
import { type CheckedRequest, changes } from '../charge/charge-request.js';
import type { Admission, Decision, Denial } from '../charge/decision.js';
import { isLive, type Lease, note, unnote } from '../charge/lease.js';
import { chargeBehind, leasedAdmissionOf, leasedReceiptOf } from '../charge/receipt.js';
import type { RedisWithFallback } from '../fallback/redis-with-fallback.js';
import { createLeaseKeeper } from './keep-leases.js';
import { LEASES, type LeaseOptions, type LeaseTotals } from './lease-options.js';
import { createLeaseTable, type Holder } from './lease-table.js';
import { reportHeld, stateHeld } from './report-held.js';
import { divide } from './served-part.js';

export interface LeasedRedis extends RedisWithFallback {
  readonly leaseTotals: Readonly<LeaseTotals>;
  /** A charge of a single limit, where a lease can pay it; undefined: to be charged as any other. */
  chargeOne(subject: ChargeSubject, limit: Limit, cost: number): Admission | undefined;
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
  const { clock, lengthMs: leaseMs = LEASES.lengthMs.default, after = LEASES.after.default } = options;
  const table = createLeaseTable(MAX_HOLDERS);
  const totals: LeaseTotals = { decisions: 0, taken: 0, returned: 0, lost: 0 };
  const keeper = createLeaseKeeper({ ...options, leaseMs, after, shared, table, totals });
  // Reused by every call.
  const found: (Lease | undefined)[] = [];

  /** Finds the leases of a request, and says which of them can pay: one bit each. */
  function findPaying({ subject, limits, costs }: CheckedRequest, nowMs: number): number {
    let paying = 0;
    let holder: Holder | undefined;
    let scope: Scope | undefined;
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      found[i] = undefined;
      if (!limit.isLeased) continue;
      // To find a caller takes longer than all else: their limits stand together.
      if (limit.scope !== scope || scope === 'GLOBAL') holder = table.holderOf(subject, limit);
      scope = limit.scope;
      if (holder === undefined) continue;
      const lease = table.open(holder, subject, limit, nowMs);
      found[i] = lease;
      if (canPay(lease, costs[i]!, nowMs)) paying |= 1 << i;
    }
    return paying;
  }

  function canPay(lease: Lease, cost: number, nowMs: number): boolean {
    if (cost > 0) {
      note(lease, cost, nowMs, leaseMs);
      return lease.left >= cost && isLive(lease, nowMs);
    }
    // It is only looked at.
    return lease.numbers !== undefined && nowMs - lease.askedAtMs < leaseMs && nowMs >= lease.askedAtMs;
  }

  /** Takes a cost from a lease that can pay it. */
  function spend(lease: Lease, cost: number, subject: ChargeSubject, nowMs: number): void {
    lease.left -= cost;
    if (lease.left < lease.renewBelow || nowMs >= lease.renewAtMs) keeper.renew(lease, subject, nowMs);
  }

  function holdsSomeOf({ subject, limits }: CheckedRequest): boolean {
    return limits.some((limit) => limit.isLeased && table.holds(subject, limit));
  }

  /** Whether this process holds something of a limit that refuses, or is about to. */
  function holdsRefusing({ subject, limits }: CheckedRequest, denial: Denial): boolean {
    for (let i = 0; i < limits.length; i++) {
      if (denial.limits[i]!.violated && limits[i]!.isLeased && table.holds(subject, limits[i]!)) return true;
    }
    return false;
  }

  function charge(request: CheckedRequest): Promise<Decision> {
    const { limits } = request;
    // The bits of a number are as many.
    if (!request.hasLeased || request.impossible || limits.length > MAX_BITS) return shared.charge(request);
    // Those who flood are denied before it is worked out what leases could pay for them.
    const recalled = shared.recall(request);
    const isAsked = recalled === 'ASK';
    const known = isAsked ? undefined : recalled;
    if (known !== undefined && !holdsRefusing(request, known)) {
      shared.answeredRecalled();
      return Promise.resolve(known);
    }
    const nowMs = clock();
    keeper.watch();
    const paying = findPaying(request, nowMs);
    if (paying === 2 ** limits.length - 1) return Promise.resolve(payAll(request, nowMs));
    if (paying !== 0 && !isAsked) return chargeRest(request, paying, nowMs, known);
    return chargeWhole(request, known);
  }

  /** @param known how Redis would deny it, while this process holds something of what refuses */
  function chargeWhole(request: CheckedRequest, known: Denial | undefined): Promise<Decision> {
    const leases = found.slice(0, request.limits.length);
    if (known === undefined) return chargeShared(request, leases, false);
    return keeper.giveUp(holdingOf(request, known, clock())).then(() => chargeShared(request, leases, true));
  }

  function chargeOne(subject: ChargeSubject, limit: Limit, cost: number): Admission | undefined {
    if (cost === 0) return undefined;
    const nowMs = clock();
    const holder = table.knownHolderOf(subject, limit);
    const lease = holder && table.open(holder, subject, limit, nowMs);
    // What it cannot pay is noted by the charge that comes instead.
    if (lease === undefined || lease.left < cost || !isLive(lease, nowMs)) return undefined;
    keeper.watch();
    note(lease, cost, nowMs, leaseMs);
    spend(lease, cost, subject, nowMs);
    totals.decisions++;
    return leasedAdmissionOf(lease, cost, stateHeld(lease, cost));
  }

  function payAll(request: CheckedRequest, nowMs: number): Admission {
    const { subject, costs } = request;
    const leases = found.slice(0, costs.length) as Lease[];
    for (let i = 0; i < costs.length; i++) spend(leases[i]!, costs[i]!, subject, nowMs);
    const { result, states } = reportHeld(request, leases);
    totals.decisions++;
    const receipt = leasedReceiptOf(request, result, leases);
    return { admitted: true, delayMs: 0, degraded: false, limits: states, receipt, approximate: true };
  }

  /** Charges in Redis what is not leased. Its denial is that of the whole. */
  function chargeRest(
    request: CheckedRequest,
    paying: number,
    nowMs: number,
    known: Denial | undefined,
  ): Promise<Decision> {
    const { part, rest } = divide(request, paying);
    // What is known of a denial is known of all limits of an operation: whose leases pay changes from one to the next.
    if (shared.refuses(rest)) return chargeWhole(request, known);
    const leases: Lease[] = [];
    const restLeases: (Lease | undefined)[] = [];
    for (let i = 0; i < request.limits.length; i++) {
      const lease = found[i];
      if ((paying & (1 << i)) === 0) restLeases.push(lease);
      else {
        leases.push(lease!);
        spend(lease!, request.costs[i]!, request.subject, nowMs);
      }
    }
    const { result, states } = reportHeld(part, leases);
    const receipt = leasedReceiptOf(part, result, leases);
    return chargeShared(rest, restLeases, false).then((decision) => {
      const limits = merge(paying, states, decision.limits);
      if (!decision.admitted) {
        keeper.putBack(receipt, NOTHING);
        forget(part, leases);
        return { ...decision, limits };
      }
      receipt.beside = { receipt: chargeBehind(decision.receipt), paying };
      const { delayMs, degraded } = decision;
      return { admitted: true, delayMs, degraded, limits, receipt, approximate: true };
    });
  }

  /**
   * All that this process holds of the limits that refuse, or has given back since, also under rules as they were before an edit.
   */
  function holdingOf({ subject, limits }: CheckedRequest, denial: Denial, sinceMs: number): Lease[] {
    const holding: Lease[] = [];
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      if (denial.limits[i]!.violated && limit.isLeased) holding.push(...table.holding(subject, limit, sinceMs));
    }
    return holding;
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
    const holding = isLast ? [] : holdingOf(request, decision, askedAtMs);
    if (holding.length === 0) {
      forget(request, leases);
      return decision;
    }
    await keeper.giveUp(holding);
    return chargeShared(request, leases, true);
  }

  return withGetters<LeasedRedis, 'rememberedDenials'>(
    {
      ...shared,
      // What is held here may pay for it.
      refuses: (request) => shared.refuses(request) && !(request.hasLeased && holdsSomeOf(request)),
      leaseTotals: totals,
      held: keeper.held,
      charge,
      chargeOne,

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
    },
    {
      get rememberedDenials() {
        return shared.rememberedDenials;
      },
    },
  );
}

const MAX_BITS = 30;
const NOTHING = undefined;

/** A denied operation was no demand: what is asked for in vain is no reason to take more ahead. */
function forget({ costs }: CheckedRequest, leases: readonly (Lease | undefined)[]): void {
  for (let i = 0; i < leases.length; i++) {
    const lease = leases[i];
    if (lease !== undefined && costs[i]! > 0) unnote(lease, costs[i]!);
  }
}

function merge(paying: number, leased: readonly LimitState[], rest: readonly LimitState[]): LimitState[] {
  const count = leased.length + rest.length;
  const all = new Array<LimitState>(count);
  let nextLeased = 0;
  let nextRest = 0;
  for (let i = 0; i < count; i++) all[i] = (paying & (1 << i)) !== 0 ? leased[nextLeased++]! : rest[nextRest++]!;
  return all;
}
