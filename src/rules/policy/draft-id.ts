import type { Rule } from '../../model/rule.js';

/** Id of a draft rule that is not stored yet. Ids of stored rules are numbers. */
export const DRAFT_ID = '(draft)';

/**
 * Returns the probable id of a draft once it is stored. Of several rules with the same scope,
 * field, measure and priority, the one with the lowest id wins. A draft without an id would
 * therefore rank differently from the stored rule.
 */
export function idOnceStored(rule: Rule, others: readonly Rule[]): string {
  return createDraftIds(others)(rule);
}

/**
 * Returns a function that gives each of several drafts its own id, in the order in which they are
 * stored.
 */
export function createDraftIds(others: readonly Rule[]): (rule: Rule) => string {
  let highest = 0;
  for (const { id } of others) {
    // Rules given in code have their names as ids.
    if (Number.isSafeInteger(Number(id))) highest = Math.max(highest, Number(id));
  }
  return ({ id }) => (id === DRAFT_ID ? String(++highest) : id);
}
