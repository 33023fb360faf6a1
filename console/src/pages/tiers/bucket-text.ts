import { duration, rate, whole } from '../../parts/text/format.js';

export interface Bucket {
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
}

/** Describes a bucket: `1,000 tokens, refilled with 100 a minute`. */
export function bucketText({ capacity, refillAmount, refillPeriodMs }: Bucket): string {
  return `${whole(capacity)} tokens, refilled with ${rate(refillAmount, refillPeriodMs)}`;
}

/** Describes the time in which an empty bucket fills up. */
export function refillText({ capacity, refillAmount, refillPeriodMs }: Bucket): string {
  return duration((capacity / refillAmount) * refillPeriodMs);
}

/** Returns the tokens that a caller can spend per day without a denial. */
export function perDay({ refillAmount, refillPeriodMs }: Bucket): number {
  return (refillAmount / refillPeriodMs) * 86_400_000;
}
