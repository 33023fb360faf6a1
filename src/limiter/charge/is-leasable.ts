import { type Limit, SHAPE } from '../algorithms/limit-algorithm.js';

/**
 * Minimum length, in milliseconds, of a window or of one part of a strict window. Shorter ones end
 * about as often as a lease, so leases would save nothing.
 */
const SHORTEST_WINDOW_MS = 500;

/**
 * Returns whether tokens of a limit can be leased. Sliding window logs and concurrency limits store
 * operations, not tokens. The delay of a leaky bucket is computed from its exact backlog. With
 * `countDenied`, Redis has to count every denied operation.
 */
export function isLeasable(limit: Omit<Limit, 'isLeased'>): boolean {
  if (limit.shape === SHAPE.LIST || limit.mayDelay || limit.countDenied) return false;
  if (limit.shape === SHAPE.BUCKET || limit.calendar !== undefined) return true;
  return windowPartMs(limit) >= SHORTEST_WINDOW_MS;
}

/**
 * Windows: returns the end, in epoch milliseconds, of the interval whose charges are added to the
 * same count as a charge at `timeMs`. The interval is the window, or one part of a strict window.
 */
export function countedUntilMs(limit: Limit, timeMs: number): number {
  if (limit.calendar !== undefined) return limit.calendar.windowAt(timeMs).endMs;
  const partMs = windowPartMs(limit);
  return (Math.floor(timeMs / partMs) + 1) * partMs;
}

function windowPartMs({ shape, windowMs, partMs }: Omit<Limit, 'isLeased'>): number {
  return shape === SHAPE.STRICT ? partMs : windowMs;
}
