import type { Rule } from '../../model/rule.js';

/** The id of a draft of a rule that is not stored yet. Those of stored rules are numbers. */
export const DRAFT_ID = '(draft)';

/**
 * The id that a rule has once it is stored, or nearly so: of rules of one level and priority that with the lowest id wins,
 * so that a draft without one would stand elsewhere than the rule that is made of it.
 */
export function idOnceStored(rule: Rule, others: readonly Rule[]): string {
  return createDraftIds(others)(rule);
}

/** Returns what gives each of several drafts its own id, in the order in which they are stored. */
export function createDraftIds(others: readonly Rule[]): (rule: Rule) => string {
  let highest = 0;
  for (const { id } of others) {
    // Rules given in code go by their names.
    if (Number.isSafeInteger(Number(id))) highest = Math.max(highest, Number(id));
  }
  return ({ id }) => (id === DRAFT_ID ? String(++highest) : id);
}
