import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/model/rule.js';
import type { Subject } from '../../../src/model/subject.js';
import { findRuleWarnings } from '../../../src/rules/matching/find-rule-warnings.js';
import { createKnownFields } from '../../../src/rules/matching/known-fields.js';
import { createRuleset } from '../../../src/rules/matching/ruleset.js';
import { parsePolicy, type RuleInput } from '../../../src/rules/policy/parse-policy.js';

const TIERS = ['free', 'pro', 'max'].map((name, index) => ({
  name,
  capacity: 100,
  refillAmount: 1,
  isDefault: index === 0,
}));
const LIMITS = [{ algorithm: 'FIXED_WINDOW' as const, amount: 1, windowMs: 1000 }];
const fields = createKnownFields([
  buildSchema(`
    type Query { search(text: String): [Result] user(id: ID): User }
    interface Node { id: ID }
    type User implements Node { id: ID friends: [User] }
    type Book { title: String }
    union Result = User | Book
  `),
  buildSchema('type Query { orders: [Order] } type Mutation { pay: Int } type Order { total: Int }'),
]);

function policyOf(...rules: (Partial<RuleInput> & { name: string })[]) {
  const given = rules.map((rule) => ({
    scope: 'USER',
    field: 'Query.search',
    measure: 'CALLS',
    limits: LIMITS,
    ...rule,
  }));
  const policy = parsePolicy({ tiers: TIERS, rules: given });
  if (policy.problems) throw new Error(policy.problems.join('\n'));
  return policy;
}

function warningsOf(...rules: Parameters<typeof policyOf>): string[] {
  const policy = policyOf(...rules);
  return findRuleWarnings({ ...policy, among: policy.rules, fields }).map(({ message }) => message);
}

describe('warnings about times that never come', () => {
  const nowMs = Date.parse('2026-11-28T12:00:00Z');
  const untimely = (times: Partial<RuleInput>) => {
    const policy = policyOf({ name: 'one', ...times });
    return findRuleWarnings({ ...policy, among: policy.rules, fields, nowMs }).map(({ message }) => message);
  };

  it.each<[Partial<RuleInput>, string]>([
    [{ schedule: { days: [] } }, 'its schedule has no days; remove days for every day'],
    [
      { schedule: { from: '08:00', to: '08:00' } },
      'its schedule begins and ends at 08:00; for entire days, use from: "00:00" and to: "24:00"',
    ],
    [
      { activeUntil: '2026-11-28T12:00:00Z' },
      'its activeUntil 2026-11-28T12:00:00.000Z is in the past; set a later time, or retire the rule',
    ],
    [
      { activeFrom: '2027-02-01T00:00:00Z', activeUntil: '2027-01-01T00:00:00Z' },
      'its activeUntil 2027-01-01T00:00:00.000Z is not after its activeFrom 2027-02-01T00:00:00.000Z; swap them or set a later end',
    ],
    [
      { schedule: { days: ['FRI'] }, activeUntil: '2026-11-30T00:00:00Z' },
      'no hours of its schedule are before its activeUntil 2026-11-30T00:00:00.000Z; change the schedule or set a later end',
    ],
  ])('a rule with %j gets a warning', (times, reason) => {
    expect(untimely(times)).toEqual([`rule "one" never applies: ${reason}`]);
  });

  it('a rule whose times come gets no warning', () => {
    expect(untimely({ schedule: { days: ['FRI'], from: '22:00', to: '06:00' } })).toEqual([]);
    expect(untimely({ activeFrom: '2030-01-01T00:00:00Z' })).toEqual([]);
  });

  it('a rule by day takes the place of a rule without times only in its hours, so neither gets a warning', () => {
    const day = { schedule: { from: '08:00', to: '18:00' } };
    expect(warningsOf({ name: 'day', priority: 1, ...day }, { name: 'always' })).toEqual([]);
    expect(warningsOf({ name: 'day', priority: 1, ...day }, { name: 'other', ...day })).toEqual([
      expect.stringContaining('rule "other" never applies: "day" (priority 1 before 100) takes its place'),
    ]);
  });
});

describe('warnings about impossible names of operations and clients', () => {
  it('a rule for impossible operation names gets a warning, even for a name that looks like a pattern', () => {
    const reason = 'use letters, digits and _ only, because names have no wildcards';
    expect(warningsOf({ name: 'one', match: { operationNames: ['Get', 'Get*', 'My-Op', '2', 'a b'] } })).toEqual([
      `rule "one" matches operation names that cannot exist: "Get*", "My-Op", "2" and 1 more; ${reason}`,
    ]);
    expect(warningsOf({ name: 'one', match: { operationNames: ['Get', '_x9'] } })).toEqual([]);
  });

  it('a rule for a client name that a header may not transmit unchanged gets a warning', () => {
    expect(warningsOf({ name: 'one', match: { clients: ['web', 'ünï', ' web'] } })).toEqual([
      'rule "one" matches client names that a header may not transmit unchanged: "ünï", " web"; use printable ASCII without leading or trailing spaces',
    ]);
    expect(warningsOf({ name: 'one', match: { clients: ['x', 'x.y:z/1 (iOS)'] } })).toEqual([]);
  });
});

