import type { LimitState } from '../../model/limit-parameters.js';
import { compareScopes } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { type CheckedRequest, type EngineResult } from './checked-request.js';
import { toLimitStates } from './to-limit-states.js';

declare const receiptBrand: unique symbol;

/**
 * Opaque handle for `settle` and `release`. It is valid once for each, in the process that made the
 * charge.
 */
export interface Receipt {
  readonly [receiptBrand]: true;
}

/**
 * Reason of a denial. `THROTTLED`: a limit has no room for the cost now. `COST_EXCEEDS_CAPACITY`:
 * the cost is above the capacity of a limit, so it can never be admitted. `UNAVAILABLE`: Redis is
 * unavailable, and a limit has `onUnavailable: CLOSED`. `UNDECIDED`: Redis did not reply in time,
 * and calls in flight to it may use up a limit. After `retryAfterMs`, this process decides without
 * Redis.
 */
export type DenialCode = 'THROTTLED' | 'COST_EXCEEDS_CAPACITY' | 'UNAVAILABLE' | 'UNDECIDED';

/** Decision that an operation may run, after `delayMs`. */
export interface Admission {
  admitted: true;
  /**
   * Time that the operation has to wait before it may run, in milliseconds (throttle, leaky
   * bucket); otherwise 0.
   */
  delayMs: number;
  /**
   * Time for which the charge waited for slots of limits with `maxWaitMs`, in milliseconds. Absent
   * if it did not wait.
   */
  waitedMs?: number;
  /** Whether the decision was made without Redis, because Redis failed or did not reply in time. */
  degraded: boolean;
  limits: LimitState[];
  receipt: Receipt;
  /**
   * Present if leased tokens covered at least part of the charge. The states of the leased limits
   * are then those that this instance knows, not those in Redis.
   */
  approximate?: true;
}

/** Decision that an operation may not run. */
export interface Denial {
  admitted: false;
  /**
   * Time for which the charge waited for slots of limits with `maxWaitMs`, in milliseconds. Absent
   * if it did not wait.
   */
  waitedMs?: number;
  /** Whether the decision was made without Redis, because Redis failed or did not reply in time. */
  degraded: boolean;
  /**
   * States of the limits. Denials answered from memory within one millisecond share the array: copy
   * it before changing it.
   */
  limits: LimitState[];
  /**
   * Id of the limit that denied. Of several, it is the one with the lowest `rank` or, if the ranks
   * are equal, with the narrowest scope. Limits whose capacity is below the cost take precedence.
   */
  deniedBy: string;
  /** Longest wait of the limits that denied, in milliseconds; absent if waiting does not help. */
  retryAfterMs?: number;
  /** Largest cost that the limit named by `deniedBy` would admit now. */
  maxAdmissibleCost: number;
  code: DenialCode;
}

/**
 * Result of a charge. A denial is a value, never an exception. `limits` are in the requested order,
 * without those whose scope the subject lacks.
 */
export type Decision = Admission | Denial;

/** Decision that a charge would receive. It has no receipt, because nothing was charged. */
export type PeekedDecision = Omit<Admission, 'receipt'> | Denial;

/**
 * States of limits in the requested order, and the decision that a charge of their costs would
 * receive now.
 */
export interface PeekedStates extends Array<LimitState> {
  readonly decision: PeekedDecision;
}

/** Returns the states and the decision that a peek by an engine found. */
export function toPeekedStates(request: CheckedRequest, result: EngineResult, degraded: boolean): PeekedStates {
  return withDecision(toLimitStates(request, result), toPeekedDecision(request, result, degraded));
}

/**
 * Adds the decision as a non-enumerable property: callers serialize, compare and iterate the states
 * as an array.
 */
export function withDecision(states: LimitState[], decision: PeekedDecision): PeekedStates {
  return Object.defineProperty(states, 'decision', { value: decision }) as PeekedStates;
}

/** Returns the decision that a charge would have received, from the engine's result of a peek. */
export function toPeekedDecision(request: CheckedRequest, found: EngineResult, degraded: boolean): PeekedDecision {
  // A charge that can never fit counts nothing, not even where `countDenied` is set.
  const result = found.wouldBe === undefined || request.impossible ? found : { ...found, numbers: found.wouldBe };
  const limits = toLimitStates(request, result);
  if (!result.admitted) return denialOf(request, result, degraded, limits);
  return { admitted: true, delayMs: longestDelayMs(request, result), degraded, limits };
}

/** Returns the decision on a charge from the engine's result. Only an admission has a receipt. */
export function toDecision(
  request: CheckedRequest,
  result: EngineResult,
  degraded: boolean,
  receipt: Receipt | undefined,
): Decision {
  const limits = toLimitStates(request, result);
  if (receipt === undefined) return denialOf(request, result, degraded, limits);
  const delayMs = request.mayDelay ? longestDelayMs(request, result) : 0;
  return { admitted: true, delayMs, degraded, limits, receipt };
}

function longestDelayMs({ limits, costs }: CheckedRequest, { numbers }: EngineResult): number {
  let longest = 0;
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const cost = costs[i]!;
    if (cost > 0 && !limit.shadow) longest = Math.max(longest, limit.algorithm.delayMs(limit, cost, numbers, offset));
    offset += limit.algorithm.numberCount;
  }
  return longest;
}

/** Returns the denial for a charge that the engine denied. */
export function deny(request: CheckedRequest, result: EngineResult, degraded: boolean): Denial {
  return denialOf(request, result, degraded, toLimitStates(request, result));
}

/**
 * Returns a denial. The function works in one pass without intermediate objects, because during a
 * flood it runs tens of thousands of times a second.
 */
function denialOf(request: CheckedRequest, result: EngineResult, degraded: boolean, limits: LimitState[]): Denial {
  let binding = -1;
  let isImpossible = false;
  let retryAfterMs = 0;
  for (let i = 0; i < limits.length; i++) {
    if (!limits[i]!.violated) continue;
    retryAfterMs = Math.max(retryAfterMs, limits[i]!.retryAfterMs);
    // A limit whose capacity is below the cost takes precedence, because the operation can never be
    // admitted. A wait for the other limits would not help.
    const neverFits = request.costs[i]! > request.limits[i]!.wholeCapacity;
    if (neverFits && !isImpossible) binding = -1;
    else if (isImpossible && !neverFits) continue;
    isImpossible = neverFits;
    if (binding === -1 || compareWidth(request.limits[binding]!, request.limits[i]!) > 0) binding = i;
  }
  const limit = request.limits[binding]!;
  const deniedBy = limit.id;
  const offset = offsetOf(request, binding);
  const maxAdmissibleCost = limit.algorithm.maxAdmissible(limit, limits[binding]!, result.numbers, offset);
  return isImpossible
    ? { admitted: false, degraded, limits, deniedBy, maxAdmissibleCost, code: 'COST_EXCEEDS_CAPACITY' }
    : { admitted: false, degraded, limits, deniedBy, maxAdmissibleCost, retryAfterMs, code: 'THROTTLED' };
}

/**
 * Compares limits from narrow to wide: by rank, then by scope. If the result is 0, the earlier
 * limit of the request counts as narrower.
 */
export function compareWidth(a: Limit, b: Limit): number {
  return a.rank - b.rank || compareScopes(a.scope, b.scope);
}

function offsetOf({ limits }: CheckedRequest, index: number): number {
  let offset = 0;
  for (let i = 0; i < index; i++) offset += limits[i]!.algorithm.numberCount;
  return offset;
}
