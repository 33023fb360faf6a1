import { expect, it } from 'vitest';
import type { Rule } from '../../src/model/rule.js';
import { DRAFT_ID, idOnceStored } from '../../src/rules/policy/draft-id.js';

const rules = (...ids: string[]) => ids.map((id) => ({ id })) as unknown as Rule[];

it('a draft is tried out with the id after those of all stored rules, one that replaces a rule with its id', () => {
  const [draft, stored] = rules(DRAFT_ID, '7') as [Rule, Rule];
  expect(idOnceStored(draft, rules('4', '12', 'borders-per-user'))).toBe('13');
  expect(idOnceStored(draft, rules('borders-per-user'))).toBe('1');
  expect(idOnceStored(stored, rules('4', '12'))).toBe('7');
});
