import type { Rule } from '../../model/rule.js';
import { inSlices } from '../../runtime/in-slices.js';
import { usesUnknown } from './denying-rule.js';
import { toRuleAttributes } from './parse-policy.js';
import { ruleInput } from './rule-input.js';

/**
 * Checks rules one by one and yields to the event loop in between: checking 10,000 rules without a
 * pause would block requests for some tenths of a second. Valid rules are stored in `known`.
 * `parsePolicy` skips them, and reports the mistakes in the others.
 */
export async function checkRules(rules: readonly unknown[], known: WeakMap<object, Rule>): Promise<void> {
  for await (const rule of inSlices(rules)) {
    if (typeof rule !== 'object' || rule === null || known.has(rule) || usesUnknown(rule)) continue;
    const { success, data } = ruleInput.safeParse(rule);
    if (success) known.set(rule, { ...toRuleAttributes(data), id: data.id ?? data.name });
  }
}
