import type { Rule } from '../../model/rule.js';
import type { Queryable } from '../../postgres/db.js';
import { findRuleWarnings, type RuleSurroundings } from '../matching/find-rule-warnings.js';
import { idOnceStored } from '../policy/draft-id.js';
import { readNamesInUse, readRulesCalledAlmost, readRulesOfLevel } from './rule-record.js';
import { readTiers } from './tier-record.js';

/**
 * Returns warnings about effects of a rule that may be unintended. Without `surroundings` it
 * returns none, because the API and the rules in code are then unknown.
 */
export async function warningsOfRule(
  on: Queryable,
  rule: Rule,
  surroundings: RuleSurroundings | undefined,
): Promise<string[]> {
  if (!surroundings) return [];
  const { fields } = surroundings;
  const level = await readRulesOfLevel(on, rule);
  const called = await readRulesCalledAlmost(on, rule.name);
  const stored = [...level, ...called.filter(({ id }) => !level.some((one) => one.id === id))];
  const replaced = await readNamesInUse(
    on,
    surroundings.rulesInCode.map(({ name }) => name),
  );
  const inCode = surroundings.rulesInCode.filter(({ name }) => name !== rule.name && !replaced.has(name));
  const others = [...stored.filter(({ id }) => id !== rule.id), ...inCode];
  const draft = { ...rule, id: idOnceStored(rule, others) };
  const tiers = await readTiers(on);
  return findRuleWarnings({ rules: [draft], among: [...others, draft], tiers, fields }).map(({ message }) => message);
}
