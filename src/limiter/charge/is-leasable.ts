import { type Limit, SHAPE } from '../algorithms/limit-algorithm.js';

/** Windows (and the parts of strict ones) that are shorter would end about as often as a lease. */
const SHORTEST_WINDOW_MS = 500;

/**
 * Whether tokens of a limit can be taken ahead of the operations that spend them. Logs and concurrency slots hold operations
 * and not tokens; a wait is worked out from the exact level; and where denied operations count, Redis has to see them.
 */
export function isLeasable(limit: Omit<Limit, 'isLeased'>): boolean {
  if (limit.shape === SHAPE.LIST || limit.mayDelay || limit.countDenied) return false;
  return limit.shape === SHAPE.BUCKET || windowPartMs(limit) >= SHORTEST_WINDOW_MS;
}

/** Windows: for how long what is taken counts as one; a strict one tells its parts apart. */
export function windowPartMs({ shape, windowMs, partMs }: Omit<Limit, 'isLeased'>): number {
  return shape === SHAPE.STRICT ? partMs : windowMs;
}
