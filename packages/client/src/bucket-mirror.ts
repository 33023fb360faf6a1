import type { BucketReport } from './budget-report.js';

/**
 * Estimates the content of a token bucket from the responses of its server. The estimate is the
 * last reported content, plus the refill since then, minus the operations in flight. It is pure:
 * callers pass times, in milliseconds of a monotonic clock.
 *
 * A process that is alone spends the whole bucket. After it has seen another user of the bucket, it
 * leaves a reserve. Above the reserve, every process takes what it needs. Below it, each process
 * keeps to a rate of its own. The rate grows slowly while there is more than the reserve. It
 * shrinks by a factor while there is less, as in TCP's congestion control (AIMD). Processes that
 * share a bucket therefore converge to equal rates without knowing of each other.
 */
export interface BucketMirror {
  readonly isKnown: boolean;
  /**
   * Returns the time at which an operation of this price may be sent if no response arrives before.
   * Infinity: only a response can make room.
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
   * The response has no bucket: it came from something in front of the limiter, or nothing was
   * charged.
   */
  | { type: 'SILENT' }
  /** No response came. The operation may have run, so its price counts as charged. */
  | { type: 'LOST' };

/** Share of the bucket that only processes within their rate may use while the bucket is shared. */
const RESERVE = 0.3;
/**
 * Share of the bucket's rate that a process adds to its own with each response while the bucket is
 * full.
 */
const INCREASE = 0.1;
/** Factor of the rate with each response while the bucket is empty. */
const DECREASE = 0.7;
/** Factor of the rate after a denial. */
const DECREASE_DENIED = 0.5;
/**
 * Lower bound of a process's rate, as a share of the bucket's rate. With less, it would notice too
 * late that others have gone.
 */
const LEAST_RATE = 0.01;
/**
 * Time for which a bucket counts as shared after another user was seen. It is twice the time to
 * fill, within these bounds.
 */
const SHARED_FOR_FILLS = 2;
const SHARED_AT_LEAST_MS = 10_000;
const SHARED_AT_MOST_MS = 300_000;
/**
 * Time constant of the average consumption of others, in milliseconds. A burst between two close
 * responses must not count as their rate.
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
   * Tokens per millisecond that others consume. It is an average that decays with OTHERS_MEMORY_MS,
   * as of the last response.
   */
  let takenByOthersPerMs = 0;
  let sharedUntilMs = Number.NEGATIVE_INFINITY;
  /**
   * Time at which the rate was last lowered. Responses to operations that were sent before carry no
   * new information.
   */
  let loweredAtMs = Number.NEGATIVE_INFINITY;
  /** Tokens per millisecond that this process takes below the reserve. */
  let ratePerMs = 0;
  /** Tokens that this rate has earned and that are still unused. */
  let credit = 0;
  let creditAtMs = 0;

  const refilled = (nowMs: number) =>
    nowMs >= fullAtMs ? capacity : Math.min(capacity, available + Math.max(0, nowMs - atMs) * restorePerMs);
  const creditOf = (nowMs: number, most: number) =>
    Math.min(most, credit + Math.max(0, nowMs - creditAtMs) * ratePerMs);
  /** Returns the tokens that an operation outside of the rate must leave in the bucket. */
  const reserveFor = (price: number, nowMs: number) =>
    nowMs < sharedUntilMs ? Math.max(0, Math.min(RESERVE * capacity, capacity - price)) : 0;

  return {
    get isKnown() {
      return isKnown;
    },

    timeOf(price, nowMs) {
      // The server rejects an operation that costs more than its bucket can hold, with the reason.
      if (!isKnown || price > capacity) return nowMs;
      const spare = refilled(nowMs) - onTheWay;
      // A window has no refill: its remainder is available until the window ends.
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
      // Repeated sums of fractions accumulate errors.
      onTheWay = countOnTheWay === 0 ? 0 : Math.max(0, onTheWay - price);
      if (end.type === 'LOST' && isKnown) {
        available = Math.max(0, refilled(nowMs) - price);
        atMs = nowMs;
      }
      if (end.type !== 'REPORTED') return;
      const { bucket, isDenied, sentMs } = end;
      if (isKnown) learnFromOthers(bucket, end.charged, nowMs, sentMs);
      else ratePerMs = bucket.restorePerSecond / 1000;
      // The server may have decided this operation before the one of the previous response. Then
      // this report is older and includes tokens that are already spent. A changed capacity is new
      // in any case.
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

  /** Attributes to other users the missing tokens that this process did not take. */
  function learnFromOthers(bucket: BucketReport, charged: number | undefined, nowMs: number, sentMs: number): void {
    // Without the price, the consumption of this operation cannot be separated from that of others.
    if (charged === undefined || bucket.capacity !== capacity) return;
    // Operations in flight may have been charged already, so they do not count as taken by others.
    const own = charged + onTheWay;
    const elapsedMs = nowMs - atMs;
    const taken = Math.max(0, refilled(nowMs) - own - bucket.available);
    takenByOthersPerMs =
      takenByOthersPerMs * Math.exp(-Math.max(0, elapsedMs) / OTHERS_MEMORY_MS) + taken / OTHERS_MEMORY_MS;
    // The server decided after `sentMs`. The bucket has certainly refilled until then, whatever the
    // network delay is.
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
      // Operations that were sent before the rate was lowered carry no information about the lower
      // rate.
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
