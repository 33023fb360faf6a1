import type { z } from 'zod';
import { describeProblems } from '../../model/describe-problems.js';
import { type Rule, type Tier, WEEKDAYS, type Weekday } from '../../model/rule.js';
import { DEFAULT_TIERS } from './default-tiers.js';
import { ruleInput } from './rule-input.js';
import { tierAttributes, tierInput } from './tier-input.js';
import { sizeOf, tooManyLimits } from './too-many-limits.js';

export type { RuleInput } from './rule-input.js';
export type { TierInput } from './tier-input.js';

/** Parsed tiers and rules, or every problem with the path of its member. */
type PolicyResult = { tiers: Tier[]; rules: Rule[]; problems?: never } | { problems: string[] };

/**
 * Checks an entire policy: every tier, every rule, and the conditions that involve several of them.
 * An input object in `known` was valid before and is not checked again, so the calling code must
 * not have changed it.
 */
export function parsePolicy(
  { tiers, rules }: { tiers: readonly unknown[]; rules: readonly unknown[] },
  known?: WeakMap<object, Rule>,
): PolicyResult {
  const problems: string[] = [];
  const parsedTiers: Tier[] = [];
  const parsedRules: Rule[] = [];
  for (const [index, input] of tiers.entries()) {
    const result = tierInput.safeParse(input);
    if (result.success) {
      parsedTiers.push({ ...tierAttributes(result.data), version: 1 });
    } else problems.push(...describeProblems(placeOf('tiers', index, input), input, result.error));
  }
  for (const [index, input] of rules.entries()) {
    const already = typeof input === 'object' && input !== null ? known?.get(input) : undefined;
    if (already) {
      parsedRules.push(already);
      continue;
    }
    const result = ruleInput.safeParse(input);
    if (result.success) {
      const rule = { ...toRuleAttributes(result.data), id: result.data.id ?? result.data.name };
      parsedRules.push(rule);
      if (typeof input === 'object' && input !== null) known?.set(input, rule);
    } else problems.push(...describeProblems(placeOf('rules', index, input), input, result.error));
  }
  problems.push(
    ...duplicates(
      'tiers',
      parsedTiers.map((tier) => tier.name),
    ),
  );
  problems.push(
    ...duplicates(
      'rules',
      parsedRules.map((rule) => rule.name),
    ),
  );
  const defaults = parsedTiers.filter((tier) => tier.isDefault).length;
  if (tiers.length > 0 && defaults !== 1 && problems.length === 0) {
    problems.push(`tiers: expected exactly one with isDefault: true, got ${defaults}`);
  }
  const tierNames = new Set(parsedTiers.map((tier) => tier.name));
  for (const rule of parsedRules) {
    for (const tier of rule.match.tiers ?? []) {
      if (!tierNames.has(tier)) problems.push(`rule "${rule.name}": match.tiers: there is no tier "${tier}"`);
    }
  }
  const tooMany = tooManyLimits(parsedTiers, parsedRules.map(sizeOf));
  if (tooMany !== undefined) problems.push(`rules: ${tooMany}`);
  return problems.length > 0 ? { problems } : { tiers: parsedTiers, rules: parsedRules };
}

/**
 * Returns the mistakes in the tiers and rules that are given in code. Another check ensures that
 * they are lists.
 */
export function findPolicyMistakes(given: { tiers?: unknown; rules?: unknown }): readonly string[] {
  const { tiers = DEFAULT_TIERS, rules = [] } = given;
  if (!Array.isArray(tiers) || !Array.isArray(rules)) return [];
  return parsePolicy({ tiers, rules }).problems ?? [];
}

function placeOf(list: string, index: number, input: unknown): string {
  const named = typeof input === 'object' && input !== null && 'name' in input;
  return `${list}[${index}]${named ? ` ("${String(input.name)}")` : ''}`;
}

function duplicates(place: string, names: string[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set(names.filter((one) => seen.size === seen.add(one).size));
  return [...repeated].map((one) => `${place}: the name "${one}" is used more than once`);
}

/**
 * Returns a rule in normal form: empty lists and undefined members are absent, and tiers are
 * sorted.
 */
export function toRuleAttributes({ id: _id, ...rule }: z.output<typeof ruleInput>): Omit<Rule, 'id'> {
  const given = Object.entries(rule.match).filter(([, one]) => !(Array.isArray(one) && one.length === 0));
  const match: Rule['match'] = Object.fromEntries(given);
  if (match.tiers) match.tiers = [...match.tiers].sort();
  const { response, schedule, field, fields = [], ...rest } = rule;
  const counted = fields.length > 1 ? { fields: [...fields].sort() } : { field: field ?? fields[0] };
  const hasResponse = response && Object.values(response).some((value) => value !== undefined);
  const times = schedule && { schedule: { ...schedule, days: schedule.days && inOrder(schedule.days) } };
  const answer = hasResponse && { response };
  return withoutUndefined({ ...rest, ...counted, match, ...times, ...answer }) as Omit<Rule, 'id'>;
}

function inOrder(days: readonly Weekday[]): Weekday[] {
  return WEEKDAYS.filter((day) => days.includes(day));
}

/**
 * Removes undefined members. The compiler option exactOptionalPropertyTypes requires optional
 * members to be absent instead.
 */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, withoutUndefined(member)]),
  );
}
