import type { Limit } from '../algorithms/limit-algorithm.js';
import type { MovedShares } from '../regions/moved-shares.js';
import { memoryOf } from '../regions/split-limit.js';

/** Whole limits by their parts. */
const wholeOf = new WeakMap<Limit, Limit>();

/** Notes the whole limit of a part that a region enforces. */
export function noteWhole(part: Limit, whole: Limit): void {
  wholeOf.set(part, whole);
}

/**
 * Returns a function that converts the part of a limit for the configured share to the part for the
 * share that the region has now. Each part is compiled once.
 * @param compileFor compiles the part of a limit for a share that has moved by `percent`
 */
export function createMovedLimits(
  shares: MovedShares,
  compileFor: (limit: Limit, percent: number) => Limit,
): (limit: Limit) => Limit {
  const parts = new WeakMap<Limit, Map<number, Limit>>();
  return (limit) => {
    const whole = wholeOf.get(limit);
    const memoryMs = whole && memoryOf(whole);
    const percent = memoryMs === undefined ? 0 : shares.movedPercent(memoryMs);
    if (percent === 0) return limit;
    let byPercent = parts.get(limit);
    if (byPercent === undefined) {
      byPercent = new Map();
      parts.set(limit, byPercent);
    }
    let part = byPercent.get(percent);
    if (part === undefined) {
      part = compileFor(limit, percent);
      byPercent.set(percent, part);
    }
    return part;
  };
}
