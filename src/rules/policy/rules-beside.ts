import type { Rule, Tier } from '../../model/rule.js';

/** The rules of the code that no stored rule of their name takes the place of, and that name a tier there is. */
export function rulesBeside(inCode: readonly Rule[], stored: readonly Rule[], tiers: readonly Tier[]): Rule[] {
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
