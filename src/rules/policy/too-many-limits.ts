import { MAX_LIMITS } from '../../model/limit-parameters.js';
import type { Rule, Tier } from '../../model/rule.js';
import { fieldTextOf, patternsIn } from './field-pattern.js';

/** Properties of a rule that determine how many limits it adds to which operations. */
export interface RuleSize extends Pick<Rule, 'mode' | 'scope' | 'measure'> {
  /** Text of the field patterns, as `fieldTextOf` returns it. */
  field: string;
  /** Tiers that the rule is for. If empty, the rule is for all tiers. */
  tiers: readonly string[];
  limitCount: number;
}

/** Returns the properties of a rule that `tooManyLimits` needs. */
export function sizeOf({ mode, scope, measure, match, limits, ...rule }: Omit<Rule, 'id'>): RuleSize {
  return { mode, scope, field: fieldTextOf(rule), measure, tiers: match.tiers ?? [], limitCount: limits.length };
}

/**
 * Number of limits that are not rules: the bucket and the budget of the tier, and the budget of the
 * API key. All of them count, even without a budget, because tiers and keys can get one later.
 */
const NOT_OF_RULES = 3;

/**
 * Returns the problem if one field alone can have more limits than one charge may have. Callers of
 * a tier could then never select that field. Shadow rules are not counted, because a charge without
 * room for them skips them. The check ignores combinations of fields: an operation whose fields
 * together have too many limits is rejected when it is sent.
 */
export function tooManyLimits(tiers: readonly Pick<Tier, 'name'>[], rules: readonly RuleSize[]): string | undefined {
  const enforced = rules.filter(({ mode }) => mode === 'ENFORCE');
  // Fast path: nearly always, the rules of all tiers fit together, and no tier needs a separate
  // check.
  if (mostLimits(enforced).count <= MAX_LIMITS) return undefined;
  for (const { name } of tiers) {
    const { count, field } = mostLimits(
      enforced.filter((rule) => rule.tiers.length === 0 || rule.tiers.includes(name)),
    );
    if (count <= MAX_LIMITS) continue;
    return `up to ${count} limits apply at once to callers of tier "${name}" that request "${field}", and one charge has at most ${MAX_LIMITS}: remove some`;
  }
  return undefined;
}

/**
 * Returns the patterns that can match the same field as one of the patterns in this text. Returns
 * undefined if every pattern can.
 */
export function patternsMeeting(fieldText: string): string[] | undefined {
  const all = patternsIn(fieldText).map(patternsMeetingOne);
  return all.includes(undefined) ? undefined : all.flatMap((some) => some ?? []);
}

function patternsMeetingOne(field: string): string[] | undefined {
  const [type, name] = field.split('.');
  if (type === '*' || name === undefined || name === '*') return undefined;
  return ['*', '*.*', `${type}.*`, `*.${name}`, field];
}

/**
 * Returns the largest number of limits that one field can have, and that field. The number includes
 * the limits that are not rules.
 */
function mostLimits(rules: readonly RuleSize[]): { count: number; field: string } {
  // Only one of the rules with the same scope, field and measure applies.
  const largest = new Map<string, Map<string, number>>();
  for (const { scope, field: fieldText, measure, limitCount } of rules) {
    // A rule for several fields counts at each of them. If two of its patterns match one field, it
    // counts twice, so the sum is an upper bound.
    for (const field of patternsIn(fieldText)) {
      const levels = largest.get(field) ?? new Map<string, number>();
      largest.set(field, levels);
      const level = `${scope} ${measure} ${fieldText}`;
      levels.set(level, Math.max(levels.get(level) ?? 0, limitCount));
    }
  }
  const at = (field: string) => [...(largest.get(field)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  const everywhere = NOT_OF_RULES + at('*') + at('*.*');
  const patterns = [...largest.keys()].map((field) => ({ field, parts: field.split('.') }));
  const mostAt = (fields: readonly string[]) => fields.reduce((most, field) => Math.max(most, at(field)), 0);
  const ofTypes = patterns.filter(({ parts: [type, name] }) => type !== '*' && name === '*');
  const ofNames = patterns.filter(({ parts: [type, name] }) => type === '*' && name !== undefined && name !== '*');
  const mostOfTypes = mostAt(ofTypes.map(({ field }) => field));
  const mostOfNames = mostAt(ofNames.map(({ field }) => field));

  let most = { count: everywhere, field: '*' };
  for (const { field, parts } of patterns) {
    const [type, name] = parts;
    if (name === undefined || (type === '*' && name === '*')) continue;
    const ofPatterns = type === '*' ? mostOfTypes : name === '*' ? mostOfNames : at(`${type}.*`) + at(`*.${name}`);
    const count = everywhere + at(field) + ofPatterns;
    if (count > most.count) most = { count, field };
  }
  return most;
}
