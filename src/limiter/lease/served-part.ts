import type { Limit } from '../algorithms/algorithm.js';
import { type CheckedRequest, checkedRequestOf, createLimitSet, type LimitSet } from '../charge-request.js';

/** The limits of a request whose bits are set, and what a request says of them; the sets of most requests are known. */
export function partOf(request: CheckedRequest, bits: number): CheckedRequest {
  const { subject, costs } = request;
  return checkedRequestOf(
    subject,
    setOf(request.limits, bits),
    costs.filter((_, i) => (bits & (1 << i)) !== 0),
  );
}

/** The others. */
export function restOf(request: CheckedRequest, bits: number): CheckedRequest {
  return partOf(request, 2 ** request.limits.length - 1 - bits);
}

/** By the array that a set of limits keeps: it goes when the set does. */
const known = new WeakMap<readonly Limit[], Map<number, LimitSet>>();

/** Of 30 limits there would be a billion. */
const MAX_PARTS = 64;

function setOf(limits: readonly Limit[], bits: number): LimitSet {
  let parts = known.get(limits);
  if (parts === undefined) {
    parts = new Map();
    known.set(limits, parts);
  }
  let set = parts.get(bits);
  if (set === undefined) {
    set = createLimitSet(limits.filter((_, i) => (bits & (1 << i)) !== 0));
    if (parts.size >= MAX_PARTS) parts.clear();
    parts.set(bits, set);
  }
  return set;
}