describe('warnings about fields that no schema has', () => {
  it.each([
    '*',
    '*.*',
    'Query.search',
    'Query.orders',
    'Query.*',
    'Node.id',
    'Result.*',
    '*.total',
    'Query.__schema',
    '*.__typename',
  ])('a rule on %s gets no warning', (field) => {
    expect(warningsOf({ name: 'one', field })).toEqual([]);
  });

  it.each([
    ['Query.serch', 'Query.search'],
    ['Query.order', 'Query.orders'],
    ['Qeury.search', 'Query.search'],
    ['query.serach', 'Query.search'],
    ['Usr.*', 'User.*'],
    ['*.freinds', '*.friends'],
    ['User.total', 'Order.total'],
    ['Book.titel', 'Book.title'],
  ])('a rule on the unknown field %s gets a warning that suggests %s', (field, nearest) => {
    expect(warningsOf({ name: 'one', field })).toEqual([
      `rule "one" has no effect: its field ${field} is in no known schema; did you mean ${nearest}?`,
    ]);
    expect(fields?.has(nearest)).toBe(true);
  });

  it('a warning suggests no field if none is similar, and a rule that is off gets no warning', () => {
    expect(warningsOf({ name: 'one', field: 'Zebra.stripes' })).toEqual([
      'rule "one" has no effect: its field Zebra.stripes is in no known schema',
    ]);
    expect(warningsOf({ name: 'one', field: 'Zebra.stripes', mode: 'OFF' })).toEqual([]);
    expect(warningsOf({ name: 'one', field: 'Zebra.stripes', mode: 'SHADOW' })).toHaveLength(1);
  });

  it('a rule for operation types that no schema has gets a warning', () => {
    const match = { operationTypes: ['SUBSCRIPTION' as const] };
    expect(warningsOf({ name: 'one', field: '*', match })).toEqual([
      'rule "one" has no effect: no known schema has operations of type SUBSCRIPTION',
    ]);
    expect(warningsOf({ name: 'one', field: '*', match: { operationTypes: ['SUBSCRIPTION', 'MUTATION'] } })).toEqual(
      [],
    );
  });

  it('two rule names that differ only in letter case or spaces get one warning', () => {
    expect(
      warningsOf({ name: 'Search' }, { name: 'other', field: '*' }, { name: 'search ', scope: 'IP', mode: 'OFF' }),
    ).toEqual([expect.stringMatching(/^rule "search " differs from "Search" only in letter case or spaces/)]);
    expect(warningsOf({ name: 'search' }, { name: 'search-2', scope: 'IP' })).toEqual([]);
  });

  it('a rule on an unknown field gets no warning if no schema is known', () => {
    const policy = policyOf({ name: 'one', field: 'Zebra.stripes' });
    expect(findRuleWarnings({ ...policy, among: policy.rules, fields: createKnownFields([]) })).toEqual([]);
  });
});

