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
  return limit.shape === SHAPE.BUCKET || windowPartMs(limit) >= SHORTEST_WINDOW_MS;
}

/**
 * Windows: returns the length, in milliseconds, of the interval whose charges are added to one
 * count: the window, or one part of a strict window.
 */
export function windowPartMs({ shape, windowMs, partMs }: Omit<Limit, 'isLeased'>): number {
  return shape === SHAPE.STRICT ? partMs : windowMs;
}
