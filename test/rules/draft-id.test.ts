import { expect, it } from 'vitest';
import type { Rule } from '../../src/model/rule.js';
import { createDraftIds, DRAFT_ID, idOnceStored } from '../../src/rules/policy/draft-id.js';

const rules = (...ids: string[]) => ids.map((id) => ({ id })) as unknown as Rule[];

it('a new draft gets the id after the highest stored id, and a draft that replaces a rule gets the id of that rule', () => {
  const [draft, stored] = rules(DRAFT_ID, '7') as [Rule, Rule];
  expect(idOnceStored(draft, rules('4', '12', 'borders-per-user'))).toBe('13');
  expect(idOnceStored(draft, rules('borders-per-user'))).toBe('1');
  expect(idOnceStored(stored, rules('4', '12'))).toBe('7');
});

it('drafts of one document get different ids that no stored rule has', () => {
  const [one, other, stored] = rules(DRAFT_ID, DRAFT_ID, '5') as [Rule, Rule, Rule];
  const idOf = createDraftIds(rules('4', '5', 'borders-per-user'));
  expect([one, stored, other].map(idOf)).toEqual(['6', '5', '7']);
});
