import { duration, rate, whole } from '../../parts/text/format.js';
import { tiersText } from '../../text/tiers-text.js';

export interface Bucket {
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
}

/** Describes a bucket: `1,000 tokens, refills 100 per minute`. */
export function bucketText({ capacity, refillAmount, refillPeriodMs }: Bucket): string {
  return tiersText.bucket(whole(capacity), rate(refillAmount, refillPeriodMs));
}

/** Describes the time in which an empty bucket fills up. */
export function refillText({ capacity, refillAmount, refillPeriodMs }: Bucket): string {
  return duration((capacity / refillAmount) * refillPeriodMs);
}

/** Returns the tokens that a caller can spend per day without a denial. */
export function perDay({ refillAmount, refillPeriodMs }: Bucket): number {
  return (refillAmount / refillPeriodMs) * 86_400_000;
}
