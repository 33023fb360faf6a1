import type { Limit } from '../algorithms/limit-algorithm.js';

/**
 * The charges from which limits were compiled. Their type is in a file that imports this one.
 */
const sources = new WeakMap<Limit, object>();

/** Returns the charge from which a limit was compiled. Undefined for a share of a limit. */
export function sourceOf(limit: Limit): object | undefined {
  return sources.get(limit);
}

export function noteSource(limit: Limit, source: object): void {
  sources.set(limit, source);
}

/** Notes that a variant of a limit was compiled from the same charge. */
export function inheritSource(variant: Limit, limit: Limit): void {
  const source = sources.get(limit);
  if (source !== undefined) sources.set(variant, source);
}
