import { duration, rate, whole } from '../../parts/text/format.js';

export interface Bucket {
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
}

/** `1,000 tokens, refilled with 100 a minute`. */
export function bucketText({ capacity, refillAmount, refillPeriodMs }: Bucket): string {
  return `${whole(capacity)} tokens, refilled with ${rate(refillAmount, refillPeriodMs)}`;
}

/** How long an empty bucket takes until it is full. */
export function refillText({ capacity, refillAmount, refillPeriodMs }: Bucket): string {
  return duration((capacity / refillAmount) * refillPeriodMs);
}

/** What a caller can spend all day without ever being denied. */
export function perDay({ refillAmount, refillPeriodMs }: Bucket): number {
  return (refillAmount / refillPeriodMs) * 86_400_000;
}
