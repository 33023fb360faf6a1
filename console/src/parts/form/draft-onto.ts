/** The same changes made to what is stored now: where both have changed a member, it is as the draft has it. */
export function draftOnto<Draft extends object>(stored: Draft, draft: Draft, first: Draft): Draft {
  return { ...stored, ...changedMembers(draft, first) };
}

/** The members of a draft that are no longer as they were at first. */
export function changedMembers<Draft extends object>(draft: Draft, first: Draft): Partial<Draft> {
  const changed = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(first[name as keyof Draft]),
  );
  return Object.fromEntries(changed) as Partial<Draft>;
}
