import { LONGEST_PERIOD_MS } from '../../model/limit-parameters.js';
import type { Rule, Tier } from '../../model/rule.js';
import { prepareRule } from './prepare-rule.js';
import { type BoundLimit, createRuleset } from './ruleset.js';

/** A former version of a rule. */
export interface EarlierRule {
  rule: Rule;
  version: number;
  /** Time since the next version replaced it, in milliseconds. */
  leftAgoMs: number;
}

/**
 * Returns a warning for each limit that, after the edit, uses another counter than the rule used
 * before. Callers start at zero in the new counter, unless another rule or a former version has
 * used it. Edits of amounts, priorities and tiers keep the counters and cause no warning. The same
 * holds for a change of the mode from OFF to ENFORCE or back.
 * @param earlier former versions, latest first. If the edit restores a former window, usage from
 * that time still counts.
 * @param others other rules. A counter is already in use if one of them with the same scope, field
 * and measure is enforced and counts in it.
 */
export function counterWarnings(
  before: Rule,
  after: Rule,
  others: readonly Rule[] = [],
  earlier: readonly EarlierRule[] = [],
): string[] {
  const { level } = prepareRule(after);
  // Only rules of one level share counters.
  const inUse = new Map(
    others
      .filter((other) => other.id !== after.id && other.mode === 'ENFORCE' && prepareRule(other).level === level)
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
        `limits[${index}] continues with the counter that the rule ${JSON.stringify(user)} uses: usage in that counter counts`,
      ];
    }
    const version = left.get(counter)?.version;
    if (version !== undefined) {
      return [
        `limits[${index}] returns to the counter of version ${version}: usage in that counter counts again until it expires, and usage under later versions does not count`,
      ];
    }
    const reason =
      shadowed && before.mode !== after.mode
        ? 'shadow mode has its own counter'
        : 'its scope, field, measure, algorithm, window, strictness or key changed';
    return [`limits[${index}] continues with another counter, because ${reason}: usage so far does not count there`];
  });
}

const ANY_TIER: Tier = {
  name: 'any',
  displayName: 'any',
  capacity: 1,
  refillAmount: 1,
  refillPeriodMs: 1,
  budget: null,
  maxCostPerOperation: null,
  maxNodesPerOperation: null,
  maxTypeCostPerOperation: null,
  maxFieldCostPerOperation: null,
  answer: 'BRIEF',
  isDefault: true,
  version: 1,
};

/** Returns the counters of a rule, as if it applied to all callers. */
function countersOf(rule: Rule): { counter: string; limit: BoundLimit }[] {
  const mode = rule.mode === 'SHADOW' ? 'SHADOW' : 'ENFORCE';
  const everybodys: Rule = { ...rule, mode, match: {}, rolloutPercent: 100, action: { type: 'REJECT' } };
  const ruleset = createRuleset({ tiers: [ANY_TIER], rules: [everybodys], version: 0 });
  const limits = ruleset.bindAll(ANY_TIER).select({ subject: {}, root: '' });
  return limits.filter((limit) => limit.rule !== undefined).map((limit) => ({ counter: counterOf(limit), limit }));
}

/**
 * Returns how long usage counts in a counter, in milliseconds: until the windows are over, the
 * bucket is full, even after its largest debt, or the slots are free.
 */
function keptMs({ parameters }: BoundLimit): number {
  const { windowMs, every, capacity = 0, refillAmount, refillPeriodMs = 0, leaseMs = 0, maxDebt = 0 } = parameters;
  // An unused amount may be carried over to the next period.
  if (every !== undefined) return 2 * LONGEST_PERIOD_MS[every];
  // After a window has ended, a sliding window counter still counts part of it during the next one.
  if (windowMs !== undefined) return 2 * windowMs;
  return refillAmount === undefined ? leaseMs : ((capacity + maxDebt) / refillAmount) * refillPeriodMs;
}

/**
 * Returns the identity of a stored counter. Strict windows differ from others, because the limiter
 * stores them in parts. Calendar windows that carry over an amount store more than others.
 */
function counterOf({ id, parameters }: BoundLimit): string {
  return JSON.stringify([id, parameters.strict === true, parameters.carryOver !== undefined]);
}
