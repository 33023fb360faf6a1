import type { LimitState } from '../../model/limit.js';
import type { Limit } from '../algorithms/algorithm.js';
import { type CheckedRequest, createCheckedRequest, selectCharged } from '../charge-request.js';
import { compareWidth, type Decision, toDecision } from '../decision.js';
import { toLimitStates } from '../limit-state.js';
import type { MemoryEngine } from '../memory/memory-engine.js';
import { receiptOf } from '../receipt.js';

/**
 * A decision without the shared state. Of the limits' policies CLOSED beats LOCAL beats OPEN: a limit that must not be
 * skipped refuses; local ones are charged in this process, with the share that `shareOf` gives them; open ones admit
 * unseen.
 */
export function decideUnavailable(
  request: CheckedRequest,
  chargeId: string,
  pool: string,
  memory: MemoryEngine,
  shareOf: (limit: Limit) => Limit,
): Decision {
  const { limits } = request;
  const refuses = (i: number) => limits[i]!.onUnavailable === 'CLOSED' && request.costs[i]! > 0;
  const isLocal = (i: number) => limits[i]!.onUnavailable === 'LOCAL';
  const local = createCheckedRequest(
    request.subject,
    limits.map(shareOf),
    request.costs.map((cost, i) => (isLocal(i) ? cost : 0)),
  );
  const closed = limits.filter((limit, i) => refuses(i) && !limit.shadow);
  const withShadows = (state: LimitState, i: number): LimitState =>
    state.shadow && refuses(i) ? { ...state, wouldDeny: true } : state;
  if (closed.length > 0) {
    const binding = closed.reduce((a, b) => (compareWidth(a, b) <= 0 ? a : b));
    const states = toLimitStates(local, memory.charge(local, chargeId, true)).map((state, i) => ({
      ...state,
      violated: closed.includes(limits[i]!),
      wouldDeny: false,
      retryAfterMs: 0,
    }));
    return {
      admitted: false,
      degraded: true,
      limits: states.map(withShadows),
      deniedBy: binding.id,
      maxAdmissibleCost: 0,
      code: 'UNAVAILABLE',
    };
  }
  const result = memory.charge(local, chargeId, local.impossible);
  const receipt = receiptOf(local, result, chargeId, pool, true);
  // Nothing was taken from the others: there is nothing to correct.
  const charged = receipt && {
    ...receipt,
    ...selectCharged(receipt, (i) => receipt.request.limits[i]!.onUnavailable === 'LOCAL'),
  };
  const decision = toDecision(local, result, true, charged);
  return { ...decision, limits: decision.limits.map(withShadows) };
}
