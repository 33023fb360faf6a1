import { giveBackToBucket, oweToBucket } from './bucket.js';
import { createCounter } from './counter.js';
import { describeLimit, NUMBERS_PER_SHAPE } from './describe.js';
import type { Demand, Reading } from './engine.js';
import { type Limit, SHAPE } from './limit.js';
import type { LimitState } from './types.js';

/**
 * The numbers of a charge as they are once it is settled to `actual`: for the answer that is sent while the settlement is
 * on its way. Nothing that others have charged in the meantime is in them.
 */
export function describeSettled(
  demand: Demand,
  reading: Reading,
  actual: Readonly<Record<string, number>>,
): LimitState[] {
  let offset = 0;
  return demand.limits.map((limit, i) => {
    const count = NUMBERS_PER_SHAPE[limit.shape];
    const numbers = reading.numbers.slice(offset, offset + count);
    offset += count;
    const charged = demand.costs[i]!;
    const spent = actual[limit.id];
    // A shadow that lacked room was not charged.
    if (spent !== undefined && numbers[0]! >= 0) correctNumbers(limit, numbers, charged, spent);
    return describeLimit(limit, charged, reading.times?.[i] ?? reading, numbers, 0);
  });
}

function correctNumbers(limit: Limit, numbers: number[], charged: number, actual: number): void {
  if (limit.shape !== SHAPE.BUCKET) {
    const spent = limit.leases ? 0 : actual;
    numbers[0] = Math.max(0, Math.min(limit.maxCount, numbers[0]! + spent - charged));
    return;
  }
  const bucket = createCounter(limit);
  bucket.used = numbers[0]!;
  bucket.extra = numbers[1]!;
  bucket.refillPeriodMs = limit.refillPeriodMs;
  if (actual > charged) oweToBucket(limit, bucket, actual - charged);
  else giveBackToBucket(bucket, charged - actual);
  numbers[0] = bucket.used;
  numbers[1] = bucket.extra;
}
