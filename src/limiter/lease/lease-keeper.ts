import type { LimitState } from '../../model/limit-parameters.js';
import type { ChargeSubject } from '../../model/subject.js';
import type { ChargeReceipt } from '../charge/charge-receipt.js';
import {
  type ChargeRecord,
  type CheckedRequest,
  createCheckedRequest,
  type EngineResult,
  stampMsOf,
} from '../charge/checked-request.js';
import { isHot, isLive, isOld, type Lease, takesBack } from '../charge/lease.js';
import type { RedisWithFallback } from '../fallback/redis-with-fallback.js';
import type { LeaseOptions, LeaseTotals } from './lease-options.js';
import { LeaseRefunds, NO_CHARGE } from './lease-refunds.js';
import { know, LeaseRenewals } from './lease-renewals.js';
import type { LeaseTable } from './lease-table.js';

interface LeaseKeeperOptions {
  shared: RedisWithFallback;
  table: LeaseTable;
  totals: LeaseTotals;
  leaseMs: number;
  after: number;
  clock: LeaseOptions['clock'];
  schedule: LeaseOptions['schedule'];
}

/** Number of checks per lease length. Lapsed tokens are returned after at most one interval. */
const LOOKS_PER_LEASE = 4;

/**
 * Maximum number of leases that one check renews in advance. Other charges wait behind these
 * renewals. Operations renew the remaining leases when they arrive.
 */
const MOST_AT_ONCE = 256;

