import type { Rule } from '../../model/rule.js';
import type { Queryable } from '../../postgres/db.js';
import { addToList } from '../../runtime/add-to-list.js';
import { findRuleWarnings, type RuleSurroundings, type RuleWarning } from '../matching/find-rule-warnings.js';
import { prepareRule } from '../matching/prepare-rule.js';
import { nameAtAGlance } from '../policy/alike-names.js';
import { idOnceStored } from '../policy/draft-id.js';
import { readPublishedApps } from './read-published-apps.js';
import { readNamesInUse, readRivalsOfLevels, readRulesCalledAlmost, readRulesOfLevel } from './rule-record.js';
import { readTiers } from './tier-record.js';

interface Change {
  surroundings: RuleSurroundings | undefined;
  /** Whether the change is only planned: the stored rules are in force without it. */
  isPlanned: boolean;
}

/**
 * Returns warnings about effects of a change of a rule that may be unintended. Without
 * `surroundings` it returns none: the API and the rules in code are unknown then.
 */
export async function warningsOfRule(
  on: Queryable,
  rule: Rule,
  { surroundings, isPlanned }: Change,
): Promise<string[]> {
  if (!surroundings) return [];
  const { fields } = surroundings;
  const level = await readRulesOfLevel(on, rule);
  const called = await readRulesCalledAlmost(on, [rule.name]);
  const stored = [...level, ...called.filter(({ id }) => !level.some((one) => one.id === id))];
  const inCode = await rulesInCodeInUse(on, surroundings);
  const others = [...stored.filter(({ id }) => id !== rule.id), ...inCode.filter(({ name }) => name !== rule.name)];
  const draft = { ...rule, id: idOnceStored(rule, others) };
  const tiers = await readTiers(on);
  const before = isPlanned ? [...stored, ...inCode] : undefined;
  const apps = await readPublishedApps(on);
  const found = findRuleWarnings({ rules: [draft], among: [...others, draft], tiers, fields, apps, before });
  return found.map(({ message }) => message);
}

/**
 * Maximum number of competing rules that are read per level. A level with thousands of rules is not
 * read for each list that shows some of them.
 */
const MOST_RIVALS = 100;

/** Returns the warnings about each of several rules in use, by the id of the rule. */
export async function warningsOfRules(
  on: Queryable,
  rules: readonly Rule[],
  surroundings: RuleSurroundings,
): Promise<Map<string, RuleWarning[]>> {
  const names = rules.map(({ name }) => name);
  const rivals = groupBy(await readRivalsOfLevels(on, rules, MOST_RIVALS), (rule) => prepareRule(rule).level);
  const called = groupBy(await readRulesCalledAlmost(on, names), ({ name }) => nameAtAGlance(name));
  const inCode = await rulesInCodeInUse(on, surroundings);
  const tiers = await readTiers(on);
  const { fields } = surroundings;
  const apps = await readPublishedApps(on);
  return new Map(
    rules.map((rule) => {
      const stored = [...(rivals.get(prepareRule(rule).level) ?? []), ...(called.get(nameAtAGlance(rule.name)) ?? [])];
      const others = new Map([...stored, ...inCode].map((one) => [one.id, one]));
      others.delete(rule.id);
      const among = [...[...others.values()].filter(({ name }) => name !== rule.name), rule];
      const found = findRuleWarnings({ rules: [rule], among, tiers, fields, apps });
      return [rule.id, found.filter((warning) => warning.rule === rule)];
    }),
  );
}

/** Returns the rules in code that no stored rule replaces. */
async function rulesInCodeInUse(on: Queryable, { rulesInCode }: RuleSurroundings): Promise<Rule[]> {
  const names = rulesInCode.map(({ name }) => name);
  const replaced = await readNamesInUse(on, names);
  return rulesInCode.filter(({ name }) => !replaced.has(name));
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) addToList(groups, keyOf(row), row);
  return groups;
}
