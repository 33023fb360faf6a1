import { MIN_SLOT_WAIT_MS } from '../../model/limit-parameters.js';
import { isSameCounter, type Limit } from '../algorithms/limit-algorithm.js';
import { type CheckedRequest, createCheckedRequest } from '../charge/checked-request.js';
import type { Decision, Denial, PeekedDecision, PeekedStates } from '../charge/decision.js';
import { inheritSource } from '../charge/source-of.js';

/** Returns whether a request may wait for a slot: a limit that it charges has a `maxWaitMs`. */
export function mayWait({ limits, costs }: CheckedRequest): boolean {
  for (let i = 0; i < limits.length; i++) if (limits[i]!.maxWaitMs > 0 && costs[i]! > 0) return true;
  return false;
}

/**
 * Returns the limit for whose slots a denied request may wait. Returns undefined if it may not
 * wait, because a limit without `maxWaitMs` has denied it too.
 */
export function limitToWaitFor({ limits }: CheckedRequest, decision: Decision | PeekedDecision): Limit | undefined {
  if (decision.admitted || decision.code !== 'THROTTLED') return undefined;
  let found: Limit | undefined;
  for (let i = 0; i < limits.length; i++) {
    if (!decision.limits[i]?.violated) continue;
    const limit = limits[i]!;
    if (limit.maxWaitMs === 0) return undefined;
    if (found === undefined || limit.id === decision.deniedBy) found = limit;
  }
  return found;
}

/**
 * Returns the index of the limit that counts in the same counter as `limit`; -1 if there is none.
 * The limit itself may be another object, because its rule was edited.
 */
export function indexOfCounter({ limits }: CheckedRequest, limit: Limit): number {
  return limits.findIndex((one) => sharesCounter(one, limit));
}

/** Returns whether two limits of one request count in the same counter. */
export function sharesCounter(a: Limit, b: Limit): boolean {
  return a.scope === b.scope && isSameCounter(a.identity, b.identity);
}

/** Copies without `countDenied` of the limits that have it. */
const notCounting = new WeakMap<Limit, Limit>();

/**
 * Returns the request to charge while an operation may wait. Its limits do not count denials,
 * because the operation is denied only once: when its wait ends.
 */
export function withoutCountingDenials(request: CheckedRequest): CheckedRequest {
  if (!request.limits.some(({ countDenied }) => countDenied)) return request;
  const limits = request.limits.map((limit) =>
    limit.countDenied ? copyOf(limit, notCounting, { countDenied: false }) : limit,
  );
  return createCheckedRequest(request.subject, limits, request.costs);
}

/** Copies of limits with `countDenied` that admit no delayed operation. */
const onlyCounting = new WeakMap<Limit, Limit>();

/**
 * Returns a request that only counts a denial. It has only the limits with `countDenied`, and
 * counts even if it is admitted. Returns undefined if there are no such limits.
 */
export function onlyCountingDenials({ subject, limits, costs }: CheckedRequest): CheckedRequest | undefined {
  const places = limits.flatMap(({ countDenied, shadow }, i) => (countDenied && !shadow ? [i] : []));
  if (places.length === 0) return undefined;
  return createCheckedRequest(
    subject,
    places.map((i) => withoutDelay(limits[i]!)),
    places.map((i) => costs[i]!),
  );
}

/** An admission with a delay would take more from a bucket than a denial. */
function withoutDelay(limit: Limit): Limit {
  if (limit.maxDelayMs === 0) return limit;
  return copyOf(limit, onlyCounting, { maxDelayMs: 0, mayDelay: limit.leaky });
}

function copyOf(limit: Limit, copies: WeakMap<Limit, Limit>, changes: Partial<Limit>): Limit {
  let other = copies.get(limit);
  if (other === undefined) {
    other = { ...limit, ...changes };
    inheritSource(other, limit);
    copies.set(limit, other);
  }
  return other;
}

/**
 * Returns the denial of a request whose turn has not come, from the current states of its limits. A
 * slot may be free, but operations ahead of it in the queue wait for that slot.
 */
export function denialOfWait(request: CheckedRequest, limit: Limit, states: PeekedStates): Denial {
  const { decision } = states;
  if (!decision.admitted) return decision;
  const index = indexOfCounter(request, limit);
  const found = states.map((state, i) =>
    i === index ? { ...state, violated: true, retryAfterMs: MIN_SLOT_WAIT_MS } : state,
  );
  return {
    admitted: false,
    degraded: decision.degraded,
    limits: found,
    deniedBy: limit.id,
    retryAfterMs: MIN_SLOT_WAIT_MS,
    maxAdmissibleCost: found[index]?.remaining ?? 0,
    code: 'THROTTLED',
  };
}
