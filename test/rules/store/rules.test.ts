import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import type { Db } from '../../../src/postgres/db.js';
import { toRuleAttributes } from '../../../src/rules/policy/parse-policy.js';
import { type RuleInput, ruleInput } from '../../../src/rules/policy/rule-input.js';
import type { Actor } from '../../../src/rules/store/create-change-log.js';
import type { RuleCreate } from '../../../src/rules/store/create-rule-store.js';
import type { RuleRecord } from '../../../src/rules/store/rule-record.js';
import { createRulesStore, type RulesStore } from '../../../src/rules/store/rules-store.js';
import { DATABASES, migrateAfresh, type TestDatabase } from '../../postgres/databases.js';

const ADMIN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };
const BUCKET = { capacity: 100, refillAmount: 1, refillPeriodMs: 1000 };
const SEARCH: RuleCreate = {
  name: 'search',
  description: 'Searches are expensive.',
  scope: 'USER',
  field: 'Query.search',
  measure: 'CALLS',
  match: { tiers: ['pro', 'free'], addresses: ['10.0.0.0/8'], clients: ['web'] },
  limits: [
    { algorithm: 'SLIDING_WINDOW_COUNTER', amount: 20, windowMs: 60_000, strict: true },
    { algorithm: 'TOKEN_BUCKET', ...BUCKET, key: 'burst', maxDebt: 5 },
  ],
  response: { code: 'SEARCH_LIMITED' },
  schedule: { timeZone: 'Europe/Berlin', days: ['MON', 'FRI'], from: '22:00', to: '06:00' },
  activeFrom: '2026-11-27T07:00:00.000Z',
  activeUntil: '2027-01-01T00:00:00.000Z',
};

