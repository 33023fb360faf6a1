import type { Rule } from '../../model/rule.js';
import { createRuleset, type Ruleset } from '../matching/ruleset.js';
import { checkRules } from '../policy/check-rules.js';
import { parsePolicy } from '../policy/parse-policy.js';
import { rulesBeside } from '../policy/rules-beside.js';
import { createRuleRecognizer, isSameState, type StoredRules } from './stored-rules.js';

/** Where a ruleset was read from. */
export type RulesetSource = 'postgres' | 'redis' | 'snapshot';

interface RulesetInForceOptions {
  /** Those given in code: they stand beside those of the database, which replace them by name. */
  rulesInCode: readonly Rule[];
  onLoad(source: RulesetSource, ruleset: Ruleset): void;
  /** What is stored cannot be used; undefined: it can be again. */
  onInvalid(problem: string | undefined): void;
}

interface RulesetInForce {
  /** Undefined before the first is in force. */
  readonly current: Ruleset | undefined;
  readonly source: RulesetSource | undefined;
  /** What is wrong with the ruleset that is stored, while the last good one is in force. */
  readonly problem: string | undefined;
  /** The state of the database that was read last, good or not. */
  readonly last: StoredRules | undefined;
  /** How often something was put in force. */
  readonly installed: number;
  /** Resolves with the same state, with the rules that are known already. Checks the others in slices: `install` would do it at once. */
  prepare(stored: StoredRules): Promise<StoredRules>;
  /** Whether `stored` is in force now, or why not: `old` when something newer is, unless it may go back. */
  install(stored: StoredRules, from: RulesetSource, mayGoBack?: boolean): 'in force' | 'old' | 'invalid';
}

const MAX_PROBLEMS_SHOWN = 5;

/** Makes rulesets of what is stored, and keeps the last one that is good. */
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
      // What the database says replaces what the last process left, whatever the numbers.
      if (current && source !== 'snapshot' && stored.number < current.version && !mayGoBack) return 'old';
      const isKnown = last !== undefined && source !== 'snapshot' && isSameState(stored, last);
      // A snapshot says nothing of what the database holds.
      if (from !== 'snapshot') last = stored;
      // Everything was looked through and nothing is new: what is bound to the ruleset in force stays bound.
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

/** The ruleset, or what is wrong with it. It is checked whole: half of a ruleset would be somebody's freedom. */
function build(
  { number, tiers, rules }: StoredRules,
  rulesInCode: readonly Rule[],
  known: WeakMap<object, Rule>,
  previous: Ruleset | undefined,
): Ruleset | string {
  const parsed = parsePolicy({ tiers, rules }, known);
  if (parsed.problems) {
    const shown = parsed.problems.slice(0, MAX_PROBLEMS_SHOWN);
    const more = parsed.problems.length - shown.length;
    return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
  }
  if (parsed.tiers.length === 0) return 'tiers: expected at least one, got none';
  const inForce = [...parsed.rules, ...rulesBeside(rulesInCode, parsed.rules, parsed.tiers)];
  return createRuleset({ tiers: parsed.tiers, rules: inForce, version: number }, previous);
}
