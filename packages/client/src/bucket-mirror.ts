import type { BucketReport } from './budget-report.js';

/**
 * Estimates the content of a token bucket from the answers of its server: the last reported content, plus the refill since,
 * minus the operations in flight. Pure: callers pass times, in milliseconds of a clock that never goes back.
 *
 * A process that is alone spends the whole bucket. After it has seen another user of the bucket, it leaves a reserve: above
 * the reserve every process takes what it needs. Below it, each process keeps to a rate of its own. The rate grows slowly
 * while there is more than the reserve and shrinks by a factor while there is less, as in TCP's congestion control
 * (AIMD). Processes that share a bucket therefore converge to equal rates without knowing of each other.
 */
export interface BucketMirror {
  readonly isKnown: boolean;
  /** Returns when an operation of this price may be sent if no answer arrives before; Infinity: only an answer can tell. */
  timeOf(price: number, nowMs: number): number;
  /** Records that an operation was sent, with the price that it is expected to have. */
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
      /** Whether the bucket itself had too little. */
      isDenied: boolean;
      /** When the operation was sent. */
      sentMs: number;
    }
  /** The answer did not speak of the bucket: it came from something in front of the limiter, or nothing was charged. */
  | { type: 'SILENT' }
  /** No answer came. The operation may have run, so its price counts as charged. */
  | { type: 'LOST' };

/** Share of the bucket that only processes within their rate may use while the bucket is shared. */
const RESERVE = 0.3;
/** Share of the bucket's rate that a process adds to its own with each answer while the bucket is full. */
const INCREASE = 0.1;
/** Factor of the rate with each answer while the bucket is empty. */
const DECREASE = 0.7;
/** Factor of the rate after a denial. */
const DECREASE_DENIED = 0.5;
/** Lower bound of a process's rate, as a share of the bucket's: with less it would notice too late that others have gone. */
const LEAST_RATE = 0.01;
/** How long a bucket counts as shared after another user was seen: two times its time to fill, within these bounds. */
const SHARED_FOR_FILLS = 2;
const SHARED_AT_LEAST_MS = 10_000;
const SHARED_AT_MOST_MS = 300_000;
/** Time constant of the average of what others take. A burst between two close answers must not count as their rate. */
const OTHERS_MEMORY_MS = 5000;
/** Servers round the content of a bucket down to a whole token, before and after. */
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
  /** Tokens per millisecond that others take: an average that decays with OTHERS_MEMORY_MS, as of the last answer. */
  let takenByOthersPerMs = 0;
  let sharedUntilMs = Number.NEGATIVE_INFINITY;
  /** When the rate was last lowered. Answers to operations sent before say nothing new. */
  let loweredAtMs = Number.NEGATIVE_INFINITY;
  /** Tokens per millisecond that this process takes below the reserve. */
  let ratePerMs = 0;
  /** Tokens that this rate has earned and that were not used yet. */
  let credit = 0;
  let creditAtMs = 0;

  const refilled = (nowMs: number) =>
    nowMs >= fullAtMs ? capacity : Math.min(capacity, available + Math.max(0, nowMs - atMs) * restorePerMs);
  const creditOf = (nowMs: number, most: number) =>
    Math.min(most, credit + Math.max(0, nowMs - creditAtMs) * ratePerMs);
  /** Tokens that an operation outside of the rate must leave in the bucket. */
  const reserveFor = (price: number, nowMs: number) =>
    nowMs < sharedUntilMs ? Math.max(0, Math.min(RESERVE * capacity, capacity - price)) : 0;

  return {
    get isKnown() {
      return isKnown;
    },

    timeOf(price, nowMs) {
      // The server rejects what costs more than its bucket can hold, and says why.
      if (!isKnown || price > capacity) return nowMs;
      const spare = refilled(nowMs) - onTheWay;
      // A window has no refill: its rest is available until the window ends.
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
      // The server may have decided this operation before the one that was answered last: then the report is older, and
      // holds tokens that are spent. A changed capacity is news in any case.
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

  /** Attributes to other users what is missing from the bucket and was not taken by this process. */
  function learnFromOthers(bucket: BucketReport, charged: number | undefined, nowMs: number, sentMs: number): void {
    // Without the price, what this operation took cannot be told from what others took.
    if (charged === undefined || bucket.capacity !== capacity) return;
    // Operations in flight may have been charged already, so they do not count as taken by others.
    const own = charged + onTheWay;
    const elapsedMs = nowMs - atMs;
    const taken = Math.max(0, refilled(nowMs) - own - bucket.available);
    takenByOthersPerMs =
      takenByOthersPerMs * Math.exp(-Math.max(0, elapsedMs) / OTHERS_MEMORY_MS) + taken / OTHERS_MEMORY_MS;
    // The server decided after `sentMs`: until then the bucket has refilled for certain, whatever the network's delay.
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
      // Operations that were sent before the rate was lowered say nothing about the lower rate.
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
