import type { LimitState } from '../../model/limit.js';
import type { ChargeSubject } from '../../model/subject.js';
import type { EngineTime } from '../algorithms/algorithm.js';
import {
  type ChargeRecord,
  type CheckedRequest,
  createCheckedRequest,
  type EngineResult,
  stampMsOf,
} from '../charge/charge-request.js';
import { isHot, isLive, isOld, type Lease, receive, takesBack, tokensToTake } from '../charge/lease.js';
import { toLimitState } from '../charge/limit-state.js';
import type { ChargeReceipt } from '../charge/receipt.js';
import type { RedisWithFallback } from '../fallback/redis-with-fallback.js';
import { createRenewalGroups, type Renewal } from './group-renewals.js';
import type { LeaseOptions, LeaseTotals } from './lease-options.js';
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

/** Takes tokens ahead, takes back what operations did not need, and returns to Redis what lapses. */
interface LeaseKeeper {
  /**
   * Takes more in the background, where a counter is hot and half of what it wants is spent; what is taken for `subject` at once, and
   * lies in one slot, in one charge.
   */
  renew(lease: Lease, subject: ChargeSubject, nowMs: number): void;
  /** What Redis has reported of limits, one of the leases each. */
  learn(
    request: CheckedRequest,
    leases: readonly (Lease | undefined)[],
    result: EngineResult,
    states: readonly LimitState[],
    askedAtMs: number,
  ): void;
  /** Corrects what leases have paid to `actual`; undefined: the operation was not admitted. */
  putBack(receipt: ChargeReceipt, actual: Readonly<Record<string, number>> | undefined): void;
  /** Refunds all that these hold, and what waits to be. Resolves when Redis has it, and what is under way, or did not answer. */
  giveUp(leases: readonly Lease[]): Promise<void>;
  /** Forgets what is held of the counters of a request, which are about to be emptied. */
  drop(request: CheckedRequest): Promise<void>;
  /** Tokens that may be spent, of all limits or of those with this id. */
  held(id?: string): number;
  /** Looks after what lapses, until nothing is seen any more. */
  watch(): void;
  close(): Promise<void>;
}

/** Of what others may still take a lease has at most one part of so many, or of twice as many as there are instances. */
const FEWEST_PARTS = 16;

/** What lapses is returned after at most this part of a lease's length. */
const LOOKS_PER_LEASE = 4;

/**
 * So many leases are renewed at one moment, before an operation has to: what is charged beside them waits behind them. Those of more are
 * renewed as operations come, each at a moment of its own.
 */
const MOST_AT_ONCE = 256;

const NO_CHARGE = '\0\0\0\0\0\0';

