import type { GraphQLError } from 'graphql';
import type { Decision, Limiter } from '../limiter/types.js';
import type { Subject, Tier } from '../model/rule.js';
import type { UsageRecord } from '../model/usage-record.js';
import type { BoundLimit, BoundRuleset, Ruleset } from '../rules/matching/ruleset.js';
import { type AnswerParts, type LimitOutcome, outcomesOf } from './answer.js';
import { ChargedLimit } from './answered-operation.js';
import { idleCharge, rootOf } from './bind-charges.js';
import { denialError } from './denial.js';

export interface FeeOptions {
  limiter: Limiter;
  /** Whole tokens; 0 charges nothing. */
  fee: number;
  mode: 'ENFORCE' | 'SHADOW';
  denialStatus: 429 | 200;
  /** Told of every fee that was taken or denied; must not throw. */
  onAnswer?: ((record: UsageRecord) => void) | undefined;
}

/** What came of a fee. */
export interface FeeOutcome {
  parts: AnswerParts;
  /** Set where the caller's bucket is empty: this is the answer then. */
  denial: GraphQLError | undefined;
}

/**
 * Takes the flat fee of an answer that was never priced (a syntax error, an unknown field, variables that do not fit)
 * from the bucket of the caller's tier, so that floods of such requests are not free.
 */
export type ChargeFee = (ruleset: Ruleset, subject: Subject, client?: string) => Promise<FeeOutcome>;

export function createFee({ limiter, fee, mode, denialStatus, onAnswer }: FeeOptions): ChargeFee {
  const bound = new WeakMap<Ruleset, Map<Tier, BoundRuleset>>();

  /** What applies to an operation without a name that resolves nothing; bound once, as it reads all rules. */
  function boundOf(ruleset: Ruleset, tier: Tier): BoundRuleset {
    let byTier = bound.get(ruleset);
    if (byTier === undefined) {
      byTier = new Map();
      bound.set(ruleset, byTier);
    }
    let known = byTier.get(tier);
    if (known === undefined) {
      known = ruleset.bind(tier, { type: 'QUERY', name: undefined, coordinates: [] });
      byTier.set(tier, known);
    }
    return known;
  }

  return async (ruleset, subject, client) => {
    const tier = ruleset.tier(subject.tier);
    const all = boundOf(ruleset, tier).select({ subject, root: rootOf(subject), client });
    const limits = all.filter(isTierBucket);
    // More than fits could never be paid: the answer would be that the operation is too expensive.
    const cost = Math.min(fee, tier.capacity);
    const charges = limits.map((limit) => ({
      ...idleCharge(limit),
      cost,
      ...(mode === 'SHADOW' && { mode }),
    }));
    const parts = { requestedCost: 0, actualCost: 0, tier, mode };
    if (cost === 0 || charges.length === 0) {
      const states = await limiter.peek({ subject, limits: charges });
      return { parts: { ...parts, degraded: false, outcomes: outcomesOf(limits, states) }, denial: undefined };
    }
    const decision = await limiter.charge({ subject, limits: charges });
    const outcomes = outcomesOf(limits, decision.limits);
    const { degraded, admitted } = decision;
    onAnswer?.(recordOf(subject, tier, client, cost, decision, outcomes));
    if (admitted) return { parts: { ...parts, degraded, outcomes, fee: cost }, denial: undefined };
    const denial = denialError({ decision, outcomes, costOf: () => cost, dearestPaths: () => [], denialStatus });
    return { parts: { ...parts, degraded, outcomes, fee: 0 }, denial };
  };
}

function recordOf(
  subject: Subject,
  tier: Tier,
  client: string | undefined,
  cost: number,
  decision: Decision,
  outcomes: readonly LimitOutcome[],
): UsageRecord {
  const denial = decision.admitted ? undefined : decision.code === 'UNAVAILABLE' ? 'UNAVAILABLE' : 'THROTTLED';
  return {
    atMs: Date.now(),
    durationMs: 0,
    subject,
    tier: tier.name,
    operationType: 'UNPRICED',
    operationName: undefined,
    client,
    batchId: undefined,
    denial,
    deniedBy: denial && `tier:${tier.name}`,
    degraded: decision.degraded,
    estimatedCost: cost,
    actualCost: undefined,
    limits: outcomes.map((outcome) => new ChargedLimit(outcome, cost, undefined)),
    fields: undefined,
  };
}

/** None for callers who are exempt from it. */
function isTierBucket({ rule }: BoundLimit): boolean {
  return rule === undefined;
}
