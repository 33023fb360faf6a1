import { createHash } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import {
  AdminTokenCreateDocument,
  AdminTokenRevokeDocument,
  ApiKeyCreateDocument,
  ApiKeyRevokeDocument,
  ApiKeyRotateDocument,
  AssignTierDocument,
  ChangesDocument,
  type ChargePreviewInput,
  DisableSubjectDocument,
  ExplainDocument,
  FindNodeDocument,
  HealthDocument,
  HealthInFullDocument,
  PolicySyncDocument,
  type PolicySyncInput,
  PreviewDocument,
  RuleCreateDocument,
  type RuleCreateInput,
  RuleRestoreDocument,
  RuleRetireDocument,
  RuleSetModeDocument,
  RulesWithHistoryDocument,
  type RulesWithHistoryQuery,
  RuleTimesDocument,
  RuleUpdateDocument,
  SetBillingAnchorDocument,
  SetOverrideDocument,
  SubjectsInDepthDocument,
} from '../generated/graphql.js';
import { migrateAfresh, openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { type AdminWorld, ANN, createAdminWorld } from './admin-world.js';

const MINUTE_MS = 60_000;
const SEARCH: RuleCreateInput = {
  name: 'search',
  scope: 'USER',
  field: 'Query.search',
  measure: 'CALLS',
  limits: [{ slidingWindowCounter: { amount: 20, windowMs: MINUTE_MS } }],
};
const QUERY = '{ search(text: "a", first: 5) { __typename } countries(first: 20) { name } }';

describe('rules, callers and keys over the admin API', () => {
  let opened: TestDatabase;
  let db: Db;
  let world: AdminWorld;
  let run: AdminWorld['run'];
  beforeAll(async () => {
    opened = await openServerDatabase();
    db = opened.db;
  });
  afterAll(() => opened.dispose());
  beforeEach(async () => {
    await migrateAfresh(db);
    world = await createAdminWorld(db);
    run = world.run;
    const bucket = { capacity: 100, refillAmount: 1, refillPeriodMs: MINUTE_MS };
    await world.store.ensureTiers(
      [
        { name: 'free', isDefault: true, ...bucket },
        { name: 'pro', ...bucket, capacity: 1000, maxCostPerOperation: 50 },
      ],
      ANN,
    );
    await world.enforce();
  });

  const createRule = async (input: Partial<RuleCreateInput> = {}) => {
    const { data } = await run(RuleCreateDocument, { input: { ...SEARCH, ...input } });
    const { rule, userErrors } = data!.ruleCreate!;
    expect(userErrors).toEqual([]);
    return rule!;
  };

  describe('rules over the admin API', () => {
    it('a rule is created with defaults, edited with an expected version, switched, retired and restored', async () => {
      const rule = await createRule({ description: null, match: { tiers: ['free'], clients: null } });
      expect(rule).toMatchObject({ mode: 'ENFORCE', priority: 100, version: 1, action: { type: 'REJECT' } });
      const { id } = rule;
      const edit = { id, priority: 5, expectedVersion: 1, comment: 'ticket 7' };
      expect(await run(RuleUpdateDocument, { input: edit })).toMatchObject({
        data: {
          ruleUpdate: { rule: { priority: 5, version: 2 }, differences: [{ path: 'priority' }], userErrors: [] },
        },
      });
      expect(await run(RuleUpdateDocument, { input: { ...edit, priority: 6 } })).toMatchObject({
        data: { ruleUpdate: { rule: { priority: 5, version: 2 }, userErrors: [{ code: 'STALE_VERSION' }] } },
      });
      expect(await run(RuleSetModeDocument, { input: { id, mode: 'OFF' } })).toMatchObject({
        data: { ruleSetMode: { rule: { mode: 'OFF' } } },
      });
      expect(await run(RuleRetireDocument, { input: { id } })).toMatchObject({
        data: { ruleRetire: { rule: { retiredAt: expect.any(String), version: 4 } } },
      });
      expect(await run(RuleRestoreDocument, { input: { id, toVersion: 1 } })).toMatchObject({
        data: { ruleRestore: { rule: { retiredAt: null, priority: 100, mode: 'ENFORCE', version: 5 } } },
      });
      const { data } = await run(RulesWithHistoryDocument, {});
      expect(data!.rules.edges[0]!.node.history).toMatchObject({
        nodes: [{ action: 'RESTORE', actor: 'ann' }, { action: 'RETIRE' }],
        pageInfo: { hasNextPage: true },
      });
    });

    it('a dry run warns that an edit starts another counter, and writes nothing', async () => {
      const { id } = await createRule();
      const limits = [{ fixedWindow: { amount: 20, windowMs: MINUTE_MS } }];
      const { data } = await run(RuleUpdateDocument, { input: { id, limits, dryRun: true } });
      expect(data!.ruleUpdate).toMatchObject({
        rule: { version: 2, limits: [{ __typename: 'FixedWindowLimit', amount: 20 }] },
        differences: [{ path: 'limits[0].algorithm', before: 'SLIDING_WINDOW_COUNTER', after: 'FIXED_WINDOW' }],
        warnings: [expect.stringContaining('limits[0] continues with another counter')],
      });
      expect(await world.store.listRules()).toMatchObject([{ version: 1 }]);
    });

    it('a rule for some callers and several fields is stored, found by its conditions, and changed', async () => {
      const match = { callers: 'IDENTIFIED', credentials: ['KEY'], users: ['ann', 'test-*'], agents: true } as const;
      const { field: _field, ...rest } = SEARCH;
      const input = { ...rest, match, fields: ['Query.search', 'Query.countries'] } as unknown as RuleCreateInput;
      const { data } = await run(RuleCreateDocument, { input });
      expect(data!.ruleCreate!.userErrors).toEqual([]);
      const { id } = data!.ruleCreate!.rule!;
      await createRule({ name: 'other' });
      const find = async (filter: object) => {
        const found = await run(RulesWithHistoryDocument, { filter });
        return found.data!.rules.edges.map(({ node }) => node);
      };
      const [rule] = await find({ user: 'test-7' });
      expect(rule).toMatchObject({
        name: 'search',
        field: 'Query.countries, Query.search',
        fields: ['Query.countries', 'Query.search'],
        match: { ...match, tenants: null, keys: null },
      });
      const namesFor = async (filter: object) => (await find(filter)).map(({ name }) => name);
      expect(await namesFor({ user: 'bob' })).toEqual([]);
      expect(await namesFor({ tenant: 'acme' })).toEqual([]);
      expect(await namesFor({ callers: 'IDENTIFIED', agents: true })).toEqual(['search']);
      expect(await namesFor({ agents: false })).toEqual(['other']);
      expect(await namesFor({ field: 'Query.search' })).toEqual(['search', 'other']);
      expect(await namesFor({ field: 'Query.countries' })).toEqual(['search']);
      const change = await run(RuleUpdateDocument, { input: { id, field: 'Query.search', match: { users: ['bob'] } } });
      expect(change.data!.ruleUpdate).toMatchObject({
        userErrors: [],
        warnings: [expect.stringContaining('limits[0] continues with the counter that the rule "other" uses')],
      });
      const [changed] = await find({ user: 'bob' });
      expect(changed).toMatchObject({
        fields: ['Query.search'],
        match: { users: ['bob'], callers: null, agents: null },
      });
      expect(changed?.history?.nodes?.[0]?.differences?.map(({ path }) => path)).toEqual(
        expect.arrayContaining(['match.users', 'match.callers', 'match.agents', 'fields', 'field']),
      );
    });

    it('each mistake in the conditions on callers and in the fields is reported with its path', async () => {
      const input = {
        ...SEARCH,
        fields: ['Query'],
        match: { users: [], tenants: [''], keys: ['a', 'a'], credentials: [], agents: false },
      };
      const { data, errors } = await run(RuleCreateDocument, { input });
      expect(errors).toBeUndefined();
      expect(data!.ruleCreate!.userErrors.map(({ field }) => field.join('.')).toSorted()).toEqual([
        'fields.0',
        'match.agents',
        'match.credentials',
        'match.keys',
        'match.tenants.0',
        'match.users',
      ]);
    });

    it('each mistake in a rule is reported with its path, also inside limits', async () => {
      const input = {
        ...SEARCH,
        match: { addresses: ['10.0.0.0/33'] },
        limits: [{ tokenBucket: { capacity: 0, refillAmount: -1, refillPeriodMs: 0 } }],
      };
      const { data, errors } = await run(RuleCreateDocument, { input });
      expect(errors).toBeUndefined();
      expect(data!.ruleCreate!.userErrors.map(({ field }) => field.join('.'))).toEqual([
        'match.addresses.0',
        'limits.0.tokenBucket.capacity',
        'limits.0.tokenBucket.refillAmount',
        'limits.0.tokenBucket.refillPeriodMs',
      ]);
    });

    it('pages of rules use cursors that stay valid while rules are added and retired', async () => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      const ids: string[] = [];
      for (const name of names) ids.push((await createRule({ name })).id);
      const seen: string[] = [];
      let after: string | null = null;
      for (let more = true; more; ) {
        const { data }: ExecutionResult<RulesWithHistoryQuery> = await run(RulesWithHistoryDocument, {
          first: 2,
          after,
        });
        seen.push(...data!.rules.edges.map(({ node }) => node.name));
        more = data!.rules.pageInfo.hasNextPage;
        after = data!.rules.pageInfo.endCursor ?? null;
        if (seen.length === 2) await run(RuleRetireDocument, { input: { id: ids[1]! } });
      }
      expect(seen).toEqual(names);
      const found = await run(RulesWithHistoryDocument, { filter: { nameContains: 'C', mode: 'ENFORCE' } });
      expect(found.data!.rules.edges.map(({ node }) => node.name)).toEqual(['c']);
      for (const wrong of [{ first: 0 }, { first: 101 }, { after: 'x' }]) {
        const { errors } = await run(RulesWithHistoryDocument, wrong);
        expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } }]);
      }
    });
  });

  it('a deep query issues as many statements for a hundred objects as for one', async () => {
    const count = async (ask: () => Promise<{ errors?: unknown }>) => {
      world.statements.length = 0;
      expect((await ask()).errors).toBeUndefined();
      return world.statements.length;
    };
    const fill = async (from: number, to: number) => {
      for (let index = from; index < to; index++) {
        const user = `user${index}`;
        await createRule({ name: `rule${index}` });
        await world.store.upsertSubject({ user, tier: index % 2 ? 'pro' : 'free' }, ANN);
        await world.store.createApiKey({ user }, ANN);
      }
    };
    await fill(0, 1);
    const rulesOfOne = await count(() => run(RulesWithHistoryDocument, { first: 100 }));
    const subjectsOfOne = await count(() => run(SubjectsInDepthDocument, { first: 100 }));
    await fill(1, 100);
    expect(await count(() => run(RulesWithHistoryDocument, { first: 100 }))).toBe(rulesOfOne);
    expect(await count(() => run(SubjectsInDepthDocument, { first: 100 }))).toBe(subjectsOfOne);
    // There is one statement each for the rules and their histories. For subjects, there is one
    // each for the subjects, their tiers, resolved callers, tiers in use, keys, histories, and the
    // nested objects.
    expect(rulesOfOne).toBe(2);
    expect(subjectsOfOne).toBeLessThanOrEqual(9);
    const { data } = await run(SubjectsInDepthDocument, { first: 100 });
    expect(data!.subjects.nodes).toHaveLength(100);
    expect(data!.subjects.nodes[7]).toMatchObject({
      caller: { user: 'user7' },
      tier: { name: 'pro' },
      quotaNow: { tier: { name: 'pro' } },
      apiKeys: { nodes: [{ holder: { caller: { user: 'user7' } }, history: { nodes: [{ action: 'CREATE' }] } }] },
    });
  });

  it('`node` finds every object by its id, and nothing by an id that was never issued', async () => {
    const rule = await createRule();
    await run(AssignTierDocument, { input: { user: '42', tier: 'pro' } });
    const key = await run(ApiKeyCreateDocument, { input: { user: '42' } });
    const changes = await run(ChangesDocument, { first: 1 });
    const subject = await run(SetOverrideDocument, { input: { user: '42', bucket: null } });
    const nodes: [string, object][] = [
      [rule.id, { __typename: 'Rule', name: 'search' }],
      [subject.data!.subjectSetOverride!.subject!.id, { __typename: 'Subject', caller: { user: '42' } }],
      [key.data!.apiKeyCreate!.apiKey!.id, { __typename: 'ApiKey', prefix: key.data!.apiKeyCreate!.apiKey!.prefix }],
      [changes.data!.changes.nodes[0]!.id, { __typename: 'Change', action: 'CREATE' }],
      [Buffer.from('Tier:pro').toString('base64url'), { __typename: 'Tier', displayName: 'pro' }],
    ];
    for (const [id, expected] of nodes) {
      expect(await run(FindNodeDocument, { id })).toEqual({ data: { node: { id, ...expected } } });
    }
    const wrong = ['', 'x', '1', 'Rule:99', 'Rule:x', 'Rule:1; drop table rules', 'Tier:\0', 'Nothing:1', 'Subject:0'];
    for (const text of wrong.flatMap((one) => [one, Buffer.from(one).toString('base64url')])) {
      expect(await run(FindNodeDocument, { id: text })).toEqual({ data: { node: null } });
      expect(await run(RuleRetireDocument, { input: { id: text } })).toMatchObject({
        data: { ruleRetire: { userErrors: [{ code: 'NOT_FOUND' }] } },
      });
    }
  });

  it('the admin API sets and removes the billing anchor of a tenant', async () => {
    const set = (input: object) => run(SetBillingAnchorDocument, { input: { tenant: 'acme', ...input } });
    expect(await set({ billingAnchor: '2026-01-31' })).toMatchObject({
      data: { subjectSetBillingAnchor: { subject: { billingAnchor: '2026-01-31', version: 1 }, userErrors: [] } },
    });
    expect(await set({ billingAnchor: '2026-02-31' })).toMatchObject({
      data: {
        subjectSetBillingAnchor: {
          userErrors: [{ field: ['billingAnchor'], message: expect.stringContaining('got "2026-02-31"') }],
        },
      },
    });
    expect(await set({ billingAnchor: null, expectedVersion: 1 })).toMatchObject({
      data: { subjectSetBillingAnchor: { subject: { billingAnchor: null, version: 2 } } },
    });
    expect(await set({})).toMatchObject({ errors: [{ message: expect.stringContaining('billingAnchor') }] });
  });

  it('the admin API assigns tiers, sets buckets and disables callers', async () => {
    expect(await run(AssignTierDocument, { input: { user: '42', tenant: 'acme', tier: 'pro' } })).toMatchObject({
      data: {
        subjectAssignTier: { subject: { caller: { kind: 'USER', user: '42' }, tier: { name: 'pro' }, version: 1 } },
      },
    });
    const bucket = { capacity: 7, refillAmount: 1, refillPeriodMs: 1000 };
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    expect(
      await run(SetOverrideDocument, { input: { user: '42', tenant: 'acme', bucket, expiresAt, expectedVersion: 1 } }),
    ).toMatchObject({
      data: { subjectSetOverride: { subject: { override: { capacity: 7, expiresAt }, version: 2 }, userErrors: [] } },
    });
    expect(await run(DisableSubjectDocument, { input: { tenant: 'acme' } })).toMatchObject({
      data: { subjectDisable: { subject: { caller: { kind: 'TENANT', user: null }, disabledAt: expect.any(String) } } },
    });
    expect(await world.store.resolveSubject({ user: '42', tenant: 'acme' })).toMatchObject({
      subject: { tier: 'pro' },
      disabled: true,
      override: bucket,
    });
    expect(await run(AssignTierDocument, { input: { user: '42', tenant: 'acme', tier: null } })).toMatchObject({
      data: { subjectAssignTier: { subject: { tier: null } } },
    });
  });

  it('the admin API shows a key once, replaces it with or without an overlap, and revokes it', async () => {
    await run(AssignTierDocument, { input: { user: '42', tier: 'pro' } });
    const input = { user: '42', name: 'ci', idempotencyKey: 'once' };
    const made = (await run(ApiKeyCreateDocument, { input })).data!.apiKeyCreate!;
    const again = (await run(ApiKeyCreateDocument, { input })).data!.apiKeyCreate!;
    expect(again).toMatchObject({ apiKey: { id: made.apiKey!.id }, secret: null, userErrors: [] });
    const holderOf = (secret: string | null | undefined) =>
      world.store.findSubjectByApiKeyHash(createHash('sha256').update(secret!).digest('hex'));
    const second = (await run(ApiKeyRotateDocument, { input: { id: made.apiKey!.id, overlapMs: 60_000 } })).data!
      .apiKeyRotate!;
    expect(await holderOf(made.secret)).toMatchObject({ subject: { user: '42' }, expiresAt: expect.any(Date) });
    const third = (await run(ApiKeyRotateDocument, { input: { id: second.apiKey!.id } })).data!.apiKeyRotate!;
    expect(await holderOf(second.secret)).toBeNull();
    expect(await holderOf(third.secret)).toMatchObject({ subject: { user: '42' }, expiresAt: null });
    const dry = await run(ApiKeyRevokeDocument, { input: { id: third.apiKey!.id, dryRun: true } });
    expect(dry.data!.apiKeyRevoke!.apiKey!.revokedAt).not.toBeNull();
    expect(await holderOf(third.secret)).not.toBeNull();
    await run(ApiKeyRevokeDocument, { input: { id: third.apiKey!.id, comment: 'leaked' } });
    expect(await holderOf(third.secret)).toBeNull();
    expect(await run(ApiKeyRotateDocument, { input: { id: third.apiKey!.id } })).toMatchObject({
      data: { apiKeyRotate: { secret: null, userErrors: [{ code: 'INVALID', field: ['id'] }] } },
    });
  });

  describe('the query chargePreview', () => {
    const preview = async (as: object = { user: '42' }) =>
      (await run(PreviewDocument, { input: { query: QUERY, as } })).data!.chargePreview.preview!;

    it('`chargePreview` shows which limits decide and what each would be charged, and charges nothing', async () => {
      await createRule();
      await createRule({
        name: 'seen',
        mode: 'SHADOW',
        priority: 1,
        limits: [{ fixedWindow: { amount: 1, windowMs: 1 } }],
      });
      await world.enforce();
      const first = await preview();
      expect(first).toMatchObject({ verdict: 'ADMITTED', tier: 'free', deniedBy: null, disabled: false });
      expect(first.limits).toMatchObject([
        { rule: 'search', cost: 1, limit: 20, remaining: 20, mode: 'ENFORCE', wouldDeny: false },
        { rule: 'tier:free', cost: first.requestedCost, limit: 100, remaining: 100 },
        { rule: 'seen', mode: 'SHADOW', cost: 1 },
      ]);
      expect(await preview()).toEqual(first);
    });

    it('`chargePreview` at a time shows the rules of that time, with the counters of the present', async () => {
      const activeFrom = new Date(Date.now() + 86_400_000).toISOString();
      await createRule({ activeFrom });
      await world.enforce();
      const rulesAt = async (at?: string) => {
        const { data } = await run(PreviewDocument, { input: { query: QUERY, as: { user: '42' }, ...(at && { at }) } });
        return data!.chargePreview.preview!.limits.map(({ rule }) => rule);
      };
      expect(await rulesAt()).toEqual(['tier:free']);
      expect(await rulesAt(activeFrom)).toEqual(['search', 'tier:free']);
      expect(await rulesAt(new Date(Date.parse(activeFrom) - 1).toISOString())).toEqual(['tier:free']);
    });

    it('`chargePreview` shows which limit would deny, for how long, and which operations can never pass', async () => {
      const { requestedCost } = await preview();
      const { id } = await createRule({
        limits: [{ fixedWindow: { amount: 1, windowMs: 366 * 24 * 60 * MINUTE_MS } }],
      });
      const ruleset = await world.enforce();
      const [limit] = ruleset.bindAll(ruleset.tier('free')).select({ subject: { user: '42' }, root: '42' });
      const { key: _key, ...parameters } = limit!.parameters;
      await world.limiter.charge({
        subject: { user: '42' },
        limits: [{ ...parameters, id: limit!.id, scope: 'USER', cost: 1 }],
      });
      expect(await preview()).toMatchObject({
        verdict: 'THROTTLED',
        deniedBy: 'search',
        retryAfterMs: expect.any(Number),
      });
      expect(await preview({ user: '43' })).toMatchObject({ verdict: 'ADMITTED' });
      await run(RuleRetireDocument, { input: { id } });
      await world.store.updateTier({ name: 'free', capacity: requestedCost - 1 }, ANN);
      await world.store.updateTier({ name: 'pro', maxCostPerOperation: requestedCost - 1 }, ANN);
      await run(AssignTierDocument, { input: { user: 'rich', tier: 'pro' } });
      await world.enforce();
      expect(await preview()).toMatchObject({
        verdict: 'MAX_COST_EXCEEDED',
        deniedBy: 'tier:free',
        retryAfterMs: null,
      });
      expect(await preview({ user: 'rich' })).toMatchObject({
        verdict: 'MAX_COST_EXCEEDED',
        deniedBy: 'tier:pro',
        maxCostPerOperation: requestedCost - 1,
      });
    });

    it('`chargePreview` rejects what the protected API would reject, and impossible callers', async () => {
      const as = { user: '42' };
      const two = 'query A { countries { name } } query B { countries { name } }';
      const wrong: [string, ChargePreviewInput][] = [
        ['query', { query: '{ nothing }', as }],
        ['query', { query: '{', as }],
        ['query', { query: `{ ${'a '.repeat(20_000)} }`, as }],
        ['operationName', { query: two, as }],
        ['as', { query: QUERY, as: {} }],
        ['as', { query: QUERY, as: { apiKey: 'tg_unknown' } }],
        ['variables', { query: 'query ($n: Int!) { countries(first: $n) { name } }', variables: { n: 'x' }, as }],
      ];
      for (const [field, input] of wrong) {
        const { data, errors } = await run(PreviewDocument, { input });
        expect(errors).toBeUndefined();
        expect(data!.chargePreview).toMatchObject({ preview: null, userErrors: [{ code: 'INVALID', field: [field] }] });
        if (field === 'as') continue;
        const { as: _as, ...operation } = input;
        const explained = (await run(ExplainDocument, { input: operation })).data!.costExplain;
        expect(explained).toMatchObject({ explanation: null, userErrors: [{ code: 'INVALID', field: [field] }] });
      }
    });
  });

  it('a rule returns its times and whether it applies now, and null removes its times', async () => {
    const schedule = { timeZone: 'Asia/Tokyo', days: ['SAT' as const], from: '22:00', to: '06:00' };
    const activeFrom = '2999-01-01T00:00:00.000Z';
    const { id } = await createRule({ schedule, activeFrom });
    const never = { appliesNow: false, nextChangeAt: '2999-01-05T13:00:00.000Z' };
    const timesOf = async () => (await run(RuleTimesDocument, { id })).data!.rule;
    expect(await timesOf()).toEqual({ schedule, activeFrom, activeUntil: null, ...never });
    const activeUntil = new Date(Date.now() + 3_600_000).toISOString();
    await run(RuleUpdateDocument, { input: { id, schedule: null, activeFrom: null, activeUntil } });
    const now = { schedule: null, activeFrom: null, activeUntil, appliesNow: true, nextChangeAt: activeUntil };
    expect(await timesOf()).toEqual(now);
    const wrong = { id, schedule: { timeZone: 'Mars/Base', from: '8' } };
    const { data } = await run(RuleUpdateDocument, { input: wrong });
    expect(data!.ruleUpdate!.userErrors.map(({ field }) => field.join('.'))).toEqual([
      'schedule.timeZone',
      'schedule.from',
    ]);
  });

  it('`costExplain` explains what an operation costs', async () => {
    const query = 'query ($n: Int) { countries(first: $n) { name } }';
    const { data } = await run(ExplainDocument, { input: { query, variables: { n: 7 } } });
    expect(data!.costExplain.userErrors).toEqual([]);
    expect(data!.costExplain.explanation).toMatchObject({
      cost: expect.any(Number),
      tree: { formula: expect.stringContaining('$n') },
    });
    expect(data!.costExplain.explanation!.fields).toContainEqual(
      expect.objectContaining({ coordinate: 'Query.countries', calls: 1 }),
    );
  });

  it('`health` reports the latest change, the version of the ruleset and the problems of the process', async () => {
    const { data } = await run(HealthDocument, {});
    expect(data!.health).toEqual({ ok: true, latestChange: 2, rulesetVersion: 1, problems: [] });
    world.problems.push('rule "search" is not valid');
    expect((await run(HealthDocument, {})).data!.health).toMatchObject({ ok: false, problems: world.problems });
  });

  it('`health` reports the state of each Redis and of PostgreSQL, and the versions that run', async () => {
    const sinceMs = Date.parse('2026-03-01T12:00:00Z');
    world.engines.push({ pool: 'default', state: 'OPEN', sinceMs, reason: 'connection', instances: 3, divisor: 3 });
    const { data, errors } = await run(HealthInFullDocument, {}, 'VIEWER');
    expect(errors).toBeUndefined();
    expect(data!.health).toMatchObject({
      rulesetSource: 'postgres',
      engines: [
        { pool: 'default', state: 'OPEN', since: '2026-03-01T12:00:00.000Z', reason: 'connection', instances: 3 },
      ],
      database: {
        answeredAfterMs: expect.any(Number),
        awaySince: null,
        reason: null,
        version: expect.stringMatching(/^\d+/),
      },
      process: { version: expect.stringMatching(/^\d+\.\d+\.\d+/), nodeVersion: process.version },
    });
    expect(Date.parse(data!.health.process.startedAt)).toBeLessThan(Date.now());
  });

  it('`policySync` plans and applies a policy', async () => {
    const document =
      'rules: [{ name: r, scope: USER, field: "*", measure: REQUESTS, limits: [{ algorithm: FIXED_WINDOW, amount: 5, windowMs: 1000 }] }]';
    const sync = async (more: Partial<PolicySyncInput> = {}) =>
      (await run(PolicySyncDocument, { input: { document, ...more } })).data!.policySync!;
    const planned = await sync({ dryRun: true });
    expect(planned).toMatchObject({
      applied: false,
      plan: { steps: [{ action: 'CREATE', kind: 'RULE', name: 'r' }] },
    });
    // The value is JSON, not a string that contains JSON.
    expect(planned.plan!.steps[0]!.differences).toContainEqual({ path: 'name', before: null, after: 'r' });
    expect(await world.store.listRules()).toEqual([]);
    const once = { expectedVersion: planned.version!, idempotencyKey: 'release 7' };
    const applied = await sync(once);
    expect(applied).toMatchObject({ applied: true, userErrors: [] });
    expect(applied.version).toBeGreaterThan(planned.version!);
    // A client that has lost the response repeats the request. The request succeeds without a
    // second execution, although the version has changed since the plan.
    expect(await sync(once)).toMatchObject({ applied: true, version: applied.version, plan: { steps: [] } });
    expect((await sync({ ...once, prune: true })).userErrors).toMatchObject([{ code: 'KEY_REUSED' }]);
    expect(await sync({ expectedVersion: planned.version!, dryRun: true })).toMatchObject({
      plan: null,
      version: applied.version,
      userErrors: [{ code: 'STALE_VERSION', field: ['expectedVersion'] }],
    });
    expect(await sync()).toMatchObject({ applied: true, plan: { steps: [], unchanged: 1 }, version: applied.version });
    expect(await sync({ document: 'rules: 5', comment: 'x'.repeat(1001) })).toMatchObject({
      applied: false,
      plan: null,
      userErrors: [{ field: ['document'] }, { field: ['comment'] }],
    });
  });

  it('an administrator’s token cannot have a reserved name or one that is taken, in any spelling', async () => {
    const codesOf = async (name: string) => {
      const { data } = await run(AdminTokenCreateDocument, { input: { name, role: 'VIEWER' } });
      return data!.adminTokenCreate!.userErrors.map(({ code }) => code);
    };
    for (const name of ['admin', 'Admin', ' ADMIN ', 'ａｄｍｉｎ', 'tollgate'])
      expect(await codesOf(name)).toEqual(['INVALID']);
    for (const name of [' bob', 'bob ', 'ｂｏｂ', 'bo\u200bb', 'bob\nADMIN', 'bo\u202eb', ' ', 'bob\u00a0'])
      expect(await codesOf(name), JSON.stringify(name)).toEqual(['INVALID']);
    expect(await codesOf('Zoë van Dam')).toEqual([]);
    expect(await codesOf('Ann')).toEqual([]);
    // Cyrillic A, Greek N, and differences that are easy to overlook.
    for (const name of ['Ann', 'ann', 'ANN', '\u0410nn', 'A\u039dN', 'Z\u043e\u00eb  van Dam'])
      expect(await codesOf(name), name).toEqual(['ALREADY_EXISTS']);
    expect(await codesOf('\u0430dmin')).toEqual(['INVALID']);
    expect(await codesOf('\u0410\u043d\u043d\u0430')).toEqual([]);
  });

  it('no secret appears in responses, errors, changes or a dump of the database', async () => {
    const answers: unknown[] = [];
    const keep = <T>(answer: T): T => {
      answers.push(answer);
      return answer;
    };
    await run(AssignTierDocument, { input: { user: '42', tier: 'pro' } });
    const key = (await run(ApiKeyCreateDocument, { input: { user: '42', idempotencyKey: 'k' } })).data!.apiKeyCreate!;
    const rotated = (await run(ApiKeyRotateDocument, { input: { id: key.apiKey!.id } })).data!.apiKeyRotate!;
    const token = (await run(AdminTokenCreateDocument, { input: { name: 'bob', role: 'VIEWER' } })).data!
      .adminTokenCreate!;
    const canaries = [key.secret!, rotated.secret!, token.secret!].map((secret) => secret.slice(-24));
    expect(await world.store.findAdminToken(token.secret!)).toMatchObject({ name: 'bob', role: 'VIEWER' });
    keep(await run(ApiKeyCreateDocument, { input: { user: '42', idempotencyKey: 'k' } }));
    keep(await run(AdminTokenRevokeDocument, { input: { id: token.adminToken!.id } }));
    keep(await run(ChangesDocument, { first: 100 }));
    keep(await run(SubjectsInDepthDocument, { first: 100 }));
    keep(await run(FindNodeDocument, { id: key.secret! }).then(({ errors }) => errors));
    expect(await world.store.findAdminToken(token.secret!)).toBeNull();
    const tables = await db.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const dump = await Promise.all(tables.map(({ name }) => db.query(`select t::text as row from ${name} t`)));
    const everything = JSON.stringify([answers, dump]);
    expect(everything).toContain(key.apiKey!.prefix);
    for (const canary of canaries) expect(everything).not.toContain(canary);
    // Hashes are only for look-ups, and are not readable through the API.
    const hashes = await db.query<{ hash: string }>(
      'select secret_hash as hash from api_keys union select token_hash from admin_tokens',
    );
    expect(hashes).toHaveLength(3);
    for (const { hash } of hashes) expect(JSON.stringify(answers)).not.toContain(hash);
  });

  it('the text of a database failure goes to the log and not to the client', async () => {
    await db.query(`create function canary() returns trigger language plpgsql as
      $$ begin raise exception 'canary-7f3a'; end $$`);
    await db.query('create trigger canary before insert on rules execute function canary()');
    onTestFinished(async () => void (await db.query('drop function canary cascade')));
    const { data, errors } = await run(RuleCreateDocument, { input: SEARCH });
    expect(data).toEqual({ ruleCreate: null });
    expect(errors).toMatchObject([{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
    expect(JSON.stringify(errors)).not.toContain('canary-7f3a');
    expect(String(world.failures[0])).toContain('canary-7f3a');
  });
});

describe('the admin API without its database', () => {
  it('queries and mutations fail with 503 without a database, and `health` reports it', async () => {
    const opened = await openServerDatabase();
    await migrate(opened.db);
    const { run } = await createAdminWorld(opened.db);
    await opened.dispose();
    const answers = [await run(RulesWithHistoryDocument, {}), await run(RuleCreateDocument, { input: SEARCH })];
    for (const { errors } of answers) {
      expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', http: { status: 503 } } }]);
    }
    expect((await run(HealthDocument, {})).data!.health).toMatchObject({ ok: false, latestChange: null });
    const { data } = await run(HealthInFullDocument, {});
    expect(data!.health.database).toMatchObject({ answeredAfterMs: null, version: null });
  });
});
