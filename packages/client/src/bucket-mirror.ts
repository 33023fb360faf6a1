import type { BucketReport } from './budget-report.js';

/**
 * Estimates the content of a token bucket from the responses of its server. The estimate is the
 * last reported content, plus the refill since then, minus the prices of the operations in flight.
 * It reads no clock: callers pass all times, in milliseconds of a monotonic clock.
 *
 * If a process is the only user of the bucket, it spends all tokens. After it has seen another
 * user, it leaves a reserve. While the bucket contains more than the reserve, every process spends
 * as many tokens as it needs. Below the reserve, each process spends at its own rate. The rate
 * grows slowly while the bucket contains more than the reserve, and shrinks by a factor while it
 * contains less. This is the AIMD method of TCP's congestion control. Processes that share a bucket
 * therefore converge to equal rates without knowing of each other.
 */
export interface BucketMirror {
  readonly isKnown: boolean;
  /**
   * Returns the time at which an operation of this price may be sent if no response arrives before
   * then. Infinity: it must wait for a response.
   */
  timeOf(price: number, nowMs: number): number;
  /** Records that an operation was sent, with its expected price. */
  send(price: number, nowMs: number): void;
  /** Records the end of an operation that was sent with this expected price. */
  settle(price: number, nowMs: number, end: OperationEnd): void;
  /** Returns the last reported bucket, refilled until now. */
  state(nowMs: number): BucketReport | undefined;
  /** Returns whether another user of the bucket was seen recently. */
  isShared(nowMs: number): boolean;
}

export type OperationEnd =
  /** The server reported its bucket. */
  | {
      type: 'REPORTED';
      bucket: BucketReport;
      /** Tokens that the operation was charged; undefined: unknown. */
      charged: number | undefined;
      /** Whether the bucket itself lacked tokens. */
      isDenied: boolean;
      /** Time at which the operation was sent, in milliseconds. */
      sentMs: number;
    }
  /**
   * The response has no bucket: a proxy in front of the limiter sent it, or nothing was charged.
   */
  | { type: 'SILENT' }
  /** The caller has no bucket, such as after a change of their tier. */
  | { type: 'UNLIMITED' }
  /** No response was received. The operation may have run, so its price counts as charged. */
  | { type: 'LOST' };

/**
 * Reserve, as a share of the bucket's capacity. While the bucket is shared, a process spends the
 * reserve only at its own rate.
 */
const RESERVE = 0.3;
/**
 * Amount that a process adds to its rate with each response while the bucket is full, as a share of
 * the bucket's refill rate.
 */
const INCREASE = 0.1;
/** Factor by which each response multiplies the rate while the bucket is empty. */
const DECREASE = 0.7;
/** Factor by which a denial multiplies the rate. */
const DECREASE_DENIED = 0.5;
/**
 * Minimum rate of a process, as a share of the bucket's refill rate. With a lower rate, the process
 * would notice too late that the other users have stopped.
 */
const LEAST_RATE = 0.01;
/**
 * Time for which a bucket counts as shared after another user was seen: twice the time in which the
 * bucket fills, within these bounds.
 */
const SHARED_FOR_FILLS = 2;
const SHARED_AT_LEAST_MS = 10_000;
const SHARED_AT_MOST_MS = 300_000;
/**
 * Time constant of the average consumption of other users, in milliseconds. A burst between two
 * close responses must not count as their rate.
 */
const OTHERS_MEMORY_MS = 5000;
/**
 * Tolerance in tokens. Servers round the content of a bucket down to a whole token, before and
 * after the operation.
 */
const ROUNDING_TOKENS = 2;

