import { duration, rate, whole } from '../../parts/text/format.js';
import { tiersText } from '../../text/tiers-text.js';

export interface Bucket {
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
}

/** A bucket, or the members of a tier, which are null if the tier has no bucket. */
export type MaybeBucket = { [Name in keyof Bucket]?: number | null };

/** Returns the bucket of a tier. Undefined if the tier has none. */
export function bucketOf({ capacity, refillAmount, refillPeriodMs }: MaybeBucket): Bucket | undefined {
  return capacity && refillAmount && refillPeriodMs ? { capacity, refillAmount, refillPeriodMs } : undefined;
}

/** Describes a bucket: `1,000 tokens, refills 100 per minute`. */
export function bucketText(tier: MaybeBucket): string {
  const bucket = bucketOf(tier);
  if (!bucket) return tiersText.noBucket;
  return tiersText.bucket(whole(bucket.capacity), rate(bucket.refillAmount, bucket.refillPeriodMs));
}

/** Describes the time in which an empty bucket fills up. */
export function refillText(tier: MaybeBucket): string | undefined {
  const fillMs = fillMsOf(tier);
  return fillMs === undefined ? undefined : duration(fillMs);
}

/** Returns the time in which an empty bucket fills up, in milliseconds. */
export function fillMsOf(tier: MaybeBucket): number | undefined {
  const bucket = bucketOf(tier);
  return bucket && (bucket.capacity / bucket.refillAmount) * bucket.refillPeriodMs;
}

/** Returns the tokens that a caller can spend per day without a denial. */
export function perDay(tier: MaybeBucket): number | undefined {
  const bucket = bucketOf(tier);
  return bucket && (bucket.refillAmount / bucket.refillPeriodMs) * 86_400_000;
}
