import type { Rule } from '../../model/rule.js';
import { inSlices } from '../../runtime/in-slices.js';
import { createAlikeNames } from '../policy/alike-names.js';
import { checkRules } from '../policy/check-rules.js';
import { parsePolicy } from '../policy/parse-policy.js';
import type { PolicyDocument } from '../policy/policy-document.js';
import { tierInput } from '../policy/tier-input.js';
import { attributesOf } from './create-rule-store.js';
import { newTierWarnings, tierOf, tierWarnings } from './create-tier-store.js';
import { type PlannedStep, ruleRetirement, ruleStep, tierRetirement, tierStep } from './planned-step.js';
import type { RuleAttributes, RuleRecord } from './rule-record.js';
import type { TierRecord } from './tier-record.js';

export interface Stored {
  tiers: TierRecord[];
  rules: RuleRecord[];
}

/**
 * Options for planning a document: whether it is complete (`prune`), and the rules that were parsed
 * already.
 */
export interface Planning {
  prune: boolean;
  checked: WeakMap<object, Rule>;
}

/**
 * Returns the steps that put the document in force. New tiers come before the rules that name them.
 * Rules come before the retirement of tiers that they no longer name.
 */
export async function planSteps(
  { tiers, rules }: PolicyDocument,
  stored: Stored,
  { prune, checked }: Planning,
): Promise<PlannedStep[]> {
  const known = new Map(stored.tiers.map((tier) => [tier.name, tier]));
  const wanted = tiers.map((tier) => tierOf(tierInput.parse(tier)));
  const losesDefault = (tier: TierRecord) => !tier.isDefault && known.get(tier.name)?.isDefault === true;
  // Tiers that stop being the default come first. If the new default tier came first, its step
  // would already change the old default tier, and the step of that tier would change it again.
  const ordered = [...wanted.filter(losesDefault), ...wanted.filter((tier) => !losesDefault(tier))];
  // Tiers that the same document retires are omitted. Otherwise a new tier could be reported as a
  // look-alike of a tier that is being retired.
  const alikeOf = createAlikeNames([...(prune ? [] : known.keys()), ...wanted.map(({ name }) => name)]);
  const hasDefault = stored.tiers.some(({ isDefault }) => isDefault);
  const steps: PlannedStep[] = [];
  for await (const tier of inSlices(ordered)) {
    const before = known.get(tier.name);
    const alike = alikeOf(tier.name);
    steps.push(
      ...tierStep(before, tier, before ? tierWarnings(before, tier) : newTierWarnings(tier, { alike, hasDefault })),
    );
  }
  const knownRules = new Map(stored.rules.map((rule) => [rule.name, rule]));
  for await (const rule of inSlices(rules)) {
    const attributes = attributesIn(rule, checked);
    steps.push(...ruleStep(knownRules.get(attributes.name), attributes));
  }
  if (!prune) return steps;
  const ruleNames = new Set(rules.map(({ name }) => name));
  const tierNames = new Set(tiers.map(({ name }) => name));
  steps.push(...stored.rules.filter(({ name }) => !ruleNames.has(name)).map(ruleRetirement));
  steps.push(...stored.tiers.filter(({ name }) => !tierNames.has(name)).map(tierRetirement));
  return steps;
}

/** Returns a rule of the document in normal form. The rule must have been checked already. */
export function attributesIn(rule: object, checked: WeakMap<object, Rule>): RuleAttributes {
  const { id: _id, ...attributes } = checked.get(rule)!;
  return attributes;
}

/**
 * Lists the mistakes in the policy that would be in force. This policy consists of the document and
 * of the stored tiers and rules that remain.
 */
export async function problemsOf(
  { tiers, rules }: PolicyDocument,
  stored: Stored,
  { prune, checked }: Planning,
): Promise<string[]> {
  const named = (list: { name?: unknown }[]) => new Set(list.map(({ name }) => name));
  const [tierNames, ruleNames] = [named(tiers), named(rules)];
  const newDefault = tiers.some(({ isDefault }) => isDefault === true);
  const staying = prune ? [] : stored.tiers.filter(({ name }) => !tierNames.has(name));
  const stayingTiers = staying.map(({ version: _v, createdAt: _c, updatedAt: _u, retiredAt: _r, ...tier }) => ({
    ...tier,
    // A default tier in the document replaces the stored default.
    isDefault: tier.isDefault && !newDefault,
  }));
  const stayingRules = prune ? [] : stored.rules.filter(({ name }) => !ruleNames.has(name)).map(attributesOf);
  await checkRules(stayingRules, checked);
  const policy = { tiers: [...tiers, ...stayingTiers], rules: [...rules, ...stayingRules] };
  const { problems = [] } = parsePolicy(policy, checked);
  return prune && tiers.length === 0 && stored.tiers.length > 0 ? [NO_TIER_STAYS, ...problems] : problems;
}

const NO_TIER_STAYS =
  'tiers: expected at least the default tier, because `prune` retires all tiers that the document does not name; got none';
