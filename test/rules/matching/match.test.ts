import { describe, expect, it } from 'vitest';
import { createRuleset, type OperationFacts, type RequestFacts } from '../../../src/rules/matching/ruleset.js';
import { parsePolicy, type RuleInput } from '../../../src/rules/policy/parse-policy.js';

const TIERS = [
  { name: 'free', capacity: 100, refillAmount: 1, isDefault: true },
  { name: 'pro', capacity: 1000, refillAmount: 10 },
];
const window = (amount: number, windowMs = 60_000) => ({
  algorithm: 'SLIDING_WINDOW_COUNTER' as const,
  amount,
  windowMs,
});

function rulesetOf(rules: RuleInput[]) {
  const policy = parsePolicy({ tiers: TIERS, rules });
  if (policy.problems) throw new Error(policy.problems.join('\n'));
  return createRuleset({ ...policy, version: 1 });
}

function operation(coordinates: string[], facts: Partial<OperationFacts> = {}): OperationFacts {
  return { type: 'QUERY', name: undefined, coordinates, ...facts };
}

function select(rules: RuleInput[], coordinates: string[], request: Partial<RequestFacts> = {}, tier = 'free') {
  const ruleset = rulesetOf(rules);
  const facts = { subject: { user: 'u' }, root: 'u', ...request };
  return ruleset
    .bind(ruleset.tier(tier), operation(coordinates))
    .select(facts)
    .map((limit) => limit.ruleName);
}

