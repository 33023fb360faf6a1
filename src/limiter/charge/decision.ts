import type { LimitState } from '../../model/limit-parameters.js';
import { compareScopes } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { type CheckedRequest, type EngineResult } from './checked-request.js';
import { toLimitStates } from './to-limit-states.js';

declare const receiptBrand: unique symbol;

/** What `settle` needs to know of a charge. Good for one settlement, in the process that charged. */
export interface Receipt {
  readonly [receiptBrand]: true;
}

export type DenialCode = 'THROTTLED' | 'COST_EXCEEDS_CAPACITY' | 'UNAVAILABLE';

export interface Admission {
  admitted: true;
  /** How long the caller has to wait before it may run (throttle, leaky bucket); else 0. */
  delayMs: number;
  /** Decided without the shared state. */
  degraded: boolean;
  limits: LimitState[];
  receipt: Receipt;
  /** Tokens that were taken ahead paid for some of it: of those limits `limits` are as this instance knows them. */
  approximate?: true;
}

export interface Denial {
  admitted: false;
  degraded: boolean;
  /** Denials that are answered from memory within one millisecond have it in common: copy it to change it. */
  limits: LimitState[];
  /** Id of the narrowest limit that refused. */
  deniedBy: string;
  /** The longest wait of the limits that refused; absent when waiting does not help. */
  retryAfterMs?: number;
  /** The largest cost on the limit named by `deniedBy` that would pass now. */
  maxAdmissibleCost: number;
  code: DenialCode;
}

/** A denial is a value, never an exception. `limits` are in the order asked, without those whose scope the subject lacks. */
export type Decision = Admission | Denial;

/** What a charge would be answered; there is nothing to settle. */
export type PeekedDecision = Omit<Admission, 'receipt'> | Denial;

/** Limits as they stand, in the order asked, and beside them what a charge of their costs would be answered now. */
export interface PeekedStates extends Array<LimitState> {
  readonly decision: PeekedDecision;
}

/** Turns what an engine found by looking into what the caller sees. */
export function toPeekedStates(request: CheckedRequest, result: EngineResult, degraded: boolean): PeekedStates {
  return withDecision(toLimitStates(request, result), toPeekedDecision(request, result, degraded));
}

/** The decision is no member that is listed: the states are written, compared and looped over as an array. */
export function withDecision(states: LimitState[], decision: PeekedDecision): PeekedStates {
  return Object.defineProperty(states, 'decision', { value: decision }) as PeekedStates;
}

/** What the charge that an engine has only looked at would have been answered. */
export function toPeekedDecision(request: CheckedRequest, found: EngineResult, degraded: boolean): PeekedDecision {
  // Of what can never be charged nothing is counted, not even where denied operations are.
  const result = found.wouldBe === undefined || request.impossible ? found : { ...found, numbers: found.wouldBe };
  const limits = toLimitStates(request, result);
  if (!result.admitted) return denialOf(request, result, degraded, limits);
  return { admitted: true, delayMs: longestDelayMs(request, result), degraded, limits };
}

/** Turns what an engine found into the decision that the caller sees; only an admission has a receipt. */
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

/** Turns the refusal that an engine found into the denial that the caller sees. */
export function deny(request: CheckedRequest, result: EngineResult, degraded: boolean): Denial {
  return denialOf(request, result, degraded, toLimitStates(request, result));
}

/** In one pass, without anything made on the way: those who flood are answered here tens of thousands of times a second. */
function denialOf(request: CheckedRequest, result: EngineResult, degraded: boolean, limits: LimitState[]): Denial {
  let binding = -1;
  let isImpossible = false;
  let retryAfterMs = 0;
  for (let i = 0; i < limits.length; i++) {
    if (!limits[i]!.violated) continue;
    retryAfterMs = Math.max(retryAfterMs, limits[i]!.retryAfterMs);
    // What can never fit binds: waiting for the others would not help.
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

/** Narrow before wide: rank, scope, the order asked (the caller passes the earlier one first), then id. */
export function compareWidth(a: Limit, b: Limit): number {
  return a.rank - b.rank || compareScopes(a.scope, b.scope);
}

function offsetOf({ limits }: CheckedRequest, index: number): number {
  let offset = 0;
  for (let i = 0; i < index; i++) offset += limits[i]!.algorithm.numberCount;
  return offset;
}
