import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../src/postgres/db.js';
import { createKeyUse } from '../../src/rules/live/create-key-use.js';
import { startLiveRules } from '../../src/rules/live/live-rules.js';
import type { Actor } from '../../src/rules/store/create-change-log.js';
import { hashSecret } from '../../src/rules/store/hash-secret.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { DATABASES, migrateAfresh, type TestDatabase } from '../postgres/databases.js';

const ADMIN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };
const START = Date.UTC(2026, 0, 31, 12);

describe.each(DATABASES)('the last use of API keys on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  let store: RulesStore;
  let nowMs: number;
  let statements: string[];
  let fails: boolean;
  let watched: Db;
  beforeAll(async () => {
    opened = await openDatabase();
    db = opened.db;
  });
  afterAll(() => opened.dispose());
  beforeEach(async () => {
    await migrateAfresh(db);
    store = createRulesStore(db);
    nowMs = START;
    statements = [];
    fails = false;
    watched = {
      ...db,
      query: (sql, params) => {
        if (fails) return Promise.reject(new Error('away'));
        statements.push(sql);
        return db.query(sql, params);
      },
    };
    await store.ensureTiers(
      [{ name: 'free', isDefault: true, capacity: 1, refillAmount: 1, refillPeriodMs: 1000 }],
      ADMIN,
    );
    await store.upsertSubject({ user: '42' }, ADMIN);
  });

  /** The timer never fires during a test. The test calls `flush` itself. */
  const start = () => createKeyUse({ db: watched, flushMs: 3_600_000, now: () => nowMs });

  async function newKey() {
    const created = await store.createApiKey({ user: '42' }, ADMIN);
    if (!created.ok || created.value.secret === null) throw new Error(JSON.stringify(created));
    return { ...created.value.apiKey, secret: created.value.secret };
  }

  const lastUsed = async (id: number) => (await store.apiKeysById([id]))[0]!.lastUsedAt?.getTime() ?? null;

  it('the last use of many keys is written in one statement, and not during the request', async () => {
    const keys = [await newKey(), await newKey(), await newKey()];
    const use = start();
    for (const { prefix } of keys.slice(0, 2)) use.seen(prefix);
    use.seen('tg_gone');
    expect(statements).toEqual([]);
    await use.flush();
    expect(statements).toHaveLength(1);
    expect(await Promise.all(keys.map(({ id }) => lastUsed(id)))).toEqual([START, START, null]);
    await use.close();
  });

  it('two instances together write the last use of a key at most once a minute', async () => {
    const { id, prefix } = await newKey();
    const [one, other] = [start(), start()];
    for (let second = 0; second < 60; second++) {
      nowMs = START + second * 1000;
      one.seen(prefix);
      await one.flush();
      other.seen(prefix);
      await other.flush();
    }
    // Each instance writes the first use that it sees. The statement of the second instance changes
    // nothing, because the use is already stored.
    expect(statements).toHaveLength(2);
    expect(await lastUsed(id)).toBe(START);
    nowMs = START + 60_000;
    other.seen(prefix);
    await other.close();
    await one.close();
    expect(await lastUsed(id)).toBe(START + 60_000);
  });

  it('after a failure of the database, the last use of a bounded number of keys is kept and written later', async () => {
    const { id, prefix } = await newKey();
    const use = start();
    use.seen(prefix);
    for (let n = 0; n < 20_000; n++) use.seen(`tg_other${n}`);
    fails = true;
    await use.flush();
    fails = false;
    await use.flush();
    expect(statements).toHaveLength(1);
    expect(await lastUsed(id)).toBe(START);
    await use.close();
  });

  it('the last use of valid keys is written when the process stops', async () => {
    const [used, revoked] = [await newKey(), await newKey()];
    await store.revokeApiKey({ id: revoked.id }, ADMIN);
    const live = await startLiveRules({ db, store, redis: undefined, prepare: async () => {} });
    expect(await live.subjects.holderOf(hashSecret(used.secret))).toBeDefined();
    expect(await live.subjects.holderOf(hashSecret(revoked.secret))).toBeUndefined();
    await live.close();
    expect(await lastUsed(used.id)).toBeGreaterThan(START);
    expect(await lastUsed(revoked.id)).toBeNull();
  });
});
