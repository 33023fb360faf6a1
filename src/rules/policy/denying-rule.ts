import { isDeepStrictEqual } from 'node:util';
import type { Rule, Tier } from '../../model/rule.js';
import { toRuleAttributes } from './parse-policy.js';
import { ruleInput } from './rule-input.js';

/**
 * A stored rule or tier with the features that this version does not know. A newer version wrote
 * it.
 */
interface WithUnknown {
  unknown: readonly string[];
}

/** Returns whether a stored rule or tier uses features that this version does not know. */
export function usesUnknown(stored: unknown): stored is WithUnknown {
  return typeof stored === 'object' && stored !== null && 'unknown' in stored;
}

/**
 * Returns the rule that replaces a stored rule with unknown features. It denies every operation that
 * the stored rule may apply to. A member that this version cannot read gets its widest value, so
 * that no caller is without the limit. If its scope, measure or field has such a value, the rule has
 * a level of its own. Otherwise it could lose to a rule with which it does not compete. An exemption
 * is replaced by a rule that is off, so that the other rules of its level apply to its callers.
 */
export function denyingRule(stored: WithUnknown): Rule {
  const { unknown, limits: _limits, response: _response, ...given } = stored as WithUnknown & Record<string, unknown>;
  const isExemption = (given['action'] as { type?: unknown } | undefined)?.type === 'EXEMPT';
  const mode = isExemption ? { mode: 'OFF' } : {};
  let input = widened({ ...given, ...mode, action: { type: 'EXEMPT' } });
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { success, data, error } = ruleInput.safeParse(input);
    // EXEMPT is only for the check, because it needs no limits. An exemption would win over all other
    // rules of its level.
    if (success) {
      const level = LEVEL.every((name) => isDeepStrictEqual(input[name], given[name])) ? {} : UNKNOWN_LEVEL;
      return { ...toRuleAttributes(data), id: data.id ?? data.name, action: { type: 'REJECT' }, unknown, ...level };
    }
    input = withoutMistakes(input, error.issues);
  }
  const { id, name } = { id: String(given['id']), name: String(given['name']) };
  const widest = ruleInput.parse(widened({ action: { type: 'EXEMPT' } }));
  return { ...toRuleAttributes(widest), id, name, action: { type: 'REJECT' }, unknown, ...UNKNOWN_LEVEL };
}

/** Members that determine the level of a rule. */
const LEVEL = ['scope', 'measure', 'field', 'fields'];
const UNKNOWN_LEVEL = { hasUnknownLevel: true } as const;

/**
 * Maximum number of rounds that remove mistakes. The removal of a member may reveal a mistake in
 * another member, but few rounds suffice.
 */
const MAX_ROUNDS = 10;

const WIDEST = { name: 'unknown', scope: 'GLOBAL', measure: 'REQUESTS' };

/** Returns the members of a rule, with the widest value for each required member that is missing. */
function widened(input: Record<string, unknown>): Record<string, unknown> {
  return { ...WIDEST, ...(input['fields'] === undefined && { field: '*' }), ...input };
}

function withoutMistakes(
  input: Record<string, unknown>,
  issues: readonly { path: readonly PropertyKey[]; keys?: readonly string[] }[],
): Record<string, unknown> {
  const next: Record<string, unknown> = { ...input, match: { ...(input['match'] as object | undefined) } };
  for (const { path, keys = [] } of issues) {
    const [first, second] = path.map(String);
    const [from, names] =
      first === 'match'
        ? [next['match'] as Record<string, unknown>, second === undefined ? keys : [second]]
        : [next, first === undefined ? keys : [first]];
    for (const name of names) delete from[name];
  }
  return widened(next);
}

/** Describes the rules and tiers that this version does not understand, one sentence each. */
export function describeUnknown({ rules, tiers }: { rules: readonly Rule[]; tiers: readonly Tier[] }): string[] {
  const described = (what: string, unknown: readonly string[], effect: string) =>
    `the ${what} uses ${unknown.join(', ')}, which this version of Tollgate does not know: this instance ${effect}; update it`;
  const effectOf = (mode: Rule['mode']) =>
    mode === 'ENFORCE' ? 'denies the operations that the rule may apply to' : 'ignores the rule';
  return [
    ...rules.flatMap(({ name, mode, unknown }) =>
      unknown ? [described(`rule "${name}"`, unknown, effectOf(mode))] : [],
    ),
    ...tiers.flatMap(({ name, unknown }) =>
      unknown ? [described(`tier "${name}"`, unknown, 'denies the operations of its callers')] : [],
    ),
  ];
}
