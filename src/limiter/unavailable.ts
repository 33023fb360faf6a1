import { compareWidth, describeAll, toDecision } from './decision.js';
import { createDemand, type Demand, type Reading, select } from './engine.js';
import type { MemoryEngine } from './memory-engine.js';
import type { Decision, LimitState, Receipt } from './types.js';

/**
 * A decision without the shared state. Of the limits' policies CLOSED beats LOCAL beats OPEN: a limit that must not be
 * skipped refuses; local ones are charged in this process; open ones admit unseen.
 */
export function decideUnavailable(
  demand: Demand,
  chargeId: string,
  memory: MemoryEngine,
  receiptOf: (charged: Demand, reading: Reading) => Receipt | undefined,
): Decision {
  const closed = demand.limits.filter((limit) => limit.onUnavailable === 'CLOSED' && !limit.shadow);
  if (closed.length > 0) {
    const binding = closed.reduce((a, b) => (compareWidth(a, b) <= 0 ? a : b));
    const limits = describeAll(demand, memory.charge(demand, chargeId, true)).map((state, i) => ({
      ...state,
      violated: closed.includes(demand.limits[i]!),
      wouldDeny: false,
      retryAfterMs: 0,
    }));
    return { admitted: false, degraded: true, limits, deniedBy: binding.id, maxAdmissibleCost: 0, code: 'UNAVAILABLE' };
  }
  const local = select(demand, (i) => demand.limits[i]!.onUnavailable === 'LOCAL');
  const open = select(demand, (i) => demand.limits[i]!.onUnavailable === 'OPEN');
  const reading = memory.charge(local, chargeId, local.impossible);
  const decision = toDecision(local, reading, true, receiptOf(local, reading));
  const openStates = describeAll(withoutCost(open), memory.charge(withoutCost(open), chargeId, true));
  return { ...decision, limits: inOrder(demand, decision.limits, openStates) };
}

function withoutCost(demand: Demand): Demand {
  return createDemand(
    demand.subject,
    demand.limits,
    demand.costs.map(() => 0),
  );
}

function inOrder(demand: Demand, local: LimitState[], open: LimitState[]): LimitState[] {
  let nextLocal = 0;
  let nextOpen = 0;
  return demand.limits.map((limit) => (limit.onUnavailable === 'LOCAL' ? local[nextLocal++]! : open[nextOpen++]!));
}
