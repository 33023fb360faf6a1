import type { Algorithm } from '../../model/limit-parameters.js';
import { calendarWindow } from './calendar-window.js';
import { concurrency } from './concurrency.js';
import { fixedWindow } from './fixed-window.js';
import { leakyBucket } from './leaky-bucket.js';
import type { LimitAlgorithm } from './limit-algorithm.js';
import { slidingWindowCounter } from './sliding-window-counter.js';
import { slidingWindowLog } from './sliding-window-log.js';
import { strictWindow } from './strict-window.js';
import { tokenBucket } from './token-bucket.js';

const TABLE: Readonly<Record<Algorithm, LimitAlgorithm>> = {
  TOKEN_BUCKET: tokenBucket,
  LEAKY_BUCKET: leakyBucket,
  FIXED_WINDOW: fixedWindow,
  SLIDING_WINDOW_COUNTER: slidingWindowCounter,
  SLIDING_WINDOW_LOG: slidingWindowLog,
  CONCURRENCY: concurrency,
  CALENDAR_WINDOW: calendarWindow,
};

/**
 * Returns the implementation of an algorithm.
 * @param strict whether a sliding window counter must never admit more than its amount in any
 * interval of its length; other algorithms ignore it
 */
export function algorithmOf(name: Algorithm, strict: boolean): LimitAlgorithm {
  return strict && name === 'SLIDING_WINDOW_COUNTER' ? strictWindow : TABLE[name];
}
