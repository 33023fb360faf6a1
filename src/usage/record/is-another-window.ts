import type { UsageRecord } from '../../model/usage-record.js';

/**
 * Returns the end of an operation, which is the time at which it is recorded. With the start
 * instead, a long operation would belong to an earlier window.
 */
export function endOf({ atMs, durationMs }: Pick<UsageRecord, 'atMs' | 'durationMs'>): number {
  return atMs + durationMs;
}

/**
 * Whether `window` is later than `last`, or earlier because the clock was set back. The window
 * directly before `last` does not count, because operations arrive out of order near a boundary.
 */
export function isAnotherWindow(window: number, last: number): boolean {
  return !(window === last || window === last - 1);
}
