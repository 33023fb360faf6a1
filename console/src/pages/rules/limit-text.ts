import { rate, whole } from '../../parts/text/format.js';
import { rulesText } from '../../text/rules-text.js';
import type { FullRule } from './draft-of-rule.js';

const { limit: text } = rulesText;

/** Describes a limit in words. */
export function limitText(limit: FullRule['limits'][number]): string {
  switch (limit.__typename) {
    case 'TokenBucketLimit':
      return text.tokenBucket(whole(limit.capacity), rate(limit.refillAmount, limit.refillPeriodMs));
    case 'LeakyBucketLimit':
      return text.leakyBucket(whole(limit.capacity), rate(limit.refillAmount, limit.refillPeriodMs));
    case 'FixedWindowLimit':
      return text.fixedWindow(rate(limit.amount, limit.windowMs));
    case 'SlidingWindowLogLimit':
    case 'SlidingWindowCounterLimit':
      return rate(limit.amount, limit.windowMs);
    case 'ConcurrencyLimit':
      return text.concurrency(whole(limit.capacity));
  }
}
