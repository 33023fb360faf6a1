import type { Rule } from '../../model/rule.js';
import { rulesBeside } from '../policy/rules-beside.js';
import { createRuleset, type Ruleset } from './ruleset.js';

interface RulesetOfServiceOptions {
  /** The rules in force in this process. */
  ruleset(): Ruleset;
  /** Those of its own code, which are in force nowhere else. */
  ownRules: readonly Rule[];
}

/** Makes, of the rules in force here, those that are in force in a server with other rules in its code; kept until one of both is another. */
export function createRulesetOfService({ ruleset, ownRules }: RulesetOfServiceOptions) {
  const own = new Set(ownRules.map(({ id }) => id));
  return (rulesOfService: () => readonly Rule[]): (() => Ruleset) => {
    let last: { base: Ruleset; theirs: readonly Rule[]; made: Ruleset } | undefined;
    return () => {
      const base = ruleset();
      const theirs = rulesOfService();
      if (own.size === 0 && theirs.length === 0) return base;
      if (last?.base !== base || last.theirs !== theirs) {
        const { tiers, version } = base;
        const stored = base.rules.filter(({ id }) => !own.has(id));
        const rules = [...stored, ...rulesBeside(theirs, stored, tiers)];
        last = { base, theirs, made: createRuleset({ tiers, rules, version }, base) };
      }
      return last.made;
    };
  };
}