describe('warnings about rules that never win their level', () => {
  it('a warning names the rule that always wins, the reason and the remedy', () => {
    expect(
      warningsOf({ name: 'wide', priority: 10 }, { name: 'narrow', priority: 20, match: { tiers: ['pro'] } }),
    ).toEqual([
      'rule "narrow" never applies: "wide" (priority 10 before 20) takes its place. ' +
        'To keep both, change scope, field or measure. To prefer "narrow", give it a priority below 10.',
    ]);
    expect(warningsOf({ name: 'b' }, { name: 'a' })[0]).toMatch(
      /"b" never applies: "a" \(equal priority 100, lower id\) takes its place/,
    );
    expect(warningsOf({ name: 'a', action: { type: 'EXEMPT' }, limits: [] }, { name: 'b', priority: 0 })[0]).toMatch(
      /"b" never applies: "a" \(it exempts callers\) takes its place\. To limit these callers, make the exemption narrower; otherwise, retire "b"\.$/,
    );
    expect(warningsOf({ name: 'a', priority: 0 }, { name: 'b' })[0]).toMatch(
      /takes its place\. To keep both, change scope, field or measure\.$/,
    );
  });

  it('a rule gets a warning if another rule wins on each of its tiers', () => {
    const each = TIERS.map(({ name }) => ({ name, priority: 1, match: { tiers: [name] } }));
    expect(warningsOf(...each, { name: 'all' })).toEqual([
      'rule "all" never applies: "free" (priority 1 before 100) takes its place for free callers, ' +
        '"pro" (priority 1 before 100) for pro, "max" (priority 1 before 100) for max. ' +
        'To keep all, change scope, field or measure. To prefer "all", give it a priority below 1.',
    ]);
    expect(warningsOf(...each.slice(1), { name: 'all' })).toEqual([]);
  });

  it.each<[string, Partial<RuleInput>]>([
    ['is a shadow', { mode: 'SHADOW' }],
    ['is off', { mode: 'OFF' }],
    ['is for a part of the callers', { rolloutPercent: 99 }],
    ['is for other tiers', { match: { tiers: ['free'] } }],
    ['is for other operations', { match: { operationTypes: ['MUTATION'] } }],
    ['is for some names', { match: { operationNames: ['A'] } }],
    ['is for some clients', { match: { clients: ['web'] } }],
    ['is for some addresses', { match: { addresses: ['10.0.0.0/8'] } }],
    ['is on another field', { field: 'Query.*' }],
    ['counts something else', { measure: 'REQUESTS' }],
    ['is of another scope', { scope: 'TENANT' }],
  ])('a rule gets no warning if the better rule %s', (_what, differs) => {
    expect(
      warningsOf({ name: 'better', priority: 1, ...differs }, { name: 'other', match: { tiers: ['pro'] } }),
    ).toEqual([]);
  });

  it('a stored rule that always loses to the checked draft gets a warning', () => {
    const policy = policyOf(
      { name: 'draft', priority: 1 },
      { name: 'stored' },
      { name: 'elsewhere', field: 'Query.nope' },
    );
    const found = findRuleWarnings({ ...policy, rules: policy.rules.slice(0, 1), among: policy.rules, fields });
    expect(found.map(({ rule, winners }) => [rule.name, winners.map(({ name }) => name)])).toEqual([
      ['stored', ['draft']],
    ]);
  });

  it('a warning about a planned rule names the rules that would stop applying, and no other rules', () => {
    const { tiers, rules } = policyOf(
      { name: 'search-cap', priority: 1, match: { tiers: ['free', 'max'] } },
      { name: 'search-per-pro-user', priority: 2, match: { tiers: ['pro'] } },
      { name: 'search-per-user' },
      { name: 'late', priority: 200 },
    );
    const [cap, ...stored] = rules as [Rule, ...Rule[]];
    const planned = (rule: Rule, before: readonly Rule[]) =>
      findRuleWarnings({ rules: [rule], among: rules, tiers, fields, before }).map(({ message }) => message);
    const places =
      '"search-cap" (priority 1 before 100) takes its place for free and max callers, "search-per-pro-user" (priority 2 before 100) for pro. ';
    expect(planned(cap, stored)).toEqual([
      `rule "search-per-user" would stop applying: ${places}` +
        'To keep all, change scope, field or measure. To prefer "search-per-user", give it a priority below 1.',
      expect.stringMatching(/^rule "late" never applies: /),
    ]);
    const late = rules.at(-1)!;
    expect(planned(late, rules.slice(0, -1))).toEqual([expect.stringMatching(/^rule "late" would never apply: /)]);
  });

  it('a shadow rule that always loses to an enforced rule gets a warning, and no rule loses to a shadow rule', () => {
    expect(warningsOf({ name: 'enforced', priority: 1 }, { name: 'seen', mode: 'SHADOW' })).toEqual([
      expect.stringMatching(/^rule "seen" never applies: .*"enforced"/),
    ]);
    expect(warningsOf({ name: 'seen', mode: 'SHADOW', priority: 1 }, { name: 'enforced' })).toEqual([]);
  });

  it('a window below a second gets a warning that suggests the same number of seconds', () => {
    const windowOf = (windowMs: number) => [{ algorithm: 'FIXED_WINDOW' as const, amount: 10, windowMs }];
    expect(warningsOf({ name: 'one', limits: windowOf(60) })).toEqual([
      'rule "one" has a window of 60 milliseconds; if you meant seconds, use windowMs: 60000',
    ]);
    expect(warningsOf({ name: 'one', limits: windowOf(1000) })).toEqual([]);
  });

  it('a rule that never wins is found among thousands of rules of its level', () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({
      name: `r${index}`,
      match: { operationNames: [`Q${index}`] },
    }));
    expect(warningsOf({ name: 'best', priority: 1, match: { operationNames: ['Q7'] } }, ...many)).toHaveLength(1);
  });
});

