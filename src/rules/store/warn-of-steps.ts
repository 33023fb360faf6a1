import type { Rule } from '../../model/rule.js';
import type { Tx } from '../../postgres/db.js';
import { findRuleWarnings, type RuleSurroundings } from '../matching/find-rule-warnings.js';
import { createDraftIds, DRAFT_ID } from '../policy/draft-id.js';
import { featuresOfRule, featuresOfTier } from '../policy/features.js';
import type { PolicyDocument } from '../policy/policy-document.js';
import { tierInput } from '../policy/tier-input.js';
import { assignmentsOf, tierOf } from './create-tier-store.js';
import { attributesIn, type Planning, type Stored } from './plan-steps.js';
import type { PlannedStep } from './planned-step.js';
import { readPublishedApps } from './read-published-apps.js';
import { warningsOfManyCounters } from './warnings-of-counters.js';
import { describeOlder, EFFECT_OF_TIER, effectOfRule, readOlderInstances } from './warnings-of-instances.js';

interface Warned extends Planning {
  document: PolicyDocument;
  stored: Stored;
  /**
   * API and rules in code. If undefined, the only warnings about rules are those about lost
   * counters.
   */
  surroundings: RuleSurroundings | undefined;
}

/** Adds warnings to the steps of a plan about effects that may be unintended. */
export async function warnOfSteps(tx: Tx, steps: readonly PlannedStep[], options: Warned): Promise<void> {
  const { surroundings } = options;
  await warnOfCounters(tx, steps, options.stored);
  await warnOfInstances(tx, steps, options.document);
  if (surroundings) addWarnings(steps, options, { ...surroundings, apps: await readPublishedApps(tx) });
}

/** Warns of counters that an edited rule abandons, and of tiers that cannot be retired. */
async function warnOfCounters(tx: Tx, steps: readonly PlannedStep[], stored: Stored): Promise<void> {
  const edits = steps.flatMap(({ action, write }) =>
    action === 'UPDATE' && write?.before
      ? [{ before: write.before, next: { ...write.attributes, id: write.before.id } }]
      : [],
  );
  const warnings = await warningsOfManyCounters(tx, edits, stored.rules);
  for (const step of steps) {
    if (step.write?.before) step.warnings.unshift(...(warnings.get(step.write.before.id) ?? []));
    if (!step.write && step.retires) {
      // Only assignments to users and tenants are checked. Rules that name the tier are not:
      // earlier steps change or retire them.
      const uses = await assignmentsOf(tx, step.retires.name);
      step.warnings.unshift(...uses.map((message) => `this step cannot be applied: ${message}`));
    }
  }
}

/** Warns of running processes that cannot apply a changed tier or rule. */
async function warnOfInstances(tx: Tx, steps: readonly PlannedStep[], { tiers }: PolicyDocument): Promise<void> {
  const tiersByName = new Map(tiers.map((tier) => [tier.name, tier]));
  const needs = steps.flatMap((step) => {
    if (step.action === 'RETIRE') return [];
    const rule = step.write?.attributes;
    if (rule) return [{ step, features: featuresOfRule(rule), effect: effectOfRule(rule) }];
    const tier = tiersByName.get(step.name);
    return tier ? [{ step, features: featuresOfTier(tierOf(tierInput.parse(tier))), effect: EFFECT_OF_TIER }] : [];
  });
  const instances = await readOlderInstances(tx, [...new Set(needs.flatMap(({ features }) => features))]);
  for (const { step, features, effect } of needs) step.warnings.push(...describeOlder(instances, features, effect));
}

/** Warns of rules that would have no effect, each at the step that causes it. */
function addWarnings(
  steps: readonly PlannedStep[],
  { document, stored, prune, checked }: Warned,
  surroundings: RuleSurroundings & { apps: ReadonlySet<string> },
): void {
  const wanted = document.rules.map((rule) => attributesIn(rule, checked));
  const names = new Set(wanted.map(({ name }) => name));
  const ids = new Map(stored.rules.map(({ name, id }) => [name, id]));
  const among: Rule[] = prune ? [] : stored.rules.filter(({ name }) => !names.has(name));
  const idOf = createDraftIds(stored.rules);
  for (const rule of wanted) {
    const draft = { ...rule, id: ids.get(rule.name) ?? DRAFT_ID };
    among.push({ ...draft, id: idOf(draft) });
  }
  const withCode = (rules: readonly Rule[]) => {
    const inUse = new Set(rules.map(({ name }) => name));
    return [...rules, ...surroundings.rulesInCode.filter(({ name }) => !inUse.has(name))];
  };
  const tiers = document.tiers.map((tier) => tierOf(tierInput.parse(tier)));
  const tierNames = new Set(tiers.map(({ name }) => name));
  tiers.push(...(prune ? [] : stored.tiers.filter(({ name }) => !tierNames.has(name))));
  const byName = new Map(
    steps.flatMap((step) => (step.kind === 'rule' && step.action !== 'RETIRE' ? [[step.name, step]] : [])),
  );
  const rules = among.filter(({ name }) => byName.has(name));
  const { fields, apps } = surroundings;
  const change = { rules, among: withCode(among), before: withCode(stored.rules) };
  for (const { rule, winners, message } of findRuleWarnings({ ...change, tiers, fields, apps })) {
    const step = [rule, ...winners].map(({ name }) => byName.get(name)).find((one) => one !== undefined);
    step?.warnings.push(message);
  }
}
