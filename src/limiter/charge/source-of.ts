import type { Limit } from '../algorithms/limit-algorithm.js';

/**
 * Charge from which each limit was compiled. The type of charges is in a file that imports this
 * one, so it is `object` here.
 */
const sources = new WeakMap<Limit, object>();

/** Returns the charge from which a limit was compiled. Undefined for a share of a limit. */
export function sourceOf(limit: Limit): object | undefined {
  return sources.get(limit);
}

/** Records the charge from which a limit was compiled. */
export function noteSource(limit: Limit, source: object): void {
  sources.set(limit, source);
}

/** Records that a variant of a limit has the same charge as the limit. */
export function inheritSource(variant: Limit, limit: Limit): void {
  const source = sources.get(limit);
  if (source !== undefined) sources.set(variant, source);
}
