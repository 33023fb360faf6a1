import type { BucketReport } from './budget-report.js';

/**
 * What a process believes of a token bucket that others take from too: what the last answer said, refilled since, less what
 * is on its way. Pure: times are given, in milliseconds of a clock that never goes back.
 *
 * Above a reserve everybody takes what they need. Below it each process keeps to a rate of its own, which grows by little while
 * there is more than the reserve and shrinks by a part while there is less, as TCP's does: so those who share a bucket come to
 * equal rates without knowing of each other. The reserve costs nothing in the long run, as a bucket that is not full refills.
 */
export interface BucketMirror {
  readonly isKnown: boolean;
  /** When an operation of this price may go, if no answer comes before; Infinity: not before an answer says otherwise. */
  timeOf(price: number, nowMs: number): number;
  /** An operation leaves, which is taken to cost so much until its answer says. */
  send(price: number, nowMs: number): void;
  /** Its answer is there, or will never be: then what it was taken to cost stays charged. */
  settle(price: number, nowMs: number, answer?: BucketAnswer): void;
  /** As in the last answer, refilled. */
  state(nowMs: number): BucketReport | undefined;
}

export interface BucketAnswer {
  bucket: BucketReport | undefined;
  /** By the bucket, which had too little. */
  isDenied: boolean;
  /** When the operation left. */
  sentMs: number;
}

/** The part of the bucket that is left to those who keep to their rate. */
const RESERVE = 0.3;
/** How much of the bucket's rate a process adds to its own, with each answer, while the bucket is full. */
const INCREASE = 0.1;
/** What is left of its rate, with each answer, while the bucket is empty. */
const DECREASE = 0.7;
/** And after a denial. */
const DECREASE_DENIED = 0.5;
/** No caller's rate falls below this part of the bucket's: it would take for ever to notice that the others have gone. */
const LEAST_RATE = 0.01;

export function createBucketMirror(): BucketMirror {
  let capacity = Number.POSITIVE_INFINITY;
  let restorePerMs = 0;
  let available = 0;
  let atMs = 0;
  let fullAtMs = Number.POSITIVE_INFINITY;
  let isKnown = false;
  /** Tokens of operations that have left and whose answers have not come. */
  let onTheWay = 0;
  let countOnTheWay = 0;
  /** What others were seen to take at last, per millisecond. */
  let takenByOthersPerMs = 0;
  /** When the rate was lowered: answers to what had left before say nothing new. */
  let loweredAtMs = Number.NEGATIVE_INFINITY;
  /** Tokens per millisecond that are taken below the reserve. */
  let ratePerMs = 0;
  /** What that rate has come to since it was last used. */
  let credit = 0;
  let creditAtMs = 0;

  const refilled = (nowMs: number) =>
    nowMs >= fullAtMs ? capacity : Math.min(capacity, available + Math.max(0, nowMs - atMs) * restorePerMs);
  const creditOf = (nowMs: number, most: number) =>
    Math.min(most, credit + Math.max(0, nowMs - creditAtMs) * ratePerMs);
  /** What has to be left for others by who takes without looking at their rate. */
  const reserveFor = (price: number) => Math.max(0, Math.min(RESERVE * capacity, capacity - price));

  return {
    get isKnown() {
      return isKnown;
    },

    timeOf(price, nowMs) {
      // What costs more than there can ever be is for the server to refuse: it says why.
      if (!isKnown || price > capacity) return nowMs;
      const spare = refilled(nowMs) - onTheWay;
      // A window has no rate to keep to: what is left in it is there until it starts anew.
      if (restorePerMs === 0) return spare >= price ? nowMs : Math.max(nowMs, fullAtMs);
      const freePerMs = Math.max(LEAST_RATE * restorePerMs, restorePerMs - takenByOthersPerMs);
      const projected = Math.min(refilled(nowMs), available + Math.max(0, nowMs - atMs) * freePerMs) - onTheWay;
      const untilFree = waitFor(price + reserveFor(price) - projected, freePerMs);
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

    settle(price, nowMs, { bucket, isDenied, sentMs } = { bucket: undefined, isDenied: false, sentMs: nowMs }) {
      countOnTheWay--;
      // Sums of fractions go wrong by little each time.
      onTheWay = countOnTheWay === 0 ? 0 : Math.max(0, onTheWay - price);
      if (bucket === undefined) {
        // Whether it was charged is unknown: it is taken to be.
        if (isKnown && !isDenied) {
          available = Math.max(0, refilled(nowMs) - price);
          atMs = nowMs;
        }
        return;
      }
      if (isKnown) learnFromOthers(bucket, price, nowMs, isDenied);
      else ratePerMs = bucket.restorePerSecond / 1000;
      ({ capacity, available } = bucket);
      fullAtMs = nowMs + (bucket.resetAfterMs ?? Number.POSITIVE_INFINITY);
      restorePerMs = bucket.restorePerSecond / 1000;
      atMs = nowMs;
      isKnown = true;
      adaptRate(nowMs, isDenied, sentMs);
    },

    state: (nowMs) =>
      isKnown ? { capacity, available: Math.floor(refilled(nowMs)), restorePerSecond: restorePerMs * 1000 } : undefined,
  };

  /** What is missing from the bucket, and was not taken here, others have taken. */
  function learnFromOthers(bucket: BucketReport, price: number, nowMs: number, isDenied: boolean): void {
    const elapsedMs = nowMs - atMs;
    if (elapsedMs <= 0) return;
    // What is on its way may have been charged already: that is not taken for others'.
    const expected = refilled(nowMs) - (isDenied ? 0 : price) - onTheWay;
    takenByOthersPerMs = Math.max(0, expected - bucket.available) / elapsedMs;
  }

  function adaptRate(nowMs: number, isDenied: boolean, sentMs: number): void {
    credit = creditOf(nowMs, capacity);
    creditAtMs = nowMs;
    const reserve = RESERVE * capacity;
    if (isDenied || available < reserve) {
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
