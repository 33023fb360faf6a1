import type { LimitState } from '../../model/limit-parameters.js';
import type { ChargeSubject } from '../../model/subject.js';
import type { Clock } from '../../runtime/clock.js';
import type { EngineTime } from '../algorithms/limit-algorithm.js';
import { createCheckedRequest, type EngineResult } from '../charge/checked-request.js';
import { isHot, type Lease, receive, tokensToTake } from '../charge/lease.js';
import { toLimitState } from '../charge/to-limit-states.js';
import type { RedisWithFallback } from '../fallback/redis-with-fallback.js';
import { createRenewalGroups, type Renewal, type RenewalGroups } from './create-renewal-groups.js';
import type { LeaseTotals } from './lease-options.js';
import type { LeaseRefunds } from './lease-refunds.js';

interface LeaseRenewalsOptions {
  shared: RedisWithFallback;
  totals: LeaseTotals;
  refunds: LeaseRefunds;
  /** Leases that hold tokens. A renewed lease is added. */
  holding: Set<Lease>;
  leaseMs: number;
  after: number;
  clock: Clock;
  /** Called when the call to Redis has succeeded or failed. */
  onFetched: () => void;
}

/**
 * Minimum divisor. A lease holds at most the remaining tokens of the limit, divided by this number.
 * The divisor is twice the number of instances if there are more than eight.
 */
const FEWEST_PARTS = 16;

/**
 * Divisor of the lease length. The quotient is the wait before the next attempt if there was
 * nothing to take.
 */
const LOOKS_PER_LEASE = 4;

/** Leases tokens in the background. */
export class LeaseRenewals {
  readonly #options: LeaseRenewalsOptions;
  readonly #groups: RenewalGroups;
  #isClosed = false;

  constructor(options: LeaseRenewalsOptions) {
    this.#options = options;
    this.#groups = createRenewalGroups({
      send: (renewal) => this.#fetch(renewal),
      follow: (done) => options.refunds.follow(done),
    });
  }

  /**
   * Takes more tokens if the counter is hot and the lease holds too few (`tokensToTake`). Renewals
   * for one `subject` at the same moment share a charge if they share a hash slot.
   */
  renew(lease: Lease, subject: ChargeSubject, nowMs: number): void {
    const { shared, leaseMs, after } = this.#options;
    if (lease.fetching !== undefined || nowMs < lease.exactUntilMs || !isHot(lease, after)) return;
    if (this.#isClosed || lease.isForgotten) return;
    const parts = Math.max(FEWEST_PARTS, 2 * shared.health().instances);
    const amount = tokensToTake(lease, nowMs, { leaseMs, parts });
    if (amount === 0) {
      lease.renewBelow = lease.left / 2;
      lease.renewAtMs = nowMs + leaseMs / LOOKS_PER_LEASE;
      return;
    }
    lease.fetching = this.#groups.add(lease, amount, subject, nowMs);
  }

  /** Takes no more tokens from now on. */
  close(): void {
    this.#isClosed = true;
  }

  async #fetch({ subject, leases, amounts, sentAtMs }: Renewal): Promise<void> {
    const { shared, totals, leaseMs, clock, onFetched } = this.#options;
    const request = createCheckedRequest(
      subject,
      leases.map(({ limit }) => limit),
      amounts,
    );
    for (const amount of amounts) totals.taken += amount;
    const result = await shared.take(request);
    onFetched();
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
      this.#settle(lease, amounts[i]!, { ...result, numbers }, result.times?.[i] ?? result, sentAtMs);
    }
  }

  /** Applies the reply of Redis to one of the leases that were renewed together. */
  #settle(
    lease: Lease,
    amount: number,
    { admitted, numbers }: Pick<EngineResult, 'admitted' | 'numbers'>,
    { clock: serverClock, now }: EngineTime,
    sentAtMs: number,
  ): void {
    const { totals, refunds, holding, leaseMs, clock } = this.#options;
    const time = { clock: serverClock, now };
    const state = toLimitState(lease.limit, amount, time, numbers, 0);
    const hasRoom = !state.violated && !state.wouldDeny;
    if (!admitted || !hasRoom) {
      totals.taken -= amount;
      // Only another lease lacked room. The next operation renews this lease without that one.
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
    if (ended > 0) void refunds.refund(lease, ended, before);
    else totals.returned += held + amount - lease.left;
  }
}

/** Records the state that Redis reported for the counter of a lease. */
export function know(
  lease: Lease,
  numbers: readonly number[],
  time: EngineTime,
  { remaining }: LimitState,
  askedAtMs: number,
): void {
  // The reply to an earlier call may be read after the reply to a later one.
  if (askedAtMs < lease.askedAtMs) return;
  lease.numbers = numbers;
  lease.knownTime = time;
  lease.askedAtMs = askedAtMs;
  lease.remaining = remaining;
}
