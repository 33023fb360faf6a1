import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Db, SqlValue } from '../../src/postgres/db.js';
import { type FeedChange, readRecentChanges } from '../../src/rules/live/change-feed.js';
import { MAX_DISABLED_SUBJECTS, readDisabledSubjects } from '../../src/rules/live/create-disabled-subjects.js';
import { IdentityUnavailable } from '../../src/rules/live/identity-unavailable.js';
import { createSharedCache } from '../../src/rules/live/shared-cache.js';
import { createSubjectCache, type SubjectCacheOptions } from '../../src/rules/live/subject-cache.js';
import type { Actor } from '../../src/rules/store/create-change-log.js';
import { hashSecret } from '../../src/rules/store/hash-secret.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { uniqueName } from '../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { until } from '../helpers/until.js';
import { migrateAfresh, openServerDatabase } from '../postgres/databases.js';

const ADMIN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };
const BUCKET = { capacity: 100, refillAmount: 1, refillPeriodMs: 1000 };

let database: Awaited<ReturnType<typeof openServerDatabase>>;
let way: TcpProxy;
let redis: Redis;
let store: RulesStore;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await openServerDatabase();
  way = await startTcpProxy(database.url);
  redis = new Redis(inject('redisUrl'));
});
afterAll(async () => {
  await redis.quit();
  await way.close();
  await database.dispose();
});
beforeEach(async () => {
  await migrateAfresh(database.db);
  store = createRulesStore(database.db);
  const tiers = ['free', 'pro', 'house'].map((name) => ({ name, isDefault: name === 'free', ...BUCKET }));
  await store.ensureTiers(tiers, ADMIN);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await way.set({ kind: 'pass' });
});

type Setup = Partial<Omit<SubjectCacheOptions, 'db' | 'shared'>> & { scope?: string };

/**
 * Starts a cache as an instance uses it, and records its statements. The test passes changes to the
 * cache with `look`.
 */
async function start({ scope, ...options }: Setup = {}) {
  const db = await createPgDb({ url: way.url, maxConnections: 2, connectTimeoutMs: PATIENT_MS });
  closers.push(() => db.close());
  const statements: string[] = [];
  const reading = promiseWithResolve();
  let delivery = Promise.resolve();
  /** Delays the results of the statements of the cache until the returned function is called. */
  function hold(): () => void {
    const { promise, resolve } = promiseWithResolve();
    delivery = promise;
    return resolve;
  }
  const counted: Db = {
    ...db,
    async query<Row>(sql: string, params?: readonly SqlValue[]) {
      statements.push(sql);
      const rows = await db.query<Row>(sql, params);
      reading.resolve();
      await delivery;
      return rows;
    },
  };
  const levels: string[] = [];
  const copies = createSharedCache(redis, () => scope);
  const cache = createSubjectCache({
    db: counted,
    shared: scope === undefined ? undefined : { ...copies, get: (key) => copies.get(key, PATIENT_MS) },
    onLookup: (kind, level) => levels.push(`${kind} ${level}`),
    deadlineMs: PATIENT_MS,
    ...options,
  });
  let known = 0;
  /** Passes all changes since the previous call of `look` to the cache, as the change feed does. */
  async function look(): Promise<void> {
    const { changes, number } = await readRecentChanges(database.db);
    cache.forget(
      changes.filter((change) => change.number > known),
      { number },
    );
    known = number;
  }
  await look();
  return { cache, statements, levels, look, hold, hasRead: reading.promise };
}

function promiseWithResolve(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function addUser(user: string, tier?: string, tenant?: string) {
  const outcome = await store.upsertSubject({ user, ...(tier && { tier }), ...(tenant && { tenant }) }, ADMIN);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.userErrors));
}

async function addKey(user: string, expiresAt?: Date) {
  const outcome = await store.createApiKey({ user, ...(expiresAt && { expiresAt }) }, ADMIN);
  if (!outcome.ok || outcome.value.secret === null) throw new Error(JSON.stringify(outcome));
  return { hash: hashSecret(outcome.value.secret), prefix: outcome.value.apiKey.prefix };
}

async function revoke(prefix: string): Promise<void> {
  await database.db.tx(async (tx) => {
    await tx.query('select lock_changes()');
    await tx.query('update api_keys set revoked_at = now() where prefix = $1', [prefix]);
    await tx.query(
      `insert into changes (entity, entity_key, action, actor, auth_method) values ('API_KEY', $1, 'REVOKE', 'ann', 'ADMIN_TOKEN')`,
      [prefix],
    );
  });
}

