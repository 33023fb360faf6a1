import type { Registry } from 'prom-client';
import type { DecisionRecord, Observers } from '../../model/decision-record.js';
import { type Cell, createPlainCounter } from './bound-metrics.js';

/** Maximum number of tiers with a label of their own. */
const MAX_TIERS = 200;
/** Label of all other tiers together. */
const OTHER = '(other)';
const COUNTED_BY_NAME = `The first ${MAX_TIERS} tiers are counted by name, the others together as "${OTHER}".`;

interface OfTier {
  name: string;
  admitted: Cell;
  /** Cells by code, each created at the first denial with that code. */
  denied: Map<string, Cell>;
  cost: Cell;
}

/**
 * Creates the metrics of operations and their costs by tier. They show which tiers are busy, and
 * which tiers have denials.
 */
export function countTiers(registry: Registry): Pick<Observers, 'onDecision' | 'onSettled'> {
  const decisions = createPlainCounter({
    name: 'tollgate_tier_decisions_total',
    help: `Decided operations, by the tier of the caller and by result. ${COUNTED_BY_NAME}`,
    labels: ['tier', 'result'],
    registry,
  });
  const cost = createPlainCounter({
    name: 'tollgate_tier_cost_tokens_total',
    help: `Tokens charged to admitted operations after settlement, by the tier of the caller. ${COUNTED_BY_NAME}`,
    labels: ['tier'],
    registry,
  });
  const tiers = new Map<string, OfTier>();

  function ofTier(tier: string): OfTier {
    const known = tiers.get(tier);
    if (known) return known;
    if (tiers.size >= MAX_TIERS && tier !== OTHER) return ofTier(OTHER);
    const made = {
      name: tier,
      admitted: decisions({ tier, result: 'admitted' }),
      denied: new Map<string, Cell>(),
      cost: cost({ tier }),
    };
    tiers.set(tier, made);
    return made;
  }

  function deniedOf({ name, denied }: OfTier, denial: string): Cell {
    const known = denied.get(denial);
    if (known) return known;
    const made = decisions({ tier: name, result: denial.toLowerCase() });
    denied.set(denial, made);
    return made;
  }

  return {
    onDecision({ tier, denial }: DecisionRecord) {
      const counted = ofTier(tier);
      if (denial === undefined) counted.admitted.count++;
      else deniedOf(counted, denial).count++;
    },
    onSettled({ tier }, paidCost) {
      ofTier(tier).cost.count += paidCost;
    },
  };
}
