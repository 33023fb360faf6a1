import { type Counter, NO_ENTRIES, NO_PARTS } from '../algorithms/counter.js';
import type { EngineTime, Limit } from '../algorithms/limit-algorithm.js';
import { SHAPE } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';

/**
 * Last known result of Redis for a caller that it denied: the denial, or a later admission, which
 * may only be assumed.
 */
export interface FoundDenial {
  request: CheckedRequest;
  result: EngineResult;
  /**
   * Whether the call only peeked: for `peek`, or because the request can never be admitted. Redis
   * then updated no counter.
   */
  isLook: boolean;
  /** Time at which the call was sent, before Redis read its clock. */
  sentAtMs: number;
  /**
   * Time of the numbers. It is later than `sentAtMs` if a charge in flight is assumed to be
   * admitted.
   */
  asOfMs: number;
  /** Latest denial that was returned. During a flood, all denials of one millisecond share it. */
  latest: { clock: number; costs: readonly number[]; result: EngineResult } | undefined;
  /**
   * Charges in flight that are assumed to be admitted, although shared limits may be full by now.
   */
  assumed: Assumed | undefined;
}

/**
 * Returns the form in which a reply is remembered. @param sentAtMs time at which the call was sent
 */
export function foundBy(request: CheckedRequest, result: EngineResult, isLook: boolean, sentAtMs: number): FoundDenial {
  return { request, result, isLook, sentAtMs, asOfMs: sentAtMs, latest: undefined, assumed: undefined };
}

/** Charges in flight that are assumed to be admitted. */
export interface Assumed {
  /**
   * For each limit, the largest cost of these charges if the partition of the limit is not watched;
   * otherwise 0.
   */
  readonly costs: readonly number[];
  /** State before these charges. */
  readonly before: FoundDenial;
}

/**
 * Returns the state that applies to a request with these costs. If the charges in flight are
 * denied, a request that costs as much on every shared limit is denied too. A request that costs
 * less may fit into the room that those charges did not use.
 */
export function knownFor(found: FoundDenial, costs: readonly number[]): FoundDenial {
  const { assumed } = found;
  if (assumed === undefined) return found;
  for (let i = 0; i < costs.length; i++) if (costs[i]! < assumed.costs[i]!) return assumed.before;
  return found;
}

/**
 * Returns the latest time that the clock of Redis can show `laterMs` later. Redis read it after the
 * call was sent, in whole milliseconds.
 */
export function clockAfter({ result }: FoundDenial, laterMs: number, { clock }: EngineTime = result): number {
  return Math.ceil(clock + laterMs);
}

/**
 * Returns whether the denial can be computed for a later time. No limit may count denied
 * operations, and no stored time may have been ahead of the clock of Redis. The limits that denied
 * must be buckets and fixed windows, which change with time in one known way.
 */
export function canRemember({ limits }: CheckedRequest, result: EngineResult): boolean {
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const { clock, now } = result.times?.[i] ?? result;
    if (limit.countDenied || clock !== now) return false;
    if (result.numbers[offset]! < 0 && !limit.shadow && !isProjected(limit)) return false;
    offset += limit.algorithm.numberCount;
  }
  return limits.length > 0;
}

/**
 * Returns the result that Redis would return `laterMs` later for `request`, which has the same
 * limits. Undefined if Redis would admit it, or if that is unknown. Buckets and fixed windows are
 * brought up to that time and checked against these costs. Counters of other kinds, which did not
 * deny, are reported as Redis returned them, and only for the same cost.
 */
export function projectDenial(found: FoundDenial, request: CheckedRequest, laterMs: number): EngineResult | undefined {
  if (found.isLook && !request.impossible) return undefined;
  // On several hash slots, a limit that did not deny is only reported: charges that were pending
  // may have been refunded since.
  const isOfSeveral = found.result.times !== undefined;
  const { limits, costs } = request;
  const { result } = found;
  const numbers = new Array<number>(request.numberCount);
  // Usually all limits have the same time.
  const times = isOfSeveral || !limits.every(isProjected) ? new Array<EngineTime>(limits.length) : undefined;
  let denied = false;
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const { algorithm } = limit;
    const cost = costs[i]!;
    const time = result.times?.[i] ?? result;
    if (isProjected(limit)) {
      const now = clockAfter(found, laterMs, time);
      load(limit, result.numbers, offset, time.now);
      algorithm.refresh(limit, counter, now);
      const hasRoom = cost === 0 || algorithm.admits(limit, counter, now, cost);
      if (!hasRoom && !limit.shadow && (!isOfSeveral || result.numbers[offset]! < 0)) denied = true;
      algorithm.report(limit, counter, cost, hasRoom, numbers, offset);
      if (times !== undefined) times[i] = { clock: now, now };
    } else {
      if (cost !== found.request.costs[i]) return undefined;
      for (let j = 0; j < algorithm.numberCount; j++) numbers[offset + j] = result.numbers[offset + j]!;
      times![i] = time;
    }
    offset += algorithm.numberCount;
  }
  if (!denied) return undefined;
  const asOf = clockAfter(found, laterMs);
  const { clock = asOf, now = asOf } = times?.[0] ?? {};
  return { admitted: false, clock, now, numbers, times };
}

