import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import { MAX_LIMITS } from '../../src/model/limit-parameters.js';
import { SCOPES } from '../../src/model/subject.js';
import { migrate } from '../../src/postgres/migrate.js';
import { parsePolicy, type RuleInput } from '../../src/rules/policy/parse-policy.js';
import { type RuleSize, tooManyLimits } from '../../src/rules/policy/too-many-limits.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { protectedApi } from '../helpers/testkit.js';
import { openEmbeddedDatabase, type TestDatabase } from '../postgres/databases.js';

const TIERS = [{ name: 'free' }, { name: 'pro' }];

function size(field: string, limitCount: number, more: Partial<RuleSize> = {}): RuleSize {
  return { mode: 'ENFORCE', scope: 'USER', measure: 'CALLS', field, tiers: [], limitCount, ...more };
}
/** Returns rules of every scope that have this number of limits in total. */
const many = (field: string, limitCount: number, more: Partial<RuleSize> = {}) =>
  SCOPES.map((scope, index) => size(field, Math.floor((limitCount + index) / SCOPES.length), { scope, ...more }));

describe('the number of limits that apply to one field', () => {
  it('a charge with 64 limits is accepted, and a charge with 65 is rejected', async () => {
    const limiter = createLimiter();
    const charge = (count: number) =>
      limiter.charge({
        subject: { user: 'ada' },
        limits: Array.from({ length: count }, (_, i) => {
          return { id: `limit ${i}`, scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 1000, cost: 1 };
        }),
      });
    expect((await charge(MAX_LIMITS)).admitted).toBe(true);
    await expect(charge(MAX_LIMITS + 1)).rejects.toThrow(TypeError);
  });

  // The bucket and the budget of the tier, and the budget of the API key, count as three more limits.
  it.each([
    ['the whole operation', many('*', 61), many('*', 62)],
    ['one field', [...many('*', 30), ...many('Query.a', 31)], [...many('*', 30), ...many('Query.a', 32)]],
    [
      'a type and its field',
      [...many('Query.*', 30), ...many('Query.a', 31)],
      [...many('Query.*', 30), ...many('Query.a', 32)],
    ],
    ['a name of any type', [...many('*.a', 30), ...many('Query.a', 31)], [...many('*.a', 30), ...many('Query.a', 32)]],
    ['a type and a name', [...many('Query.*', 30), ...many('*.a', 31)], [...many('Query.*', 30), ...many('*.a', 32)]],
    ['any field', [...many('*', 30), ...many('*.*', 31)], [...many('*', 30), ...many('*.*', 32)]],
    [
      'one tier',
      [...many('*', 60, { tiers: ['free'] }), ...many('Query.a', 60, { tiers: ['pro'] })],
      many('*', 62, { tiers: ['pro'] }),
    ],
  ])('tooManyLimits counts the limits of all rules that match %s', (_, allowed, rejected) => {
    expect(tooManyLimits(TIERS, allowed)).toBeUndefined();
    expect(tooManyLimits(TIERS, rejected)).toMatch(/up to 65 limits apply at once/);
  });

  it('tooManyLimits does not add up limits of different fields or of one level, or of rules in mode SHADOW or OFF', () => {
    const rules = [
      ...Array.from({ length: 200 }, (_, index) => size(`Query.f${index}`, 8)),
      ...Array.from({ length: 200 }, () => size('*', 8)),
      ...many('*', 200, { mode: 'SHADOW' }),
      ...many('*', 200, { mode: 'OFF' }),
    ];
    expect(tooManyLimits(TIERS, rules)).toBeUndefined();
  });
});

/** Returns a rule with eight limits. Each index gives another level: scope, field and measure. */
function rule(index: number): RuleInput {
  const limits = Array.from({ length: 8 }, (_, window) => ({
    algorithm: 'FIXED_WINDOW' as const,
    amount: 10,
    windowMs: 1000 + window,
  }));
  const measure = (['COST', 'CALLS', 'REQUESTS'] as const)[Math.floor(index / 5)]!;
  return { name: `rule ${index}`, scope: SCOPES[index % 5]!, field: '*', measure, limits };
}

