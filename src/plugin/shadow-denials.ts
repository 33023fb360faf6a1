import type { LimitState } from '../model/limit.js';
import type { BoundLimit } from '../rules/matching/ruleset.js';

const NONE: readonly string[] = [];

/**
 * The rules in shadow that would have denied an operation; most have none.
 * @param limits those of the operation; the states may be those of more, where it was charged with others
 */
export function shadowDenials(limits: readonly BoundLimit[], states: readonly LimitState[]): readonly string[] {
  let rules: Set<string> | undefined;
  for (let index = 0; index < states.length; index++) {
    const state = states[index]!;
    if (!state.wouldDeny) continue;
    const expected = limits[index];
    const limit = expected?.id === state.id ? expected : limits.find(({ id }) => id === state.id);
    if (limit) rules = (rules ?? new Set()).add(limit.ruleName);
  }
  return rules === undefined ? NONE : [...rules];
}
