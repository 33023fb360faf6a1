import { duration, rate, whole } from '../../parts/text/format.js';
import type { FullRule } from './draft-of-rule.js';

/** Describes a limit in words. */
export function limitText(limit: FullRule['limits'][number]): string {
  switch (limit.__typename) {
    case 'TokenBucketLimit':
      return `Bucket of ${whole(limit.capacity)}, refilled with ${rate(limit.refillAmount, limit.refillPeriodMs)}`;
    case 'LeakyBucketLimit':
      return `Queue of ${whole(limit.capacity)}, let through at ${rate(limit.refillAmount, limit.refillPeriodMs)}`;
    case 'FixedWindowLimit':
      return `${whole(limit.amount)} in each window of ${duration(limit.windowMs)}`;
    case 'SlidingWindowLogLimit':
    case 'SlidingWindowCounterLimit':
      return `${whole(limit.amount)} in any ${duration(limit.windowMs)}`;
    case 'ConcurrencyLimit':
      return `${whole(limit.capacity)} at a time`;
  }
}
