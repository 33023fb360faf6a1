import { MAX_UNITS } from '../../model/limit.js';
import { mayBorrow } from '../outage/local-share.js';
import type { Limit } from './algorithm.js';
import type { Counter } from './counter.js';

// Token bucket and leaky bucket: what was taken drains at the refill rate. Time is whole milliseconds and amounts are
// units of 1 / refillPeriodMs token, so that every step is exact.

/** Refills at the rate that was in force when the counter was last written; debt is paid first. */
export function refreshBucket(counter: Counter, now: number): void {
  const refilled = Math.max(0, now - counter.at) * counter.refillAmount;
  const paid = Math.min(counter.extra, refilled);
  counter.extra -= paid;
  counter.used = Math.max(0, counter.used - (refilled - paid));
  counter.at = now;
}

/** Goes over to the rate of `limit`; true when that is another one. */
export function adoptRate(counter: Counter, limit: Limit): boolean {
  const { refillAmount, refillPeriodMs } = limit;
  if (counter.refillAmount === refillAmount && counter.refillPeriodMs === refillPeriodMs) return false;
  counter.used = rescale(counter.used, counter.refillPeriodMs, refillPeriodMs);
  counter.extra = rescale(counter.extra, counter.refillPeriodMs, refillPeriodMs);
  counter.refillAmount = refillAmount;
  counter.refillPeriodMs = refillPeriodMs;
  return true;
}

/**
 * Units of 1/from in units of 1/to, rounded up: the level is rounded down. Where the product leaves the exact integers,
 * one unit more makes up for the largest rounding error.
 */
function rescale(units: number, from: number, to: number): number {
  if (from === to || units === 0) return units;
  const tokens = Math.floor(units / from);
  const rest = (units - tokens * from) * to;
  const part = rest <= 2 ** 53 ? Math.ceil(rest / from) : Math.min(to, Math.ceil(rest / from) + 1);
  return Math.min(MAX_UNITS, tokens * to + part);
}

/** Units that `cost` lacks; 0 or less: it fits. */
export function bucketLacks(limit: Limit, counter: Counter, cost: number): number {
  return cost * limit.refillPeriodMs - (limit.capacityUnits - counter.used - counter.extra);
}

/** How long a caller would be told to wait if its tokens were reserved now. */
export function bucketWaitMs(limit: Limit, counter: Counter, cost: number): number {
  const ahead = limit.leaky ? counter.used + counter.extra : bucketLacks(limit, counter, cost);
  return Math.max(0, Math.ceil(ahead / limit.refillAmount));
}

export function bucketAdmits(limit: Limit, counter: Counter, cost: number): boolean {
  if (cost > limit.capacity) return mayBorrow(limit, counter.used + counter.extra, cost);
  if (bucketLacks(limit, counter, cost) <= 0) return true;
  return limit.maxDelayMs > 0 && bucketWaitMs(limit, counter, cost) <= limit.maxDelayMs;
}

export function takeFromBucket(counter: Counter, cost: number): void {
  counter.used += cost * counter.refillPeriodMs;
}

/**
 * Takes more than was admitted (settlement, denied operations that count): what the level cannot give becomes debt, at
 * most `maxDebt` tokens. What was reserved ahead by throttling is no debt and does not use up that cap.
 */
export function overdrawBucket(limit: Limit, counter: Counter, tokens: number): void {
  const units = tokens * counter.refillPeriodMs;
  const room = Math.max(0, limit.capacity * counter.refillPeriodMs - counter.used);
  const taken = Math.min(units, room);
  counter.used += taken;
  const cap = Math.min(MAX_UNITS, limit.maxDebt * counter.refillPeriodMs);
  counter.extra = Math.max(counter.extra, Math.min(cap, counter.extra + units - taken));
}

export function refundToBucket(counter: Counter, tokens: number): void {
  const units = tokens * counter.refillPeriodMs;
  const paid = Math.min(counter.extra, units);
  counter.extra -= paid;
  counter.used = Math.max(0, counter.used - (units - paid));
}

/** When it is full again. */
export function bucketEmptyAtMs(counter: Counter): number {
  return counter.at + Math.ceil((counter.used + counter.extra) / counter.refillAmount);
}
