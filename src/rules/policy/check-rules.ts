import type { Rule } from '../../model/rule.js';
import { inSlices } from '../../runtime/in-slices.js';
import { toRuleAttributes } from './parse-policy.js';
import { ruleInput } from './rule-input.js';

/**
 * Checks rules one by one, with turns of the event loop in between, and keeps the good ones in `known`, which `parsePolicy`
 * takes: 10,000 rules would hold up requests for half a second. Mistakes are left to `parsePolicy`.
 */
export async function checkRules(rules: readonly unknown[], known: WeakMap<object, Rule>): Promise<void> {
  for await (const rule of inSlices(rules)) {
    if (typeof rule !== 'object' || rule === null || known.has(rule)) continue;
    const { success, data } = ruleInput.safeParse(rule);
    if (success) known.set(rule, { ...toRuleAttributes(data), id: data.id ?? data.name });
  }
}
