import type { Clock } from '../../runtime/clock.js';
import type { EngineTime } from '../algorithms/limit-algorithm.js';
import { type ChargeRecord, createCheckedRequest } from '../charge/checked-request.js';
import type { Lease } from '../charge/lease.js';
import type { RedisWithFallback } from '../fallback/redis-with-fallback.js';
import type { LeaseTotals } from './lease-options.js';

/** Placeholder of a charge id: only entries of lists need a distinct one. */
export const NO_CHARGE = '\0\0\0\0\0\0';

interface LeaseRefundsOptions {
  shared: RedisWithFallback;
  totals: LeaseTotals;
  clock: Clock;
}

/** Returns tokens to Redis: refunds that wait to be sent together, and calls in flight. */
export class LeaseRefunds {
  readonly #options: LeaseRefundsOptions;
  /**
   * Refunds that their lease cannot spend, for example because it has lapsed. Those of one lease
   * are sent together if their charges have the same time.
   */
  readonly #waiting = new Map<Lease, { amount: number; stamp: EngineTime }>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: LeaseRefundsOptions) {
    this.#options = options;
  }

  /** Tracks a call as in flight until it ends. */
  follow(done: Promise<void>): Promise<void> {
    this.#underWay.add(done);
    void done.finally(() => this.#underWay.delete(done));
    return done;
  }

  /** Resolves when all calls in flight have ended. */
  ended(): Promise<unknown> {
    return Promise.all(this.#underWay);
  }

  /** Refunds tokens that were taken at `stamp`, with an ordinary refund of a charge. */
  refund(lease: Lease, amount: number, stamp: EngineTime): Promise<void> {
    if (amount === 0) return Promise.resolve();
    const { shared, totals, clock } = this.#options;
    const { subject, limit } = lease;
    lease.remaining += amount;
    const request = createCheckedRequest(subject, [limit], [amount]);
    const charge: ChargeRecord = { request, chargeId: NO_CHARGE, time: stamp, times: undefined };
    const done = this.follow(
      shared.refund(charge, { [limit.id]: 0 }).then((isConfirmed) => {
        totals[isConfirmed ? 'returned' : 'lost'] += amount;
        lease.returnedAtMs = clock();
        if (lease.returning === done) lease.returning = undefined;
      }),
    );
    lease.returning = done;
    return done;
  }

  /** Refunds all tokens left in a lease. */
  refundAll(lease: Lease): Promise<void> {
    const { left, takenTime } = lease;
    lease.left = 0;
    lease.lapsesAtMs = Number.NEGATIVE_INFINITY;
    return this.refund(lease, left, takenTime);
  }

  /** Queues a refund, which `send` or `sendAll` combines with others of the same lease. */
  refundLater(lease: Lease, amount: number, stamp: EngineTime): void {
    // A forgotten lease is no longer in the table, so its waiting refund would not be found and
    // sent before an operation is denied.
    if (lease.isForgotten) {
      void this.refund(lease, amount, stamp);
      return;
    }
    const waiting = this.#waiting.get(lease);
    if (waiting !== undefined && waiting.stamp.now === stamp.now) {
      waiting.amount += amount;
      return;
    }
    if (waiting !== undefined) void this.refund(lease, waiting.amount, waiting.stamp);
    this.#waiting.set(lease, { amount, stamp });
    lease.hasRefunds = true;
  }

  send(lease: Lease): Promise<void> | undefined {
    const waiting = this.#waiting.get(lease);
    this.drop(lease);
    return waiting && this.refund(lease, waiting.amount, waiting.stamp);
  }

  sendAll(): Promise<unknown> {
    return Promise.all(Array.from(this.#waiting.keys(), (lease) => this.send(lease)));
  }

  drop(lease: Lease): void {
    this.#waiting.delete(lease);
    lease.hasRefunds = false;
  }
}
