import type { CostEstimate } from '../cost/cost-plan.js';
import { MAX_COST } from '../model/limit-parameters.js';
import type { Amount, Tier } from '../model/rule.js';

/**
 * Amounts that an operation or a batch requests. Amounts other than tokens are present only if the
 * tier has a ceiling for them.
 */
export type RequestedAmounts = Readonly<Partial<Record<Amount, number>>>;

/** A tier's ceiling for one operation, and the amount that this operation requests. */
export interface CeilingUse {
  amount: Amount;
  requested: number;
  maximum: number;
}

/**
 * Returns the amounts that an operation requests. Reading an amount other than tokens computes its
 * estimate, so it is read only if the tier has a ceiling for it.
 */
export function requestedAmounts(tier: Tier, estimate: CostEstimate): RequestedAmounts {
  const { cost } = estimate;
  const { maxNodesPerOperation, maxTypeCostPerOperation, maxFieldCostPerOperation } = tier;
  if (maxNodesPerOperation === null && maxTypeCostPerOperation === null && maxFieldCostPerOperation === null) {
    return { COST: cost };
  }
  return {
    COST: cost,
    ...(maxNodesPerOperation !== null && { NODES: estimate.nodes }),
    ...(maxTypeCostPerOperation !== null && { TYPE_COST: estimate.typeCost }),
    ...(maxFieldCostPerOperation !== null && { FIELD_COST: estimate.fieldCost }),
  };
}

/**
 * Adds up the amounts of a batch. Ceilings apply to the sum: otherwise a caller could stay below
 * them by splitting an operation.
 */
export function sumOfAmounts(one: RequestedAmounts, other: RequestedAmounts): RequestedAmounts {
  const sum: Partial<Record<Amount, number>> = { ...one };
  for (const [amount, requested] of Object.entries(other) as [Amount, number][]) {
    sum[amount] = Math.min(MAX_COST, (sum[amount] ?? 0) + requested);
  }
  return sum;
}

/** Returns the first ceiling of the tier that the amounts exceed. */
export function findExceededCeiling(tier: Tier, amounts: RequestedAmounts): CeilingUse | undefined {
  return (
    exceeded('COST', amounts.COST, tier.maxCostPerOperation) ??
    exceeded('NODES', amounts.NODES, tier.maxNodesPerOperation) ??
    exceeded('TYPE_COST', amounts.TYPE_COST, tier.maxTypeCostPerOperation) ??
    exceeded('FIELD_COST', amounts.FIELD_COST, tier.maxFieldCostPerOperation)
  );
}

/** Returns every ceiling of the tier with the amount that the operation requests, for previews. */
export function ceilingsOf(tier: Tier, estimate: CostEstimate): CeilingUse[] {
  const all: [Amount, number, number | null][] = [
    ['COST', estimate.cost, tier.maxCostPerOperation],
    ['NODES', estimate.nodes, tier.maxNodesPerOperation],
    ['TYPE_COST', estimate.typeCost, tier.maxTypeCostPerOperation],
    ['FIELD_COST', estimate.fieldCost, tier.maxFieldCostPerOperation],
  ];
  return all.flatMap(([amount, requested, maximum]) => (maximum === null ? [] : [{ amount, requested, maximum }]));
}

function exceeded(amount: Amount, requested: number | undefined, maximum: number | null): CeilingUse | undefined {
  if (maximum === null || requested === undefined || requested <= maximum) return undefined;
  return { amount, requested, maximum };
}
