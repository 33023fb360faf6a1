import { expect, test } from 'vitest';
import { ignoredMembers } from '../../console/src/pages/denials/ignored-members.js';

test('counts of denials over time ignore a rule or an integration that is combined with another filter', () => {
  const none = { rule: false, integration: false };
  expect(ignoredMembers({ shadow: true })).toEqual(none);
  expect(ignoredMembers({ rule: 'search' })).toEqual(none);
  expect(ignoredMembers({ integration: 'api', shadow: false })).toEqual(none);
  expect(ignoredMembers({ user: 'ann', rule: 'search' })).toEqual({ rule: true, integration: false });
  expect(ignoredMembers({ user: 'ann', integration: 'api' })).toEqual({ rule: false, integration: true });
  expect(ignoredMembers({ rule: 'search', integration: 'api' })).toEqual({ rule: false, integration: true });
  expect(ignoredMembers({ user: 'ann', rule: 'search', integration: 'api' })).toEqual({
    rule: true,
    integration: true,
  });
});
