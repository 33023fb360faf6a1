import type { Rule } from '../../model/rule.js';

/** The id of a draft of a rule that is not stored yet. Those of stored rules are numbers. */
export const DRAFT_ID = '(draft)';

/**
 * The id that a rule has once it is stored, or nearly so: of rules of one level and priority that with the lowest id wins,
 * so that a draft without one would stand elsewhere than the rule that is made of it.
 */
export function idOnceStored({ id }: Rule, others: readonly Rule[]): string {
  if (id !== DRAFT_ID) return id;
  // Those given in code go by their names.
  const stored = others.map((other) => Number(other.id)).filter(Number.isSafeInteger);
  return String(Math.max(0, ...stored) + 1);
}