it('a caller with a bucket, two budgets and 61 limits of rules is admitted, and 62 limits are rejected in the policy', async () => {
  const budget = { amount: 1000, every: 'YEAR' } as const;
  const tier = { name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 1000, budget, isDefault: true };
  const rules = (last: number) => {
    const limits = Array.from({ length: 8 }, (_, index) => rule(index));
    return limits.map((one, index) => (index === 7 ? { ...one, limits: one.limits!.slice(0, last) } : one));
  };
  const api = await protectedApi({
    tiers: [{ ...tier, answer: 'FULL' }],
    rules: rules(5),
    // A caller with all names, so that the limits of all scopes apply.
    subjectOf: () => ({
      user: 'ada',
      tenant: 'acme',
      apiKey: 'tg_1',
      ip: '192.0.2.1',
      keyBudget: { calendar: budget },
    }),
  });
  const { status, cost } = await api.ask('{ item { name } }');
  expect(status).toBe(200);
  expect(cost).toMatchObject({ budget: { used: 1 }, keyBudget: { used: 1 } });
  expect(cost.limits).toHaveLength(61);
  expect(parsePolicy({ tiers: [tier], rules: rules(6) }).problems).toEqual([
    expect.stringContaining('up to 65 limits'),
  ]);
});

describe('more limits than a charge accepts', () => {
  let opened: TestDatabase;
  let store: RulesStore;
  const actor = { name: 'ann', authMethod: 'SYSTEM' as const };
  const tier = { name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 1000, isDefault: true };
  beforeAll(async () => {
    opened = await openEmbeddedDatabase();
    await migrate(opened.db);
    store = createRulesStore(opened.db);
    await store.createTier(tier, actor);
  });
  afterAll(() => opened.dispose());

  it('a policy in code is rejected if 65 limits can apply to one operation, with the tier and the remedy', () => {
    const rules = Array.from({ length: 8 }, (_, index) => rule(index));
    expect(parsePolicy({ tiers: [tier], rules: rules.slice(1) }).problems).toBeUndefined();
    expect(parsePolicy({ tiers: [tier], rules }).problems).toEqual([
      'rules: up to 67 limits apply at once to callers of tier "free" that request "*", and one charge has at most 64: remove some',
    ]);
  });

  it('the store rejects a rule that makes 65 limits apply to one operation, when it is saved, enabled or restored', async () => {
    for (let index = 0; index < 7; index++)
      expect(await store.createRule(rule(index), actor)).toMatchObject({ ok: true });
    const rejection = { ok: false, userErrors: [{ code: 'INVALID', field: ['limits'] }] };
    expect(await store.createRule(rule(7), actor)).toMatchObject(rejection);
    expect(await store.createRule({ ...rule(7), dryRun: true }, actor)).toMatchObject(rejection);
    expect(await store.createRule({ ...rule(7), field: 'Query.search' }, actor)).toMatchObject(rejection);

    const created = await store.createRule({ ...rule(7), mode: 'SHADOW' }, actor);
    const shadow = (await store.getRuleByName('rule 7'))!;
    expect(created).toMatchObject({ ok: true });
    expect(await store.updateRule({ id: shadow.id, mode: 'ENFORCE' }, actor)).toMatchObject(rejection);
    // An edit that adds no limits is accepted, because the edited limits replace the stored limits
    // of the rule and are not counted in addition to them.
    const first = (await store.getRuleByName('rule 0'))!;
    expect(await store.updateRule({ id: first.id, priority: 7 }, actor)).toMatchObject({ ok: true });
    expect(await store.retireRule({ id: first.id }, actor)).toMatchObject({ ok: true });
    expect(await store.updateRule({ id: shadow.id, mode: 'ENFORCE' }, actor)).toMatchObject({ ok: true });
    expect(await store.restoreRule({ id: first.id }, actor)).toMatchObject(rejection);
  });
});