describe.each(DATABASES)('stored rules on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  let store: RulesStore;
  beforeAll(async () => {
    opened = await openDatabase();
    db = opened.db;
  });
  afterAll(() => opened.dispose());
  beforeEach(async () => {
    await migrateAfresh(db);
    store = createRulesStore(db);
    await store.ensureTiers(
      [
        { name: 'free', isDefault: true, ...BUCKET },
        { name: 'pro', ...BUCKET },
      ],
      ADMIN,
    );
  });

  const create = async (input: RuleCreate = SEARCH): Promise<RuleRecord> => {
    const outcome = await store.createRule(input, ADMIN);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.userErrors));
    return outcome.value;
  };

  it('rules are stored with their defaults, in the order of their creation', async () => {
    const rule = await create();
    const simple = await create({
      name: 'all',
      scope: 'GLOBAL',
      field: '*',
      limits: [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 1 }],
    });
    expect(rule).toEqual({
      ...SEARCH,
      id: '1',
      mode: 'ENFORCE',
      rolloutPercent: 100,
      priority: 100,
      match: { tiers: ['free', 'pro'], addresses: ['10.0.0.0/8'], clients: ['web'] },
      action: { type: 'REJECT' },
      onUnavailable: 'LOCAL',
      precision: 'EXACT',
      regionMode: 'CENTRAL',
      onEventDenied: 'COMPLETE',
      version: 1,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
      retiredAt: null,
    });
    expect(await store.listRules()).toEqual([rule, simple]);
    expect(await store.changesSince(2)).toEqual([
      { number: 3, entity: 'RULE', key: '1' },
      { number: 4, entity: 'RULE', key: '2' },
    ]);
  });

  it.each([
    ['tier:free', false],
    ['key:budget', false],
    ['introspection', false],
    ['limits-per-operation', false],
    ['introspection of tools', true],
    ['keys', true],
  ])('a rule named %s, a name of a limit that is not a rule or not: %s', async (name, isAllowed) => {
    const outcome = await store.createRule({ ...SEARCH, name, dryRun: true }, ADMIN);
    expect(outcome.ok ? [] : outcome.userErrors.map(({ field }) => field)).toEqual(isAllowed ? [] : [['name']]);
  });

  it('an invalid rule is not stored, and all of its mistakes are reported together', async () => {
    const outcome = await store.createRule(
      {
        ...SEARCH,
        name: 'tier:free',
        field: 'Query..search',
        rolloutPercent: 101,
        match: { addresses: ['10.0.0.300'] },
        limits: [{ algorithm: 'FIXED_WINDOW', amount: 0, windowMs: 1000 }],
      },
      ADMIN,
    );
    const errors = outcome.ok ? [] : outcome.userErrors;
    expect(errors.map(({ field }) => field.join('.'))).toEqual([
      'name',
      'rolloutPercent',
      'match.addresses.0',
      'field',
      'limits.0.amount',
    ]);
    expect(errors.at(-1)?.message).toBe('expected a whole number from 1 to 2147483647, got 0');
    expect(await store.listRules()).toEqual([]);
  });

  it('a rule needs existing tiers and an unused name', async () => {
    expect(await store.createRule({ ...SEARCH, match: { tiers: ['gold'] } }, ADMIN)).toMatchObject({
      userErrors: [{ field: ['match', 'tiers'], message: 'there is no tier named gold' }],
    });
    const rule = await create();
    expect(await store.createRule(SEARCH, ADMIN)).toMatchObject({
      current: { id: rule.id },
      userErrors: [{ code: 'ALREADY_EXISTS', field: ['name'] }],
    });
  });

  it('an edit changes only the given members, and one of two concurrent edits wins', async () => {
    const { id } = await create();
    const edits = await Promise.all(
      [1, 2].map((priority) => store.updateRule({ id, priority, expectedVersion: 1 }, ADMIN)),
    );
    const won = edits.find(({ ok }) => ok);
    const now = await store.getRule(id);
    expect(won).toMatchObject({ ok: true, value: now, differences: [{ path: 'priority', before: '100' }] });
    expect(now).toMatchObject({ name: 'search', version: 2, limits: SEARCH.limits });
    expect(edits.find(({ ok }) => !ok)).toMatchObject({ current: now, userErrors: [{ code: 'STALE_VERSION' }] });
    await store.updateRule(
      { id, description: null, response: null, match: {}, schedule: null, activeFrom: null, activeUntil: null },
      ADMIN,
    );
    const cleared = await store.getRule(id);
    expect(cleared).toMatchObject({ match: {}, version: 3 });
    expect(cleared).not.toHaveProperty('description');
    for (const member of ['response', 'schedule', 'activeFrom', 'activeUntil'])
      expect(cleared).not.toHaveProperty(member);
  });

  it('a dry run writes nothing, and an edit without a difference writes nothing either', async () => {
    const rule = await create();
    const number = await store.latestChange();
    expect(await store.createRule({ ...SEARCH, name: 'other', dryRun: true }, ADMIN)).toMatchObject({ ok: true });
    expect(await store.updateRule({ id: rule.id, priority: 1, dryRun: true }, ADMIN)).toMatchObject({
      ok: true,
      value: { priority: 1, version: 2 },
      differences: [{ path: 'priority', before: '100', after: '1' }],
    });
    expect(await store.retireRule({ id: rule.id, dryRun: true }, ADMIN)).toMatchObject({ ok: true });
    expect(await store.updateRule({ id: rule.id, priority: 100 }, ADMIN)).toMatchObject({ differences: [] });
    expect(await store.listRules()).toEqual([rule]);
    expect(await store.latestChange()).toBe(number);
  });

  it('an edit that makes a rule use another counter gets a warning, and other edits do not', async () => {
    const { id } = await create();
    const warningsOf = async (edit: Partial<RuleInput>) => {
      const outcome = await store.updateRule({ ...edit, id, dryRun: true }, ADMIN);
      return outcome.ok ? outcome.warnings : outcome.userErrors;
    };
    const [window, bucket] = SEARCH.limits!;
    expect(
      await warningsOf({
        limits: [
          { ...window!, amount: 5 },
          { ...bucket!, capacity: 1, refillAmount: 9 },
        ],
      }),
    ).toEqual([]);
    expect(await warningsOf({ limits: [bucket!, window!] })).toEqual([]);
    expect(await warningsOf({ priority: 3, match: {}, mode: 'OFF', rolloutPercent: 5 })).toEqual([]);
    for (const change of [
      { windowMs: 1000 },
      { strict: false },
      { key: 'k' },
      { algorithm: 'FIXED_WINDOW', strict: undefined },
    ]) {
      const edited = { ...window!, ...change } as typeof window & object;
      expect(await warningsOf({ limits: [edited, bucket!] })).toEqual([
        expect.stringContaining('limits[0] continues with another counter'),
      ]);
    }
    expect(await warningsOf({ measure: 'COST' })).toHaveLength(2);
    expect(await warningsOf({ mode: 'SHADOW' })).toEqual([
      expect.stringContaining('shadow mode has its own counter'),
      expect.stringContaining('shadow mode has its own counter'),
    ]);
  });

  it('an edit that returns to a bucket gets a warning until the debt of the bucket can be repaid', async () => {
    const bucket = { algorithm: 'TOKEN_BUCKET', capacity: 1, refillAmount: 1, refillPeriodMs: 1 } as const;
    const outcome = await store.createRule({ ...SEARCH, limits: [{ ...bucket, maxDebt: 1_000_000 }] }, ADMIN);
    const { id } = outcome.ok ? outcome.value : expect.fail(JSON.stringify(outcome.userErrors));
    await store.updateRule({ id, limits: [{ ...bucket, key: 'other' }] }, ADMIN);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await store.restoreRule({ id, toVersion: 1, dryRun: true }, ADMIN)).toMatchObject({
      warnings: [expect.stringContaining('limits[0] returns to the counter of version 1')],
    });
  });

  it('an edit that returns to an earlier counter gets a warning until the windows of that counter have ended', async () => {
    const { id } = await create();
    const [window, bucket] = SEARCH.limits!;
    const limitsOf = (windowMs: number) => [{ ...window!, windowMs } as typeof window & object, bucket!];
    await store.updateRule({ id, limits: limitsOf(1000) }, ADMIN);
    const back = () => store.restoreRule({ id, toVersion: 1, dryRun: true }, ADMIN);
    expect(await back()).toMatchObject({
      warnings: [expect.stringContaining('limits[0] returns to the counter of version 1')],
    });
    expect(await store.updateRule({ id, limits: SEARCH.limits!, dryRun: true }, ADMIN)).toMatchObject({
      warnings: [expect.stringContaining('limits[0] returns to the counter of version 1')],
    });
    // Version 3 has a window of one millisecond, which has ended when the rule returns to it.
    await store.updateRule({ id, limits: limitsOf(1) }, ADMIN);
    await store.updateRule({ id, limits: SEARCH.limits! }, ADMIN);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const over = await store.restoreRule({ id, toVersion: 3, dryRun: true }, ADMIN);
    expect(over).toMatchObject({ warnings: [expect.stringContaining('continues with another counter')] });
  });

  it('a rule can be retired and restored to any of its versions', async () => {
    const { id } = await create();
    await store.updateRule({ id, priority: 7 }, ADMIN);
    expect(await store.retireRule({ id }, ADMIN)).toMatchObject({ ok: true, value: { version: 3 } });
    expect(await store.listRules()).toEqual([]);
    expect(await store.updateRule({ id, priority: 8 }, ADMIN)).toMatchObject({ userErrors: [{ field: ['id'] }] });
    const successor = await create();
    expect(await store.restoreRule({ id }, ADMIN)).toMatchObject({ userErrors: [{ code: 'ALREADY_EXISTS' }] });
    await store.retireRule({ id: successor.id }, ADMIN);
    expect(await store.restoreRule({ id }, ADMIN)).toMatchObject({
      value: { priority: 7, retiredAt: null, version: 4 },
    });
    expect(await store.restoreRule({ id, toVersion: 1 }, ADMIN)).toMatchObject({
      value: { priority: 100, version: 5 },
    });
    expect(await store.restoreRule({ id, toVersion: 99 }, ADMIN)).toMatchObject({
      userErrors: [{ code: 'NOT_FOUND' }],
    });
    expect(await store.getRule('99')).toBeNull();
    expect(await store.getRule('1; drop table rules')).toBeNull();
  });

  it('requests with the same idempotency key create a rule once, and a different request cannot reuse the key', async () => {
    const request = { ...SEARCH, idempotencyKey: 'k1' };
    const answers = await Promise.all([1, 2, 3].map(() => store.createRule(request, ADMIN)));
    expect(answers.map((one) => one.ok && one.value.id)).toEqual(['1', '1', '1']);
    expect(await store.listRules()).toHaveLength(1);
    expect(await store.createRule({ ...request, name: 'other' }, ADMIN)).toMatchObject({
      userErrors: [{ code: 'KEY_REUSED', field: ['idempotencyKey'] }],
    });
    const bob = { ...ADMIN, name: 'bob' };
    expect(await store.createRule({ ...request, name: 'bobs' }, bob)).toMatchObject({ ok: true });
    const dry = { ...SEARCH, name: 'dry', idempotencyKey: 'k2' };
    await store.createRule({ ...dry, dryRun: true }, ADMIN);
    expect(await store.createRule(dry, ADMIN)).toMatchObject({ ok: true, value: { name: 'dry' } });
  });

  it('a tier that a rule names cannot be retired', async () => {
    const { id } = await create();
    expect(await store.retireTier({ name: 'pro' }, ADMIN)).toMatchObject({ userErrors: [{ code: 'IN_USE' }] });
    await store.retireRule({ id }, ADMIN);
    expect(await store.retireTier({ name: 'pro' }, ADMIN)).toMatchObject({ ok: true });
    expect(await store.restoreRule({ id }, ADMIN)).toMatchObject({ userErrors: [{ field: ['match', 'tiers'] }] });
    expect(await store.retireTier({ name: 'free' }, ADMIN)).toMatchObject({ userErrors: [{ code: 'IN_USE' }] });
  });

  it('stored rules are read back unchanged, and the limiter accepts all their limits', async () => {
    const mostly = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>) =>
      fc.oneof({ arbitrary: good, weight: 15 }, { arbitrary: bad, weight: 1 });
    const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 1 });
    const amount = mostly(
      fc.oneof(fc.constantFrom(1, 1000, 10_000, 2 ** 31 - 1), fc.integer({ min: 1, max: 1000 })),
      fc.constantFrom(0, 1001, 10_001, 2 ** 31),
    );
    const period = mostly(
      fc.oneof(fc.constantFrom(1, 2 ** 21), fc.integer({ min: 1, max: 10_000_000 })),
      fc.constantFrom(0, 2 ** 40 - 1, 2 ** 40),
    );
    const bucket = fc.record({
      algorithm: fc.constantFrom('TOKEN_BUCKET' as const, 'LEAKY_BUCKET' as const),
      capacity: amount,
      refillAmount: amount,
      refillPeriodMs: period,
      maxDebt: optional(amount),
    });
    const counter = { amount, windowMs: period };
    const sliding = fc.record({
      algorithm: fc.constant('SLIDING_WINDOW_COUNTER' as const),
      ...counter,
      strict: optional(fc.boolean()),
    });
    const window = fc.record({
      algorithm: fc.constantFrom('FIXED_WINDOW' as const, 'SLIDING_WINDOW_LOG' as const),
      ...counter,
      countDenied: optional(fc.boolean()),
    });
    const slots = fc.record({
      algorithm: fc.constant('CONCURRENCY' as const),
      capacity: amount,
      leaseMs: period,
      maxWaitMs: optional(mostly(fc.integer({ min: 1, max: 60_000 }), fc.constantFrom(0, 60_001))),
      maxQueue: optional(mostly(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(0, 10_001))),
    });
    const calendar = fc.record(
      {
        algorithm: fc.constant('CALENDAR_WINDOW' as const),
        amount: mostly(fc.constantFrom(1, 1000, 2 ** 40 - 1), fc.constantFrom(0, 2 ** 40)),
        every: fc.constantFrom('WEEK' as const, 'MONTH' as const, 'YEAR' as const),
        timeZone: mostly(fc.constantFrom('UTC', 'Australia/Lord_Howe'), fc.constantFrom('Mars', '')),
        anchorDay: mostly(fc.integer({ min: 1, max: 7 }), fc.constantFrom(0, 32)),
        anchorTime: mostly(fc.constantFrom('00:00', '23:59'), fc.constantFrom('24:00', '1')),
        anchor: fc.constantFrom('CALENDAR' as const, 'SUBJECT' as const),
        hardCap: fc.constantFrom(2 ** 40 - 1, 1000),
        carryOver: fc.record({ percent: fc.constantFrom(1, 100), max: fc.constantFrom(1, 2 ** 31) }),
      },
      { requiredKeys: ['algorithm', 'amount', 'every'] },
    );
    const text = mostly(
      fc.oneof(fc.string({ minLength: 1, maxLength: 5 }), fc.constantFrom('{,}', '"\\', 'é😀', 'null')),
      fc.constantFrom('', 'a\0', '\ud800'),
    );
    const address = mostly(
      fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.1/8', '::/0', '::ffff:1.2.3.4/96')),
      fc.oneof(fc.ipV4Extended(), fc.constantFrom('::1%eth0', '1.2.3.4/33', '1', '::1/129', '010.0.0.1', '1.2.3.4/08')),
    );
    const rule = fc
      .record({
        name: mostly(fc.string({ minLength: 1, maxLength: 10 }), fc.constantFrom('tier:x', 'ä', 'a'.repeat(101))),
        description: optional(text),
        field: mostly(
          fc.constantFrom('*', '*.*', 'Query.*', '*.id', 'Query.a', `Query.${'a'.repeat(250)}`),
          fc.constantFrom('Query', '.a', 'a-b.c', `Query.${'a'.repeat(251)}`),
        ),
        fields: fc.constantFrom(undefined, undefined, ['Query.b', 'Query.a'], ['*'], ['*.id', 'Query.*'], []),
        rolloutPercent: mostly(
          fc.double({ min: 0, max: 100, noNaN: true }).map((percent) => percent + 0),
          fc.constantFrom(-1, 100.1, Number.NaN),
        ),
        priority: mostly(fc.constantFrom(0, 1_000_000), fc.constantFrom(-1, 1.5)),
        match: fc.record({
          tiers: optional(fc.constantFrom(['free'], ['pro', 'free'], [])),
          operationTypes: optional(fc.uniqueArray(fc.constantFrom('QUERY' as const, 'MUTATION' as const))),
          operationNames: optional(fc.array(text, { maxLength: 2 })),
          clients: optional(fc.array(text, { maxLength: 2 })),
          addresses: optional(fc.array(address, { maxLength: 2 })),
          callers: optional(fc.constantFrom('ANONYMOUS' as const, 'IDENTIFIED' as const)),
          agents: fc.constantFrom(undefined, true as const),
          credentials: optional(fc.uniqueArray(fc.constantFrom('KEY' as const, 'TOKEN' as const, 'NONE' as const))),
          users: optional(fc.array(text, { minLength: 1, maxLength: 2 })),
          tenants: optional(fc.array(text, { minLength: 1, maxLength: 2 })),
          keys: optional(fc.array(text, { minLength: 1, maxLength: 2 })),
        }),
        scope: fc.constantFrom('GLOBAL' as const, 'TENANT' as const, 'USER' as const),
        limits: fc.array(fc.oneof(bucket, sliding, window, slots, calendar), { minLength: 1, maxLength: 2 }),
      })
      .map(({ field, fields, ...one }) => ({ ...one, ...(fields ? { fields } : { field }) }));
    const limiter = createLimiter();
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(rule, async (input) => {
        const parsed = ruleInput.safeParse(input);
        await db.query('update rules set retired_at = now()');
        const outcome = await store.createRule(input as RuleCreate, ADMIN);
        expect(outcome.ok).toBe(parsed.success);
        if (!parsed.success || !outcome.ok) return;
        accepted++;
        expect(outcome.value).toMatchObject(toRuleAttributes(parsed.data));
        const limits = outcome.value.limits.map(({ key: _key, ...limit }, index) => ({
          ...limit,
          id: `${index}`,
          scope: 'USER' as const,
          cost: 1,
        }));
        expect(await limiter.peek({ subject: { user: 'u' }, limits })).toHaveLength(limits.length);
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(30);
    await limiter.close();
  });
});
