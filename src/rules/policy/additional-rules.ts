import type { Rule, Tier } from '../../model/rule.js';

/**
 * Returns the rules in code that apply in addition to the stored ones. A stored rule with the same
 * name replaces a rule in code. Tiers that do not exist are removed from the conditions. A rule
 * whose conditions name only such tiers is omitted.
 */
export function additionalRules(inCode: readonly Rule[], stored: readonly Rule[], tiers: readonly Tier[]): Rule[] {
  const names = new Set(stored.map(({ name }) => name));
  const known = new Set(tiers.map(({ name }) => name));
  return inCode
    .filter(({ name }) => !names.has(name))
    .flatMap((rule) => {
      if (!rule.match.tiers?.length) return [rule];
      const left = rule.match.tiers.filter((tier) => known.has(tier));
      return left.length === 0 ? [] : [{ ...rule, match: { ...rule.match, tiers: left } }];
    });
}
