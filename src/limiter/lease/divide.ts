import type { Limit } from '../algorithms/limit-algorithm.js';
import { type CheckedRequest, checkedRequestOf, createLimitSet, type LimitSet } from '../charge/checked-request.js';

/**
 * Splits a request into two parts: the limits whose bits are set, and the other limits. The splits
 * of a set of limits are cached.
 */
export function divide(request: CheckedRequest, bits: number): { part: CheckedRequest; rest: CheckedRequest } {
  const { subject, limits, costs } = request;
  const { part, rest } = setsOf(limits, bits);
  const partCosts = new Array<number>(part.limits.length);
  const restCosts = new Array<number>(rest.limits.length);
  let inPart = 0;
  let inRest = 0;
  for (let i = 0; i < costs.length; i++) {
    if ((bits & (1 << i)) !== 0) partCosts[inPart++] = costs[i]!;
    else restCosts[inRest++] = costs[i]!;
  }
  return { part: checkedRequestOf(subject, part, partCosts), rest: checkedRequestOf(subject, rest, restCosts) };
}

interface Divided {
  readonly part: LimitSet;
  readonly rest: LimitSet;
}

/**
 * Cached splits of each set, by the array of its limits. An entry is garbage-collected with its
 * set.
 */
const known = new WeakMap<readonly Limit[], Map<number, Divided>>();

/** Maximum number of cached splits of a set. A set of 30 limits has a billion splits. */
const MAX_PARTS = 64;

/** Cache of the previous request: most requests have the same limits. */
let latestLimits: readonly Limit[] = [];
let latestSets = new Map<number, Divided>();

function setsOf(limits: readonly Limit[], bits: number): Divided {
  if (limits !== latestLimits) {
    latestSets = known.get(limits) ?? new Map();
    latestLimits = limits;
    known.set(limits, latestSets);
  }
  let sets = latestSets.get(bits);
  if (sets === undefined) {
    sets = {
      part: createLimitSet(limits.filter((_, i) => (bits & (1 << i)) !== 0)),
      rest: createLimitSet(limits.filter((_, i) => (bits & (1 << i)) === 0)),
    };
    if (latestSets.size >= MAX_PARTS) latestSets.clear();
    latestSets.set(bits, sets);
  }
  return sets;
}