const some = <T>(...values: T[]) => fc.option(fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 }));
const drawnRule = fc.record({
  mode: fc.constantFrom('OFF' as const, 'SHADOW' as const, 'ENFORCE' as const, 'ENFORCE' as const),
  rolloutPercent: fc.constantFrom(30, 100, 100, 100),
  priority: fc.nat(3),
  tiers: some('free', 'pro', 'max'),
  operationTypes: some('QUERY' as const, 'MUTATION' as const),
  operationNames: some('A', 'B'),
  clients: some('web', 'app'),
  callers: fc.constantFrom(null, null, 'ANONYMOUS', 'IDENTIFIED'),
  credentials: fc.constantFrom(null, null, ['KEY'], ['TOKEN', 'NONE']),
  users: fc.constantFrom(null, null, ['ann'], ['a*'], ['ann', 'b*']),
  measure: fc.constantFrom('CALLS' as const, 'REQUESTS' as const),
  exempt: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
});
const drawnRequest = fc.record({
  tier: fc.constantFrom('free', 'pro', 'max'),
  type: fc.constantFrom('QUERY' as const, 'MUTATION' as const),
  name: fc.constantFrom(undefined, 'A', 'B', 'C'),
  client: fc.constantFrom(undefined, 'web', 'app'),
  root: fc.constantFrom('a', 'b', 'c'),
  subject: fc.constantFrom<Subject[]>({ user: 'ann' }, { user: 'bob', apiKey: 'tg_1' }, { ip: '10.0.0.1' }),
});

function inputOf({ exempt, mode, rolloutPercent, priority, measure, ...match }: Drawn, index: number) {
  return {
    ...{ mode, rolloutPercent, priority, measure },
    name: `rule-${index}`,
    match: Object.fromEntries(Object.entries(match).filter(([, condition]) => condition)),
    limits: exempt ? [] : LIMITS,
    action: { type: exempt ? ('EXEMPT' as const) : ('REJECT' as const) },
  };
}
type Drawn = typeof drawnRule extends fc.Arbitrary<infer T> ? T : never;

function losersOf(rules: Rule[]) {
  const policy = { tiers: policyOf().tiers, fields: undefined };
  return new Set(findRuleWarnings({ ...policy, rules, among: rules }).map(({ rule }) => rule));
}

const drawnOf = (one: Partial<Drawn>): Drawn => ({
  mode: 'ENFORCE',
  rolloutPercent: 100,
  priority: 0,
  tiers: null,
  operationTypes: null,
  operationNames: null,
  clients: ['app'],
  callers: null,
  credentials: null,
  users: null,
  measure: 'CALLS',
  exempt: false,
  ...one,
});
/** An example in which a rule that never applies must not affect the order of the other limits. */
const ORDER_OF_LIMITS: [Drawn[], (typeof drawnRequest extends fc.Arbitrary<infer T> ? T : never)[]] = [
  [drawnOf({ priority: 1, tiers: [] }), drawnOf({ rolloutPercent: 30, measure: 'REQUESTS' }), drawnOf({})],
  [{ tier: 'free', type: 'QUERY', name: undefined, client: 'app', root: 'a', subject: { user: 'u' } }],
];

it('removing the rules that never win does not change the limits of any request', () => {
  fc.assert(
    fc.property(fc.array(drawnRule, { maxLength: 10 }), fc.array(drawnRequest, { maxLength: 8 }), (drawn, requests) => {
      const { tiers, rules } = policyOf(...drawn.map(inputOf));
      const losers = losersOf(rules);
      const [whole, left] = [rules, rules.filter((rule) => !losers.has(rule))].map((some) =>
        createRuleset({ tiers, rules: some, version: 1 }),
      );
      for (const { tier, client, root, subject, ...operation } of requests) {
        const [before, after] = [whole!, left!].map((ruleset) =>
          ruleset
            .bind(ruleset.tier(tier), { ...operation, coordinates: ['Query.search'] })
            .select({ subject, root, client })
            .map(({ ruleName }) => ruleName),
        );
        expect(after).toEqual(before);
      }
    }),
    { numRuns: 300, examples: [ORDER_OF_LIMITS] },
  );
});

it('every rule that never wins is found if rules differ only in tiers and priority', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ priority: fc.nat(3), tiers: some('free', 'pro', 'max') }), { maxLength: 8 }),
      (drawn) => {
        const { tiers, rules } = policyOf(
          ...drawn.map((one, index) => ({
            name: `rule-${index}`,
            priority: one.priority,
            ...(one.tiers && { match: { tiers: one.tiers } }),
          })),
        );
        const ruleset = createRuleset({ tiers, rules, version: 1 });
        const winning = new Set(
          tiers.flatMap((tier) =>
            ruleset
              .bind(tier, { type: 'QUERY', name: undefined, coordinates: ['Query.search'] })
              .select({ subject: { user: 'u' }, root: 'u' })
              .map(({ rule }) => rule),
          ),
        );
        expect([...losersOf(rules)]).toEqual(expect.arrayContaining(rules.filter((rule) => !winning.has(rule))));
        expect(losersOf(rules).size).toBe(rules.filter((rule) => !winning.has(rule)).length);
      },
    ),
    { numRuns: 300 },
  );
});
