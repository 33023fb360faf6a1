import type { LimitState } from '../../model/limit.js';
import type { Limit } from '../algorithms/algorithm.js';
import { createDemand, type Demand, selectCharged } from '../charge-request.js';
import { compareWidth, type Decision, toDecision } from '../decision.js';
import { describeAll } from '../limit-state.js';
import type { MemoryEngine } from '../memory/memory-engine.js';
import { receiptOf } from '../receipt.js';

/**
 * A decision without the shared state. Of the limits' policies CLOSED beats LOCAL beats OPEN: a limit that must not be
 * skipped refuses; local ones are charged in this process, with the share that `shareOf` gives them; open ones admit
 * unseen.
 */
export function decideUnavailable(
  demand: Demand,
  chargeId: string,
  pool: string,
  memory: MemoryEngine,
  shareOf: (limit: Limit) => Limit,
): Decision {
  const { limits } = demand;
  const refuses = (i: number) => limits[i]!.onUnavailable === 'CLOSED' && demand.costs[i]! > 0;
  const isLocal = (i: number) => limits[i]!.onUnavailable === 'LOCAL';
  const local = createDemand(
    demand.subject,
    limits.map(shareOf),
    demand.costs.map((cost, i) => (isLocal(i) ? cost : 0)),
  );
  const closed = limits.filter((limit, i) => refuses(i) && !limit.shadow);
  const withShadows = (state: LimitState, i: number): LimitState =>
    state.shadow && refuses(i) ? { ...state, wouldDeny: true } : state;
  if (closed.length > 0) {
    const binding = closed.reduce((a, b) => (compareWidth(a, b) <= 0 ? a : b));
    const states = describeAll(local, memory.charge(local, chargeId, true)).map((state, i) => ({
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
  const reading = memory.charge(local, chargeId, local.impossible);
  const receipt = receiptOf(local, reading, chargeId, pool, true);
  // Nothing was taken from the others: there is nothing to correct.
  const charged = receipt && {
    ...receipt,
    ...selectCharged(receipt, (i) => receipt.demand.limits[i]!.onUnavailable === 'LOCAL'),
  };
  const decision = toDecision(local, reading, true, charged);
  return { ...decision, limits: decision.limits.map(withShadows) };
}