export function createBucketMirror(): BucketMirror {
  let capacity = Number.POSITIVE_INFINITY;
  let restorePerMs = 0;
  let available = 0;
  let atMs = 0;
  let fullAtMs = Number.POSITIVE_INFINITY;
  let isKnown = false;
  /** Expected tokens of the operations in flight. */
  let onTheWay = 0;
  let countOnTheWay = 0;
  /**
   * Tokens per millisecond that other users consume. It is an average that decays with
   * OTHERS_MEMORY_MS, as of the last response.
   */
  let takenByOthersPerMs = 0;
  let sharedUntilMs = Number.NEGATIVE_INFINITY;
  /**
   * Time at which the rate was last lowered. Responses to operations that were sent before this
   * time must not lower it again.
   */
  let loweredAtMs = Number.NEGATIVE_INFINITY;
  /** Tokens per millisecond that this process spends below the reserve. */
  let ratePerMs = 0;
  /** Tokens that have accumulated at this rate and are still unspent. */
  let credit = 0;
  let creditAtMs = 0;

  const refilled = (nowMs: number) =>
    nowMs >= fullAtMs ? capacity : Math.min(capacity, available + Math.max(0, nowMs - atMs) * restorePerMs);
  const creditOf = (nowMs: number, most: number) =>
    Math.min(most, credit + Math.max(0, nowMs - creditAtMs) * ratePerMs);
  /**
   * Returns the number of tokens that an operation in excess of the rate must leave in the bucket.
   */
  const reserveFor = (price: number, nowMs: number) =>
    nowMs < sharedUntilMs ? Math.max(0, Math.min(RESERVE * capacity, capacity - price)) : 0;

  return {
    get isKnown() {
      return isKnown;
    },

    timeOf(price, nowMs) {
      // The operation costs more than the capacity. It is sent immediately, and the server rejects
      // it with the reason.
      if (!isKnown || price > capacity) return nowMs;
      const spare = refilled(nowMs) - onTheWay;
      // A fixed window does not refill: if its remainder is too small, the operation waits for the
      // end of the window.
      if (restorePerMs === 0) return spare >= price ? nowMs : Math.max(nowMs, fullAtMs);
      const freePerMs = Math.max(LEAST_RATE * restorePerMs, restorePerMs - takenByOthersPerMs);
      const projected = Math.min(refilled(nowMs), available + Math.max(0, nowMs - atMs) * freePerMs) - onTheWay;
      const untilFree = waitFor(price + reserveFor(price, nowMs) - projected, freePerMs);
      const untilThere = waitFor(price - spare, restorePerMs);
      const untilTurn = waitFor(price - creditOf(nowMs, price), ratePerMs);
      return nowMs + Math.min(untilFree, Math.max(untilThere, untilTurn));
    },

    send(price, nowMs) {
      onTheWay += price;
      countOnTheWay++;
      credit = Math.max(0, creditOf(nowMs, price) - price);
      creditAtMs = nowMs;
    },

    settle(price, nowMs, end) {
      countOnTheWay--;
      // Set to exactly 0, because repeated sums of fractions accumulate rounding errors.
      onTheWay = countOnTheWay === 0 ? 0 : Math.max(0, onTheWay - price);
      if (end.type === 'LOST' && isKnown) {
        available = Math.max(0, refilled(nowMs) - price);
        atMs = nowMs;
      }
      if (end.type === 'UNLIMITED') isKnown = false;
      if (end.type !== 'REPORTED') return;
      const { bucket, isDenied, sentMs } = end;
      if (isKnown) learnFromOthers(bucket, end.charged, nowMs, sentMs);
      else ratePerMs = bucket.restorePerSecond / 1000;
      // The server may have decided this operation before the operation of the previous response.
      // In that case this report is older than the stored one, and includes tokens that have been
      // spent since. A report with a different capacity is always used.
      const mayBeOlder = isKnown && sentMs < atMs && bucket.capacity === capacity;
      available = mayBeOlder ? Math.min(bucket.available, refilled(nowMs)) : bucket.available;
      capacity = bucket.capacity;
      fullAtMs = nowMs + (bucket.resetAfterMs ?? Number.POSITIVE_INFINITY);
      restorePerMs = bucket.restorePerSecond / 1000;
      atMs = nowMs;
      isKnown = true;
      adaptRate(nowMs, isDenied, sentMs);
    },

    state: (nowMs) =>
      isKnown ? { capacity, available: Math.floor(refilled(nowMs)), restorePerSecond: restorePerMs * 1000 } : undefined,

    isShared: (nowMs) => nowMs < sharedUntilMs,
  };

  /** Attributes missing tokens to other users if this process did not spend them. */
  function learnFromOthers(bucket: BucketReport, charged: number | undefined, nowMs: number, sentMs: number): void {
    // Without the price, the consumption of this operation cannot be separated from that of others.
    if (charged === undefined || bucket.capacity !== capacity) return;
    // Operations in flight may have been charged already, so their tokens are not attributed to
    // other users.
    const own = charged + onTheWay;
    const elapsedMs = nowMs - atMs;
    const taken = Math.max(0, refilled(nowMs) - own - bucket.available);
    takenByOthersPerMs =
      takenByOthersPerMs * Math.exp(-Math.max(0, elapsedMs) / OTHERS_MEMORY_MS) + taken / OTHERS_MEMORY_MS;
    // The server decided after `sentMs`. So the bucket refilled at least until `sentMs`, regardless
    // of the network delay.
    if (refilled(Math.max(atMs, sentMs)) - own - bucket.available <= ROUNDING_TOKENS) return;
    const fillMs = restorePerMs > 0 ? capacity / restorePerMs : SHARED_AT_MOST_MS;
    const sharedForMs = Math.min(SHARED_AT_MOST_MS, Math.max(SHARED_AT_LEAST_MS, SHARED_FOR_FILLS * fillMs));
    sharedUntilMs = Math.max(sharedUntilMs, nowMs + sharedForMs);
  }

  function adaptRate(nowMs: number, isDenied: boolean, sentMs: number): void {
    credit = creditOf(nowMs, capacity);
    creditAtMs = nowMs;
    const reserve = RESERVE * capacity;
    if (isDenied || available < reserve) {
      // Responses to operations that were sent before the rate was lowered must not lower it again.
      if (sentMs < loweredAtMs) return;
      loweredAtMs = nowMs;
      ratePerMs *= isDenied ? DECREASE_DENIED : DECREASE + (1 - DECREASE) * (available / reserve);
    } else if (capacity > reserve)
      ratePerMs += (INCREASE * restorePerMs * (available - reserve)) / (capacity - reserve);
    ratePerMs = Math.min(restorePerMs, Math.max(ratePerMs, LEAST_RATE * restorePerMs));
  }
}

function waitFor(tokens: number, perMs: number): number {
  if (tokens <= 0) return 0;
  return perMs > 0 ? tokens / perMs : Number.POSITIVE_INFINITY;
}
