import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Subject } from '../../../src/model/subject.js';
import { createNameMap } from '../../../src/rules/matching/create-name-map.js';
import { findRuleWarnings } from '../../../src/rules/matching/find-rule-warnings.js';
import { createRuleset } from '../../../src/rules/matching/ruleset.js';
import { parsePolicy, type RuleInput } from '../../../src/rules/policy/parse-policy.js';

const TIERS = [{ name: 'free', capacity: 100, refillAmount: 1, isDefault: true }];
const LIMITS = [{ algorithm: 'FIXED_WINDOW' as const, amount: 1, windowMs: 1000 }];
const ANONYMOUS: Subject = { ip: '10.0.0.1' };
const BY_TOKEN: Subject = { user: 'ann', ip: '10.0.0.1' };
const BY_KEY: Subject = { user: 'ann', apiKey: 'tg_1', ip: '10.0.0.1' };
const OF_TENANT: Subject = { tenant: 'acme', ip: '10.0.0.1' };

function policyOf(...rules: (Partial<RuleInput> & { name: string })[]) {
  const given = rules.map((rule) => ({ scope: 'IP', field: '*', measure: 'REQUESTS', limits: LIMITS, ...rule }));
  const policy = parsePolicy({ tiers: TIERS, rules: given });
  if (policy.problems) throw new Error(policy.problems.join('\n'));
  return policy;
}

/** Returns whether the rule with this condition applies to the caller, also in the list of all limits. */
function applies(match: RuleInput['match'], subject: Subject): boolean {
  const ruleset = createRuleset({ ...policyOf({ name: 'one', match }), version: 1 });
  const facts = { subject, root: 'r' };
  const [ofOperation, ofAll] = [
    ruleset.bind(ruleset.tier(undefined), { type: 'QUERY', name: undefined, coordinates: ['Query.a'] }),
    ruleset.bindAll(ruleset.tier(undefined)),
  ].map((bound) => bound.select(facts).some(({ ruleName }) => ruleName === 'one'));
  expect(ofAll).toBe(ofOperation);
  return ofOperation!;
}

