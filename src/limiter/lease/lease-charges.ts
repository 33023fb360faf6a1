import type { LimitState } from '../../model/limit-parameters.js';
import { type ChargeSubject, type Scope, sharedByAll } from '../../model/subject.js';
import type { Clock } from '../../runtime/clock.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { chargeBehind, leasedAdmissionOf, leasedReceiptOf } from '../charge/charge-receipt.js';
import type { CheckedRequest } from '../charge/checked-request.js';
import type { Admission, Decision, Denial } from '../charge/decision.js';
import { isLive, type Lease, note, unnote } from '../charge/lease.js';
import type { RedisWithFallback } from '../fallback/redis-with-fallback.js';
import type { Holder } from './create-latest-holders.js';
import { divide } from './divide.js';
import { LeaseKeeper } from './lease-keeper.js';
import { LEASES, type LeaseOptions, type LeaseTotals } from './lease-options.js';
import { createLeaseTable, type LeaseTable } from './lease-table.js';
import { reportHeld, stateHeld } from './report-held.js';

/** Maximum number of callers whose counters are tracked. Other callers are charged in Redis. */
const MAX_HOLDERS = 10_000;

/**
 * Maximum number of limits of a request that leases can cover, because one number represents them
 * as a bit mask.
 */
const MAX_BITS = 30;

/** Charges limits from leases where they suffice, and the other limits in Redis. */
export class LeaseCharges {
  readonly totals: LeaseTotals = { decisions: 0, taken: 0, returned: 0, lost: 0 };
  readonly keeper: LeaseKeeper;
  readonly #shared: RedisWithFallback;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #table: LeaseTable;
  /** Leases of the request that is being charged. Every call reuses the array. */
  readonly #found: (Lease | undefined)[] = [];

  constructor(shared: RedisWithFallback, options: LeaseOptions) {
    const { clock, lengthMs: leaseMs = LEASES.lengthMs.default, after = LEASES.after.default } = options;
    this.#shared = shared;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#table = createLeaseTable(MAX_HOLDERS);
    this.keeper = new LeaseKeeper({ ...options, leaseMs, after, shared, table: this.#table, totals: this.totals });
  }

  /** Finds the leases of a request. Returns a bit mask of those that can cover their cost. */
  #findPaying({ subject, limits, costs }: CheckedRequest, nowMs: number): number {
    let paying = 0;
    let holder: Holder | undefined;
    let scope: Scope | undefined;
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      this.#found[i] = undefined;
      if (!limit.isLeased) continue;
      // The look-up of a caller is the slowest step. Limits of one scope are adjacent and share the
      // look-up.
      if (limit.scope !== scope || sharedByAll(scope)) holder = this.#table.holderOf(subject, limit);
      scope = limit.scope;
      if (holder === undefined) continue;
      const lease = this.#table.open(holder, subject, limit, nowMs);
      this.#found[i] = lease;
      if (this.#canPay(lease, costs[i]!, nowMs)) paying |= 1 << i;
    }
    return paying;
  }

  #canPay(lease: Lease, cost: number, nowMs: number): boolean {
    if (cost > 0) {
      note(lease, cost, nowMs, this.#leaseMs);
      return lease.left >= cost && isLive(lease, nowMs);
    }
    // A cost of zero only reads the state of the counter.
    return lease.numbers !== undefined && nowMs - lease.askedAtMs < this.#leaseMs && nowMs >= lease.askedAtMs;
  }

  /** Takes a cost from a lease that covers it. */
  #spend(lease: Lease, cost: number, subject: ChargeSubject, nowMs: number): void {
    lease.left -= cost;
    if (lease.left < lease.renewBelow || nowMs >= lease.renewAtMs) this.keeper.renew(lease, subject, nowMs);
  }