describe('look-ups of subjects and API keys', () => {
  it('two hundred concurrent look-ups of subjects and keys need two statements, and repeated look-ups need none', async () => {
    const users = Array.from({ length: 100 }, (_, index) => `user-${index}`);
    const keys: string[] = [];
    for (const user of users) {
      await addUser(user, 'pro');
      keys.push((await addKey(user)).hash);
    }
    const { cache, statements, levels } = await start();
    const ask = () =>
      Promise.all([...users.map((user) => cache.resolve({ user })), ...keys.map((hash) => cache.holderOf(hash))]);
    const callers = await ask();
    expect(callers.every((caller) => caller?.subject.tier === 'pro')).toBe(true);
    expect(callers[142]?.subject).toMatchObject({ user: 'user-42', apiKey: expect.stringMatching(/^tg_/) });
    expect(statements).toHaveLength(2);
    expect(await ask()).toEqual(callers);
    expect(statements).toHaveLength(2);
    expect(levels.slice(200).every((level) => level.endsWith(' memory'))).toBe(true);
  });

  it('a user has their own tier, otherwise the tier of their tenant, otherwise the default tier', async () => {
    await store.upsertSubject({ tenant: 'acme', tier: 'house' }, ADMIN);
    await addUser('ada', 'pro', 'acme');
    const { cache } = await start();
    expect((await cache.resolve({ user: 'ada', tenant: 'acme' })).subject.tier).toBe('pro');
    expect((await cache.resolve({ user: 'bob', tenant: 'acme' })).subject.tier).toBe('house');
    expect((await cache.resolve({ user: 'ada' })).subject.tier).toBeUndefined();
    expect((await cache.resolve({ ip: '192.0.2.1' })).subject).toEqual({ ip: '192.0.2.1' });
  });

  it('the cache and the store agree on the tier, the bucket and the state of every subject', async () => {
    const bucket = { capacity: 7, refillAmount: 2, refillPeriodMs: 500 };
    await store.upsertSubject({ tenant: 'acme', tier: 'house' }, ADMIN);
    await store.setSubjectOverride({ tenant: 'acme', bucket }, ADMIN);
    await addUser('own', 'pro', 'acme');
    await addUser('none', undefined, 'acme');
    await addUser('bucket', undefined, 'acme');
    await store.setSubjectOverride({ user: 'bucket', tenant: 'acme', bucket: { ...bucket, capacity: 9 } }, ADMIN);
    await store.setSubjectBillingAnchor({ tenant: 'acme', billingAnchor: '2026-01-31' }, ADMIN);
    await addUser('out', undefined, 'acme');
    await store.disableSubject({ user: 'out', tenant: 'acme' }, ADMIN);
    const { cache } = await start();
    for (const user of ['own', 'none', 'bucket', 'out', 'unknown']) {
      const subject = { user, tenant: 'acme' };
      const stored = await store.resolveSubject(subject);
      const { capacity } = stored.override ?? {};
      const caller = await cache.resolve(subject);
      const { tier, bucket: own, billingAnchor } = caller.subject;
      expect([user, billingAnchor, tier, own?.capacity, caller.disabled]).toEqual([
        user,
        '2026-01-31',
        stored.subject.tier,
        capacity,
        stored.disabled,
      ]);
    }
  });

  it('a user id that cannot be stored is treated as an unknown user, without a statement', async () => {
    const { cache, statements } = await start();
    for (const user of ['a\u0000b', '\ud800', 'x'.repeat(10_000)]) {
      expect(await cache.resolve({ user })).toEqual({ subject: { user }, disabled: false });
    }
    expect(statements).toHaveLength(0);
  });

  it('the cache keeps fewer callers in memory if their ids are long', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(500, 'x'));
    for (const id of [...ids, 'ada', 'bob', 'eve']) await addUser(id);
    const { cache, statements } = await start({ maxSubjects: 40 });
    const asks = async (users: readonly string[]) => {
      const before = statements.length;
      for (const user of users) await cache.resolve({ user });
      return statements.length - before;
    };
    await asks(['ada', 'bob', 'eve']);
    expect(await asks(['ada', 'bob', 'eve'])).toBe(0);
    await asks(ids);
    // The cache is sized for entries of 600 bytes. If entries are four times as large, it still
    // keeps a quarter of the number.
    const forgotten = await asks([...ids].reverse());
    expect(forgotten).toBeGreaterThan(20);
    expect(forgotten).toBeLessThan(40);
  });

  it('a flood of unknown keys evicts no known key, and each unknown key is looked up once', async () => {
    await addUser('ada');
    const { hash } = await addKey('ada');
    const { cache, statements } = await start({ maxSubjects: 10 });
    await cache.holderOf(hash);
    const unknown = Array.from({ length: 1000 }, (_, index) =>
      createHash('sha256').update(String(index)).digest('hex'),
    );
    expect((await Promise.all(unknown.map((one) => cache.holderOf(one)))).filter(Boolean)).toEqual([]);
    const before = statements.length;
    expect(before).toBeLessThan(5);
    await Promise.all(unknown.map((one) => cache.holderOf(one)));
    expect(await cache.holderOf(hash)).toBeDefined();
    expect(statements).toHaveLength(before);
  });
});

