import { buildSchema } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../src/postgres/db.js';
import { createKnownFields } from '../../../src/rules/matching/known-fields.js';
import type { Actor } from '../../../src/rules/store/create-change-log.js';
import { hashSecret } from '../../../src/rules/store/hash-secret.js';
import { createRulesStore, type RulesStore } from '../../../src/rules/store/rules-store.js';
import { DATABASES, migrateAfresh, type TestDatabase } from '../../postgres/databases.js';

const ADMIN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };

describe.each(DATABASES)('stored subjects and API keys on $database', ({ openDatabase }) => {
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
    const bucket = { capacity: 100, refillAmount: 1, refillPeriodMs: 1000 };
    await store.ensureTiers(
      [
        { name: 'free', isDefault: true, ...bucket },
        { name: 'pro', ...bucket },
        { name: 'house', ...bucket },
      ],
      ADMIN,
    );
  });

  describe('upsertSubject', () => {
    it('upsertSubject stores a user and assigns another tier as the next version, and each change is recorded', async () => {
      const created = await store.upsertSubject({ user: '42', tenant: 'acme' }, ADMIN);
      expect(created).toMatchObject({
        ok: true,
        value: { user: '42', tenant: 'acme', tier: null, upgradedAt: null, disabledAt: null, version: 1 },
      });
      const number = await store.latestChange();
      const upgraded = await store.upsertSubject(
        { user: '42', tenant: 'acme', tier: 'pro', expectedVersion: 1, comment: 'paid' },
        ADMIN,
      );
      expect(upgraded).toMatchObject({ ok: true, value: { tier: 'pro', upgradedAt: expect.any(Date), version: 2 } });
      expect(await store.getSubject({ user: '42', tenant: 'acme' })).toMatchObject({ tier: 'pro', version: 2 });
      const changes = await db.query(
        `select entity, action, actor, comment, before ->> 'tier' as before, after ->> 'tier' as after
         from changes where number > $1`,
        [number],
      );
      expect(changes).toEqual([
        { entity: 'SUBJECT', action: 'UPDATE', actor: 'ann', comment: 'paid', before: null, after: 'pro' },
      ]);
    });

    it('upsertSubject rejects an unknown tier, a stale version and an empty subject', async () => {
      await store.upsertSubject({ user: '42' }, ADMIN);
      expect(await store.upsertSubject({ user: '42', tier: 'none' }, ADMIN)).toMatchObject({
        ok: false,
        userErrors: [{ code: 'INVALID', field: ['tier'], message: 'there is no tier named none' }],
      });
      expect(await store.upsertSubject({ user: '42', tier: 'pro', expectedVersion: 7 }, ADMIN)).toMatchObject({
        current: { version: 1 },
        userErrors: [{ code: 'STALE_VERSION' }],
      });
      expect(await store.upsertSubject({ tier: 'pro' }, ADMIN)).toMatchObject({
        userErrors: [{ code: 'INVALID', message: 'expected a user, a tenant, or both' }],
      });
      expect(await store.getSubject({ user: '42' })).toMatchObject({ tier: null, version: 1 });
    });

    it('upsertSubject stores nothing in a dry run, and nothing if the tier stays the same', async () => {
      const number = await store.latestChange();
      const dry = await store.upsertSubject({ user: '42', tier: 'pro', dryRun: true }, ADMIN);
      expect(dry).toMatchObject({ ok: true, value: { user: '42', tier: 'pro', version: 1 } });
      expect(await store.getSubject({ user: '42' })).toBeNull();
      expect(await store.latestChange()).toBe(number);

      await store.upsertSubject({ user: '42', tier: 'pro' }, ADMIN);
      const again = await store.upsertSubject({ user: '42', tier: 'pro' }, ADMIN);
      expect(again).toMatchObject({ ok: true, value: { version: 1 } });
      expect(await store.latestChange()).toBe(number + 1);
    });

    it('upsertSubject distinguishes ids of any form and rejects ids that the database cannot store', async () => {
      const ids = ['a:b', '{42}', '*', "'; drop table subjects; --", '__proto__', 'null', ' 42', '42 ', 'é', 'e\u0301'];
      for (const user of ids) {
        expect(await store.upsertSubject({ user, tenant: user }, ADMIN)).toMatchObject({ ok: true });
      }
      const found = await Promise.all(ids.map((user) => store.getSubject({ user, tenant: user })));
      expect(found.map((subject) => subject?.user)).toEqual(ids);
      expect(new Set(found.map((subject) => subject?.id)).size).toBe(ids.length);

      await store.upsertSubject({ user: '\ufffd' }, ADMIN);
      for (const user of ['', 'a\0b', '\ud800', 'x'.repeat(1_000_000), '😀'.repeat(129)]) {
        expect(await store.upsertSubject({ user }, ADMIN)).toMatchObject({ userErrors: [{ field: ['user'] }] });
        expect(await store.getSubject({ user })).toBeNull();
        expect(await store.resolveSubject({ user })).toEqual({ subject: { user }, disabled: false, override: null });
      }
    });
  });

  describe('resolveSubject', () => {
    it('resolveSubject returns the tier of the user, otherwise the tier of the tenant, otherwise none', async () => {
      await store.upsertSubject({ tenant: 'acme', tier: 'house' }, ADMIN);
      await store.upsertSubject({ tenant: 'acme', user: 'boss', tier: 'pro' }, ADMIN);
      await store.upsertSubject({ tenant: 'acme', user: 'clerk' }, ADMIN);
      const tierOf = async (subject: object) => (await store.resolveSubject(subject)).subject.tier;
      expect(await tierOf({ tenant: 'acme', user: 'boss' })).toBe('pro');
      expect(await tierOf({ tenant: 'acme', user: 'clerk' })).toBe('house');
      expect(await tierOf({ tenant: 'acme', user: 'unknown' })).toBe('house');
      expect(await tierOf({ tenant: 'acme' })).toBe('house');
      expect(await tierOf({ tenant: 'globex', user: 'boss' })).toBeUndefined();
      expect(await tierOf({ user: 'boss' })).toBeUndefined();
      expect(await tierOf({ ip: '192.0.2.1' })).toBeUndefined();
    });

    it('resolveSubject returns a user as disabled if the tenant is disabled', async () => {
      await store.upsertSubject({ tenant: 'acme', tier: 'house' }, ADMIN);
      await db.query(`update subjects set disabled_at = now() where tenant_id = 'acme'`);
      expect(await store.resolveSubject({ tenant: 'acme', user: 'clerk' })).toMatchObject({ disabled: true });
      expect(await store.resolveSubject({ user: 'clerk' })).toMatchObject({ disabled: false });
    });
  });

  describe('setSubjectOverride', () => {
    const bucket = { capacity: 7, refillAmount: 1, refillPeriodMs: 1000 };

    it('setSubjectOverride gives a user their own bucket until it expires', async () => {
      const expiresAt = new Date(Date.now() + 3_600_000);
      await store.upsertSubject({ user: '42', tier: 'pro' }, ADMIN);
      const set = await store.setSubjectOverride({ user: '42', bucket, expiresAt, expectedVersion: 1 }, ADMIN);
      expect(set).toMatchObject({ ok: true, value: { override: { ...bucket, expiresAt }, tier: 'pro', version: 2 } });
      expect(await store.resolveSubject({ user: '42' })).toMatchObject({ override: { ...bucket, expiresAt } });
      await db.query(`update subjects set override_expires_at = now() - interval '1 second'`);
      expect(await store.resolveSubject({ user: '42' })).toMatchObject({ override: null });
      await store.setSubjectOverride({ user: '42', bucket: null }, ADMIN);
      expect(await store.getSubject({ user: '42' })).toMatchObject({ override: null, version: 3 });
    });

    it('the override of a tenant applies to users without their own bucket and tier', async () => {
      await store.setSubjectOverride({ tenant: 'acme', bucket }, ADMIN);
      await store.upsertSubject({ tenant: 'acme', user: 'boss', tier: 'pro' }, ADMIN);
      await store.setSubjectOverride({ tenant: 'acme', user: 'clerk', bucket: { ...bucket, capacity: 9 } }, ADMIN);
      const capacityOf = async (user: string) =>
        (await store.resolveSubject({ tenant: 'acme', user })).override?.capacity;
      expect(await capacityOf('anybody')).toBe(7);
      expect(await capacityOf('clerk')).toBe(9);
      expect(await capacityOf('boss')).toBeUndefined();
      const key = await store.createApiKey({ tenant: 'acme', user: 'clerk' }, ADMIN);
      const secret = (key.ok && key.value.secret) || '';
      expect(await store.findSubjectByApiKeyHash(hashSecret(secret))).toMatchObject({ override: { capacity: 9 } });
    });

    it('setSubjectOverride rejects a bucket that cannot be counted and an expiry in the past', async () => {
      const wrong = { user: '42', bucket: { ...bucket, capacity: 0 } };
      expect(await store.setSubjectOverride(wrong, ADMIN)).toMatchObject({
        userErrors: [{ field: ['bucket', 'capacity'], message: expect.stringContaining('got 0') }],
      });
      const over = { user: '42', bucket, expiresAt: new Date(0) };
      expect(await store.setSubjectOverride(over, ADMIN)).toMatchObject({ userErrors: [{ field: ['expiresAt'] }] });
      expect(await store.getSubject({ user: '42' })).toBeNull();
    });
  });

  describe('setSubjectBillingAnchor', () => {
    const set = (input: { user?: string; tenant?: string; billingAnchor: string | null }) =>
      store.setSubjectBillingAnchor(input, ADMIN);

    it('the billing anchor of a tenant applies to all its users and keys, and the one of a user only to them', async () => {
      expect(await set({ tenant: 'acme', billingAnchor: '2026-01-31' })).toMatchObject({
        ok: true,
        value: { billingAnchor: '2026-01-31', version: 1 },
      });
      await set({ user: '42', billingAnchor: '2024-02-29' });
      const anchorOf = async (user?: string, tenant?: string) =>
        (await store.resolveSubject({ ...(user && { user }), ...(tenant && { tenant }) })).subject.billingAnchor;
      expect(await anchorOf('clerk', 'acme')).toBe('2026-01-31');
      expect(await anchorOf(undefined, 'acme')).toBe('2026-01-31');
      expect(await anchorOf('42')).toBe('2024-02-29');
      expect(await anchorOf('42', 'acme')).toBe('2026-01-31');
      expect(await anchorOf('43')).toBeUndefined();
      await store.upsertSubject({ tenant: 'acme', user: 'clerk' }, ADMIN);
      const key = await store.createApiKey({ tenant: 'acme', user: 'clerk' }, ADMIN);
      const secret = (key.ok && key.value.secret) || '';
      expect(await store.findSubjectByApiKeyHash(hashSecret(secret))).toMatchObject({
        subject: { billingAnchor: '2026-01-31' },
      });
      await set({ tenant: 'acme', billingAnchor: null });
      expect(await anchorOf('clerk', 'acme')).toBeUndefined();
      const kept = await store.upsertSubject({ user: '42', tier: 'pro' }, ADMIN);
      expect(kept).toMatchObject({ value: { billingAnchor: '2024-02-29', tier: 'pro' } });
    });

    it('setSubjectBillingAnchor rejects what is not a date, and an anchor of a user of a tenant', async () => {
      for (const billingAnchor of ['2026-02-30', '31.01.2026', '2026-1-31', '', 'yesterday']) {
        expect(await set({ user: '42', billingAnchor })).toMatchObject({
          userErrors: [{ field: ['billingAnchor'], message: expect.stringContaining('YYYY-MM-DD') }],
        });
      }
      expect(await set({ user: '42', tenant: 'acme', billingAnchor: '2026-01-31' })).toMatchObject({
        userErrors: [{ field: ['billingAnchor'], message: expect.stringContaining('set it for the tenant') }],
      });
      const created = { user: '42', tenant: 'acme', billingAnchor: '2026-01-31' };
      expect(await store.createSubject(created, ADMIN)).toMatchObject({ userErrors: [{ field: ['billingAnchor'] }] });
      expect(await store.createSubject({ tenant: 'acme', billingAnchor: '2026-01-31' }, ADMIN)).toMatchObject({
        value: { billingAnchor: '2026-01-31' },
      });
    });
  });

  it('disableSubject disables a user, or a tenant with all of its users, and can enable them again', async () => {
    await store.disableSubject({ tenant: 'acme' }, ADMIN);
    expect(await store.resolveSubject({ tenant: 'acme', user: 'clerk' })).toMatchObject({ disabled: true });
    await store.disableSubject({ tenant: 'acme', disabled: false }, ADMIN);
    expect(await store.resolveSubject({ tenant: 'acme', user: 'clerk' })).toMatchObject({ disabled: false });
    const actions = await db.query(`select action from changes where entity = 'SUBJECT' order by number`);
    expect(actions).toEqual([{ action: 'CREATE' }, { action: 'ENABLE' }]);
  });

  describe('API keys', () => {
    const created = async (input: Parameters<RulesStore['createApiKey']>[0]) => {
      const outcome = await store.createApiKey(input, ADMIN);
      if (!outcome.ok || outcome.value.secret === null) throw new Error(JSON.stringify(outcome));
      return { ...outcome.value, secret: outcome.value.secret };
    };

    it('findSubjectByApiKeyHash finds the subject of a key only by the hash of the whole key', async () => {
      await store.upsertSubject({ tenant: 'acme', tier: 'house' }, ADMIN);
      await store.upsertSubject({ tenant: 'acme', user: 'clerk' }, ADMIN);
      const expiresAt = new Date(Date.now() + 3_600_000);
      const { secret, apiKey } = await created({ tenant: 'acme', user: 'clerk', scopes: ['read'], expiresAt });
      expect(secret).toMatch(/^tg_[0-9a-f]{12}_[A-Za-z0-9_-]{32}$/);
      expect(secret.startsWith(`${apiKey.prefix}_`)).toBe(true);
      expect(await store.findSubjectByApiKeyHash(hashSecret(secret))).toEqual({
        subject: { apiKey: apiKey.prefix, keyKind: 'SERVICE', tenant: 'acme', user: 'clerk', tier: 'house' },
        disabled: false,
        override: null,
        scopes: ['read'],
        expiresAt,
      });
      expect(await store.findSubjectByApiKeyPrefix(apiKey.prefix)).toMatchObject({ subject: { user: 'clerk' } });
      expect(await store.findSubjectByApiKeyPrefix(`${apiKey.prefix}\0`)).toBeNull();
      for (const wrong of [apiKey.prefix, `${secret}x`, secret.slice(0, -1), secret.toUpperCase(), '']) {
        expect(await store.findSubjectByApiKeyHash(hashSecret(wrong))).toBeNull();
      }
    });

    it('findSubjectByApiKeyHash finds the key of a tenant, and returns whether the tenant is disabled', async () => {
      await store.upsertSubject({ tenant: 'acme', tier: 'house' }, ADMIN);
      const { secret, apiKey } = await created({ tenant: 'acme' });
      const find = () => store.findSubjectByApiKeyHash(hashSecret(secret));
      const subject = { apiKey: apiKey.prefix, tenant: 'acme', tier: 'house' };
      expect(await find()).toMatchObject({ subject, disabled: false });
      await db.query('update subjects set disabled_at = now()');
      expect(await find()).toMatchObject({ subject, disabled: true });
    });

    it('findSubjectByApiKeyHash does not find an expired or revoked key', async () => {
      await store.upsertSubject({ user: '42' }, ADMIN);
      const expired = await created({ user: '42', expiresAt: new Date(Date.now() - 1000) });
      const revoked = await created({ user: '42' });
      await db.query('update api_keys set revoked_at = now() where prefix = $1', [revoked.apiKey.prefix]);
      for (const { secret } of [expired, revoked]) {
        expect(await store.findSubjectByApiKeyHash(hashSecret(secret))).toBeNull();
      }
    });

    it('the kind of a key is part of the subject, and a rotation keeps it', async () => {
      await store.upsertSubject({ user: '42' }, ADMIN);
      const { apiKey, secret } = await created({ user: '42', kind: 'AGENT' });
      expect(apiKey.kind).toBe('AGENT');
      const rotated = await store.rotateApiKey({ id: apiKey.id, overlapMs: 60_000 }, ADMIN);
      if (!rotated.ok) throw new Error(JSON.stringify(rotated));
      for (const each of [secret, rotated.value.secret ?? '']) {
        expect(await store.findSubjectByApiKeyHash(hashSecret(each))).toMatchObject({ subject: { keyKind: 'AGENT' } });
      }
    });

    it('a key with a field that no schema has is rejected, and a stored field that a new schema lacks gets a warning', async () => {
      await store.upsertSubject({ user: '42' }, ADMIN);
      const known = createKnownFields([buildSchema('type Query { search: Int, stock: Int }')]);
      const misspelt = [
        { field: ['fields', '1'], message: expect.stringMatching(/Query\.serch; did you mean Query\.search\?/) },
      ];
      const fields = ['Query.stock', 'Query.serch'];
      expect(await store.createApiKey({ user: '42', fields }, ADMIN, known)).toMatchObject({
        ok: false,
        userErrors: misspelt,
      });

      const valid = await store.createApiKey({ user: '42', fields: ['Query.stock'] }, ADMIN, known);
      if (!valid.ok) throw new Error(JSON.stringify(valid));
      expect(valid.warnings).toEqual([]);
      const { id } = valid.value.apiKey;
      expect(await store.updateApiKey({ id, fields }, ADMIN, known)).toMatchObject({ ok: false, userErrors: misspelt });

      const later = createKnownFields([buildSchema('type Query { search: Int }')]);
      const both = { id, fields: ['Query.stock', 'Query.search'] };
      expect(await store.updateApiKey(both, ADMIN, later)).toMatchObject({
        ok: true,
        warnings: [expect.stringMatching(/no schema has the field Query\.stock/)],
      });
      expect(await store.updateApiKey({ id, fields: ['Query.serch'] }, ADMIN)).toMatchObject({
        ok: true,
        warnings: [expect.stringMatching(/no schema is known here/)],
      });
    });

    it('createApiKey accepts the same given key only once', async () => {
      await store.upsertSubject({ user: 'demo' }, ADMIN);
      const known = { prefix: 'demo-free', secret: 'demo-free' };
      await created({ user: 'demo', known });
      expect(await store.findSubjectByApiKeyHash(hashSecret('demo-free'))).toMatchObject({
        subject: { user: 'demo', apiKey: 'demo-free' },
      });
      expect(await store.createApiKey({ user: 'demo', known }, ADMIN)).toMatchObject({
        ok: false,
        userErrors: [{ code: 'ALREADY_EXISTS' }],
      });
    });

    it('createApiKey rejects a subject that is not stored, and invalid input', async () => {
      expect(await store.createApiKey({ user: 'nobody' }, ADMIN)).toMatchObject({
        userErrors: [
          {
            code: 'NOT_FOUND',
            field: ['user'],
            message:
              'this user is not stored, or it has a tenant: set its tenant too, or store it with subjectCreate first',
          },
        ],
      });
      expect(await store.createApiKey({ tenant: 'none' }, ADMIN)).toMatchObject({
        userErrors: [{ field: ['tenant'], message: 'this tenant is not stored: store it with subjectCreate first' }],
      });
      const wrong = { name: 'x'.repeat(101), kind: 'AGEND' as never, known: { prefix: 'a b', secret: 7 as never } };
      const outcome = await store.createApiKey(wrong, ADMIN);
      expect(outcome.ok ? [] : outcome.userErrors.map(({ field }) => field.join('.'))).toEqual([
        'name',
        'kind',
        'known.prefix',
        'known.secret',
        '',
      ]);
    });

    it('the database stores no API key, and the changes contain no hash of one', async () => {
      await store.upsertSubject({ user: '42' }, ADMIN);
      const { secret } = await created({ user: '42', name: 'canary' });
      const dump = async (tables: string[]) =>
        JSON.stringify(await Promise.all(tables.map((table) => db.query(`select t::text as row from ${table} t`))));
      const everything = await dump(['tiers', 'subjects', 'api_keys', 'changes', 'idempotency_keys']);
      expect(everything).toContain('canary');
      expect(everything).not.toContain(secret.slice(-32));
      expect(await dump(['changes'])).not.toContain(hashSecret(secret));
    });
  });
});