/**
 * Maintains leases: renews them, accepts refunds of tokens that operations did not need, and
 * returns lapsed tokens to Redis.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #refunds: LeaseRefunds;
  readonly #renewals: LeaseRenewals;
  /** Leases that hold tokens, or held some at the last check. */
  readonly #holding = new Set<Lease>();
  #stop: (() => void) | undefined;
  #isClosed = false;
  #looks = 0;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#refunds = new LeaseRefunds(options);
    this.#renewals = new LeaseRenewals({
      ...options,
      refunds: this.#refunds,
      holding: this.#holding,
      onFetched: () => this.watch(),
    });
  }

  /** Takes more tokens in the background, if the lease is due for renewal. */
  renew(lease: Lease, subject: ChargeSubject, nowMs: number): void {
    this.#renewals.renew(lease, subject, nowMs);
  }

  /**
   * Records the states of limits that Redis reported. `leases` holds the lease of each limit, if
   * any.
   */
  learn(
    { subject, limits, costs }: CheckedRequest,
    leases: readonly (Lease | undefined)[],
    result: EngineResult,
    states: readonly LimitState[],
    askedAtMs: number,
  ): void {
    const nowMs = this.#options.clock();
    let offset = 0;
    for (let i = 0; i < limits.length; i++) {
      const lease = leases[i];
      const first = offset;
      offset += limits[i]!.algorithm.numberCount;
      if (lease === undefined) continue;
      if (costs[i]! > 0 && !isHot(lease, this.#options.after)) continue;
      // If a limit lacked room, its numbers are encoded in another way (see `LimitAlgorithm`), so
      // the lease does not store them.
      if (result.numbers[first]! >= 0) {
        know(lease, result.numbers.slice(first, offset), result.times?.[i] ?? result, states[i]!, askedAtMs);
      }
      this.renew(lease, subject, nowMs);
    }
  }

  /**
   * Corrects the charge of a receipt with leases to `actual`. If the operation was not admitted,
   * `actual` is undefined and everything is refunded.
   */
  putBack(receipt: ChargeReceipt, actual: Readonly<Record<string, number>> | undefined): void {
    const nowMs = this.#options.clock();
    const { limits, costs } = receipt.request;
    for (let i = 0; i < limits.length; i++) {
      const lease = receipt.leases![i]!;
      const spent = actual === undefined ? 0 : (actual[limits[i]!.id] ?? costs[i]!);
      const difference = costs[i]! - spent;
      if (difference > 0) this.#putBackOne(lease, difference, receipt, i, nowMs);
      else if (difference < 0) this.#payMore(lease, spent, receipt, i, nowMs);
    }
  }

  /**
   * Refunds all tokens that these leases hold, and sends their waiting refunds. Resolves when these
   * refunds and those in flight have succeeded or failed.
   */
  async giveUp(leases: readonly Lease[]): Promise<void> {
    const { clock, leaseMs } = this.#options;
    await Promise.all(leases.map(({ fetching }) => fetching));
    const untilMs = clock() + leaseMs;
    await Promise.all(
      leases.map((lease) => {
        lease.exactUntilMs = untilMs;
        return Promise.all([lease.returning, this.#refunds.refundAll(lease), this.#refunds.send(lease)]);
      }),
    );
  }

  /**
   * Drops the tokens that this process holds of a request's counters, because the counters are
   * about to be reset.
   */
  async drop({ subject, limits }: CheckedRequest): Promise<void> {
    const { table, totals, clock, leaseMs } = this.#options;
    const leases = limits.flatMap((limit) => table.ofCounter(subject, limit));
    for (const lease of leases) lease.exactUntilMs = clock() + leaseMs;
    await Promise.all(leases.map(({ fetching }) => fetching));
    for (const lease of leases) {
      totals.returned += lease.left;
      lease.left = 0;
      lease.lapsesAtMs = Number.NEGATIVE_INFINITY;
      lease.numbers = undefined;
      // After the reset, a refund of an earlier charge would be subtracted from later charges.
      this.#refunds.drop(lease);
    }
  }

  /** Returns the number of tokens that may be spent, of all limits or of those with this id. */
  held(id?: string): number {
    const nowMs = this.#options.clock();
    let sum = 0;
    for (const lease of this.#holding) {
      if (isLive(lease, nowMs) && (id === undefined || lease.limit.id === id)) sum += lease.left;
    }
    return sum;
  }

  /** Schedules the next check. Checks continue until there is nothing left to check. */
  watch(): void {
    if (this.#stop !== undefined || this.#isClosed) return;
    this.#stop = this.#options.schedule(() => this.#look(), this.#options.leaseMs / LOOKS_PER_LEASE);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#renewals.close();
    this.#stop?.();
    await this.#refunds.ended();
    for (const lease of this.#holding) void this.#refunds.refundAll(lease);
    await this.#refunds.sendAll();
    await this.#refunds.ended();
  }

  #look(): void {
    const { table, clock } = this.#options;
    this.#stop = undefined;
    const nowMs = clock();
    let renewed = 0;
    for (const lease of this.#holding) {
      if (lease.left > 0 && !isLive(lease, nowMs)) void this.#refunds.refundAll(lease);
      if (lease.left === 0) this.#holding.delete(lease);
      else if (renewed < MOST_AT_ONCE && this.#isDue(lease, nowMs)) {
        renewed++;
        this.renew(lease, lease.subject, nowMs);
      }
    }
    void this.#refunds.sendAll();
    // The table holds many counters that are charged too rarely for a lease, so it is swept only
    // once per lease length.
    if (++this.#looks % LOOKS_PER_LEASE === 0) table.sweep((lease) => this.#isIdle(lease, nowMs));
    if (table.size() > 0 || this.#holding.size > 0) this.watch();
  }

  /**
   * Returns whether to renew a lease now, before an operation needs the new tokens. Renewals of
   * several callers at one moment share a call; later, each of them would need a separate call.
   */
  #isDue(lease: Lease, nowMs: number): boolean {
    const { leaseMs } = this.#options;
    return isOld(lease, nowMs, leaseMs) && nowMs - lease.notedAtMs < leaseMs / LOOKS_PER_LEASE;
  }

  #isIdle({ left, fetching, hasRefunds, returning, periodStartMs }: Lease, nowMs: number): boolean {
    if (left > 0 || fetching !== undefined || hasRefunds || returning !== undefined) return false;
    const sinceMs = nowMs - periodStartMs;
    return sinceMs >= 2 * this.#options.leaseMs || sinceMs < 0;
  }

  #putBackOne(lease: Lease, amount: number, receipt: ChargeReceipt, i: number, nowMs: number): void {
    const stamp = receipt.times![i]!;
    if (takesBack(lease, amount, stamp, nowMs)) {
      lease.left += amount;
      this.#holding.add(lease);
      return;
    }
    this.#refunds.refundLater(lease, amount, stamp);
    this.watch();
  }

  /**
   * Charges the part of the actual cost that exceeds the estimate, first from the tokens of the
   * lease.
   */
  #payMore(lease: Lease, spent: number, receipt: ChargeReceipt, i: number, nowMs: number): void {
    const { request } = receipt;
    const limit = request.limits[i]!;
    const cost = request.costs[i]!;
    const paid = isLive(lease, nowMs) ? Math.min(lease.left, spent - cost) : 0;
    lease.left -= paid;
    if (paid === spent - cost) return;
    const time = { clock: receipt.times![i]!.clock, now: stampMsOf(receipt, i) };
    const part = createCheckedRequest(request.subject, [limit], [cost]);
    const record: ChargeRecord = { request: part, chargeId: NO_CHARGE, time, times: undefined };
    void this.#refunds.follow(this.#options.shared.refund(record, { [limit.id]: spent - paid }).then(() => {}));
  }
}
