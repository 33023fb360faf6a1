import type { UsageRecord } from '../../model/usage-record.js';

/** When it has ended, which is when it is recorded: one that took long would bring back the time in which it began. */
export function endOf({ atMs, durationMs }: Pick<UsageRecord, 'atMs' | 'durationMs'>): number {
  return atMs + durationMs;
}

/**
 * Whether it is a later window than the last, or, of a clock that was set back, one from before it. The one right before it is not: of those
 * that end as a window begins some come after others that ended later.
 */
export function isAnotherWindow(window: number, last: number): boolean {
  return !(window === last || window === last - 1);
}
