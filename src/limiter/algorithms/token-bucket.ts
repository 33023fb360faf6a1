import { MAX_COUNT, MAX_DELAY_MS, MAX_FILL_MS, MAX_UNITS } from '../../model/limit-parameters.js';
import type { Counter } from './counter.js';
import { mayBorrow } from './create-shares.js';
import { type Limit, type LimitAlgorithm, type ParameterReader, SHAPE, stateOf } from './limit-algorithm.js';

// Used tokens drain at the refill rate. Times are whole milliseconds, and amounts are whole units
// of 1 / refillPeriodMs token, so that every calculation is exact.

/**
 * Algorithm of token buckets and leaky buckets. A leaky bucket (`limit.leaky`) has the same
 * parameters, but its operations wait until the backlog ahead of them has drained.
 */
export const tokenBucket: LimitAlgorithm = {
  shape: SHAPE.BUCKET,
  numberCount: 2,

  parse: (read) => parseBucket(read, false),

  // Refills at the stored rate, not at the rate of the limit: a settlement may bring an older
  // version of the limit than the last charge did.
  refresh: (_limit, counter, now) => refillBucket(counter, now),

  adoptRate({ refillAmount, refillPeriodMs }, counter) {
    if (counter.refillAmount === refillAmount && counter.refillPeriodMs === refillPeriodMs) return false;
    const most = refillAmount * MAX_AFTER_EDIT_MS;
    counter.used = Math.min(most, rescale(counter.used, counter.refillPeriodMs, refillPeriodMs));
    counter.debt = Math.min(most, rescale(counter.debt, counter.refillPeriodMs, refillPeriodMs));
    counter.refillAmount = refillAmount;
    counter.refillPeriodMs = refillPeriodMs;
    return true;
  },

  admits(limit, counter, _now, cost) {
    const taken = counter.used + counter.debt;
    if (cost > limit.capacity) return mayBorrow(limit, taken, cost);
    if (limit.leaky && waitMs(limit, taken, cost) > MAX_DELAY_MS) return false;
    if (lackingUnits(limit, taken, cost) <= 0) return true;
    return limit.maxDelayMs > 0 && waitMs(limit, taken, cost) <= limit.maxDelayMs;
  },

  take(_limit, counter, _now, cost) {
    counter.used += cost * counter.refillPeriodMs;
  },

  takeDenied(limit, counter, _now, cost) {
    overdraw(limit, counter, cost);
  },

  correct(limit, counter, _stampMs, _chargeId, charged, actual) {
    if (actual > charged) overdraw(limit, counter, actual - charged);
    else refund(counter, charged - actual);
  },

  emptyAtMs(_limit, counter) {
    return counter.at + Math.ceil((counter.used + counter.debt) / counter.refillAmount);
  },

  rebase(_limit, counter, _from, to) {
    counter.at = to;
  },

  /** Reports the units taken and the units of debt. */
  report(_limit, { used, debt }, _cost, hasRoom, numbers, offset) {
    numbers[offset] = hasRoom ? used : -1 - used;
    numbers[offset + 1] = debt;
  },

  state(limit, cost, { clock, now }, numbers, offset) {
    const first = numbers[offset]!;
    const lacking = first < 0;
    const taken = (lacking ? -1 - first : first) + numbers[offset + 1]!;
    const usedTokens = Math.ceil(taken / limit.refillPeriodMs);
    const resetAtMs = now + Math.ceil(taken / limit.refillAmount);
    const retryAtMs = lacking ? now + retryMs(limit, taken, cost) : 0;
    return stateOf(limit, cost, clock, lacking, usedTokens, resetAtMs, retryAtMs);
  },

  correctNumbers(limit, numbers, charged, actual) {
    const bucket = { used: numbers[0]!, debt: numbers[1]!, refillPeriodMs: limit.refillPeriodMs };
    if (actual > charged) overdraw(limit, bucket, actual - charged);
    else refund(bucket, charged - actual);
    numbers[0] = bucket.used;
    numbers[1] = bucket.debt;
  },

  /** Returns the wait for reserved tokens or, in a leaky bucket, for the operations ahead. */
  delayMs(limit, cost, numbers, offset) {
    if (!limit.mayDelay || cost > limit.capacity) return 0;
    const taken = numbers[offset]! + numbers[offset + 1]!;
    const ahead = limit.leaky ? taken - cost * limit.refillPeriodMs : taken - limit.capacityUnits;
    return Math.max(0, Math.ceil(ahead / limit.refillAmount));
  },

  maxAdmissible(limit, state, numbers, offset) {
    if (limit.maxDelayMs === 0 && !limit.leaky) return state.remaining;
    const first = numbers[offset]!;
    const taken = (first < 0 ? -1 - first : first) + numbers[offset + 1]!;
    const ahead = limit.maxDelayMs * limit.refillAmount;
    if (limit.leaky) {
      if (taken > MAX_DELAY_MS * limit.refillAmount) return 0;
      return limit.maxDelayMs > 0 && taken <= ahead ? limit.capacity : state.remaining;
    }
    const tokens = Math.floor((limit.capacityUnits - taken + ahead) / limit.refillPeriodMs);
    return Math.max(0, Math.min(limit.capacity, tokens));
  },
};

