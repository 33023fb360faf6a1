import type { LimitState } from '../../model/limit-parameters.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { receiptOf } from '../charge/charge-receipt.js';
import { type CheckedRequest, createCheckedRequest, selectCharged } from '../charge/checked-request.js';
import {
  compareWidth,
  type Decision,
  type Denial,
  type PeekedDecision,
  type PeekedStates,
  toDecision,
  toPeekedDecision,
  withDecision,
} from '../charge/decision.js';
import { toLimitStates } from '../charge/to-limit-states.js';
import type { MemoryEngine } from '../memory/memory-engine.js';
import type { Taken } from './set-aside.js';

/**
 * Decides without Redis, by the `onUnavailable` of each limit. CLOSED takes precedence over LOCAL,
 * and LOCAL over OPEN. A CLOSED limit denies every cost except zero. A LOCAL limit is charged in
 * this process, with the share that `shareOf` returns, and denies when that share is used up. An
 * OPEN limit admits without being charged.
 * @param taken returns why the share of the limit at this index is unavailable; undefined if it is
 * available
 */
export function decideUnavailable(
  request: CheckedRequest,
  chargeId: string,
  pool: string,
  memory: MemoryEngine,
  shareOf: (limit: Limit) => Limit,
  taken: (index: number) => Taken | undefined = () => undefined,
): Decision {
  const local = localPartOf(request, shareOf);
  const takenBy = request.limits.map((_, i) => (isLocal(request, i) ? taken(i) : undefined));
  const denial = denyClosed(request, local, memory) ?? denyTaken(request, local, memory, takenBy);
  if (denial !== undefined) return denial;
  const result = memory.charge(local, chargeId, local.impossible);
  const receipt = receiptOf(local, result, chargeId, pool, true);
  // The other limits were charged nothing, so there is nothing to correct.
  const charged = receipt && {
    ...receipt,
    ...selectCharged(receipt, (i) => receipt.request.limits[i]!.onUnavailable === 'LOCAL'),
  };
  const decision = toDecision(local, result, true, charged);
  return { ...decision, limits: withShadows(request, decision.limits) };
}

/**
 * Returns the states of the limits' shares in this process, and the decision that
 * `decideUnavailable` would make now. Charges nothing.
 */
export function peekUnavailable(
  request: CheckedRequest,
  memory: MemoryEngine,
  shareOf: (limit: Limit) => Limit,
): PeekedStates {
  const shares = createCheckedRequest(request.subject, request.limits.map(shareOf), request.costs);
  return withDecision(
    toLimitStates(shares, memory.charge(shares, NO_CHARGE, true)),
    peekDecision(request, localPartOf(request, shareOf), memory),
  );
}

/** Placeholder of an unused charge id. */
const NO_CHARGE = '';

function peekDecision(request: CheckedRequest, local: CheckedRequest, memory: MemoryEngine): PeekedDecision {
  const denial = denyClosed(request, local, memory);
  if (denial !== undefined) return denial;
  const decision = toPeekedDecision(local, memory.charge(local, NO_CHARGE, true), true);
  return { ...decision, limits: withShadows(request, decision.limits) };
}

/**
 * Returns the part of a request that this process decides: the shares of its LOCAL limits. Its
 * other limits have a cost of zero.
 */
function localPartOf({ subject, limits, costs }: CheckedRequest, shareOf: (limit: Limit) => Limit): CheckedRequest {
  return createCheckedRequest(
    subject,
    limits.map(shareOf),
    costs.map((cost, i) => (limits[i]!.onUnavailable === 'LOCAL' ? cost : 0)),
  );
}

/** Returns the denial by the enforced CLOSED limits with a cost; undefined if there are none. */
function denyClosed(request: CheckedRequest, local: CheckedRequest, memory: MemoryEngine): Denial | undefined {
  const denial = denyBy(request, local, memory, (i) => (isClosed(request, i) ? 0 : undefined));
  return denial && { ...denial, code: 'UNAVAILABLE' };
}

/**
 * Returns the denial by limits whose share is unavailable while calls are in flight; undefined if
 * there are none. If Redis has denied because of one of them, the limit is used up. Otherwise, it
 * is not known whether the caller has used it up, so the denial must not claim that.
 */
function denyTaken(
  request: CheckedRequest,
  local: CheckedRequest,
  memory: MemoryEngine,
  takenBy: readonly (Taken | undefined)[],
): Denial | undefined {
  const denial = denyBy(request, local, memory, (i) => takenBy[i]?.forMs);
  if (denial === undefined) return undefined;
  const retryAfterMs = Math.max(...denial.limits.map((state) => (state.violated ? state.retryAfterMs : 0)));
  // `remaining` is 0 because the caller cannot spend the tokens of a share that is unavailable.
  const limits = denial.limits.map((state) => (state.violated ? { ...state, remaining: 0 } : state));
  const code = takenBy.some((taken) => taken?.isDenied) ? 'THROTTLED' : 'UNDECIDED';
  return { ...denial, code, limits, retryAfterMs };
}

/** Returns the denial by all limits that deny, each with its wait. */
function denyBy(
  request: CheckedRequest,
  local: CheckedRequest,
  memory: MemoryEngine,
  deniesForMs: (index: number) => number | undefined,
): Omit<Denial, 'code'> | undefined {
  const { limits } = request;
  const waits = limits.map((limit, i) => (limit.shadow ? undefined : deniesForMs(i)));
  const denying = limits.filter((_, i) => waits[i] !== undefined);
  if (denying.length === 0) return undefined;
  const binding = denying.reduce((a, b) => (compareWidth(a, b) <= 0 ? a : b));
  const states = toLimitStates(local, memory.charge(local, NO_CHARGE, true)).map((state, i) => ({
    ...state,
    violated: waits[i] !== undefined,
    wouldDeny: false,
    retryAfterMs: Math.ceil(waits[i] ?? 0),
  }));
  return {
    admitted: false,
    degraded: true,
    limits: withShadows(request, states),
    deniedBy: binding.id,
    maxAdmissibleCost: 0,
  };
}

function isClosed({ limits, costs }: CheckedRequest, i: number): boolean {
  return limits[i]!.onUnavailable === 'CLOSED' && costs[i]! > 0;
}

function isLocal({ limits }: CheckedRequest, i: number): boolean {
  return limits[i]!.onUnavailable === 'LOCAL';
}

function withShadows(request: CheckedRequest, states: readonly LimitState[]): LimitState[] {
  return states.map((state, i) => (state.shadow && isClosed(request, i) ? { ...state, wouldDeny: true } : state));
}