  holdsSomeOf({ subject, limits }: CheckedRequest): boolean {
    return limits.some((limit) => limit.isLeased && this.#table.holds(subject, limit));
  }

  /** Returns whether this process holds tokens of a limit that denies, or is taking some. */
  #holdsDenying({ subject, limits }: CheckedRequest, denial: Denial): boolean {
    for (let i = 0; i < limits.length; i++) {
      if (denial.limits[i]!.violated && limits[i]!.isLeased && this.#table.holds(subject, limits[i]!)) return true;
    }
    return false;
  }

  charge(request: CheckedRequest): Promise<Decision> {
    const { limits } = request;
    if (!request.hasLeased || request.impossible || limits.length > MAX_BITS) return this.#shared.charge(request);
    // During a flood, remembered denials are returned before leases are looked up.
    const recalled = this.#shared.recall(request);
    const isAsked = recalled === 'ASK';
    const known = isAsked ? undefined : recalled;
    if (known !== undefined && !this.#holdsDenying(request, known)) {
      this.#shared.answeredRecalled();
      return Promise.resolve(known);
    }
    const nowMs = this.#clock();
    this.keeper.watch();
    const paying = this.#findPaying(request, nowMs);
    if (paying === 2 ** limits.length - 1) return Promise.resolve(this.#payAll(request, nowMs));
    if (paying !== 0 && !isAsked) return this.#chargeRest(request, paying, nowMs, known);
    return this.#chargeWhole(request, known);
  }

  /**
   * Charges all limits of a request in Redis. With `known`, first returns the tokens that this
   * process holds of the denying limits.
   * @param known the denial that Redis would return, if this process holds tokens of a denying
   * limit
   */
  #chargeWhole(request: CheckedRequest, known: Denial | undefined): Promise<Decision> {
    const leases = this.#found.slice(0, request.limits.length);
    if (known === undefined) return this.#chargeShared(request, leases, false);
    return this.keeper
      .giveUp(this.#holdingOf(request, known, this.#clock()))
      .then(() => this.#chargeShared(request, leases, true));
  }

  chargeOne(subject: ChargeSubject, limit: Limit, cost: number): Admission | undefined {
    if (cost === 0) return undefined;
    const nowMs = this.#clock();
    const holder = this.#table.knownHolderOf(subject, limit);
    const lease = holder && this.#table.open(holder, subject, limit, nowMs);
    // If the lease cannot cover the operation, the charge in Redis that follows adds it to the
    // demand.
    if (lease === undefined || lease.left < cost || !isLive(lease, nowMs)) return undefined;
    this.keeper.watch();
    note(lease, cost, nowMs, this.#leaseMs);
    this.#spend(lease, cost, subject, nowMs);
    this.totals.decisions++;
    return leasedAdmissionOf(lease, cost, stateHeld(lease, cost));
  }

  #payAll(request: CheckedRequest, nowMs: number): Admission {
    const { subject, costs } = request;
    const leases = this.#found.slice(0, costs.length) as Lease[];
    for (let i = 0; i < costs.length; i++) this.#spend(leases[i]!, costs[i]!, subject, nowMs);
    const { result, states } = reportHeld(request, leases);
    this.totals.decisions++;
    const receipt = leasedReceiptOf(request, result, leases);
    return { admitted: true, delayMs: 0, degraded: false, limits: states, receipt, approximate: true };
  }

  /**
   * Charges in Redis the limits that have no sufficient lease. A denial by Redis denies the whole
   * operation.
   */
  #chargeRest(request: CheckedRequest, paying: number, nowMs: number, known: Denial | undefined): Promise<Decision> {
    const { part, rest } = divide(request, paying);
    // A remembered denial belongs to all limits of an operation, because the leased limits differ
    // between operations. Only a charge of the whole operation can use it and renew it.
    if (this.#shared.denies(rest)) return this.#chargeWhole(request, known);
    const leases: Lease[] = [];
    const restLeases: (Lease | undefined)[] = [];
    for (let i = 0; i < request.limits.length; i++) {
      const lease = this.#found[i];
      if ((paying & (1 << i)) === 0) restLeases.push(lease);
      else {
        leases.push(lease!);
        this.#spend(lease!, request.costs[i]!, request.subject, nowMs);
      }
    }
    const { result, states } = reportHeld(part, leases);
    const receipt = leasedReceiptOf(part, result, leases);
    return this.#chargeShared(rest, restLeases, false).then((decision) => {
      const limits = merge(paying, states, decision.limits);
      if (!decision.admitted) {
        this.keeper.putBack(receipt, undefined);
        unnoteAll(part, leases);
        return { ...decision, limits };
      }
      receipt.unleased = { receipt: chargeBehind(decision.receipt), paying };
      const { delayMs, degraded } = decision;
      return { admitted: true, delayMs, degraded, limits, receipt, approximate: true };
    });
  }

  /**
   * Returns the leases of the denying limits that hold tokens, or have returned some since
   * `sinceMs`. Includes leases of earlier versions of an edited limit.
   */
  #holdingOf({ subject, limits }: CheckedRequest, denial: Denial, sinceMs: number): Lease[] {
    const holding: Lease[] = [];
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      if (denial.limits[i]!.violated && limit.isLeased) holding.push(...this.#table.holding(subject, limit, sinceMs));
    }
    return holding;
  }

  /**
   * Charges in Redis and updates the leases from the reply. After a denial, returns the tokens that
   * this process holds of the denying limits, and charges once more.
   */
  async #chargeShared(
    request: CheckedRequest,
    leases: readonly (Lease | undefined)[],
    isLast: boolean,
  ): Promise<Decision> {
    const askedAtMs = this.#clock();
    const decision = await this.#shared.charge(request);
    if (decision.degraded) return decision;
    if (decision.admitted) {
      this.keeper.learn(request, leases, chargeBehind(decision.receipt).result, decision.limits, askedAtMs);
      return decision;
    }
    for (let i = 0; i < leases.length; i++) {
      if (leases[i] !== undefined) leases[i]!.remaining = decision.limits[i]!.remaining;
    }
    const holding = isLast ? [] : this.#holdingOf(request, decision, askedAtMs);
    if (holding.length === 0) {
      unnoteAll(request, leases);
      return decision;
    }
    await this.keeper.giveUp(holding);
    return this.#chargeShared(request, leases, true);
  }
}

/**
 * Removes a denied operation from the demand: operations that are denied are no reason to lease
 * more tokens.
 */
function unnoteAll({ costs }: CheckedRequest, leases: readonly (Lease | undefined)[]): void {
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
