import { type ExecutionResult, type GraphQLSchema, graphql } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdminContext } from '../../src/admin/context/admin-context.js';
import type { QuotaOf } from '../../src/admin/context/to-quota.js';
import { createAdminSchema } from '../../src/admin/create-admin-schema.js';
import type { Subject } from '../../src/model/subject.js';
import type { Db } from '../../src/postgres/db.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import {
  FewestLeftDocument,
  QuotaOfDocument,
  TierByNameDocument,
  TierCreateDocument,
  TiersDocument,
  TierUpdateDocument,
  type TypedDocumentString,
} from '../generated/graphql.js';
import { DATABASES, migrateAfresh, type TestDatabase } from '../postgres/databases.js';
import { UNUSED_SOURCES } from './unused-sources.js';

const DAY_MS = 86_400_000;

describe.each(DATABASES)('the admin API on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  let store: RulesStore;
  let schema: GraphQLSchema;
  let asked: Subject[];
  beforeAll(async () => {
    opened = await openDatabase();
    db = opened.db;
    store = createRulesStore(db);
    schema = createAdminSchema({ ...UNUSED_SOURCES, store, quotaOf });
  });
  afterAll(() => opened.dispose());
  beforeEach(async () => {
    await migrateAfresh(db);
    asked = [];
    await store.ensureTiers(
      [
        { name: 'free', capacity: 1000, refillAmount: 50, refillPeriodMs: 1000, isDefault: true },
        { name: 'pro', capacity: 5000, refillAmount: 250, refillPeriodMs: 1000 },
      ],
      { name: 'test', authMethod: 'SYSTEM' },
    );
  });

  const quotaOf: QuotaOf = async (subject) => {
    asked.push(subject);
    const many = {
      pool: 'default',
      scope: 'USER',
      field: '*',
      resetAtMs: Date.UTC(2026, 0, 31, 12),
      retryAfterMs: 0,
    } as const;
    // The remaining amount of every third limit is 90 lower.
    const left = (n: number) => (n % 3 === 0 ? 10 + n : 100 + n);
    if (subject.user === 'many')
      return Array.from({ length: 150 }, (_, n) => ({
        ...many,
        rule: `rule ${n}`,
        limit: 1000,
        used: 1000 - left(n),
        remaining: left(n),
      }));
    return [
      {
        rule: `tier ${subject.tier}`,
        pool: 'default',
        scope: 'USER',
        field: '*',
        limit: 1000,
        used: 2 ** 32,
        remaining: 0,
        resetAtMs: Date.UTC(2026, 0, 31, 12),
        retryAfterMs: 30 * DAY_MS,
      },
    ];
  };

  async function run<Result, Variables extends Record<string, unknown>>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<ExecutionResult<Result>> {
    const result = await graphql({
      schema,
      source: document.toString(),
      variableValues: variables,
      contextValue: createAdminContext(
        { actor: { name: 'ann', authMethod: 'ADMIN_TOKEN' }, role: 'ADMIN' },
        { store, usage: UNUSED_SOURCES.usage },
      ),
    });
    return JSON.parse(JSON.stringify(result)) as ExecutionResult<Result>;
  }

  describe('the queries of tiers', () => {
    it('`tiers` lists all tiers by name, with every attribute', async () => {
      await store.updateTier(
        { name: 'pro', monthlyPrice: { amountMinor: 4900, currency: 'USD' }, refillPeriodMs: 30 * DAY_MS, capacity: 9 },
        { name: 'ann', authMethod: 'ADMIN_TOKEN' },
      );
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(await run(TiersDocument, {})).toEqual({
        data: {
          tiers: {
            nodes: [
              {
                name: 'free',
                displayName: 'free',
                monthlyPrice: null,
                capacity: 1000,
                refillAmount: 50,
                refillPeriodMs: 1000,
                budget: null,
                maxCostPerOperation: null,
                isDefault: true,
                version: 1,
                createdAt: time,
                updatedAt: time,
                retiredAt: null,
              },
              {
                name: 'pro',
                displayName: 'pro',
                monthlyPrice: { amountMinor: 4900, currency: 'USD' },
                capacity: 9,
                refillAmount: 250,
                refillPeriodMs: 30 * DAY_MS,
                budget: null,
                maxCostPerOperation: null,
                isDefault: false,
                version: 2,
                createdAt: time,
                updatedAt: time,
                retiredAt: null,
              },
            ],
          },
        },
      });
    });

    it('`tier` finds a tier by its name and returns null for an unknown name', async () => {
      expect(await run(TierByNameDocument, { name: 'pro' })).toMatchObject({ data: { tier: { name: 'pro' } } });
      expect(await run(TierByNameDocument, { name: 'none' })).toEqual({ data: { tier: null } });
    });
  });

  describe('the mutation tierUpdate', () => {
    it('`tierUpdate` changes the tier and records the administrator who sent the mutation', async () => {
      const input = { name: 'pro', capacity: 9, refillPeriodMs: 30 * DAY_MS, expectedVersion: 1, comment: 'ticket 7' };
      expect(await run(TierUpdateDocument, { input })).toMatchObject({
        data: { tierUpdate: { tier: { capacity: 9, refillPeriodMs: 30 * DAY_MS, version: 2 }, userErrors: [] } },
      });
      expect(await store.getTier('pro')).toMatchObject({ capacity: 9, displayName: 'pro', refillAmount: 250 });
      const changes = await db.query('select actor, auth_method, comment from changes order by number desc limit 1');
      expect(changes).toEqual([{ actor: 'ann', auth_method: 'ADMIN_TOKEN', comment: 'ticket 7' }]);
    });

    it('`tierUpdate` sets a price, moves the default to another tier and removes a ceiling', async () => {
      const price = { amountMinor: 4900, currency: 'USD' };
      const set = { name: 'pro', monthlyPrice: price, isDefault: true, maxCostPerOperation: 5 };
      expect(await run(TierUpdateDocument, { input: set })).toMatchObject({
        data: { tierUpdate: { tier: { monthlyPrice: price, isDefault: true, maxCostPerOperation: 5, version: 2 } } },
      });
      expect(await run(TierUpdateDocument, { input: set })).toMatchObject({
        data: { tierUpdate: { tier: { version: 2 } } },
      });
      const clear = { name: 'pro', monthlyPrice: null, maxCostPerOperation: null, comment: null };
      expect(await run(TierUpdateDocument, { input: clear })).toMatchObject({
        data: { tierUpdate: { tier: { monthlyPrice: null, maxCostPerOperation: null, version: 3 }, userErrors: [] } },
      });
    });

    it('`tierUpdate` reports all mistakes of the input together and changes nothing', async () => {
      const input = {
        name: 'pro',
        capacity: 0,
        refillAmount: null,
        refillPeriodMs: -5,
        displayName: '',
        monthlyPrice: { amountMinor: -1, currency: '$' },
      };
      const { data, errors } = await run(TierUpdateDocument, { input });
      expect(errors).toBeUndefined();
      expect(data?.tierUpdate?.userErrors).toEqual(
        expect.arrayContaining([
          {
            code: 'INVALID',
            field: ['capacity'],
            message: 'expected a whole number from 1 to 2147483647, or null, got 0',
          },
          {
            code: 'INVALID',
            field: ['refillAmount'],
            message: 'expected a whole number from 1 to 2147483647, because the tier has a capacity',
          },
          { code: 'INVALID', field: ['refillPeriodMs'], message: expect.stringContaining('got -5') },
          { code: 'INVALID', field: ['displayName'], message: expect.stringContaining('got ""') },
          { code: 'INVALID', field: ['monthlyPrice', 'amountMinor'], message: expect.stringContaining('got -1') },
          { code: 'INVALID', field: ['monthlyPrice', 'currency'], message: expect.stringContaining('got "$"') },
        ]),
      );
      expect(data?.tierUpdate?.userErrors).toHaveLength(6);
      expect(data?.tierUpdate?.tier).toMatchObject({ name: 'pro', capacity: 5000 });
      expect(await store.getTier('pro')).toMatchObject({ version: 1 });
    });

    it('`tierUpdate` with a stale version returns the current tier', async () => {
      await run(TierUpdateDocument, { input: { name: 'pro', capacity: 7 } });
      expect(await run(TierUpdateDocument, { input: { name: 'pro', capacity: 8, expectedVersion: 1 } })).toMatchObject({
        data: {
          tierUpdate: {
            tier: { capacity: 7, version: 2 },
            userErrors: [{ code: 'STALE_VERSION', field: ['expectedVersion'] }],
          },
        },
      });
    });

    it('`tierUpdate` in a dry run returns the tier with the change and writes nothing', async () => {
      expect(await run(TierUpdateDocument, { input: { name: 'pro', capacity: 7, dryRun: true } })).toMatchObject({
        data: { tierUpdate: { tier: { capacity: 7, version: 2 }, userErrors: [] } },
      });
      expect(await store.getTier('pro')).toMatchObject({ capacity: 5000, version: 1 });
    });

    it('`tierUpdate` rejects a value that is not a safe integer, before it runs', async () => {
      for (const refillPeriodMs of [2 ** 53, 1.5, '1000' as never]) {
        const { data, errors } = await run(TierUpdateDocument, { input: { name: 'pro', refillPeriodMs } });
        expect(data).toBeUndefined();
        expect(errors?.[0]?.message).toContain('SafeInt: expected a whole number');
      }
    });
  });

  it('`tierCreate` adds a tier, and returns the existing tier when the name is taken', async () => {
    const input = { name: 'team', capacity: 1, refillAmount: 1, refillPeriodMs: 1, maxCostPerOperation: 1 };
    expect(await run(TierCreateDocument, { input })).toMatchObject({
      data: { tierCreate: { tier: { ...input, isDefault: false, version: 1 }, userErrors: [] } },
    });
    expect(await run(TierCreateDocument, { input: { ...input, capacity: 2 } })).toMatchObject({
      data: { tierCreate: { tier: { capacity: 1 }, userErrors: [{ code: 'ALREADY_EXISTS', field: ['name'] }] } },
    });
  });

  describe('the query quota', () => {
    it('`quota` lists the limits of a subject on its tier', async () => {
      await store.upsertSubject(
        { user: '42', tenant: 'acme', tier: 'pro' },
        { name: 'ann', authMethod: 'ADMIN_TOKEN' },
      );
      expect(await run(QuotaOfDocument, { subject: { user: '42', tenant: 'acme', ip: null } })).toEqual({
        data: {
          quota: {
            disabled: false,
            tier: { name: 'pro', capacity: 5000 },
            limits: [
              {
                rule: 'tier pro',
                scope: 'USER',
                field: '*',
                limit: 1000,
                used: 2 ** 32,
                remaining: 0,
                resetAt: '2026-01-31T12:00:00.000Z',
                retryAfterMs: 30 * DAY_MS,
                period: null,
              },
            ],
          },
        },
      });
      expect(asked).toEqual([{ user: '42', tenant: 'acme', tier: 'pro' }]);
    });

    it('`quota` with `first` returns the limits with the smallest share left, in the order of the complete list', async () => {
      const subject = { user: 'many' };
      const { data } = await run(FewestLeftDocument, { subject, first: 3 });
      expect(data?.quota).toEqual({
        limitCount: 150,
        limits: [
          { rule: 'rule 0', remaining: 10 },
          { rule: 'rule 3', remaining: 13 },
          { rule: 'rule 6', remaining: 16 },
        ],
      });
      expect((await run(FewestLeftDocument, { subject })).data?.quota?.limits).toHaveLength(150);
      for (const first of [0, 101]) {
        const { errors } = await run(FewestLeftDocument, { subject, first });
        expect(errors?.[0]?.message).toMatch(/first: expected a whole number from 1 to 100/);
      }
    });

    it('`quota` uses the default tier for callers that are not stored', async () => {
      for (const subject of [{ user: 'stranger' }, { ip: '192.0.2.1' }]) {
        const { data } = await run(QuotaOfDocument, { subject });
        expect(data?.quota?.tier.name).toBe('free');
      }
      expect(asked).toEqual([
        { user: 'stranger', tier: 'free' },
        { ip: '192.0.2.1', tier: 'free' },
      ]);
    });

    it('`quota` of an API key is that of its holder, and null for an unknown key', async () => {
      const actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' } as const;
      await store.upsertSubject({ user: '42', tier: 'pro' }, actor);
      await store.createApiKey({ user: '42', known: { prefix: 'tg_1', secret: 'tg_1_secret' } }, actor);
      const { data } = await run(QuotaOfDocument, { subject: { apiKey: 'tg_1', ip: '192.0.2.1' } });
      expect(data?.quota?.tier.name).toBe('pro');
      expect(asked).toEqual([{ apiKey: 'tg_1', keyKind: 'SERVICE', user: '42', tier: 'pro', ip: '192.0.2.1' }]);
      expect(await run(QuotaOfDocument, { subject: { apiKey: 'tg_2' } })).toEqual({ data: { quota: null } });
    });

    it('`quota` rejects a subject that is empty or contradicts itself', async () => {
      for (const subject of [{}, { user: '' }, { apiKey: 'tg_1', user: '42' }]) {
        const { errors } = await run(QuotaOfDocument, { subject });
        expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', http: { status: 400 } });
      }
      expect(asked).toEqual([]);
    });

    it('`quota` reports a missing default tier as unavailable', async () => {
      await migrateAfresh(db);
      const { errors } = await run(QuotaOfDocument, { subject: { user: '42' } });
      expect(errors?.[0]).toMatchObject({
        message: 'There is no default tier: create one',
        extensions: { code: 'UNAVAILABLE', http: { status: 503 } },
      });
    });
  });
});