export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { shared, table, totals, leaseMs, after, clock, schedule } = options;
  let stop: (() => void) | undefined;
  let isClosed = false;
  /** Refunds that come after their lease has lapsed: those of one counter go together. */
  const refunds = new Map<Lease, { amount: number; stamp: EngineTime }>();
  /** Those that have tokens, or had some when it was last looked. */
  const holding = new Set<Lease>();
  const underWay = new Set<Promise<unknown>>();
  let looks = 0;
  const renewals = createRenewalGroups({ send: fetch, follow });

  function follow(done: Promise<void>): Promise<void> {
    underWay.add(done);
    void done.finally(() => underWay.delete(done));
    return done;
  }

  function renew(lease: Lease, subject: ChargeSubject, nowMs: number): void {
    if (lease.fetching !== undefined || nowMs < lease.exactUntilMs || !isHot(lease, after)) return;
    if (isClosed || lease.isForgotten) return;
    const parts = Math.max(FEWEST_PARTS, 2 * shared.health().instances);
    const amount = tokensToTake(lease, nowMs, { leaseMs, parts });
    if (amount === 0) {
      lease.renewBelow = lease.left / 2;
      lease.renewAtMs = nowMs + leaseMs / LOOKS_PER_LEASE;
      return;
    }
    lease.fetching = renewals.add(lease, amount, subject, nowMs);
  }

  async function fetch({ subject, leases, amounts, sentAtMs }: Renewal): Promise<void> {
    const request = createCheckedRequest(
      subject,
      leases.map(({ limit }) => limit),
      amounts,
    );
    for (const amount of amounts) totals.taken += amount;
    const result = await shared.take(request);
    watch();
    let offset = 0;
    for (let i = 0; i < leases.length; i++) {
      const lease = leases[i]!;
      const { numberCount } = lease.limit.algorithm;
      lease.fetching = undefined;
      if (result === undefined) {
        totals.lost += amounts[i]!;
        lease.exactUntilMs = clock() + leaseMs;
        continue;
      }
      const numbers = result.numbers.slice(offset, offset + numberCount);
      offset += numberCount;
      settleFetch(lease, amounts[i]!, { ...result, numbers }, result.times?.[i] ?? result, sentAtMs);
    }
  }

  /** What Redis says of one of the leases that were to be renewed together. */
  function settleFetch(
    lease: Lease,
    amount: number,
    { admitted, numbers }: Pick<EngineResult, 'admitted' | 'numbers'>,
    { clock: serverClock, now }: EngineTime,
    sentAtMs: number,
  ): void {
    const time = { clock: serverClock, now };
    const state = toLimitState(lease.limit, amount, time, numbers, 0);
    const hasRoom = !state.violated && !state.wouldDeny;
    if (!admitted || !hasRoom) {
      totals.taken -= amount;
      // Where only another one had no room, this one is renewed by the next operation, without that.
      if (hasRoom) return;
      lease.remaining = state.remaining;
      lease.exactUntilMs = clock() + leaseMs / 2;
      return;
    }
    know(lease, numbers, time, state, sentAtMs);
    const held = lease.left;
    const before = lease.takenTime;
    const ended = receive(lease, amount, sentAtMs, state.limit - state.remaining, time, leaseMs);
    holding.add(lease);
    if (ended > 0) void refund(lease, ended, before);
    else totals.returned += held + amount - lease.left;
  }

  function know(
    lease: Lease,
    numbers: readonly number[],
    time: EngineTime,
    { remaining }: LimitState,
    askedAtMs: number,
  ): void {
    // Replies of calls that left together may be read in another order.
    if (askedAtMs < lease.askedAtMs) return;
    lease.numbers = numbers;
    lease.knownTime = time;
    lease.askedAtMs = askedAtMs;
    lease.remaining = remaining;
  }

  /** Refunds tokens that were taken at `stamp`, as any charge is refunded. */
  function refund(lease: Lease, amount: number, stamp: EngineTime): Promise<void> {
    if (amount === 0) return Promise.resolve();
    const { subject, limit } = lease;
    lease.remaining += amount;
    const request = createCheckedRequest(subject, [limit], [amount]);
    const charge: ChargeRecord = { request, chargeId: NO_CHARGE, time: stamp, times: undefined };
    const done = follow(
      shared.refund(charge, { [limit.id]: 0 }).then((isConfirmed) => {
        totals[isConfirmed ? 'returned' : 'lost'] += amount;
        lease.returnedAtMs = clock();
        if (lease.returning === done) lease.returning = undefined;
      }),
    );
    lease.returning = done;
    return done;
  }

  function refundAll(lease: Lease): Promise<void> {
    const { left, takenTime } = lease;
    lease.left = 0;
    lease.lapsesAtMs = Number.NEGATIVE_INFINITY;
    return refund(lease, left, takenTime);
  }

  function refundLater(lease: Lease, amount: number, stamp: EngineTime): void {
    // An operation that is about to be denied would not find it.
    if (lease.isForgotten) {
      void refund(lease, amount, stamp);
      return;
    }
    const waiting = refunds.get(lease);
    if (waiting !== undefined && waiting.stamp.now === stamp.now) {
      waiting.amount += amount;
      return;
    }
    if (waiting !== undefined) void refund(lease, waiting.amount, waiting.stamp);
    refunds.set(lease, { amount, stamp });
    lease.hasRefunds = true;
    watch();
  }

  function sendRefund(lease: Lease): Promise<void> | undefined {
    const waiting = refunds.get(lease);
    forgetRefunds(lease);
    return waiting && refund(lease, waiting.amount, waiting.stamp);
  }

  function forgetRefunds(lease: Lease): void {
    refunds.delete(lease);
    lease.hasRefunds = false;
  }

  function sendRefunds(): Promise<unknown> {
    return Promise.all(Array.from(refunds.keys(), sendRefund));
  }

  function watch(): void {
    if (stop !== undefined || isClosed) return;
    stop = schedule(() => {
      stop = undefined;
      const nowMs = clock();
      let renewed = 0;
      for (const lease of holding) {
        if (lease.left > 0 && !isLive(lease, nowMs)) void refundAll(lease);
        if (lease.left === 0) holding.delete(lease);
        else if (renewed < MOST_AT_ONCE && isDue(lease, nowMs)) {
          renewed++;
          renew(lease, lease.subject, nowMs);
        }
      }
      void sendRefunds();
      // Most counters are charged too seldom for a lease, and are many.
      if (++looks % LOOKS_PER_LEASE === 0) table.sweep((lease) => isIdle(lease, nowMs));
      if (table.size > 0 || holding.size > 0) watch();
    }, leaseMs / LOOKS_PER_LEASE);
  }

  /**
   * Whether it is renewed now, though no operation has to wait for it yet: what is taken for all callers at once is one call, and would be
   * one for each of them.
   */
  function isDue(lease: Lease, nowMs: number): boolean {
    return isOld(lease, nowMs, leaseMs) && nowMs - lease.notedAtMs < leaseMs / LOOKS_PER_LEASE;
  }

  function isIdle(lease: Lease, nowMs: number): boolean {
    const sinceMs = nowMs - lease.periodStartMs;
    const { left, fetching, hasRefunds, returning } = lease;
    if (left > 0 || fetching !== undefined || hasRefunds || returning !== undefined) return false;
    return sinceMs >= 2 * leaseMs || sinceMs < 0;
  }

  return {
    renew,
    watch,

    learn({ subject, limits, costs }, leases, result, states, askedAtMs) {
      const nowMs = clock();
      let offset = 0;
      for (let i = 0; i < limits.length; i++) {
        const lease = leases[i];
        const first = offset;
        offset += limits[i]!.algorithm.numberCount;
        if (lease === undefined) continue;
        if (costs[i]! > 0 && !isHot(lease, after)) continue;
        // Numbers of what was lacking are another kind.
        if (result.numbers[first]! >= 0) {
          know(lease, result.numbers.slice(first, offset), result.times?.[i] ?? result, states[i]!, askedAtMs);
        }
        renew(lease, subject, nowMs);
      }
    },

    putBack(receipt, actual) {
      const nowMs = clock();
      const { limits, costs } = receipt.request;
      for (let i = 0; i < limits.length; i++) {
        const { id } = limits[i]!;
        const lease = receipt.leases![i]!;
        const spent = actual === undefined ? 0 : (actual[id] ?? costs[i]!);
        const difference = costs[i]! - spent;
        if (difference === 0) continue;
        const stamp = receipt.times![i]!;
        if (difference > 0) {
          if (takesBack(lease, difference, stamp, nowMs)) {
            lease.left += difference;
            holding.add(lease);
          } else refundLater(lease, difference, stamp);
          continue;
        }
        // It was more than was thought: what the lease has pays for it first.
        const paid = isLive(lease, nowMs) ? Math.min(lease.left, -difference) : 0;
        lease.left -= paid;
        if (paid === -difference) continue;
        const charge = receipt.request;
        const request = createCheckedRequest(charge.subject, [limits[i]!], [costs[i]!]);
        const time = { clock: stamp.clock, now: stampMsOf(receipt, i) };
        const record: ChargeRecord = { request, chargeId: NO_CHARGE, time, times: undefined };
        void follow(shared.refund(record, { [id]: spent - paid }).then(() => {}));
      }
    },

    async giveUp(leases) {
      await Promise.all(leases.map(({ fetching }) => fetching));
      const untilMs = clock() + leaseMs;
      await Promise.all(
        leases.map((lease) => {
          lease.exactUntilMs = untilMs;
          return Promise.all([lease.returning, refundAll(lease), sendRefund(lease)]);
        }),
      );
    },

    async drop({ subject, limits }) {
      const leases = limits.flatMap((limit) => table.ofCounter(subject, limit));
      for (const lease of leases) lease.exactUntilMs = clock() + leaseMs;
      await Promise.all(leases.map(({ fetching }) => fetching));
      for (const lease of leases) {
        totals.returned += lease.left;
        lease.left = 0;
        lease.lapsesAtMs = Number.NEGATIVE_INFINITY;
        lease.numbers = undefined;
        // A refund of what was charged before would be one of what is charged from now on.
        forgetRefunds(lease);
      }
    },

    held(id) {
      const nowMs = clock();
      let sum = 0;
      for (const lease of holding) {
        if (isLive(lease, nowMs) && (id === undefined || lease.limit.id === id)) sum += lease.left;
      }
      return sum;
    },

    async close() {
      isClosed = true;
      stop?.();
      await Promise.all(underWay);
      for (const lease of holding) void refundAll(lease);
      await sendRefunds();
      await Promise.all(underWay);
    },
  };
}
