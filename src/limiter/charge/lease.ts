import { MAX_COST } from '../../model/limit-parameters.js';
import { type ChargedCaller, type ChargeSubject, callerOf } from '../../model/subject.js';
import { type EngineTime, type Limit, SHAPE } from '../algorithms/limit-algorithm.js';
import { windowPartMs } from './is-leasable.js';

/**
 * What this instance holds of one counter, and what it knows of it. Tokens were taken in Redis before they are here, so that
 * whatever is spent from a lease was within the limit, and what is lost with the process is lost to the limit. Times are
 * monotonic milliseconds of this process where they are not the engine's.
 *
 * All tokens of a lease have one age. A renewal does with the rest what a refund and a new charge would: where the refund
 * would have been cut off at the capacity (the bucket is full again), the rest is dropped as much.
 */
export interface Lease {
  readonly subject: ChargedCaller;
  readonly limit: Limit;
  /** Tokens that may be spent until `lapsesAtMs`. */
  left: number;
  /** What was left when it was last renewed: refunds fill it up to that. */
  size: number;
  /** When the call was made that took them; the clock is never before it. */
  takenAtMs: number;
  lapsesAtMs: number;
  /** When Redis took them: the window that they count in, for refunds. */
  takenTime: EngineTime;
  /** As Redis last reported them: what is held here counts as used. Undefined: nothing is known. */
  numbers: readonly number[] | undefined;
  knownTime: EngineTime;
  /** When Redis was asked for them. */
  askedAtMs: number;
  /** What others may still take, as Redis last reported it. */
  remaining: number;
  /** The call that takes more is under way. */
  fetching: Promise<void> | undefined;
  /** More is taken when so little is left, or then. */
  renewBelow: number;
  renewAtMs: number;
  /** Refunds of what it has paid wait to be sent together. */
  hasRefunds: boolean;
  /** The last refund that is under way; and when Redis had, or had lost, the last that was. */
  returning: Promise<void> | undefined;
  returnedAtMs: number;
  /** It is no longer in the table: nothing is taken for it. */
  isForgotten: boolean;
  /** No more is taken before this. */
  exactUntilMs: number;
  /** What was asked for since `periodStartMs`, and in the period before. */
  periodStartMs: number;
  charges: number;
  tokens: number;
  /** When something was asked for last. */
  notedAtMs: number;
  chargesBefore: number;
  tokensPerMs: number;
}

const NEVER: EngineTime = { clock: 0, now: 0 };

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

/** A clock that has stepped back says nothing of how old the tokens are. */
export function isLive({ takenAtMs, lapsesAtMs }: Lease, nowMs: number): boolean {
  return nowMs < lapsesAtMs && nowMs >= takenAtMs;
}

/** Counts what is asked for: by periods of a lease's length. */
export function note(lease: Lease, cost: number, nowMs: number, leaseMs: number): void {
  const elapsedMs = nowMs - lease.periodStartMs;
  if (elapsedMs >= leaseMs || elapsedMs < 0) startPeriod(lease, elapsedMs, nowMs, leaseMs);
  lease.charges++;
  lease.tokens += cost;
  lease.notedAtMs = nowMs;
}

/** Takes back what was noted. */
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

/** What was asked for more than so often in one period. */
export function isHot({ charges, chargesBefore }: Lease, after: number): boolean {
  return charges > after || chargesBefore > after;
}

/** So many operations at least are worth a call of their own; near the edge there are fewer, and decisions are exact. */
const FEWEST_OPERATIONS = 4;

interface LeaseSize {
  leaseMs: number;
  /** What is held is at most this part of what others may still take: 1 / parts. */
  parts: number;
}

/** All are looked at four times in the length of a lease: so old it is renewed then, before an operation has to. */
const OLD = 0.4;
const AT_LAST = 0.6;

/** Whether it is time to renew it, where it is still asked for. */
export function isOld({ takenAtMs }: Lease, nowMs: number, leaseMs: number): boolean {
  return nowMs - takenAtMs >= leaseMs * OLD;
}

/** How many tokens are to be taken now; 0: none, there are enough, or too few left to be taken ahead. */
export function tokensToTake(lease: Lease, nowMs: number, { leaseMs, parts }: LeaseSize): number {
  // The first operations of a burst say little of its rate: at most four times what was seen is taken.
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
 * `amount` tokens were taken by a call that was made at `sentAtMs`.
 * @returns how many of those held before are not held any more, because they count in a window that has ended
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
    const partMs = windowPartMs(limit);
    const part = Math.floor(time.now / partMs);
    // Redis decided after the call was made: by this clock the window ends no earlier.
    lapsesAtMs = Math.min(lapsesAtMs, sentAtMs + (part + 1) * partMs - time.now);
    if (Math.floor(lease.takenTime.now / partMs) !== part) {
      ended = lease.left;
      lease.left = 0;
    }
  }
  // What was held is as if it were refunded and charged again: of a bucket that is full, no more than was used of it.
  lease.left = Math.min(lease.left, Math.max(0, usedTokens - amount)) + amount;
  lease.size = lease.left;
  lease.takenAtMs = sentAtMs;
  lease.lapsesAtMs = lapsesAtMs;
  lease.takenTime = time;
  lease.renewBelow = lease.left * (1 - AT_LAST);
  lease.renewAtMs = sentAtMs + leaseMs * AT_LAST;
  return ended;
}

/** Whether a refund of what was charged at `stamp` may be spent again from here. */
export function takesBack(lease: Lease, amount: number, stamp: EngineTime, nowMs: number): boolean {
  if (!isLive(lease, nowMs)) return false;
  const { limit, left, size, takenTime } = lease;
  if (limit.shape !== SHAPE.BUCKET) {
    const partMs = windowPartMs(limit);
    if (Math.floor(stamp.now / partMs) !== Math.floor(takenTime.now / partMs)) return false;
  }
  // No more than is still used in Redis, where the refund would end at the capacity.
  const refilled =
    limit.refillPeriodMs > 0 ? ((nowMs - lease.askedAtMs) * limit.refillAmount) / limit.refillPeriodMs : 0;
  return left + amount <= Math.min(size, limit.capacity - lease.remaining - refilled);
}

/** What Redis would report if what is left here were returned. */
export function readHeld(limit: Limit, reported: readonly number[], left: number, into: number[]): void {
  const count = limit.algorithm.numberCount;
  for (let i = 0; i < count; i++) into[i] = reported[i]!;
  if (left > 0) limit.algorithm.correctNumbers(limit, into, left, 0);
}
