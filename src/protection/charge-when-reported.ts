import type { Operation } from './operation.js';
import type { Protection } from './protection.js';
import { ChargedLimit } from './recorded-operation.js';
import { type ReportedCost, reportedByLimit } from './reported-cost.js';

/**
 * Charges the cost that resolvers have reported, and from now on each cost when it is reported.
 * Otherwise a client that does not read its incremental response would delay the charge.
 */
export function chargeWhenReported<Context>(
  protection: Protection<Context>,
  operation: Operation,
  reportedCost: ReportedCost,
): void {
  const charge = () => void chargeReported(protection, operation, reportedCost);
  reportedCost.settled(charge);
  charge();
}

/**
 * Charges the cost that resolvers report after the settlement of their operation, for example while
 * they compute deferred parts. The operation has run, so this cost must not be denied. A charge of
 * zero is admitted even without tokens, and its settlement may leave a debt.
 */
async function chargeReported<Context>(
  { limiter, operations, onError, now }: Protection<Context>,
  operation: Operation,
  reportedCost: ReportedCost,
): Promise<void> {
  const reported = reportedCost.take();
  if (reported.total === 0) return;
  operation.chargedApart += reported.total;
  const { subject, bound, tier } = operation;
  const added = reportedByLimit(bound.limits, reported);
  const places = bound.charges.flatMap(({ id }, index) => (added[id] === undefined ? [] : [index]));
  try {
    const limits = places.map((index) => ({ ...bound.charges[index]!, cost: 0 }));
    const decision = await limiter.charge({ subject, limits, pool: bound.pool?.name, wait: false });
    if (!decision.admitted) throw new Error(`a reported cost of ${reported.total} tokens was lost: ${decision.code}`);
    await limiter.settle(decision.receipt, added);
    const states = limiter.settledStates(decision, added);
    operations.onAnswer?.({
      atMs: now(),
      durationMs: 0,
      subject,
      tier: tier.name,
      operationType: 'UNPRICED',
      operationName: operation.operationName,
      client: operation.client,
      isAgent: operation.isAgent,
      askedBy: operation.askedBy,
      batchId: undefined,
      denial: undefined,
      deniedBy: undefined,
      degraded: decision.degraded,
      estimatedCost: 0,
      actualCost: reported.total,
      limits: places.map((index, i) => {
        const limit = bound.limits[index]!;
        return new ChargedLimit({ limit, state: states[i]! }, 0, added[limit.id]);
      }),
      fields: undefined,
    });
  } catch (error) {
    onError(error);
  }
}