describe('the matching of rules', () => {
  it('every operation is charged to the bucket of its tier', () => {
    expect(select([], ['Query.search'])).toEqual(['tier:free']);
    expect(select([], ['Query.search'], {}, 'pro')).toEqual(['tier:pro']);
    expect(select([], ['Query.search'], {}, 'no such tier')).toEqual(['tier:free']);
  });

  it('a rule applies only to operations that select its field', () => {
    const rules: RuleInput[] = [
      { name: 'search', scope: 'USER', field: 'Query.search', measure: 'CALLS', limits: [window(5)] },
      { name: 'roots', scope: 'USER', field: 'Query.*', measure: 'CALLS', limits: [window(50)] },
      { name: 'all', scope: 'GLOBAL', field: '*', measure: 'REQUESTS', limits: [window(500)] },
    ];
    expect(select(rules, ['Query.search', 'User.id'])).toEqual(['search', 'roots', 'tier:free', 'all']);
    expect(select(rules, ['Query.other'])).toEqual(['roots', 'tier:free', 'all']);
    expect(select(rules, ['Mutation.login'])).toEqual(['tier:free', 'all']);
    expect(select(rules, ['Query.searchAll'])).toEqual(['roots', 'tier:free', 'all']);
  });

  it('the limits of a tier are bound once, and again for a different tier with the same name', () => {
    const ruleset = rulesetOf([
      { name: 'search', scope: 'USER', field: 'Query.search', measure: 'CALLS', limits: [window(5)] },
      { name: 'pro', scope: 'USER', field: '*', match: { tiers: ['pro'] }, limits: [window(50)] },
    ]);
    const [free, pro] = [ruleset.tier('free'), ruleset.tier('pro')];
    const namesOf = (tier: typeof free) =>
      ruleset
        .bindAll(tier)
        .select({ subject: { user: 'u' }, root: 'u' })
        .map(({ ruleName }) => ruleName);
    expect(namesOf(free)).toEqual(['search', 'tier:free']);
    expect(namesOf(pro)).toEqual(['search', 'pro', 'tier:pro']);
    expect(ruleset.bindAll(free)).toBe(ruleset.bindAll(free));
    const [larger] = ruleset
      .bindAll({ ...free, capacity: 7 })
      .select({ subject: {}, root: '' })
      .slice(-1);
    expect(larger!.parameters.capacity).toBe(7);
    // The ruleset caches fewer tiers than this. Its results must stay the same.
    for (let index = 0; index < 20; index++) ruleset.bindAll({ ...pro, name: `t${index}` });
    expect(namesOf(free)).toEqual(['search', 'tier:free']);
  });

  it('the rule with the lowest priority number wins its level, and the lowest id wins a tie', () => {
    const level = { scope: 'USER', field: 'Query.search', measure: 'CALLS' } as const;
    expect(
      select(
        [
          { name: 'general', ...level, limits: [window(5)] },
          { name: 'for free', ...level, priority: 10, match: { tiers: ['free'] }, limits: [window(2)] },
          { name: 'for pro', ...level, priority: 10, match: { tiers: ['pro'] }, limits: [window(20)] },
        ],
        ['Query.search'],
      ),
    ).toEqual(['for free', 'tier:free']);
    expect(
      select(
        [
          { name: 'b', ...level, limits: [window(5)] },
          { name: 'a', ...level, limits: [window(5)] },
        ],
        ['Query.search'],
      ),
    ).toEqual(['a', 'tier:free']);
  });

  it('the lowest number wins a tie of stored rules, and a stored rule wins a tie with a rule in code', () => {
    const winnerOf = (ids: string[]) => {
      const rule = (name: string): RuleInput => ({
        name,
        scope: 'USER',
        field: 'Query.search',
        measure: 'CALLS',
        limits: [window(5)],
      });
      const policy = parsePolicy({ tiers: TIERS, rules: ids.map(rule) });
      if (policy.problems) throw new Error(policy.problems.join('\n'));
      const rules = policy.rules.map((one, index) => ({ ...one, id: ids[index]! }));
      const ruleset = createRuleset({ ...policy, rules, version: 1 });
      const facts = { subject: { user: 'u' }, root: 'u' };
      return ruleset.bind(ruleset.tier('free'), operation(['Query.search'])).select(facts)[0]!.ruleName;
    };
    for (const ids of [
      ['9', '10', '1a'],
      ['10', '1a', '9'],
      ['1a', '9', '10'],
    ]) {
      expect(winnerOf(ids)).toBe('9');
    }
    expect(winnerOf(['1a', '10'])).toBe('10');
    expect(winnerOf(['b', 'a'])).toBe('a');
  });

  it('rules with the same level and window share a counter, whatever their names', () => {
    const level = { scope: 'USER', field: 'Query.search', measure: 'CALLS' } as const;
    const idOf = (rule: RuleInput) => {
      const ruleset = rulesetOf([rule]);
      return ruleset.bind(ruleset.tier('free'), operation(['Query.search'])).select({ subject: {}, root: '' })[0]?.id;
    };
    const id = idOf({ name: 'general', ...level, limits: [window(5)] });
    expect(idOf({ name: 'for free', ...level, match: { tiers: ['free'] }, limits: [window(2)] })).toBe(id);
    expect(idOf({ name: 'general', ...level, limits: [window(5, 1000)] })).not.toBe(id);
    expect(idOf({ name: 'general', ...level, measure: 'COST', limits: [window(5)] })).not.toBe(id);
  });

  it('the bucket of a subject replaces the bucket of its tier, keeps the counter, and is bound only once', () => {
    const ruleset = rulesetOf([]);
    const bound = ruleset.bind(ruleset.tier('free'), operation(['Query.search']));
    const bucket = { capacity: 7, refillAmount: 1, refillPeriodMs: 1000 };
    const [own] = bound.select({ subject: { user: 'u', bucket }, root: 'u' });
    const [general] = bound.select({ subject: { user: 'u' }, root: 'u' });
    expect(own?.parameters.capacity).toBe(7);
    expect(general?.parameters.capacity).toBe(100);
    expect(own?.id).toBe(general?.id);
    expect(bound.select({ subject: { user: 'u', bucket }, root: 'u' })[0]).toBe(own);
    // `identify` may return a new equal bucket for each request, or change the previous one.
    expect(bound.select({ subject: { user: 'u', bucket: { ...bucket } }, root: 'u' })[0]).toBe(own);
    bucket.capacity = 9;
    expect(bound.select({ subject: { user: 'u', bucket }, root: 'u' })[0]?.parameters.capacity).toBe(9);
    expect(own?.parameters.capacity).toBe(7);
  });

  it('a shadow rule applies in addition to the enforced rule of its level, with its own counter', () => {
    const level = { scope: 'USER', field: 'Query.search', measure: 'CALLS' } as const;
    const ruleset = rulesetOf([
      { name: 'enforced', ...level, limits: [window(5)] },
      { name: 'shadow', ...level, mode: 'SHADOW', priority: 1, limits: [window(2)] },
      { name: 'off', ...level, mode: 'OFF', priority: 0, limits: [window(1)] },
    ]);
    const limits = ruleset.bind(ruleset.tier('free'), operation(['Query.search'])).select({ subject: {}, root: '' });
    expect(limits.map((limit) => [limit.ruleName, limit.mode])).toEqual([
      ['enforced', 'ENFORCE'],
      ['tier:free', 'ENFORCE'],
      ['shadow', 'SHADOW'],
    ]);
    expect(new Set(limits.map((limit) => limit.id)).size).toBe(3);
  });

  it('a shadow rule does not apply where an enforced rule of its level has precedence', () => {
    const level = { scope: 'USER', field: 'Query.search', measure: 'CALLS' } as const;
    const shadow: RuleInput = { name: 'shadow', ...level, mode: 'SHADOW', priority: 5, limits: [window(1)] };
    const better = { ...level, priority: 1, limits: [window(2)] };
    expect(select([shadow], ['Query.search'])).toEqual(['tier:free', 'shadow']);
    expect(select([shadow, { name: 'better', ...better }], ['Query.search'])).toEqual(['better', 'tier:free']);
    const forApp: RuleInput = { name: 'for app', ...better, match: { clients: ['app'] } };
    expect(select([shadow, forApp], ['Query.search'], { client: 'app' })).toEqual(['for app', 'tier:free']);
    expect(select([shadow, forApp], ['Query.search'], { client: 'web' })).toEqual(['tier:free', 'shadow']);
  });

  it('an exemption wins its level, and can also replace the bucket of the tier', () => {
    const office: RuleInput = {
      name: 'office',
      scope: 'USER',
      field: '*',
      match: { addresses: ['10.0.0.0/8', '2001:db8::/32'] },
      limits: [],
      action: { type: 'EXEMPT' },
    };
    const at = (ip: string) => select([office], ['Query.search'], { subject: { user: 'u', ip } });
    expect(at('10.1.2.3')).toEqual([]);
    expect(at('11.1.2.3')).toEqual(['tier:free']);
    expect(at('2001:db8:1:2::/64')).toEqual([]);
    expect(at('2001:db9:1:2::/64')).toEqual(['tier:free']);
  });

  it('a rollout covers the given share of subjects, and a larger share includes a smaller one', () => {
    const at = (percent: number, user: string) =>
      select(
        [{ name: 'new', scope: 'USER', field: '*', measure: 'REQUESTS', rolloutPercent: percent, limits: [window(5)] }],
        ['Query.a'],
        { root: user },
      ).includes('new');
    const users = Array.from({ length: 2000 }, (_, index) => `user-${index}`);
    const in10 = users.filter((user) => at(10, user));
    const in30 = users.filter((user) => at(30, user));
    expect(in10.length).toBeGreaterThan(140);
    expect(in10.length).toBeLessThan(260);
    expect(in30.length).toBeGreaterThan(500);
    expect(in10.every((user) => in30.includes(user))).toBe(true);
    expect(users.filter((user) => at(0, user))).toEqual([]);
  });
});

