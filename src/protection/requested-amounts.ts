import type { CostEstimate } from '../cost/cost-plan.js';
import { MAX_COST } from '../model/limit-parameters.js';
import type { Amount, Tier } from '../model/rule.js';

/** What an operation, or a batch, asks for; amounts other than tokens only where the tier has a ceiling for them. */
export type RequestedAmounts = Readonly<Partial<Record<Amount, number>>>;

/** A tier's ceiling for one operation, and how much of it this one asks for. */
export interface CeilingUse {
  amount: Amount;
  requested: number;
  maximum: number;
}

/** Estimates of the other amounts are worked out when they are read: not for tiers that do not ask. */
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

/** Operations of a batch are one before the ceilings, as else a caller would pass below them by splitting. */
export function sumOfAmounts(one: RequestedAmounts, other: RequestedAmounts): RequestedAmounts {
  const sum: Partial<Record<Amount, number>> = { ...one };
  for (const [amount, requested] of Object.entries(other) as [Amount, number][]) {
    sum[amount] = Math.min(MAX_COST, (sum[amount] ?? 0) + requested);
  }
  return sum;
}

/** The first of the tier's ceilings that the amounts are above. */
export function findExceededCeiling(tier: Tier, amounts: RequestedAmounts): CeilingUse | undefined {
  return (
    exceeded('COST', amounts.COST, tier.maxCostPerOperation) ??
    exceeded('NODES', amounts.NODES, tier.maxNodesPerOperation) ??
    exceeded('TYPE_COST', amounts.TYPE_COST, tier.maxTypeCostPerOperation) ??
    exceeded('FIELD_COST', amounts.FIELD_COST, tier.maxFieldCostPerOperation)
  );
}

/** Every ceiling of the tier, and how much of it the operation asks for: for who previews it. */
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
