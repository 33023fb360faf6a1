import { MAX_COST } from '../../model/limit-parameters.js';
import { type ChargedCaller, type ChargeSubject, callerOf } from '../../model/subject.js';
import { type EngineTime, type Limit, SHAPE } from '../algorithms/limit-algorithm.js';
import { countedUntilMs } from './is-leasable.js';

/**
 * Tokens that this instance holds of one counter, and the last known state of the counter. Redis
 * charges the tokens before this instance receives them, so everything spent from a lease is within
 * the limit. If the process crashes, its tokens stay charged. Times are milliseconds of
 * `LeaseOptions.clock`, except those of type `EngineTime`.
 *
 * All tokens of a lease have the same age. A renewal treats the remaining tokens as if they were
 * refunded and charged again. If the bucket is too full to accept a refund of all of them, the
 * renewal drops the excess tokens.
 */
export interface Lease {
  readonly subject: ChargedCaller;
  readonly limit: Limit;
  /** Number of tokens that may be spent until `lapsesAtMs`. */
  left: number;
  /** Number of tokens at the last renewal. Refunds fill the lease up to it. */
  size: number;
  /** Time at which the call that took the tokens was sent. */
  takenAtMs: number;
  lapsesAtMs: number;
  /**
   * Time at which Redis took the tokens. It determines the window that they count in, for refunds.
   */
  takenTime: EngineTime;
  /**
   * Numbers that Redis last reported; undefined if unknown. In them, tokens that this instance
   * holds count as used.
   */
  numbers: readonly number[] | undefined;
  knownTime: EngineTime;
  /** Time at which the call was sent that returned `numbers`. */
  askedAtMs: number;
  /** Remaining tokens of the limit, as Redis last reported them. */
  remaining: number;
  /** The call in flight that takes more tokens. */
  fetching: Promise<void> | undefined;
  /**
   * The instance takes more tokens if fewer than this number are left. From `renewAtMs` on, it
   * takes more in any case.
   */
  renewBelow: number;
  renewAtMs: number;
  /** Whether refunds of operations that the lease covered wait to be sent together. */
  hasRefunds: boolean;
  /**
   * The last refund in flight. `returnedAtMs` is the time at which a refund last reached Redis, or
   * was lost.
   */
  returning: Promise<void> | undefined;
  returnedAtMs: number;
  /** Whether the lease is no longer in the table. The instance takes no tokens for such a lease. */
  isForgotten: boolean;
  /** Time until which the instance takes no tokens, so that Redis makes exact decisions. */
  exactUntilMs: number;
  /**
   * Charges and tokens requested since `periodStartMs`. `chargesBefore` and `tokensPerMs` describe
   * the period before.
   */
  periodStartMs: number;
  charges: number;
  tokens: number;
  /** Time of the last request. */
  notedAtMs: number;
  chargesBefore: number;
  tokensPerMs: number;
}

const NEVER: EngineTime = { clock: 0, now: 0 };

/** Creates a lease without tokens, which is due for its first renewal. */
export function createLease(subject: ChargeSubject, limit: Limit, nowMs: number): Lease {
  return {
    subject: callerOf(subject),
    limit,
    left: 0,
    size: 0,
    takenAtMs: nowMs,
    lapsesAtMs: Number.NEGATIVE_INFINITY,
    takenTime: NEVER,
    numbers: undefined,
    knownTime: NEVER,
    askedAtMs: Number.NEGATIVE_INFINITY,
    remaining: 0,
    fetching: undefined,
    renewBelow: Number.POSITIVE_INFINITY,
    renewAtMs: nowMs,
    hasRefunds: false,
    returning: undefined,
    returnedAtMs: Number.NEGATIVE_INFINITY,
    isForgotten: false,
    exactUntilMs: Number.NEGATIVE_INFINITY,
    periodStartMs: nowMs,
    charges: 0,
    tokens: 0,
    notedAtMs: nowMs,
    chargesBefore: 0,
    tokensPerMs: 0,
  };
}

/**
 * Returns whether the tokens may be spent. If a clock of tests was set back to a time before the
 * tokens were taken, their age is unknown and the result is false.
 */
export function isLive({ takenAtMs, lapsesAtMs }: Lease, nowMs: number): boolean {
  return nowMs < lapsesAtMs && nowMs >= takenAtMs;
}

/** Counts a request in the current period. Periods are as long as a lease. */
export function note(lease: Lease, cost: number, nowMs: number, leaseMs: number): void {
  const elapsedMs = nowMs - lease.periodStartMs;
  if (elapsedMs >= leaseMs || elapsedMs < 0) startPeriod(lease, elapsedMs, nowMs, leaseMs);
  lease.charges++;
  lease.tokens += cost;
  lease.notedAtMs = nowMs;
}

/** Reverses one `note`. */
export function unnote(lease: Lease, cost: number): void {
  lease.charges = Math.max(0, lease.charges - 1);
  lease.tokens = Math.max(0, lease.tokens - cost);
}

function startPeriod(lease: Lease, elapsedMs: number, nowMs: number, leaseMs: number): void {
  const isNext = elapsedMs >= 0 && elapsedMs < 2 * leaseMs;
  lease.chargesBefore = isNext ? lease.charges : 0;
  lease.tokensPerMs = isNext ? lease.tokens / elapsedMs : 0;
  lease.periodStartMs = nowMs;
  lease.charges = 0;
  lease.tokens = 0;
}