describe('the validation of a policy', () => {
  it('a policy reports every mistake with its path, the expected value and the given value', () => {
    const policy = parsePolicy({
      tiers: [{ name: 'free', capacity: -1, refillAmount: 1, isDefault: true }],
      rules: [
        { name: 'a', scope: 'USER', field: 'Query..x', limits: [{ algorithm: 'TOKEN_BUCKET', capacity: 5 }] },
        { name: 'b', scope: 'EVERYBODY', field: '*', limits: [] },
      ],
    });
    const text = policy.problems?.join('\n') ?? '';
    expect(text).toMatch(/tiers\[0\] \("free"\)\.capacity: .*got -1/);
    expect(text).toMatch(/rules\[0\] \("a"\)\.field: expected "Type\.field"/);
    expect(text).toMatch(/rules\[0\] \("a"\)\.limits\[0\]\.refillAmount: required for TOKEN_BUCKET/);
    expect(text).toMatch(/rules\[1\] \("b"\)\.scope: .*got "EVERYBODY"/);
  });

  it.each([
    ['two defaults', [{ ...TIERS[0] }, { ...TIERS[1], isDefault: true }], [], /exactly one with isDefault/],
    [
      'an unknown tier',
      TIERS,
      [{ name: 'a', scope: 'USER', field: '*', match: { tiers: ['gold'] }, limits: [window(1)] }],
      /no tier "gold"/,
    ],
    [
      'a name twice',
      TIERS,
      ['a', 'a'].map((name) => ({ name, scope: 'USER', field: '*', limits: [window(1)] })),
      /"a" is used more than once/,
    ],
    [
      'two limits with the same counter',
      TIERS,
      [{ name: 'a', scope: 'USER', field: '*', limits: [window(1), window(2)] }],
      /give one of them a key/,
    ],
    [
      'a bucket that is too fine to count exactly',
      [{ ...TIERS[0], capacity: 2 ** 31 - 1, refillPeriodMs: 30_000_000_000 }],
      [],
      /2\^52/,
    ],
    ['a rule without limits', TIERS, [{ name: 'a', scope: 'USER', field: '*', limits: [] }], /at least one limit/],
    ['a rule that leaves its limits out', TIERS, [{ name: 'a', scope: 'USER', field: '*' }], /at least one limit/],
    [
      'an exemption with limits',
      TIERS,
      [{ name: 'a', scope: 'USER', field: '*', action: { type: 'EXEMPT' }, limits: [window(1)] }],
      /an exemption has no limits: remove them/,
    ],
    ...[
      ['THROTTLE', "{ type: 'THROTTLE', maxDelayMs: ... }"],
      ['exempt', "{ type: 'EXEMPT' }"],
      ['REJECT', "{ type: 'REJECT' }"],
    ].map(([action, form]): [string, object[], object[], RegExp] => [
      `an action as the word ${action}, with the right form`,
      TIERS,
      [{ name: 'a', scope: 'USER', field: '*', action, limits: [window(1)] }],
      new RegExp(`action: expected ${form!.replaceAll(/[{}.]/g, '\\$&')}, got "${action}"$`),
    ]),
  ])('a policy is rejected for %s', (_, tiers, rules, message) => {
    expect(parsePolicy({ tiers, rules }).problems?.join('\n')).toMatch(message);
  });

  it('an exemption needs no limits', () => {
    const exemption = { name: 'a', scope: 'USER', field: '*', action: { type: 'EXEMPT' } };
    expect(parsePolicy({ tiers: TIERS, rules: [exemption] })).toMatchObject({ rules: [{ limits: [] }] });
  });
});