export function parseBucket(read: ParameterReader, leaky: boolean) {
  const refillAmount = read.whole('refillAmount', 1, MAX_COUNT);
  const refillPeriodMs = read.whole('refillPeriodMs', 1, MAX_COUNT);
  const capacity = read.whole('capacity', 1, Number.MAX_SAFE_INTEGER);
  if (capacity > MAX_UNITS / refillPeriodMs) {
    const expected = 'capacity x refillPeriodMs of at most 2^52 (reduce refillAmount / refillPeriodMs)';
    throw read.fail('capacity', expected, capacity);
  }
  const maxDebt = read.optional('maxDebt', capacity, Number.MAX_SAFE_INTEGER);
  if (maxDebt > MAX_UNITS / refillPeriodMs) {
    throw read.fail('maxDebt', 'maxDebt x refillPeriodMs of at most 2^52', maxDebt);
  }
  requireFillTime('capacity', capacity);
  requireFillTime('maxDebt', maxDebt);
  const maxDelayMs = Math.min(MAX_DELAY_MS, read.optional('maxDelayMs', 0, MAX_COUNT));
  if (maxDelayMs > MAX_UNITS / refillAmount) {
    throw read.fail('maxDelayMs', 'maxDelayMs x refillAmount of at most 2^52', maxDelayMs);
  }
  const mayDelay = leaky || maxDelayMs > 0;
  return { capacity, leaky, refillAmount, refillPeriodMs, maxDebt, maxDelayMs, mayDelay };

  function requireFillTime(field: 'capacity' | 'maxDebt', tokens: number): void {
    if (tokens * refillPeriodMs <= MAX_FILL_MS * refillAmount) return;
    const expected = `at most ${Math.floor((MAX_FILL_MS * refillAmount) / refillPeriodMs)} tokens, which refill in 2^40 ms`;
    throw read.fail(field, expected, tokens);
  }
}

/**
 * Maximum refill time after an edit of the rate. Tokens that were used while the rate was faster
 * would otherwise refill later than a record can represent.
 */
const MAX_AFTER_EDIT_MS = 2 * MAX_FILL_MS;

/**
 * Refills at the rate that applied when the counter was last written. The refill repays debt first.
 */
function refillBucket(counter: Counter, now: number): void {
  const refilled = Math.max(0, now - counter.at) * counter.refillAmount;
  const paid = Math.min(counter.debt, refilled);
  counter.debt -= paid;
  counter.used = Math.max(0, counter.used - (refilled - paid));
  counter.at = now;
}

/**
 * Converts used units of 1/from token into units of 1/to token. The result is rounded up, so that
 * no caller gains tokens. If the product exceeds the exact integers, one more unit covers the
 * largest rounding error.
 */
function rescale(units: number, from: number, to: number): number {
  if (from === to || units === 0) return units;
  const tokens = Math.floor(units / from);
  const rest = (units - tokens * from) * to;
  const part = rest <= 2 ** 53 ? Math.ceil(rest / from) : Math.min(to, Math.ceil(rest / from) + 1);
  return Math.min(MAX_UNITS, tokens * to + part);
}

/** Returns the units that `cost` lacks; 0 or less if it fits. */
function lackingUnits(limit: Limit, taken: number, cost: number): number {
  return cost * limit.refillPeriodMs - (limit.capacityUnits - taken);
}

/**
 * Returns the time, in milliseconds, that a caller would have to wait if its tokens were reserved
 * now.
 */
function waitMs(limit: Limit, taken: number, cost: number): number {
  const ahead = limit.leaky ? taken : lackingUnits(limit, taken, cost);
  return Math.max(0, Math.ceil(ahead / limit.refillAmount));
}

function retryMs(limit: Limit, taken: number, cost: number): number {
  // A cost above the capacity of a share is admitted on credit, once the share is unused.
  if (cost > limit.capacity) return Math.ceil(taken / limit.refillAmount);
  const lacks = Math.ceil(lackingUnits(limit, taken, cost) / limit.refillAmount);
  const ahead = Math.ceil(taken / limit.refillAmount);
  // A throttled operation is admitted as soon as its wait is at most `maxDelayMs`.
  const admits = limit.maxDelayMs === 0 ? lacks : Math.min(lacks, (limit.leaky ? ahead : lacks) - limit.maxDelayMs);
  return limit.leaky ? Math.max(admits, ahead - MAX_DELAY_MS) : admits;
}

/** The members of a bucket's counter that a settlement changes, and their unit. */
type Level = Pick<Counter, 'used' | 'debt' | 'refillPeriodMs'>;

/**
 * Charges an amount that was not admitted, for settlements and for denied operations that count.
 * The part that exceeds the available tokens becomes debt, at most `maxDebt` tokens. Tokens that
 * delayed operations have reserved in advance are not debt, and do not count towards that maximum.
 */
function overdraw(limit: Limit, level: Level, tokens: number): void {
  const units = tokens * level.refillPeriodMs;
  const room = Math.max(0, limit.capacity * level.refillPeriodMs - level.used);
  const taken = Math.min(units, room);
  level.used += taken;
  const cap = Math.min(MAX_UNITS, limit.maxDebt * level.refillPeriodMs);
  level.debt = Math.max(level.debt, Math.min(cap, level.debt + units - taken));
}

function refund(level: Level, tokens: number): void {
  const units = tokens * level.refillPeriodMs;
  const paid = Math.min(level.debt, units);
  level.debt -= paid;
  level.used = Math.max(0, level.used - (units - paid));
}
