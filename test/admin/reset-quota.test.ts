import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Subject } from '../../src/model/subject.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { idleCharge } from '../../src/protection/charge-binder.js';
import type { RuleCreate } from '../../src/rules/store/create-rule-store.js';
import { QuotaOfDocument, ResetQuotaDocument, type SubjectResetQuotaInput } from '../generated/graphql.js';
import { PATIENT } from '../helpers/patient.js';
import { uniqueName } from '../helpers/servers.js';
import { migrateAfresh, openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { type AdminWorld, ANN, createAdminWorld } from './admin-world.js';

const perHour = (amount: number) => [{ algorithm: 'SLIDING_WINDOW_COUNTER' as const, amount, windowMs: 3_600_000 }];
const RULES: RuleCreate[] = [
  { name: 'calls', scope: 'USER', field: 'Query.search', measure: 'CALLS', limits: perHour(20) },
  // This rule applies to one client only. The query `quota` does not show such rules.
  { name: 'client', scope: 'USER', field: '*', measure: 'CALLS', match: { clients: ['app'] }, limits: perHour(20) },
  { name: 'shadow', scope: 'USER', field: 'Query.search', measure: 'CALLS', mode: 'SHADOW', limits: perHour(20) },
  { name: 'key', scope: 'API_KEY', field: '*', measure: 'REQUESTS', limits: perHour(20) },
  { name: 'address', scope: 'IP', field: '*', measure: 'REQUESTS', limits: perHour(20) },
  { name: 'tenant', scope: 'TENANT', field: '*', measure: 'REQUESTS', limits: perHour(20) },
  { name: 'all', scope: 'GLOBAL', field: '*', measure: 'REQUESTS', limits: perHour(20) },
];

describe.each(['memory', 'redis'] as const)('subjectResetQuota with counters in %s', (engine) => {
  let opened: TestDatabase;
  let db: Db;
  let world: AdminWorld;
  let user: string;
  let tenant: string;
  let ip: string;
  let apiKey: string;
  beforeAll(async () => {
    opened = await openServerDatabase();
    db = opened.db;
  });
  afterAll(() => opened.dispose());
  beforeEach(async () => {
    await migrateAfresh(db);
    world = await createAdminWorld(
      db,
      createLimiter(engine === 'redis' ? { ...PATIENT, redis: inject('redisUrl') } : {}),
    );
    const bucket = { capacity: 100, refillAmount: 1, refillPeriodMs: 3_600_000 };
    await world.store.ensureTiers([{ name: 'free', isDefault: true, ...bucket }], ANN);
    // All tests share the global counters, so each test creates limits with new keys.
    for (const rule of RULES) {
      const limits = rule.limits!.map((limit) => ({ ...limit, key: uniqueName('k') }));
      await world.store.createRule({ ...rule, limits }, ANN);
    }
    await world.enforce();
    [user, tenant, ip] = [uniqueName('user'), uniqueName('tenant'), uniqueName('ip')];
    await world.store.upsertSubject({ user, tenant }, ANN);
    const created = await world.store.createApiKey({ user, tenant }, ANN);
    if (!created.ok) throw new Error('no key');
    apiKey = created.value.apiKey.prefix;
    return () => world.limiter.close();
  });

  /** Returns every counter, with the name of its rule. */
  async function limits() {
    const ruleset = await world.enforce();
    return ruleset.limitsOf(ruleset.tier('free')).map((limit) => ({ rule: limit.ruleName, ...idleCharge(limit) }));
  }

  async function spend(subject: Subject): Promise<void> {
    const decision = await world.limiter.charge({
      subject,
      limits: (await limits()).map(({ rule: _rule, ...limit }) => ({ ...limit, cost: 20 })),
    });
    expect(decision.admitted).toBe(true);
  }

  /** Returns the rules whose counters of this subject are empty, for all its scopes. */
  async function empty(subject: Subject): Promise<string[]> {
    const all = await limits();
    const states = await world.limiter.peek({ subject, limits: all.map(({ rule: _rule, ...limit }) => limit) });
    return states.filter(({ used }) => used === 0).map(({ id }) => all.find((limit) => limit.id === id)!.rule);
  }

  async function reset(input: SubjectResetQuotaInput) {
    const { data, errors } = await world.run(ResetQuotaDocument, { input }, 'OPERATOR');
    expect(errors).toBeUndefined();
    return data!.subjectResetQuota!;
  }

  const lastChange = async () => (await world.store.pageChanges({}, { before: Number.MAX_SAFE_INTEGER, limit: 1 }))[0]!;

  it('`subjectResetQuota` restores all quotas of a user, including shadow rules, and of no other caller', async () => {
    const subject = { user, tenant, apiKey, ip };
    await spend(subject);
    const { quota, differences, warnings, userErrors } = await reset({ user, tenant, comment: 'ticket 7' });
    expect(userErrors).toEqual([]);
    expect(quota!.limits).toContainEqual({ rule: 'calls', scope: 'USER', limit: 20, used: 0, remaining: 20 });
    expect(quota!.limits).toContainEqual({ rule: 'all', scope: 'GLOBAL', limit: 20, used: 20, remaining: 0 });
    expect(differences).toContainEqual({
      path: expect.stringMatching(/^limits\[\d\]\.used$/),
      before: 20,
      after: 0,
    });
    expect(warnings).toEqual(
      expect.arrayContaining([
        'tenant stays used up, because other callers share its counter (TENANT)',
        'all stays used up, because other callers share its counter (GLOBAL)',
      ]),
    );
    expect(await empty(subject)).toEqual(['tier:free', 'calls', 'client', 'shadow']);

    const stored = await world.store.getSubject({ user, tenant });
    const change = await lastChange();
    expect(change).toMatchObject({
      entity: 'SUBJECT',
      key: String(stored!.id),
      action: 'RESET_QUOTA',
      actor: 'ann',
      comment: 'ticket 7',
      // Other instances find the counters by these names.
      after: { user, tenant, counted: { user, tenant, tier: 'free' } },
    });
    const [before, after] = [change.before, change.after].map((one) => one!['limits'] as { rule: string }[]);
    expect(before).toContainEqual({ rule: 'calls', scope: 'USER', field: 'Query.search', limit: 20, used: 20 });
    expect(after).toContainEqual({ rule: 'calls', scope: 'USER', field: 'Query.search', limit: 20, used: 0 });
  });

  it('`subjectResetQuota` resets the counters of the named key, address or tenant', async () => {
    const subject = { user, tenant, apiKey, ip };
    await spend(subject);
    expect((await reset({ tenant })).userErrors).toEqual([]);
    expect(await empty(subject)).toEqual(['tenant']);
    await reset({ apiKey });
    expect(await empty(subject)).toEqual(['tier:free', 'calls', 'client', 'shadow', 'key', 'tenant']);
    expect(await lastChange()).toMatchObject({
      entity: 'API_KEY',
      key: apiKey,
      action: 'RESET_QUOTA',
      after: { counted: { user, tenant, apiKey } },
    });
    await world.store.retireRule({ id: (await world.store.getRuleByName('all'))!.id }, ANN);
    const stranger = { ip: uniqueName('ip') };
    await spend(stranger);
    await reset(stranger);
    expect(await empty(stranger)).toEqual(['tier:free', 'calls', 'client', 'shadow', 'address']);
    expect(await lastChange()).toMatchObject({ entity: 'SUBJECT', key: JSON.stringify(stranger) });
  });

  it('`subjectResetQuota` in a dry run returns the result and changes nothing', async () => {
    const subject = { user, tenant, apiKey, ip };
    await spend(subject);
    const before = await world.store.latestChange();
    const planned = await reset({ user, tenant, dryRun: true });
    expect(planned.quota!.limits).toContainEqual({ rule: 'calls', scope: 'USER', limit: 20, used: 0, remaining: 20 });
    expect(planned.differences.length).toBeGreaterThan(0);
    expect(await empty(subject)).toEqual([]);
    expect(await world.store.latestChange()).toBe(before);
    const { data } = await world.run(QuotaOfDocument, { subject: { user, tenant } });
    expect(data!.quota!.limits.find(({ rule }) => rule === 'calls')).toMatchObject({ used: 20 });
  });

  it('`subjectResetQuota` reports mistakes as user errors and records nothing', async () => {
    const before = await world.store.latestChange();
    const wrong: [SubjectResetQuotaInput, { code: string; field: string[] }][] = [
      [{}, { code: 'INVALID', field: [] }],
      [{ user: null }, { code: 'INVALID', field: [] }],
      [{ user: '' }, { code: 'INVALID', field: ['user'] }],
      [
        { user, comment: 'x'.repeat(1001) },
        { code: 'INVALID', field: ['comment'] },
      ],
      [
        { user, apiKey },
        { code: 'INVALID', field: ['apiKey'] },
      ],
      [{ apiKey: 'tg_nobody' }, { code: 'NOT_FOUND', field: ['apiKey'] }],
    ];
    for (const [input, error] of wrong) {
      expect(await reset(input)).toMatchObject({ quota: null, differences: [], userErrors: [error] });
    }
    expect(await world.store.latestChange()).toBe(before);
  });
});

it('a reset that Redis does not confirm is reported as unavailable and is not recorded', async () => {
  const opened = await openServerDatabase();
  await migrate(opened.db);
  const url = new URL(inject('redisUrl'));
  url.port = '1';
  const world = await createAdminWorld(opened.db, createLimiter({ redis: url.href }));
  await world.store.ensureTiers(
    [{ name: 'free', isDefault: true, capacity: 100, refillAmount: 1, refillPeriodMs: 1000 }],
    ANN,
  );
  await world.enforce();
  const before = await world.store.latestChange();
  const { data, errors } = await world.run(ResetQuotaDocument, { input: { user: '42' } });
  expect(data).toEqual({ subjectResetQuota: null });
  expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', http: { status: 503 } } }]);
  expect(await world.store.latestChange()).toBe(before);
  await world.limiter.close();
  await opened.dispose();
});
