import type { LimitState } from '../model/limit.js';
import { compareScopes } from '../model/subject.js';
import type { Limit } from './algorithms/algorithm.js';
import { type CheckedRequest, type EngineResult } from './charge-request.js';
import { toLimitStates } from './limit-state.js';

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
}

export interface Denial {
  admitted: false;
  degraded: boolean;
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

/** Turns what an engine found into the decision that the caller sees; only an admission has a receipt. */
export function toDecision(
  request: CheckedRequest,
  result: EngineResult,
  degraded: boolean,
  receipt: Receipt | undefined,
): Decision {
  const limits = toLimitStates(request, result);
  if (receipt === undefined) return deny(request, result, degraded, limits);
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

function deny(request: CheckedRequest, result: EngineResult, degraded: boolean, limits: LimitState[]): Decision {
  const refusing = limits.map((_, i) => i).filter((i) => limits[i]!.violated);
  // What can never fit binds: waiting for the others would not help.
  const impossible = refusing.filter((i) => request.costs[i]! > request.limits[i]!.wholeCapacity);
  const binding = (impossible.length > 0 ? impossible : refusing).reduce((a, b) =>
    compareWidth(request.limits[a]!, request.limits[b]!) <= 0 ? a : b,
  );
  const limit = request.limits[binding]!;
  const denial = {
    admitted: false,
    degraded,
    limits,
    deniedBy: limit.id,
    maxAdmissibleCost: limit.algorithm.maxAdmissible(
      limit,
      limits[binding]!,
      result.numbers,
      offsetOf(request, binding),
    ),
  } as const;
  if (impossible.length > 0) return { ...denial, code: 'COST_EXCEEDS_CAPACITY' };
  const retryAfterMs = Math.max(...refusing.map((i) => limits[i]!.retryAfterMs));
  return { ...denial, retryAfterMs, code: 'THROTTLED' };
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
