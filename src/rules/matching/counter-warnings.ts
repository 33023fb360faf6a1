import type { Rule, Tier } from '../../model/rule.js';
import { type BoundLimit, createRuleset } from './ruleset.js';

/** What a rule was once. */
export interface EarlierRule {
  rule: Rule;
  version: number;
  /** How long ago it became another one. */
  leftAgoMs: number;
}

/**
 * Which limits of an edited rule leave the counters that the rule has used so far, in words for the admin: callers who have
 * spent something start again from zero there. Edits of amounts, priorities, tiers and modes between OFF and ENFORCE go
 * on with the same counters, and are not named.
 * @param earlier what the rule was before, the latest first: where its window is set back, what was used there is still counted
 * @param others rules of the same level: a counter that one of them enforces is in use, and does not begin
 */
export function counterWarnings(
  before: Rule,
  after: Rule,
  others: readonly Rule[] = [],
  earlier: readonly EarlierRule[] = [],
): string[] {
  const inUse = new Map(
    others
      .filter((other) => other.id !== after.id && other.mode === 'ENFORCE' && isOfLevel(other, after))
      .flatMap((other) => countersOf(other).map(({ counter }) => [counter, other.name] as const)),
  );
  const used = new Set(countersOf(before).map(({ counter }) => counter));
  const left = new Map<string, EarlierRule>();
  for (const one of earlier) {
    for (const { counter, limit } of countersOf(one.rule)) {
      if (one.leftAgoMs < keptMs(limit) && !left.has(counter)) left.set(counter, one);
    }
  }
  const shadowed = after.mode === 'SHADOW' || before.mode === 'SHADOW';
  return countersOf(after).flatMap(({ counter }, index) => {
    if (used.has(counter)) return [];
    const user = inUse.get(counter);
    if (user !== undefined) {
      return [
        `limits[${index}] goes on with the counter that the rule ${JSON.stringify(user)} uses: what was used there is counted`,
      ];
    }
    const version = left.get(counter)?.version;
    if (version !== undefined) {
      return [
        `limits[${index}] goes back to the counter of version ${version}: what was used there is counted again, as far as it still would be, and what was used since is not`,
      ];
    }
    const reason =
      shadowed && before.mode !== after.mode
        ? 'a shadow counts apart from what is enforced'
        : 'its scope, field, measure, algorithm, window, strictness or key is another one';
    return [
      `limits[${index}] goes on with another counter, because ${reason}: what was used so far is not counted there`,
    ];
  });
}

/** Counters are those of a level: rules of others never meet there. */
function isOfLevel(one: Rule, other: Rule): boolean {
  return one.scope === other.scope && one.field === other.field && one.measure === other.measure;
}

const ANY_TIER: Tier = {
  name: 'any',
  displayName: 'any',
  capacity: 1,
  refillAmount: 1,
  refillPeriodMs: 1,
  maxCostPerOperation: null,
  maxNodesPerOperation: null,
  maxTypeCostPerOperation: null,
  maxFieldCostPerOperation: null,
  answer: 'BRIEF',
  isDefault: true,
  version: 1,
};

/** The counters of a rule, apart from the callers that it is for. */
function countersOf(rule: Rule): { counter: string; limit: BoundLimit }[] {
  const mode = rule.mode === 'SHADOW' ? 'SHADOW' : 'ENFORCE';
  const everybodys: Rule = { ...rule, mode, match: {}, rolloutPercent: 100, action: { type: 'REJECT' } };
  const ruleset = createRuleset({ tiers: [ANY_TIER], rules: [everybodys], version: 0 });
  const limits = ruleset.bindAll(ANY_TIER).select({ subject: {}, root: '' });
  return limits.filter((limit) => limit.rule !== undefined).map((limit) => ({ counter: counterOf(limit), limit }));
}

/** For how long it matters what was used: until the windows are over, or the bucket is full. */
function keptMs({ parameters }: BoundLimit): number {
  const { windowMs, capacity = 0, refillAmount, refillPeriodMs = 0, leaseMs = 0 } = parameters;
  // The window before the one that runs counts in part.
  if (windowMs !== undefined) return 2 * windowMs;
  return refillAmount === undefined ? leaseMs : (capacity / refillAmount) * refillPeriodMs;
}

/** As the limiter tells counters apart: strict windows are kept in parts. */
function counterOf({ id, parameters }: BoundLimit): string {
  return JSON.stringify([id, parameters.strict === true]);
}
