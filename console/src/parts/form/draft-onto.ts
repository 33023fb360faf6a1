/**
 * Applies the changes of a draft to the version that is stored now. If both changed a member, the
 * draft wins.
 */
export function draftOnto<Draft extends object>(stored: Draft, draft: Draft, first: Draft): Draft {
  return { ...stored, ...changedMembers(draft, first) };
}

/** Returns the members of a draft that differ from its initial version. */
export function changedMembers<Draft extends object>(draft: Draft, first: Draft): Partial<Draft> {
  const changed = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(first[name as keyof Draft]),
  );
  return Object.fromEntries(changed) as Partial<Draft>;
}
