import type { Rule } from '../../model/rule.js';
import { createRuleset, type Ruleset } from '../matching/ruleset.js';
import { additionalRules } from '../policy/additional-rules.js';
import { checkRules } from '../policy/check-rules.js';
import { denyingRule, usesUnknown } from '../policy/denying-rule.js';
import { parsePolicy } from '../policy/parse-policy.js';
import { createRuleRecognizer, isSameState, type StoredRules } from './stored-rules.js';

/** Source that a ruleset was read from. */
export type RulesetSource = 'postgres' | 'redis' | 'snapshot';

interface RulesetInForceOptions {
  /**
   * Rules given in code. They apply in addition to the stored rules. A stored rule replaces the
   * rule in code that has the same name.
   */
  rulesInCode: readonly Rule[];
  onLoad(source: RulesetSource, ruleset: Ruleset): void;
  /**
   * Called with the problem when the stored ruleset becomes invalid, and with undefined when it is
   * valid again.
   */
  onInvalid(problem: string | undefined): void;
}

interface RulesetInForce {
  /** The ruleset in force. Undefined before the first ruleset comes into force. */
  readonly current: Ruleset | undefined;
  readonly source: RulesetSource | undefined;
  /**
   * Problem of the stored ruleset, if it is invalid. The last valid ruleset then stays in force.
   */
  readonly problem: string | undefined;
  /** State of the database at the last read, even if it was invalid. */
  readonly last: StoredRules | undefined;
  /** Number of times that a ruleset was put in force. */
  readonly installed: number;
  /**
   * Returns the state with the rule objects of `last` for all rules that have not changed, so that
   * these are not checked again. Checks the other rules in slices, so that `install` does not block
   * requests.
   */
  prepare(stored: StoredRules): Promise<StoredRules>;
  /**
   * Puts `stored` in force if it is valid. Returns `old` if a newer ruleset is in force, unless
   * `mayGoBack` is true or that ruleset is from a snapshot.
   */
  install(stored: StoredRules, from: RulesetSource, mayGoBack?: boolean): 'in force' | 'old' | 'invalid';
}

const MAX_PROBLEMS_SHOWN = 5;

/** Builds rulesets from stored states and keeps the last valid one. */
export function createRulesetInForce({ rulesInCode, onLoad, onInvalid }: RulesetInForceOptions): RulesetInForce {
  let current: Ruleset | undefined;
  let problem: string | undefined;
  let source: RulesetSource | undefined;
  let last: StoredRules | undefined;
  let installed = 0;
  const parsed = new WeakMap<object, Rule>();
  const recognize = createRuleRecognizer();

  return {
    async prepare(stored) {
      const same = last === undefined ? stored : { ...stored, rules: recognize(stored.rules, last.rules) };
      await checkRules(same.rules, parsed);
      return same;
    },

    install(stored, from, mayGoBack = false) {
      // The state of the database always replaces a snapshot of an earlier process, even if the
      // snapshot has a larger number.
      if (current && source !== 'snapshot' && stored.number < current.version && !mayGoBack) return 'old';
      const isKnown = last !== undefined && source !== 'snapshot' && isSameState(stored, last);
      // A snapshot does not show what the database contains.
      if (from !== 'snapshot') last = stored;
      // Nothing has changed: the ruleset in force stays, together with the limits bound to it.
      if (isKnown && problem === undefined) return 'in force';
      const built = build(stored, rulesInCode, parsed, current);
      if (from !== 'snapshot') {
        const was = problem;
        problem = typeof built === 'string' ? built : undefined;
        if (problem !== was) onInvalid(problem);
      }
      if (typeof built === 'string') return 'invalid';
      current = built;
      source = from;
      installed++;
      onLoad(from, built);
      return 'in force';
    },

    get current() {
      return current;
    },
    get source() {
      return source;
    },
    get problem() {
      return problem;
    },
    get last() {
      return last;
    },
    get installed() {
      return installed;
    },
  };
}

/**
 * Builds the ruleset, or returns its problems. One invalid rule makes the entire ruleset invalid:
 * without that rule, some callers would have no limits. A rule with features that this version does
 * not know is not invalid: a rule that denies all operations to which it may apply replaces it.
 */
function build(
  { number, tiers, rules }: StoredRules,
  rulesInCode: readonly Rule[],
  known: WeakMap<object, Rule>,
  previous: Ruleset | undefined,
): Ruleset | string {
  const understood = rules.filter((rule) => !usesUnknown(rule));
  const denying = rules.filter(usesUnknown).map(denyingRule);
  const parsed = parsePolicy({ tiers: tiers.map(withoutUnknown), rules: understood }, known);
  if (parsed.problems) {
    const shown = parsed.problems.slice(0, MAX_PROBLEMS_SHOWN);
    const more = parsed.problems.length - shown.length;
    return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
  }
  if (parsed.tiers.length === 0) return 'tiers: expected at least one, got none';
  const stored = [...parsed.rules, ...denying];
  const inForce = [...stored, ...additionalRules(rulesInCode, stored, parsed.tiers)];
  const marked = parsed.tiers.map((tier, index) => {
    const given = tiers[index];
    return usesUnknown(given) ? { ...tier, unknown: given.unknown } : tier;
  });
  return createRuleset({ tiers: marked, rules: inForce, version: number }, previous);
}

function withoutUnknown(tier: unknown): unknown {
  if (!usesUnknown(tier)) return tier;
  const { unknown: _unknown, ...rest } = tier;
  return rest;
}