describe('changes of subjects in the cache', () => {
  it('a change of a tier, a bucket or a state is in force once the cache is notified', async () => {
    await addUser('ada', 'pro', 'acme');
    const subject = { user: 'ada', tenant: 'acme' };
    const { cache, look } = await start();
    expect((await cache.resolve(subject)).subject.tier).toBe('pro');
    await store.upsertSubject({ ...subject, tier: 'house' }, ADMIN);
    await look();
    expect((await cache.resolve(subject)).subject.tier).toBe('house');
    await store.setSubjectOverride({ ...subject, bucket: { ...BUCKET, capacity: 5 } }, ADMIN);
    await look();
    expect((await cache.resolve(subject)).subject.bucket).toMatchObject({ capacity: 5 });
    await store.disableSubject({ tenant: 'acme' }, ADMIN);
    await look();
    expect((await cache.resolve(subject)).disabled).toBe(true);
  });

  it('a change of one subject does not cause a new read of other subjects', async () => {
    await addUser('ada', 'pro');
    await addUser('bob', 'pro');
    const { cache, statements, look } = await start();
    await cache.resolve({ user: 'ada' });
    await cache.resolve({ user: 'bob' });
    await store.upsertSubject({ user: 'ada', tier: 'house' }, ADMIN);
    await look();
    const before = statements.length;
    await cache.resolve({ user: 'bob' });
    expect(statements).toHaveLength(before);
  });

  it('a notification revokes a cached key, and activates a key that was unknown before', async () => {
    await addUser('ada');
    const { hash, prefix } = await addKey('ada');
    const { cache, look } = await start();
    expect((await cache.holderOf(hash))?.subject).toEqual({ apiKey: prefix, keyKind: 'SERVICE', user: 'ada' });
    await revoke(prefix);
    await look();
    expect(await cache.holderOf(hash)).toBeUndefined();

    const secret = 'agreed-beforehand';
    expect(await cache.holderOf(hashSecret(secret))).toBeUndefined();
    await store.createApiKey({ user: 'ada', known: { prefix: 'agreed', secret } }, ADMIN);
    await look();
    expect((await cache.holderOf(hashSecret(secret)))?.subject.apiKey).toBe('agreed');
  });

  // The cache must not keep a value that was read before the change, because it would use the value
  // for an hour.
  it('a change during a look-up is not overwritten by the older value that was read', async () => {
    await addUser('ada', 'pro');
    const { cache, look, hold, hasRead } = await start();
    const release = hold();
    const asked = cache.resolve({ user: 'ada' });
    await hasRead;
    await store.upsertSubject({ user: 'ada', tier: 'house' }, ADMIN);
    await look();
    release();
    expect((await asked).subject.tier).toBe('house');
    expect((await cache.resolve({ user: 'ada' })).subject.tier).toBe('house');
  });

  it('after a gap in the list of changes, all older entries are read again', async () => {
    await addUser('ada', 'pro');
    const { cache, statements } = await start();
    await cache.resolve({ user: 'ada' });
    const { number } = await readRecentChanges(database.db);
    cache.forget([] as FeedChange[], { number: number + 5000, from: number + 4000 });
    await cache.resolve({ user: 'ada' });
    expect(statements).toHaveLength(2);
  });
});

