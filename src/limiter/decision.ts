import type { Scope } from '../model/rule.js';
import { type Demand, NUMBERS_PER_SHAPE, type Reading } from './charge-request.js';
import type { Limit } from './limit.js';
import { delayMsOf, describeLimit, maxAdmissible } from './limit-state.js';
import type { Decision, LimitState, Receipt } from './types.js';

const SCOPE_ORDER: Record<Scope, number> = { USER: 0, API_KEY: 1, IP: 2, TENANT: 3, GLOBAL: 4 };

export function describeAll({ limits, costs }: Demand, reading: Reading): LimitState[] {
  if (reading.states !== undefined) return reading.states;
  const states: LimitState[] = new Array(limits.length);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    states[i] = describeLimit(limit, costs[i]!, reading.times?.[i] ?? reading, reading.numbers, offset);
    offset += NUMBERS_PER_SHAPE[limit.shape];
  }
  return states;
}

/** Turns what an engine found into the decision that the caller sees; only an admission has a receipt. */
export function toDecision(
  demand: Demand,
  reading: Reading,
  degraded: boolean,
  receipt: Receipt | undefined,
): Decision {
  const limits = describeAll(demand, reading);
  if (receipt === undefined) return deny(demand, reading, degraded, limits);
  const delayMs = demand.mayDelay ? longestDelayMs(demand, reading) : 0;
  return { admitted: true, delayMs, degraded, limits, receipt };
}

function longestDelayMs({ limits, costs }: Demand, { numbers }: Reading): number {
  let longest = 0;
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const cost = costs[i]!;
    if (cost > 0 && !limit.shadow) longest = Math.max(longest, delayMsOf(limit, cost, numbers, offset));
    offset += NUMBERS_PER_SHAPE[limit.shape];
  }
  return longest;
}

function deny(demand: Demand, reading: Reading, degraded: boolean, limits: LimitState[]): Decision {
  const refusing = limits.map((_, i) => i).filter((i) => limits[i]!.violated);
  // What can never fit binds: waiting for the others would not help.
  const impossible = refusing.filter((i) => demand.costs[i]! > demand.limits[i]!.wholeCapacity);
  const binding = (impossible.length > 0 ? impossible : refusing).reduce((a, b) =>
    compareWidth(demand.limits[a]!, demand.limits[b]!) <= 0 ? a : b,
  );
  const limit = demand.limits[binding]!;
  const denial = {
    admitted: false,
    degraded,
    limits,
    deniedBy: limit.id,
    maxAdmissibleCost: maxAdmissible(limit, limits[binding]!, reading.numbers, offsetOf(demand, binding)),
  } as const;
  if (impossible.length > 0) return { ...denial, code: 'COST_EXCEEDS_CAPACITY' };
  const retryAfterMs = Math.max(...refusing.map((i) => limits[i]!.retryAfterMs));
  return { ...denial, retryAfterMs, code: 'THROTTLED' };
}

/** Narrow before wide: rank, scope, the order asked (the caller passes the earlier one first), then id. */
export function compareWidth(a: Limit, b: Limit): number {
  return a.rank - b.rank || SCOPE_ORDER[a.scope] - SCOPE_ORDER[b.scope];
}

function offsetOf({ limits }: Demand, index: number): number {
  let offset = 0;
  for (let i = 0; i < index; i++) offset += NUMBERS_PER_SHAPE[limits[i]!.shape];
  return offset;
}
