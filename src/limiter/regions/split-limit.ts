import { type LimitParameters, MAX_COUNT, MAX_FILL_MS, MAX_UNITS } from '../../model/limit-parameters.js';
import type { RegionOptions } from '../../model/region-mode.js';

/**
 * Share of one region: the interval from `from` to `to` of the percents 0 to 100. The intervals of
 * all regions cover these percents without an overlap.
 */
export interface RegionShare {
  readonly from: number;
  readonly to: number;
}

/** Members of a limit that its regions divide. */
type Divided = LimitParameters & { maxDebt?: number; maxDelayMs?: number };

/** Returns the share of the region. The order of the shares has no effect. */
export function shareOfRegion({ name, shares }: RegionOptions): RegionShare {
  // The order of code units is the same in every process, whatever its locale.
  const before = Object.keys(shares).filter((other) => other < name);
  const from = before.reduce((sum, other) => sum + shares[other]!, 0);
  return { from, to: from + shares[name]! };
}

/**
 * Returns the part of a whole amount that belongs to a share. The parts of all regions sum to the
 * amount: each is a difference of two rounded amounts, and neighbors have one of them in common.
 */
export function partOf(amount: number, { from, to }: RegionShare): number {
  return percentOf(amount, to) - percentOf(amount, from);
}

/** Returns `amount` x `percent` / 100, rounded down. No intermediate result is inexact. */
function percentOf(amount: number, percent: number): number {
  const hundreds = Math.floor(amount / 100);
  return hundreds * percent + Math.floor(((amount - hundreds * 100) * percent) / 100);
}

/**
 * Returns the parameters that a region enforces. Over all regions, no amount, capacity or refill
 * rate sums to more than that of the limit.
 * @param limit valid parameters of the whole limit
 */
export function splitLimit<Limit extends Divided>(limit: Limit, share: RegionShare): Limit {
  const split: Limit = { ...limit };
  const { capacity, amount, hardCap, carryOver, maxDebt } = limit;
  if (amount !== undefined) split.amount = partOf(amount, share);
  if (capacity !== undefined) split.capacity = partOf(capacity, share);
  if (maxDebt !== undefined) split.maxDebt = partOf(maxDebt, share);
  if (amount !== undefined && hardCap !== undefined) {
    // Not the part of `hardCap` itself: rounding could make it less than the part of the amount.
    split.hardCap = partOf(amount, share) + partOf(hardCap - amount, share);
  }
  if (carryOver !== undefined) split.carryOver = { ...carryOver, max: partOf(carryOver.max, share) };
  if (limit.refillAmount !== undefined && limit.refillPeriodMs !== undefined) {
    Object.assign(
      split,
      splitBucket({ ...split, refillAmount: limit.refillAmount, refillPeriodMs: limit.refillPeriodMs }, share),
    );
  }
  return split;
}

type Bucket = Pick<Divided, 'capacity' | 'maxDebt' | 'maxDelayMs'> & { refillAmount: number; refillPeriodMs: number };

/** Returns the rate of a share, and the capacity and debt as far as that rate can refill them. */
function splitBucket({ capacity = 0, maxDebt, maxDelayMs = 0, ...rate }: Bucket, { from, to }: RegionShare) {
  const percent = to - from;
  const isExact = (amount: number, periodMs: number) =>
    amount <= MAX_COUNT &&
    periodMs <= MAX_COUNT &&
    Math.max(capacity, maxDebt ?? 0) <= MAX_UNITS / periodMs &&
    maxDelayMs <= MAX_UNITS / amount;
  const found = rateOf(rate, percent, isExact);
  if (found === undefined) return { ...ANY_RATE, capacity: 0, ...(maxDebt !== undefined && { maxDebt: 0 }) };
  const { refillAmount, refillPeriodMs } = found;
  const most = Math.floor(Math.min((MAX_FILL_MS * refillAmount) / refillPeriodMs, MAX_UNITS / refillPeriodMs));
  return {
    refillAmount,
    refillPeriodMs,
    capacity: Math.min(capacity, most),
    ...(maxDebt !== undefined && { maxDebt: Math.min(maxDebt, most) }),
  };
}

/** Rate of a bucket whose capacity is 0. */
const ANY_RATE = { refillAmount: 1, refillPeriodMs: 1 };

/**
 * Returns a rate in whole numbers. It equals the share of the rate if these numbers are small
 * enough to count exactly. Otherwise it is rounded down. Returns undefined for a rate of 0, or of
 * less than a token in the longest period.
 */
function rateOf(
  { refillAmount, refillPeriodMs }: { refillAmount: number; refillPeriodMs: number },
  percent: number,
  isExact: (amount: number, periodMs: number) => boolean,
) {
  const tokens = refillAmount * percent;
  const divisor = commonDivisor(tokens, refillPeriodMs * 100);
  const exact = { refillAmount: tokens / divisor, refillPeriodMs: (refillPeriodMs * 100) / divisor };
  if (isExact(exact.refillAmount, exact.refillPeriodMs)) return exact;
  const whole = Math.floor(tokens / 100);
  if (whole > 0) return { refillAmount: whole, refillPeriodMs };
  const periodMs = tokens === 0 ? Number.POSITIVE_INFINITY : Math.ceil((refillPeriodMs * 100) / tokens);
  return periodMs <= MAX_COUNT ? { refillAmount: 1, refillPeriodMs: periodMs } : undefined;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