describe('copies of subjects in Redis', () => {
  it('another instance uses the copy in Redis until the subject changes', async () => {
    const scope = uniqueName('scope');
    await addUser('ada', 'pro');
    const { hash, prefix } = await addKey('ada');
    const first = await start({ scope });
    await first.cache.holderOf(hash);
    const name = `tg:cache:${scope}:key:${hash}`;
    await until('the copy is in Redis', async () => (await redis.exists(name)) === 1);
    expect(await redis.pttl(name)).toBeGreaterThan(0);

    const second = await start({ scope });
    const subject = { apiKey: prefix, keyKind: 'SERVICE', user: 'ada', tier: 'pro' };
    expect((await second.cache.holderOf(hash))?.subject).toEqual(subject);
    expect(second.statements).toHaveLength(0);
    expect(second.levels).toEqual(['api_key redis']);

    await revoke(prefix);
    await second.look();
    expect(await second.cache.holderOf(hash)).toBeUndefined();
    // The copy still exists, but a new instance knows of the change and does not use the copy.
    expect(await redis.exists(name)).toBe(1);
    const third = await start({ scope });
    expect(await third.cache.holderOf(hash)).toBeUndefined();
  });

  it('a copy of an earlier version, which lacks the kind of the key, is not used', async () => {
    const scope = uniqueName('scope');
    await addUser('ada');
    const { hash } = await addKey('ada');
    const first = await start({ scope });
    await first.cache.holderOf(hash);
    const name = `tg:cache:${scope}:key:${hash}`;
    await until('the copy is in Redis', async () => (await redis.exists(name)) === 1);
    const { caller, ...entry } = JSON.parse((await redis.get(name)) ?? '');
    const { keyKind: _kind, ...subject } = caller.subject;
    await redis.set(name, JSON.stringify({ ...entry, caller: { ...caller, subject } }));

    const second = await start({ scope });
    expect((await second.cache.holderOf(hash))?.subject.keyKind).toBe('SERVICE');
    expect(second.levels).toEqual(['api_key postgres']);
  });

  it('an invalid copy in Redis is ignored', async () => {
    const scope = uniqueName('scope');
    await addUser('ada', 'pro');
    for (const text of ['{', '{}', '{"caller":{"subject":{"tier":"house"}},"asOf":99}']) {
      await redis.set(`tg:cache:${scope}:subject:["","ada"]`, text);
      const { cache } = await start({ scope });
      expect((await cache.resolve({ user: 'ada' })).subject.tier).toBe('pro');
    }
  });
});

describe('cached subjects while PostgreSQL is unavailable', () => {
  it('known keys and subjects stay valid for up to an hour without PostgreSQL', async () => {
    let nowMs = Date.now();
    await addUser('ada', 'pro');
    const { hash } = await addKey('ada');
    const { cache } = await start({ now: () => nowMs });
    await cache.holderOf(hash);
    await cache.resolve({ user: 'ada' });
    await way.set({ kind: 'refuse' });
    nowMs += 59 * 60_000;
    expect((await cache.holderOf(hash))?.subject.tier).toBe('pro');
    expect((await cache.resolve({ user: 'ada' })).subject.tier).toBe('pro');
    nowMs += 2 * 60_000;
    await expect(cache.holderOf(hash)).rejects.toThrow(IdentityUnavailable);
    expect((await cache.resolve({ user: 'ada' })).subject.tier).toBeUndefined();
  });

  it('without PostgreSQL, an uncached key is reported as unavailable, and an uncached user has the default tier', async () => {
    await addUser('ada', 'pro');
    const { hash } = await addKey('ada');
    const { cache, levels } = await start();
    await way.set({ kind: 'refuse' });
    await expect(cache.holderOf(hash)).rejects.toThrow(IdentityUnavailable);
    expect(await cache.resolve({ user: 'ada' })).toEqual({ subject: { user: 'ada' }, disabled: false });
    expect(levels).toEqual(['api_key none', 'subject none']);
    await way.set({ kind: 'pass' });
    expect((await cache.holderOf(hash))?.subject.user).toBe('ada');
    expect((await cache.resolve({ user: 'ada' })).subject.tier).toBe('pro');
  });
});

