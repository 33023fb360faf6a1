import { type Limit, SHAPE } from '../algorithms/limit-algorithm.js';

/**
 * Minimum window length, in milliseconds. Shorter windows, or parts of strict ones, would end about
 * as often as a lease.
 */
const SHORTEST_WINDOW_MS = 500;

/**
 * Returns whether tokens of a limit can be leased. Logs and concurrency slots hold operations, not
 * tokens. A delay is computed from the exact level. With `countDenied`, Redis has to see every
 * denied operation.
 */
export function isLeasable(limit: Omit<Limit, 'isLeased'>): boolean {
  if (limit.shape === SHAPE.LIST || limit.mayDelay || limit.countDenied) return false;
  return limit.shape === SHAPE.BUCKET || windowPartMs(limit) >= SHORTEST_WINDOW_MS;
}

/**
 * Windows: returns the time for which charges count as one, in milliseconds. A strict window counts
 * by parts.
 */
export function windowPartMs({ shape, windowMs, partMs }: Omit<Limit, 'isLeased'>): number {
  return shape === SHAPE.STRICT ? partMs : windowMs;
}