/**
 * Returns whether the counter had more than `after` requests in the current or the previous period.
 */
export function isHot({ charges, chargesBefore }: Lease, after: number): boolean {
  return charges > after || chargesBefore > after;
}

/**
 * Minimum number of operations that leased tokens must cover to justify a call. If too few tokens
 * are left for them, nothing is leased, and Redis makes exact decisions.
 */
const FEWEST_OPERATIONS = 4;

interface LeaseSize {
  leaseMs: number;
  /** Divisor: the lease holds at most 1 / parts of the remaining tokens of the limit. */
  parts: number;
}

/**
 * Fraction of the lease length after which a periodic check renews the lease, so that operations
 * rarely have to start the renewal. The checks run four times per lease length. When the fraction
 * `AT_LAST` of the lease length has passed, or of the tokens is spent, the next operation renews
 * it.
 */
const OLD = 0.4;
const AT_LAST = 0.6;

/** Returns whether a lease is due for renewal, if operations still use it. */
export function isOld({ takenAtMs }: Lease, nowMs: number, leaseMs: number): boolean {
  return nowMs - takenAtMs >= leaseMs * OLD;
}

/**
 * Returns the number of tokens to take now. Returns 0 if the lease holds enough, or if the limit
 * has too few remaining tokens to lease.
 */
export function tokensToTake(lease: Lease, nowMs: number, { leaseMs, parts }: LeaseSize): number {
  // The first operations of a burst do not show its rate. The lease therefore takes at most four
  // times the tokens that were requested so far.
  const seenForMs = Math.max(nowMs - lease.periodStartMs, leaseMs / 4);
  const tokensPerMs = Math.max(lease.tokensPerMs, lease.tokens / seenForMs);
  const wanted = Math.ceil(tokensPerMs * leaseMs);
  const left = isLive(lease, nowMs) ? lease.left : 0;
  if (left >= (isOld(lease, nowMs, leaseMs) ? wanted : wanted / 2)) return 0;
  const lacking = wanted - left;
  const most = Math.min(Math.floor(lease.remaining / parts), MAX_COST) - left;
  if (lacking <= most) return lacking;
  const perOperation = wanted / Math.max(1, tokensPerMs === lease.tokensPerMs ? lease.chargesBefore : lease.charges);
  return most >= FEWEST_OPERATIONS * perOperation ? most : 0;
}

/**
 * Adds `amount` tokens that a call sent at `sentAtMs` has taken.
 * @returns the number of earlier tokens that no longer count, because their window has ended
 */
export function receive(
  lease: Lease,
  amount: number,
  sentAtMs: number,
  usedTokens: number,
  time: EngineTime,
  leaseMs: number,
): number {
  const { limit } = lease;
  let lapsesAtMs = sentAtMs + leaseMs;
  let ended = 0;
  if (limit.shape !== SHAPE.BUCKET) {
    const endsAtMs = countedUntilMs(limit, time.now);
    // Redis read its clock after the call was sent. On the clock of this process, the window
    // therefore ends at the computed time or later.
    lapsesAtMs = Math.min(lapsesAtMs, sentAtMs + endsAtMs - time.now);
    if (countedUntilMs(limit, lease.takenTime.now) !== endsAtMs) {
      ended = lease.left;
      lease.left = 0;
    }
  }
  // The tokens of the lease are treated as refunded and charged again. A refund cannot exceed the
  // used amount of the bucket, so the lease loses the excess.
  lease.left = Math.min(lease.left, Math.max(0, usedTokens - amount)) + amount;
  lease.size = lease.left;
  lease.takenAtMs = sentAtMs;
  lease.lapsesAtMs = lapsesAtMs;
  lease.takenTime = time;
  lease.renewBelow = lease.left * (1 - AT_LAST);
  lease.renewAtMs = sentAtMs + leaseMs * AT_LAST;
  return ended;
}

/** Returns whether the lease may spend a refund of a charge made at `stamp`. */
export function takesBack(lease: Lease, amount: number, stamp: EngineTime, nowMs: number): boolean {
  if (!isLive(lease, nowMs)) return false;
  const { limit, left, size, takenTime } = lease;
  if (limit.shape !== SHAPE.BUCKET) {
    if (countedUntilMs(limit, stamp.now) !== countedUntilMs(limit, takenTime.now)) return false;
  }
  // A lease accepts a refund only up to the amount that is still used in Redis. Redis would drop a
  // refund beyond that, because the bucket would be full.
  const refilled =
    limit.refillPeriodMs > 0 ? ((nowMs - lease.askedAtMs) * limit.refillAmount) / limit.refillPeriodMs : 0;
  return left + amount <= Math.min(size, limit.capacity - lease.remaining - refilled);
}

/**
 * Writes to `into` the numbers that Redis would report if this instance returned its remaining
 * tokens.
 */
export function readHeld(limit: Limit, reported: readonly number[], left: number, into: number[]): void {
  const count = limit.algorithm.numberCount;
  for (let i = 0; i < count; i++) into[i] = reported[i]!;
  if (left > 0) limit.algorithm.correctNumbers(limit, into, left, 0);
}
