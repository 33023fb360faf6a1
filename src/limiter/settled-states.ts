import { type Counter, createCounter } from './algorithms/counter.js';
import { giveBackToBucket, oweToBucket } from './algorithms/token-bucket.js';
import { changes, NUMBERS_PER_SHAPE } from './charge-request.js';
import { type Limit, SHAPE } from './limit.js';
import { describeLimit } from './limit-state.js';
import type { ChargeReceipt } from './receipt.js';
import type { LimitState } from './types.js';

/**
 * The states of a charge as they are once it is settled to `actual`: for the answer that is sent while the settlement is
 * on its way. Nothing that others have charged in the meantime is in them.
 * @param charged those that the charge was answered with
 */
export function describeSettled(
  { asked, demand, reading }: ChargeReceipt,
  actual: Readonly<Record<string, number>>,
  charged: readonly LimitState[],
): LimitState[] {
  const { limits, costs } = asked;
  const states: LimitState[] = new Array(limits.length);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const count = NUMBERS_PER_SHAPE[limit.shape];
    const first = offset;
    offset += count;
    // A shadow that lacked room was not charged, nor was what admits unseen.
    const wasCharged = reading.numbers[first]! >= 0 && (demand === asked || demand.limits.includes(limit));
    if (!wasCharged || !changes(asked, i, actual)) {
      states[i] = charged[i]!;
      continue;
    }
    for (let j = 0; j < count; j++) corrected[j] = reading.numbers[first + j]!;
    correctNumbers(limit, corrected, costs[i]!, actual[limit.id]!);
    states[i] = describeLimit(limit, costs[i]!, reading.times?.[i] ?? reading, corrected, 0);
  }
  return states;
}

/** Reused by every call: the numbers of one limit. */
const corrected: number[] = [];
let bucket: Counter | undefined;

function correctNumbers(limit: Limit, numbers: number[], charged: number, actual: number): void {
  if (limit.shape !== SHAPE.BUCKET) {
    const spent = limit.leases ? 0 : actual;
    numbers[0] = Math.max(0, Math.min(limit.maxCount, numbers[0]! + spent - charged));
    return;
  }
  bucket ??= createCounter(limit);
  bucket.used = numbers[0]!;
  bucket.extra = numbers[1]!;
  bucket.refillPeriodMs = limit.refillPeriodMs;
  if (actual > charged) oweToBucket(limit, bucket, actual - charged);
  else giveBackToBucket(bucket, charged - actual);
  numbers[0] = bucket.used;
  numbers[1] = bucket.extra;
}