describe('rules for some callers', () => {
  it('a rule without conditions on callers counts identified callers against their address', () => {
    for (const subject of [ANONYMOUS, BY_TOKEN, BY_KEY, OF_TENANT]) expect(applies({}, subject)).toBe(true);
  });

  it.each([
    ['callers: ANONYMOUS', { callers: 'ANONYMOUS' }, [ANONYMOUS]],
    ['callers: IDENTIFIED', { callers: 'IDENTIFIED' }, [BY_TOKEN, BY_KEY, OF_TENANT]],
    ['credentials: [NONE]', { credentials: ['NONE'] }, [ANONYMOUS]],
    ['credentials: [KEY]', { credentials: ['KEY'] }, [BY_KEY]],
    ['credentials: [TOKEN]', { credentials: ['TOKEN'] }, [BY_TOKEN, OF_TENANT]],
    ['credentials: [TOKEN, NONE]', { credentials: ['TOKEN', 'NONE'] }, [ANONYMOUS, BY_TOKEN, OF_TENANT]],
    ['users', { users: ['ann'] }, [BY_TOKEN, BY_KEY]],
    ['a prefix of users', { users: ['an*'] }, [BY_TOKEN, BY_KEY]],
    ['any user', { users: ['*'] }, [BY_TOKEN, BY_KEY]],
    ['another user', { users: ['an', 'anna', 'b*'] }, []],
    ['tenants', { tenants: ['acme'] }, [OF_TENANT]],
    ['keys', { keys: ['tg_*'] }, [BY_KEY]],
    ['users with a key', { users: ['ann'], credentials: ['KEY'] }, [BY_KEY]],
    ['users at an address', { users: ['ann'], addresses: ['10.0.0.0/8'] }, [BY_TOKEN, BY_KEY]],
    ['users at another address', { users: ['ann'], addresses: ['11.0.0.0/8'] }, []],
  ] satisfies [
    string,
    RuleInput['match'],
    Subject[],
  ][])('a rule with %s applies to these callers only', (_, match, to) => {
    const all = [ANONYMOUS, BY_TOKEN, BY_KEY, OF_TENANT];
    expect(all.filter((subject) => applies(match, subject))).toEqual(to);
  });

  it('the limits of one class of callers are bound once', () => {
    const ruleset = createRuleset({
      ...policyOf({ name: 'one', match: { callers: 'ANONYMOUS' } }, { name: 'two', scope: 'GLOBAL' }),
      version: 1,
    });
    const bound = ruleset.bind(ruleset.tier(undefined), { type: 'QUERY', name: undefined, coordinates: ['Query.a'] });
    const selectFor = (subject: Subject) => bound.select({ subject, root: 'r' });
    expect(selectFor(ANONYMOUS)).toBe(selectFor({ ip: '10.0.0.2' }));
    expect(selectFor(ANONYMOUS).map(({ ruleName }) => ruleName)).toEqual(['tier:free', 'one', 'two']);
    expect(selectFor(BY_KEY).map(({ ruleName }) => ruleName)).toEqual(['tier:free', 'two']);
  });

  it('with 10,000 rules for one user each, a request costs about as much as with ten', () => {
    const rulesetOf = (count: number) =>
      createRuleset({
        ...policyOf(
          ...Array.from({ length: count }, (_, index) => ({
            name: `rule-${index}`,
            match: { users: [`user-${index}`, `other-${index}*`] },
          })),
        ),
        version: 1,
      });
    const msOf = (count: number) => {
      const ruleset = rulesetOf(count);
      const bound = ruleset.bind(ruleset.tier(undefined), { type: 'QUERY', name: undefined, coordinates: ['Query.a'] });
      const times = Array.from({ length: 5 }, () => {
        const startMs = performance.now();
        for (let index = 0; index < 2000; index++) {
          bound.select({ subject: { user: `user-${index % 10}`, ip: '10.0.0.1' }, root: 'r' });
        }
        return performance.now() - startMs;
      });
      return Math.min(...times);
    };
    // A scan of all rules would take a thousand times as long.
    expect(msOf(10_000)).toBeLessThan(30 * msOf(10) + 20);
  });

  it('a map of names finds exactly the values whose names or prefixes match, each once', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.nat(9))), name, (entries, wanted) => {
        const matches = ([one]: [string, number]) =>
          one.endsWith('*') ? wanted.startsWith(one.slice(0, -1)) : one === wanted;
        const expected = new Set(entries.filter(matches).map(([, value]) => value));
        const found = createNameMap(entries).get(wanted);
        expect(new Set(found)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('mistakes in rules for some callers', () => {
  const problemsOf = (match: object) =>
    parsePolicy({
      tiers: TIERS,
      rules: [{ name: 'one', scope: 'USER', field: '*', limits: LIMITS, match }],
    }).problems;

  const many = Array.from({ length: 1001 }, (_, index) => `n${index}`);

  it.each<[object, string]>([
    [{ callers: 'ANON' }, '.callers: expected one of ANONYMOUS, IDENTIFIED, got "ANON"; did you mean ANONYMOUS?'],
    [{ callers: ['ANONYMOUS'] }, '.callers: expected one of ANONYMOUS, IDENTIFIED, got ["ANONYMOUS"]'],
    [{ callers: null }, '.callers: expected one of ANONYMOUS, IDENTIFIED, got null'],
    [{ credentials: 'KEY' }, '.credentials: expected a list, got "KEY"'],
    [{ credentials: ['KEYS'] }, '.credentials[0]: expected one of KEY, TOKEN, NONE, got "KEYS"; did you mean KEY?'],
    [{ credentials: [] }, '.credentials: expected at least one element, or no list for all'],
    [{ credentials: ['KEY', 'KEY'] }, '.credentials: expected each value once'],
    [{ document: 'KNOWN' }, '.document: expected one of REGISTERED, UNREGISTERED, got "KNOWN"'],
    [{ document: ['REGISTERED'] }, '.document: expected one of REGISTERED, UNREGISTERED, got ["REGISTERED"]'],
    ...['users', 'tenants', 'keys', 'apps', 'appVersions'].flatMap((list): [object, string][] => [
      [{ [list]: 'ann' }, `.${list}: expected a list, got "ann"`],
      [{ [list]: [] }, `.${list}: expected at least one element, or no list for all`],
      [{ [list]: [''] }, `.${list}[0]: expected a string of 1 to 512 characters, got ""`],
      [{ [list]: [7] }, `.${list}[0]: expected a string of 1 to 512 characters, got 7`],
      [{ [list]: ['a', 'a'] }, `.${list}: expected each value once`],
      [{ [list]: many }, `.${list}: expected at most 1000 elements`],
    ]),
    [{ agents: false }, '.agents: expected true, or no agents for all callers, got false'],
    [{ agents: 'yes' }, '.agents: expected true, or no agents for all callers, got "yes"'],
    [{ agents: ['mcp'] }, '.agents: expected true, or no agents for all callers, got ["mcp"]'],
    [{ user: ['ann'] }, ': Unrecognized key: "user"; did you mean users?'],
  ])('a wrong condition on callers is rejected with its name and the reason (%#)', (match, message) => {
    const problems = problemsOf(match) ?? [];
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`rules[0] ("one").match${message}`);
    // No message contains the value twice.
    expect(problems[0]?.split(', got ').length).toBeLessThanOrEqual(2);
  });

  const warningsOf = (...rules: Parameters<typeof policyOf>) => {
    const policy = policyOf(...rules);
    return findRuleWarnings({ ...policy, among: policy.rules, fields: undefined });
  };

  it.each([
    [{ match: { callers: 'ANONYMOUS', users: ['ann'] } }, 'match.callers ANONYMOUS and match.users'],
    [{ match: { callers: 'ANONYMOUS', credentials: ['KEY'] } }, 'match.callers ANONYMOUS and match.credentials KEY'],
    [
      { match: { callers: 'IDENTIFIED', credentials: ['NONE'] } },
      'match.callers IDENTIFIED and match.credentials NONE',
    ],
    [{ match: { credentials: ['NONE'], tenants: ['acme'] } }, 'match.credentials NONE and match.tenants'],
    [{ match: { credentials: ['TOKEN', 'NONE'], keys: ['x'] } }, 'match.credentials TOKEN, NONE and match.keys'],
    [{ match: { callers: 'ANONYMOUS' }, scope: 'API_KEY' }, 'match.callers ANONYMOUS and scope API_KEY'],
    [{ match: { callers: 'ANONYMOUS' }, scope: 'TENANT' }, 'match.callers ANONYMOUS and scope TENANT'],
    [{ match: { credentials: ['TOKEN'] }, scope: 'API_KEY' }, 'match.credentials TOKEN and scope API_KEY'],
  ] satisfies [Partial<RuleInput>, string][])('the rule %j gets a warning that it never applies', (rule, both) => {
    expect(warningsOf({ name: 'one', ...rule })).toMatchObject([
      { message: `rule "one" never applies: no caller meets both ${both}; remove one of them`, neverApplies: true },
    ]);
  });

  it.each([
    [{ document: 'UNREGISTERED', apps: ['web'] }, 'match.document UNREGISTERED and match.apps'],
    [{ document: 'UNREGISTERED', appVersions: ['1.*'] }, 'match.document UNREGISTERED and match.appVersions'],
  ] satisfies [
    RuleInput['match'],
    string,
  ][])('the rule for %j gets a warning that no operation meets it', (match, both) => {
    expect(warningsOf({ name: 'one', match })).toMatchObject([
      { message: `rule "one" never applies: no operation meets both ${both}; remove one of them`, neverApplies: true },
    ]);
  });

  it.each([
    [{ document: 'REGISTERED' }, [], 'has no effect: no app has published documents'],
    [{ apps: ['web'] }, [], 'has no effect: no app has published documents'],
    [
      { apps: ['web', 'mobil*', 'tv'] },
      ['mobile', 'web'],
      'matches apps without published documents: "tv"; the apps are "mobile", "web"',
    ],
    [{ document: 'UNREGISTERED' }, [], undefined],
    [{ document: 'REGISTERED' }, ['web'], undefined],
  ] satisfies [
    RuleInput['match'],
    string[],
    string | undefined,
  ][])('the rule for %j is compared with the published apps %j', (match, apps, message) => {
    const policy = policyOf({ name: 'one', match });
    const found = findRuleWarnings({ ...policy, among: policy.rules, fields: undefined, apps: new Set(apps) });
    expect(found.map((one) => one.message)).toEqual(message ? [expect.stringContaining(message)] : []);
  });

  it('a rule for anonymous callers with the scope USER gets no warning, because their address counts', () => {
    expect(warningsOf({ name: 'one', scope: 'USER', match: { callers: 'ANONYMOUS' } })).toEqual([]);
    expect(applies({ callers: 'ANONYMOUS' }, ANONYMOUS)).toBe(true);
  });

  it('a rule with a star inside a name gets a warning', () => {
    const [warning] = warningsOf({ name: 'one', match: { users: ['a*b', 'a*', '*', 'b**'] } });
    expect(warning!.message).toBe(
      'rule "one" matches names with a * inside: "a*b", "b**"; only a * at the end of a name stands for any text',
    );
  });

  it.each([
    [{ users: ['a*'] }, { users: ['ann', 'ab*'] }, true],
    [{ users: ['a*'] }, { users: ['ann', 'bob'] }, false],
    [{ users: ['ann'] }, { users: ['ann*'] }, false],
    [{ callers: 'IDENTIFIED' }, { users: ['bob'] }, true],
    [{ callers: 'IDENTIFIED' }, { credentials: ['KEY'] }, true],
    [{ credentials: ['KEY'] }, { callers: 'IDENTIFIED' }, false],
    [{ credentials: ['KEY', 'TOKEN', 'NONE'] }, {}, true],
    [{ users: ['ann'], tenants: ['acme'] }, { users: ['ann'] }, false],
    [{ users: ['ann'] }, { users: ['ann'], tenants: ['acme'] }, true],
    [{}, { agents: true }, true],
    [{ agents: true }, {}, false],
    [{ apps: ['we*'] }, { apps: ['web'] }, true],
    [{ apps: ['web'] }, { document: 'REGISTERED' }, false],
    [{ document: 'REGISTERED' }, { apps: ['web'] }, true],
    [{ document: 'REGISTERED' }, { document: 'UNREGISTERED' }, false],
    [{ appVersions: ['1.*'] }, { apps: ['web'], appVersions: ['1.2'] }, true],
    [{ agents: true }, { agents: true, callers: 'ANONYMOUS' }, true],
  ] satisfies [
    RuleInput['match'],
    RuleInput['match'],
    boolean,
  ][])('of a better rule with %j, a rule with %j never applies: %j', (better, worse, isLoser) => {
    const found = warningsOf({ name: 'a', priority: 1, match: better }, { name: 'b', match: worse });
    expect(found.some(({ rule, neverApplies }) => rule.name === 'b' && neverApplies)).toBe(isLoser);
  });
});