/**
 * Returns the state that Redis will have once it has admitted `request`, which is in flight and has
 * room `laterMs` later. Undefined if the state is unknown. The charges that follow will find this
 * state.
 */
export function projectAdmission(
  found: FoundDenial,
  request: CheckedRequest,
  laterMs: number,
): EngineResult | undefined {
  const { result } = found;
  if (found.isLook || result.times !== undefined || !isAllProjected(request)) return undefined;
  const { limits, costs } = request;
  const numbers = new Array<number>(request.numberCount);
  const now = Math.ceil(result.clock + laterMs);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const { algorithm } = limit;
    const cost = costs[i]!;
    load(limit, result.numbers, offset, result.now);
    algorithm.refresh(limit, counter, now);
    if (cost > 0 && !algorithm.admits(limit, counter, now, cost)) return undefined;
    algorithm.take(limit, counter, now, cost, '');
    algorithm.report(limit, counter, cost, true, numbers, offset);
    offset += algorithm.numberCount;
  }
  return { admitted: true, clock: now, now, numbers, times: undefined };
}

/**
 * Returns whether the state after an admitted charge can be computed for a later time, as that of a
 * denial can.
 */
export function canRememberAdmission(request: CheckedRequest, { clock, now, times }: EngineResult): boolean {
  return clock === now && times === undefined && isAllProjected(request);
}

/**
 * Returns whether the same costs could be charged once more, judging by the buckets and fixed
 * windows alone.
 */
export function hasRoomLeft({ limits, costs }: CheckedRequest, result: EngineResult): boolean {
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    if (isProjected(limit) && !limit.shadow) {
      const { now } = result.times?.[i] ?? result;
      load(limit, result.numbers, offset, now);
      if (!limit.algorithm.admits(limit, counter, now, costs[i]!)) return false;
    }
    offset += limit.algorithm.numberCount;
  }
  return true;
}

function isAllProjected({ limits, hasShadows, mayDelay }: CheckedRequest): boolean {
  return !hasShadows && !mayDelay && limits.every(isProjected);
}

/** Returns whether one limit of the denied request has no room for this cost at `atMs`. */
export function isStillDenied(found: FoundDenial, limit: Limit, cost: number, atMs: number): boolean {
  // The other costs of the request are unknown here, so assumed admissions are ignored.
  const { request, result, isLook, asOfMs } = found.assumed?.before ?? found;
  if (isLook || cost === 0 || !isProjected(limit)) return false;
  const laterMs = atMs - asOfMs;
  let offset = 0;
  for (let i = 0; i < request.limits.length; i++) {
    if (request.limits[i] === limit) {
      if (result.times !== undefined && result.numbers[offset]! >= 0) return false;
      const time = result.times?.[i] ?? result;
      const now = Math.ceil(time.clock + laterMs);
      load(limit, result.numbers, offset, time.now);
      limit.algorithm.refresh(limit, counter, now);
      return !limit.algorithm.admits(limit, counter, now, cost);
    }
    offset += request.limits[i]!.algorithm.numberCount;
  }
  return false;
}

function isProjected({ shape }: Limit): boolean {
  return shape === SHAPE.BUCKET || shape === SHAPE.FIXED;
}

/** Counter that corresponds to the numbers of a limit. Every call reuses it. */
const counter: Counter = {
  at: 0,
  used: 0,
  debt: 0,
  previousCount: 0,
  refillAmount: 0,
  refillPeriodMs: 0,
  parts: NO_PARTS,
  entries: NO_ENTRIES,
};

function load(limit: Limit, numbers: readonly number[], offset: number, now: number): void {
  const first = numbers[offset]!;
  const isBucket = limit.shape === SHAPE.BUCKET;
  const window = limit.calendar?.windowAt(now);
  counter.used = first < 0 ? -1 - first : first;
  counter.debt = isBucket ? numbers[offset + 1]! : (window?.startMs ?? 0);
  counter.at = isBucket ? now : (window?.endMs ?? Math.floor(now / limit.windowMs));
  counter.refillAmount = limit.refillAmount;
  counter.refillPeriodMs = limit.refillPeriodMs;
}
