import type { Rule } from '../../model/rule.js';
import type { Clock } from '../../runtime/clock.js';
import { additionalRules } from '../policy/additional-rules.js';
import { followTimes } from './follow-times.js';
import { createRuleset, type Ruleset } from './ruleset.js';

interface RulesetOfServiceOptions {
  /** Returns the rules in force in this process. */
  ruleset(): Ruleset;
  /** Rules from the code of this process, which are in force nowhere else. */
  ownRules: readonly Rule[];
  /** Returns the time in epoch milliseconds. */
  now: Clock;
}

/**
 * Returns a function that takes a getter of the rules in another server's code. It returns a getter
 * of that server's ruleset: the ruleset of this process, with those rules instead of the rules in
 * the code of this process. The ruleset is cached until the ruleset of this process or the rules of
 * the server change.
 */
export function createRulesetOfService({ ruleset, ownRules, now }: RulesetOfServiceOptions) {
  const own = new Set(ownRules.map(({ id }) => id));
  return (rulesOfService: () => readonly Rule[]): (() => Ruleset) => {
    let last: { base: Ruleset; theirs: readonly Rule[]; made: Ruleset } | undefined;
    return followTimes(() => {
      const base = ruleset();
      const theirs = rulesOfService();
      if (own.size === 0 && theirs.length === 0) return base;
      if (last?.base !== base || last.theirs !== theirs) {
        const { tiers, version } = base;
        const stored = base.rules.filter(({ id }) => !own.has(id));
        const rules = [...stored, ...additionalRules(theirs, stored, tiers)];
        last = { base, theirs, made: createRuleset({ tiers, rules, version }, base) };
      }
      return last.made;
    }, now);
  };
}
