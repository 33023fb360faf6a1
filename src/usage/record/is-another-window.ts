import type { UsageRecord } from '../../model/usage-record.js';

/**
 * Returns the end of an operation, which is when it is recorded. The start would lead back to an
 * earlier window for a long operation.
 */
export function endOf({ atMs, durationMs }: Pick<UsageRecord, 'atMs' | 'durationMs'>): number {
  return atMs + durationMs;
}

/**
 * Whether the window is a later one, or, after the clock was set back, an earlier one. The window
 * directly before does not count: near a boundary, operations arrive out of order.
 */
export function isAnotherWindow(window: number, last: number): boolean {
  return !(window === last || window === last - 1);
}
