import type { Registry } from 'prom-client';
import type { DecisionRecord, Observers } from '../../model/decision-record.js';
import { type Cell, createPlainCounter } from './bound-metrics.js';

/** Tiers told apart. */
const MAX_TIERS = 200;
/** The label of all others together. */
const OTHER = '(other)';
const TOLD_APART = `The first ${MAX_TIERS} tiers are counted by name, the others together as "${OTHER}".`;

interface OfTier {
  name: string;
  admitted: Cell;
  /** By code, made when it first occurs. */
  denied: Map<string, Cell>;
  cost: Cell;
}

/** Counts operations and what they have paid by tier: which plan is busy, and which one is denied. */
export function countTiers(registry: Registry): Pick<Observers, 'onDecision' | 'onSettled'> {
  const decisions = createPlainCounter({
    name: 'tollgate_tier_decisions_total',
    help: `Operations decided, by the tier of the caller and by result. ${TOLD_APART}`,
    labels: ['tier', 'result'],
    registry,
  });
  const cost = createPlainCounter({
    name: 'tollgate_tier_cost_tokens_total',
    help: `Tokens that admitted operations have paid in the end, by the tier of the caller. ${TOLD_APART}`,
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
