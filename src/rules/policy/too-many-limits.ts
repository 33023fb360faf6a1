import { MAX_LIMITS } from '../../model/limit-parameters.js';
import type { Rule, Tier } from '../../model/rule.js';

/** What of a rule says how many limits it can bring to which operations. */
export interface RuleSize extends Pick<Rule, 'mode' | 'scope' | 'field' | 'measure'> {
  /** The tiers it is for; none: all. */
  tiers: readonly string[];
  limitCount: number;
}

export function sizeOf({ mode, scope, field, measure, match, limits }: Omit<Rule, 'id'>): RuleSize {
  return { mode, scope, field, measure, tiers: match.tiers ?? [], limitCount: limits.length };
}

/**
 * What is wrong with rules under which one field alone can be under more limits than one charge takes, so that callers of
 * a tier could never ask for it. Shadows are not counted: those for which there is no room are not evaluated. Which fields
 * an operation asks for together is its own choice: where those bring too many, it is refused.
 */
export function tooManyLimits(tiers: readonly Pick<Tier, 'name'>[], rules: readonly RuleSize[]): string | undefined {
  const enforced = rules.filter(({ mode }) => mode === 'ENFORCE');
  // Nearly always there is room for all of them together, and no tier has to be looked at by itself.
  if (mostLimits(enforced).count <= MAX_LIMITS) return undefined;
  for (const { name } of tiers) {
    const { count, field } = mostLimits(
      enforced.filter((rule) => rule.tiers.length === 0 || rule.tiers.includes(name)),
    );
    if (count <= MAX_LIMITS) continue;
    return `callers of tier "${name}" can be under ${count} limits at once with "${field}", and one charge takes at most ${MAX_LIMITS}: remove some`;
  }
  return undefined;
}

/** The patterns of rules that can meet those of this pattern at one field; undefined: any. */
export function patternsMeeting(field: string): string[] | undefined {
  const [type, name] = field.split('.');
  if (type === '*' || name === undefined || name === '*') return undefined;
  return ['*', '*.*', `${type}.*`, `*.${name}`, field];
}

/** The most limits that one field can be under, the tier's bucket included, and which field it is. */
function mostLimits(rules: readonly RuleSize[]): { count: number; field: string } {
  // Of the rules of one level only one applies.
  const largest = new Map<string, Map<string, number>>();
  for (const { scope, field, measure, limitCount } of rules) {
    const levels = largest.get(field) ?? new Map<string, number>();
    largest.set(field, levels);
    const level = `${scope} ${measure}`;
    levels.set(level, Math.max(levels.get(level) ?? 0, limitCount));
  }
  const at = (field: string) => [...(largest.get(field)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  const everywhere = 1 + at('*') + at('*.*');
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
    const beside = type === '*' ? mostOfTypes : name === '*' ? mostOfNames : at(`${type}.*`) + at(`*.${name}`);
    const count = everywhere + at(field) + beside;
    if (count > most.count) most = { count, field };
  }
  return most;
}
