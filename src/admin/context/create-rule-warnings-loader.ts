import DataLoader from 'dataloader';
import type { Rule } from '../../model/rule.js';
import type { RuleSurroundings, RuleWarning } from '../../rules/matching/find-rule-warnings.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import { isKeyOfCode, type RulesInCode, serviceOfKey } from '../types/rules-in-code.js';

/** A type alias instead of an interface, so that the type of all loaders can inline it. */
type WarningsRequest = {
  /** A rule in use. The `id` of a rule in code is its key, as in `RuleType.key`. */
  rule: Rule;
  /**
   * Returns the known fields and the rules in code. All requests to one loader have the same
   * function.
   */
  surroundings: () => Promise<RuleSurroundings>;
};

/**
 * Creates the loader of the warnings about rules. Stored rules are compared with stored rules and
 * with the rules in code of `surroundings`. Rules in code are compared with stored rules and with
 * the rules in code of their service.
 */
export function createRuleWarningsLoader(
  store: Pick<RulesStore, 'warningsOfRules'>,
  inCode: RulesInCode | undefined,
): DataLoader<WarningsRequest, RuleWarning[], string> {
  async function surroundingsOf(rule: Rule, ofStored: RuleSurroundings): Promise<RuleSurroundings> {
    if (!isKeyOfCode(rule.id)) return ofStored;
    const all = (await inCode?.list({})) ?? [];
    const service = serviceOfKey(rule.id);
    const rulesInCode = all.map((one) => one.rule).filter(({ id }) => serviceOfKey(id) === service);
    return { ...ofStored, rulesInCode };
  }
  return new DataLoader<WarningsRequest, RuleWarning[], string>(
    async (requests) => {
      const ofStored = await requests[0]!.surroundings();
      const groups = new Map<string, Rule[]>();
      for (const { rule } of requests) {
        const origin = isKeyOfCode(rule.id) ? `code of ${serviceOfKey(rule.id)}` : 'stored';
        groups.set(origin, [...(groups.get(origin) ?? []), rule]);
      }
      const found = new Map<string, RuleWarning[]>();
      for (const rules of groups.values()) {
        const surroundings = await surroundingsOf(rules[0]!, ofStored);
        for (const [id, warnings] of await store.warningsOfRules(rules, surroundings)) found.set(id, warnings);
      }
      return requests.map(({ rule }) => found.get(rule.id) ?? []);
    },
    { cacheKeyFn: ({ rule }) => rule.id },
  );
}
