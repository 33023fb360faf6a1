import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createAddressExemptions } from '../../../src/rules/matching/create-address-exemptions.js';
import { createRuleset } from '../../../src/rules/matching/ruleset.js';
import { parsePolicy, type RuleInput } from '../../../src/rules/policy/parse-policy.js';

const TIERS = [{ name: 'free', capacity: 100, refillAmount: 1, isDefault: true }];
const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 5, windowMs: 60_000 }];
const searches: RuleInput = { name: 'searches', scope: 'IP', field: 'Query.search', measure: 'CALLS', limits };
const requests: RuleInput = { name: 'requests', scope: 'IP', field: '*', measure: 'REQUESTS', limits };
const exempt = (more: Partial<RuleInput>): RuleInput => ({
  ...{ name: 'exempt', scope: 'IP', field: '*', measure: 'REQUESTS' },
  action: { type: 'EXEMPT' },
  ...more,
});

function rulesOf(...rules: RuleInput[]) {
  const policy = parsePolicy({ tiers: TIERS, rules });
  if (policy.problems) throw new Error(policy.problems.join('\n'));
  return policy;
}

const levelsFor = (address: string, ...rules: RuleInput[]) =>
  createAddressExemptions(rulesOf(...rules).rules)(address).map(({ field, measure }) => `${field} ${measure}`);

it('an address lacks one exemption for each level of the rules that limit it', () => {
  const levels = ['Query.search CALLS', '* REQUESTS'];
  expect(levelsFor('192.0.2.1', searches, requests, { ...searches, name: 'again' })).toEqual(levels);
  expect(levelsFor('2001:db8::/64', searches, requests)).toEqual(levels);
});

it('rules for other addresses, in shadow mode, of other scopes and exemptions in force need no exemption', () => {
  expect(levelsFor('192.0.2.1', { ...searches, match: { addresses: ['198.51.100.0/24'] } })).toEqual([]);
  expect(levelsFor('192.0.2.1', { ...searches, mode: 'SHADOW' }, { ...requests, scope: 'USER' })).toEqual([]);
  expect(levelsFor('192.0.2.1', requests, exempt({ match: { addresses: ['192.0.2.0/24'] } }))).toEqual([]);
});

it('an exemption of other addresses, of some operations or at certain times does not suffice', () => {
  const level = ['* REQUESTS'];
  expect(levelsFor('192.0.2.1', requests, exempt({ match: { addresses: ['198.51.100.7'] } }))).toEqual(level);
  expect(levelsFor('192.0.2.1', requests, exempt({ match: { clients: ['web'] } }))).toEqual(level);
  expect(levelsFor('192.0.2.1', requests, exempt({ schedule: { from: '08:00', to: '18:00' } }))).toEqual(level);
});

it('a text that is no address needs no exemption, because a rule could not name it', () => {
  expect(levelsFor('unidentified', searches)).toEqual([]);
});

it('exemptions of two long fields have different names of at most 100 characters', () => {
  const fields = ['A', 'B'].map((last) => `Query.${'long'.repeat(30)}${last}`);
  const rules = fields.map((field) => ({ ...searches, name: field.slice(-90), field }));
  const exemptions = createAddressExemptions(rulesOf(...rules).rules)('2001:db8:0:7::/64');
  const names = exemptions.map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(100);
  const added = exemptions.flatMap(({ yaml }) => (parse(yaml) as { rules: RuleInput[] }).rules);
  expect(createAddressExemptions(rulesOf(...rules, ...added).rules)('2001:db8:0:7::/64')).toEqual([]);
});

it('the exemption in YAML is a valid policy, with which the rules do not limit the address any more', () => {
  for (const address of ['192.0.2.1', '2001:db8:0:7::/64']) {
    const exemptions = createAddressExemptions(rulesOf(searches, requests).rules)(address);
    const added = exemptions.flatMap(({ yaml }) => (parse(yaml) as { rules: RuleInput[] }).rules);
    const policy = rulesOf(searches, requests, ...added);
    expect(createAddressExemptions(policy.rules)(address)).toEqual([]);
    const ruleset = createRuleset({ ...policy, version: 1 });
    const bound = ruleset.bindAll(ruleset.tier(undefined));
    const namesAt = (ip: string) =>
      bound.select({ subject: { user: 'u', ip }, root: 'u' }).map(({ ruleName }) => ruleName);
    expect(namesAt(address)).toEqual(['tier:free']);
    expect(namesAt('198.51.100.1')).toEqual(['searches', 'tier:free', 'requests']);
  }
});