describe('disabled subjects that are not cached, while PostgreSQL is unavailable', () => {
  it('without PostgreSQL, disabled users and tenants stay disabled, and a user who was enabled again stays enabled', async () => {
    await addUser('leaver');
    await addUser('back');
    const { cache, look } = await start();
    await store.disableSubject({ user: 'leaver' }, ADMIN);
    await store.disableSubject({ tenant: 'gone' }, ADMIN);
    await store.disableSubject({ user: 'back' }, ADMIN);
    await store.disableSubject({ user: 'back', disabled: false }, ADMIN);
    // The records of a quota reset and of ended subscriptions contain no complete subject. They
    // must not change the state.
    const numbers = { before: { user: 'leaver', tenant: '' }, after: { user: 'leaver', tenant: '' } };
    const who = { key: { user: 'leaver' }, comment: null, ...numbers };
    await store.recordCallerAction({ ...who, action: 'RESET_QUOTA', data: { counted: { user: 'leaver' } } }, ADMIN);
    await store.recordCallerAction({ ...who, action: 'END_STREAMS', data: { ended: { user: 'leaver' } } }, ADMIN);
    await look();
    await way.set({ kind: 'refuse' });
    const isDisabled = async (subject: { user?: string; tenant?: string }) => (await cache.resolve(subject)).disabled;
    expect(await isDisabled({ user: 'leaver' })).toBe(true);
    expect(await isDisabled({ user: 'anybody', tenant: 'gone' })).toBe(true);
    expect(await isDisabled({ user: 'back' })).toBe(false);
    // This is another user with the same name, in a tenant.
    expect(await isDisabled({ user: 'leaver', tenant: 'acme' })).toBe(false);
  });

  it('at the start, a bounded number of disabled subjects is read, the most recently disabled first', async () => {
    await database.db.query(
      `insert into subjects (user_id, tenant_id, disabled_at)
       select 'u' || n, '', now() - n * interval '1 second' from generate_series(1, $1::int) n`,
      [MAX_DISABLED_SUBJECTS + 1],
    );
    const { cache } = await start();
    const known = await readDisabledSubjects(database.db);
    cache.replaceDisabled(known);
    await way.set({ kind: 'refuse' });
    expect(known).toHaveLength(MAX_DISABLED_SUBJECTS);
    expect((await cache.resolve({ user: 'u1' })).disabled).toBe(true);
    expect((await cache.resolve({ user: `u${MAX_DISABLED_SUBJECTS}` })).disabled).toBe(true);
    expect((await cache.resolve({ user: `u${MAX_DISABLED_SUBJECTS + 1}` })).disabled).toBe(false);
    // Another disabled subject replaces the one that was disabled first.
    cache.forget([{ ...DISABLED, user: 'late', number: 1 }], { number: 1 });
    expect((await cache.resolve({ user: 'late' })).disabled).toBe(true);
    expect((await cache.resolve({ user: `u${MAX_DISABLED_SUBJECTS}` })).disabled).toBe(false);
  });
});

const DISABLED: FeedChange = {
  number: 0,
  entity: 'SUBJECT',
  key: '1',
  user: '',
  tenant: '',
  disabled: true,
  reset: null,
  endedStreams: null,
  ageMs: 0,
};

describe('the age of cached subjects', () => {
  it('a cached key and a cached override end at their expiry', async () => {
    let nowMs = Date.now();
    await addUser('ada');
    const { hash } = await addKey('ada', new Date(nowMs + 60_000));
    const bucket = { ...BUCKET, capacity: 5 };
    await store.setSubjectOverride({ user: 'ada', bucket, expiresAt: new Date(nowMs + 30_000) }, ADMIN);
    const { cache } = await start({ now: () => nowMs, freshMs: 3_600_000 });
    expect((await cache.holderOf(hash))?.subject.bucket).toMatchObject(bucket);
    nowMs += 30_000;
    expect((await cache.holderOf(hash))?.subject.bucket).toBeUndefined();
    nowMs += 30_000;
    expect(await cache.holderOf(hash)).toBeUndefined();
  });

  it('an old entry is returned immediately and refreshed in the background', async () => {
    let nowMs = Date.now();
    await addUser('ada', 'pro');
    const { cache, statements } = await start({ now: () => nowMs });
    await cache.resolve({ user: 'ada' });
    // The table is changed directly, so that no change is reported.
    await database.db.query(`update subjects set tier = 'house'`);
    nowMs += 61_000;
    expect((await cache.resolve({ user: 'ada' })).subject.tier).toBe('pro');
    await until('the entry is refreshed', async () => (await cache.resolve({ user: 'ada' })).subject.tier === 'house');
    expect(statements).toHaveLength(2);
  });
});
