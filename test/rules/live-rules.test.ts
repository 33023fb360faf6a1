import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Db, Queryable } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import {
  DatabaseAway,
  type LiveRules,
  type LiveRulesOptions,
  startLiveRules,
} from '../../src/rules/live/live-rules.js';
import { parsePolicy, type RuleInput } from '../../src/rules/policy/parse-policy.js';
import type { Actor } from '../../src/rules/store/create-change-log.js';
import { hashSecret } from '../../src/rules/store/hash-secret.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { until, untilFileHolds } from '../helpers/until.js';
import { migrateAfresh, openServerDatabase } from '../postgres/databases.js';

const ADMIN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };
const BUCKET = { capacity: 100, refillAmount: 1, refillPeriodMs: 1000 };
const SEARCH: RuleInput = {
  name: 'search',
  scope: 'USER',
  field: 'Query.search',
  measure: 'CALLS',
  limits: [{ algorithm: 'FIXED_WINDOW', amount: 20, windowMs: 60_000 }],
};

let database: Awaited<ReturnType<typeof openServerDatabase>>;
let redis: Redis;
let folder: string;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await openServerDatabase();
  // A separate database of the Redis that all tests share.
  redis = new Redis(inject('redisUrl'), { db: 7 });
});
afterAll(async () => {
  await redis.quit();
  await database.dispose();
});
beforeEach(async () => {
  await redis.flushdb();
  await migrateAfresh(database.db);
  await createRulesStore(database.db).ensureTiers([{ name: 'free', isDefault: true, ...BUCKET }], ADMIN);
  folder = mkdtempSync(join(tmpdir(), 'tollgate-live-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true });
});

interface Instance {
  live: LiveRules;
  store: RulesStore;
  db: Db;
  /** Events of the observer in order, such as `ruleset from postgres`. */
  events: string[];
  ruleNames(): string[];
}

/** Starts the live rules of one instance with separate connections, as in a separate process. */
async function start(
  options: Partial<Omit<LiveRulesOptions, 'redis'>> & { redis?: boolean; url?: string } = {},
): Promise<Instance> {
  const { redis: withRedis = true, url = database.url, ...rest } = options;
  const db = await createPgDb({ url, maxConnections: 3 });
  closers.push(() => db.close());
  const store = createRulesStore(db);
  const events: string[] = [];
  const live = await startLiveRules({
    db,
    store,
    redis: withRedis ? redis : undefined,
    prepare: async () => void (await migrate(db)),
    pollMs: 50,
    resyncMs: 100,
    identityDeadlineMs: PATIENT_MS,
    observer: {
      lookedUp: (kind, level) => events.push(`${kind} from ${level}`),
      rulesetInvalid: (problem) => events.push(problem === undefined ? 'valid' : 'invalid'),
      databaseAway: (away) => events.push(away ? 'away' : 'back'),
    },
    ...rest,
  });
  closers.push(() => live.close());
  return { live, store, db, events, ruleNames: () => live.ruleset().rules.map(({ name }) => name) };
}

/** Creates a rule as an administrator would. */
async function addRule(store: RulesStore, rule: RuleInput = SEARCH) {
  const outcome = await store.createRule(rule, ADMIN);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.userErrors));
  return outcome.value;
}

async function passage(): Promise<TcpProxy> {
  const opened = await startTcpProxy(database.url);
  closers.push(() => opened.close());
  return opened;
}

describe('changes of the rules', () => {
  it('a change is in force in the instance that made it when the write returns, and in others after a message', async () => {
    const here = await start();
    // This instance polls so rarely that only a message can deliver the change.
    const there = await start({ pollMs: 3_600_000, resyncMs: 3_600_000 });
    // A message reaches only instances that have already subscribed. Therefore, the test repeats a
    // change until a message has arrived.
    let capacity = 100;
    await until('messages arrive there', async () => {
      await here.store.updateTier({ name: 'free', capacity: ++capacity }, ADMIN);
      return there.live.ruleset().tier('free').capacity! > 100;
    });
    await until('all changes are in force', () => there.live.ruleset().version === here.live.ruleset().version);
    there.events.length = 0;
    await addRule(here.store);
    expect(here.ruleNames()).toEqual(['search']);
    await until('the rule is in force there', () => there.ruleNames().includes('search'));
    expect(there.events).toEqual(['ruleset from postgres']);
    expect(there.live.ruleset().version).toBe(here.live.ruleset().version);
  });

  it('a change whose message is lost reaches other instances by polling', async () => {
    const here = await start({ redis: false });
    const there = await start();
    await addRule(here.store);
    await until('the rule is in force there', () => there.ruleNames().includes('search'));
  });

  it('the observer receives the kind of each change and the time until the change is in force', async () => {
    const here = await start({ redis: false });
    const timed: [string, number][] = [];
    await start({ redis: false, observer: { changeInForce: (kind, afterMs) => timed.push([kind, afterMs]) } });
    await addRule(here.store);
    await here.store.upsertSubject({ user: '42' }, ADMIN);
    await here.store.createApiKey({ user: '42' }, ADMIN);
    await here.store.createAdminToken({ name: 'bob', role: 'VIEWER' }, ADMIN);
    await here.store.updateTier({ name: 'free', capacity: 9 }, ADMIN);
    await until('all changes are in force', () => timed.length === 4);
    expect(timed.map(([kind]) => kind)).toEqual(['ruleset', 'subject', 'api_key', 'ruleset']);
    for (const [, afterMs] of timed) expect(afterMs).toBeGreaterThan(0);
  });

  it('a change of amounts keeps the counter, so that no caller gets a fresh bucket', async () => {
    const here = await start();
    const rule = await addRule(here.store);
    const idsOf = () => {
      const ruleset = here.live.ruleset();
      const bound = ruleset.bind(ruleset.tier('free'), {
        type: 'QUERY',
        name: undefined,
        coordinates: ['Query.search'],
      });
      return bound.select({ subject: { user: 'u' }, root: 'u' }).map(({ id }) => id);
    };
    const before = idsOf();
    await here.store.updateRule({ id: rule.id, limits: [{ ...SEARCH.limits![0]!, amount: 5 }] }, ADMIN);
    await here.store.updateTier({ name: 'free', capacity: 7 }, ADMIN);
    expect(here.live.ruleset().tier('free').capacity).toBe(7);
    expect(idsOf()).toEqual(before);
  });

  it('old, forged and invalid messages neither undo a change nor cause another read of the rules', async () => {
    const { live, store, events } = await start({ pollMs: 3_600_000, resyncMs: 3_600_000 });
    await addRule(store);
    const { version } = live.ruleset();
    events.length = 0;
    for (const message of ['1', '0', '-5', '999999999999999', '1e300', 'NaN', '{}', '', '9'.repeat(400)]) {
      await redis.publish('tg:changes', message);
    }
    await addRule(store, { ...SEARCH, name: 'second' });
    expect(live.ruleset().version).toBeGreaterThan(version);
    expect(live.ruleset().rules).toHaveLength(2);
    // The forged messages caused queries for changes, but not another read of the rules.
    expect(events.filter((line) => line.startsWith('ruleset'))).toHaveLength(1);
  });

  it('a copy in Redis is ignored if it is invalid or has another version', async () => {
    const here = await start();
    await addRule(here.store);
    const keyOfCopy = async () => (await redis.keys('tg:cache:*:ruleset'))[0] ?? 'none';
    const readCopy = async () => JSON.parse((await redis.get(await keyOfCopy())) ?? '{}');
    await until('the copy is in Redis', async () => (await readCopy()).number === here.live.ruleset().version);
    // Otherwise, the instance might write the copy again.
    await here.live.close();
    const copy = await readCopy();
    const key = await keyOfCopy();
    for (const text of ['{', '{}', JSON.stringify({ ...copy, number: copy.number + 5, rules: [] })]) {
      await redis.set(key, text);
      const there = await start();
      expect(there.ruleNames()).toEqual(['search']);
      expect(there.events).toContain('ruleset from postgres');
    }
  });
});

describe('changes of single rules among many', () => {
  /** Wraps the database, and records how many rows each statement reads from the table of rules. */
  function countRows(db: Db): { db: Db; rows: number[] } {
    const rows: number[] = [];
    const counted =
      (on: Queryable): Queryable['query'] =>
      async (sql, params) => {
        const found = await on.query(sql, params);
        if (sql.includes('from rules r')) rows.push(found.length);
        return found as never;
      };
    const tx: Db['tx'] = (run) => db.tx((inside) => run({ ...inside, query: counted(inside) }));
    // The wrapper has no separate connections for look-ups, so that it counts every statement.
    const { lookups: _lookups, ...rest } = db;
    return { db: { ...rest, query: counted(db), tx }, rows };
  }

  it('only changed rules are read again, and the other rules stay the same objects', async () => {
    const here = await start({ redis: false });
    for (let n = 0; n < 20; n++) await addRule(here.store, { ...SEARCH, name: `rule-${n}` });
    const { db, rows } = countRows(await createPgDb({ url: database.url }));
    closers.push(() => db.close());
    const live = await startLiveRules({
      db,
      store: createRulesStore(db),
      redis: undefined,
      prepare: async () => {},
      pollMs: 20,
      resyncMs: 3_600_000,
    });
    closers.push(() => live.close());
    expect(rows.splice(0)).toEqual([20]);
    const before = live.ruleset().rules;
    await here.store.updateRule({ id: before[7]!.id, priority: 5 }, ADMIN);
    await until('the change is in force', () => live.ruleset().rules[7]?.priority === 5);
    expect(rows).toEqual([1]);
    for (const [index, rule] of live.ruleset().rules.entries()) if (index !== 7) expect(rule).toBe(before[index]);
  });

  it('incremental reads of any two concurrent changes give the same ruleset as a full read', async () => {
    const here = await start({ redis: false });
    const there = await start({ redis: false, pollMs: 5, resyncMs: 3_600_000 });
    const ids: string[] = [];
    const choose = (n: number) => ids[n % ids.length]!;
    const changes: ((n: number) => Promise<unknown>)[] = [
      async (n) => ids.push((await addRule(here.store, { ...SEARCH, name: `rule-${n}` })).id),
      (n) => here.store.updateRule({ id: choose(n), priority: n }, ADMIN),
      (n) => here.store.retireRule({ id: choose(n) }, ADMIN),
      (n) => here.store.restoreRule({ id: choose(n) }, ADMIN),
      (n) => here.store.updateTier({ name: 'free', capacity: 1000 + n }, ADMIN),
      (n) =>
        here.store.syncPolicy(
          {
            document: JSON.stringify({ rules: [0, 1].map((k) => ({ ...SEARCH, name: `both-${k}`, priority: n })) }),
            apply: true,
          },
          ADMIN,
        ),
    ];
    await changes[0]!(1000);
    // Runs each kind of change concurrently with each kind. One poll may see several changes.
    let n = 0;
    for (const first of changes) for (const second of changes) await Promise.all([first(n++), second(n++)]);
    const whole = await start({ redis: false });
    await until('all changes are in force', () => there.live.ruleset().version === whole.live.ruleset().version);
    expect(there.live.ruleset().rules).toEqual(whole.live.ruleset().rules);
    expect(there.live.ruleset().tiers).toEqual(whole.live.ruleset().tiers);
    expect(here.live.ruleset().rules).toEqual(whole.live.ruleset().rules);
  });

  it('a resync finds a direct edit of the table, even after other changes, and otherwise keeps the ruleset', async () => {
    const { live, store, db, ruleNames } = await start({ resyncMs: 50 });
    const rule = await addRule(store);
    await db.query(`update rules set name = 'by hand' where id = $1`, [rule.id]);
    await addRule(store, { ...SEARCH, name: 'second' });
    await until('the direct edit is found', () => ruleNames().join() === 'by hand,second');
    const found = live.ruleset();
    await store.upsertSubject({ user: 'somebody' }, ADMIN);
    await addRule(store, { ...SEARCH, name: 'third' });
    const latest = live.ruleset();
    expect(latest).not.toBe(found);
    const scans = async () =>
      (await db.query<{ n: number }>('select sum(seq_scan + idx_scan)::int as n from pg_stat_user_tables'))[0]!.n;
    const before = await scans();
    await until('the tables were read', async () => (await scans()) > before);
    expect(live.ruleset()).toBe(latest);
  });
});

describe('a database that was restored, or has lost its last changes in a failover', () => {
  /**
   * Restores the state that the database had after the change `number`, before the given rule was
   * created.
   */
  async function goBack(db: Db, number: number, rule: string): Promise<void> {
    await db.tx(async (tx) => {
      await tx.query('alter table changes disable trigger user');
      await tx.query('delete from changes where number > $1', [number]);
      await tx.query('alter table changes enable trigger user');
      for (const table of ['rule_limits', 'rule_tiers']) {
        await tx.query(`delete from ${table} where rule_id in (select id from rules where name = $1)`, [rule]);
      }
      await tx.query('delete from rules where name = $1', [rule]);
      await tx.query(`select setval('change_numbers', $1)`, [number]);
    });
  }

  it('the rules of a restored database are in force, including later changes that reuse the lost numbers', async () => {
    const wentBack: string[] = [];
    const observer = { databaseWentBack: (from: number, to: number) => void wentBack.push(`${from} to ${to}`) };
    const way = await passage();
    const { live, store, ruleNames } = await start({ observer, url: way.url });
    await addRule(store, { ...SEARCH, name: 'kept' });
    await store.upsertSubject({ user: 'bob' }, ADMIN);
    const { version: kept } = live.ruleset();
    for (let count = 0; count < 5; count++) await addRule(store, { ...SEARCH, name: `lost${count}` });
    const { version: lost } = live.ruleset();
    expect((await live.subjects.resolve({ user: 'bob' })).disabled).toBe(false);
    // The instance reads nothing during the restore, however long it takes.
    await way.set({ kind: 'black-hole' });
    for (let count = 0; count < 5; count++) await goBack(database.db, kept + 1, `lost${count}`);
    // This change reuses a lost number before the instance has noticed the restore.
    await addRule(createRulesStore(database.db), { ...SEARCH, name: 'new' });
    await way.set({ kind: 'pass' });
    await until('the new rule is in force', () => ruleNames().join() === 'kept,new');
    await until('the restore is noticed', () => wentBack.length > 0);
    expect(wentBack).toEqual([`${lost} to ${kept + 2}`]);
    await addRule(store, { ...SEARCH, name: 'newer' });
    expect(ruleNames()).toEqual(['kept', 'new', 'newer']);
    expect(live.ruleset().version).toBeLessThan(lost);
    await store.disableSubject({ user: 'bob' }, ADMIN);
    expect((await live.subjects.resolve({ user: 'bob' })).disabled).toBe(true);
  });
});

describe('an invalid ruleset and a failed snapshot', () => {
  it('if the stored ruleset becomes invalid, the last valid one stays in force, and the mistake is reported until it is corrected', async () => {
    const { live, store, db, events, ruleNames } = await start();
    const rule = await addRule(store);
    // The constraints of the tables allow this direct change: a rule in mode ENFORCE without a
    // limit.
    await db.query('delete from rule_limits where rule_id = $1', [rule.id]);
    await until('the invalid ruleset is reported', () => events.includes('invalid'));
    expect(ruleNames()).toEqual(['search']);
    expect(live.ruleset().rules[0]?.limits).toHaveLength(1);
    expect(live.health().invalid).toMatch(/"search".*limits: expected at least one limit/);

    await store.retireRule({ id: rule.id }, ADMIN);
    expect(live.health().invalid).toBeUndefined();
    expect(events).toContain('valid');
    expect(ruleNames()).toEqual([]);
  });

  it('a snapshot that cannot be written is reported with its path, and the write is retried until it succeeds', async () => {
    const blocked = join(folder, 'blocked');
    writeFileSync(blocked, '');
    const snapshotPath = join(blocked, 'ruleset.json');
    const failures: unknown[] = [];
    const { live } = await start({
      snapshotPath,
      resyncMs: 5,
      observer: { snapshotFailed: (error) => failures.push(error) },
    });
    await until('the failure is reported', () => live.health().unsaved !== undefined);
    const { sinceMs, reason } = live.health().unsaved!;
    expect(reason).toContain(`${snapshotPath}: `);
    await until('the write is retried', () => failures.length > 1);
    expect(live.health().unsaved?.sinceMs).toBe(sinceMs);
    rmSync(blocked);
    await untilFileHolds(snapshotPath, '"format":1');
    await until('the failure is over', () => live.health().unsaved === undefined);
  });

  it('an instance starts from the snapshot of the last valid ruleset if the stored ruleset is invalid', async () => {
    const snapshotPath = join(folder, 'ruleset.json');
    const first = await start({ snapshotPath });
    const rule = await addRule(first.store);
    await untilFileHolds(snapshotPath, '"search"');
    await first.live.close();
    await first.db.query('delete from rule_limits where rule_id = $1', [rule.id]);
    await redis.flushdb();

    const second = await start({ snapshotPath });
    expect(second.live.health()).toMatchObject({ source: 'snapshot', invalid: expect.stringMatching(/search/) });
    expect(second.ruleNames()).toEqual(['search']);
    await expect(start()).rejects.toThrow(/cannot be used.*search/);
  });
});

describe('live rules while PostgreSQL is unavailable', () => {
  it('an instance starts from the last snapshot without PostgreSQL, and follows the database once it is available again', async () => {
    const snapshotPath = join(folder, 'deep', 'ruleset.json');
    const way = await passage();
    const first = await start({ snapshotPath });
    await addRule(first.store);
    await untilFileHolds(snapshotPath, '"search"');
    await first.live.close();

    await way.set({ kind: 'refuse' });
    const second = await start({ snapshotPath, url: way.url });
    expect(second.ruleNames()).toEqual(['search']);
    expect(second.live.health()).toMatchObject({ source: 'snapshot', databaseAway: { reason: expect.any(String) } });

    await addRule(createRulesStore(database.db), { ...SEARCH, name: 'meanwhile' });
    await way.set({ kind: 'pass' });
    await until('the database is available again', () => second.live.health().databaseAway === undefined);
    expect(second.ruleNames()).toEqual(['search', 'meanwhile']);
    expect(second.live.health().source).toBe('postgres');
    expect(second.events).toContain('back');
  });

  it('an instance without PostgreSQL and without a snapshot does not start and reports why', async () => {
    const way = await passage();
    await way.set({ kind: 'refuse' });
    const starting = start({ url: way.url, snapshotPath: join(folder, 'none.json') });
    await expect(starting).rejects.toThrow(DatabaseAway);
    await expect(starting).rejects.toThrow(/no snapshot/);
  });

  it('the rules stay in force while PostgreSQL is unavailable, and missed changes follow once it is available again', async () => {
    const way = await passage();
    const { live, events, ruleNames } = await start({ url: way.url });
    await way.set({ kind: 'refuse' });
    await until('the outage is noticed', () => live.health().databaseAway !== undefined);
    await addRule(createRulesStore(database.db));
    expect(ruleNames()).toEqual([]);
    await way.set({ kind: 'pass' });
    await until('the missed change is in force', () => ruleNames().includes('search'));
    await until('the database is reported as available', () => live.health().databaseAway === undefined);
    expect(events.filter((line) => line === 'away' || line === 'back')).toEqual(['away', 'back']);
  });

  it('without PostgreSQL, an instance rejects keys and callers that another instance has revoked or disabled, and accepts others', async () => {
    const way = await passage();
    const { store } = await start();
    const { live, ruleNames } = await start({ url: way.url });
    const ids = new Map<string, number>();
    for (const user of ['ann', 'bob', 'carol']) {
      await store.upsertSubject({ user, tier: 'free' }, ADMIN);
      const known = { prefix: `tg_${user}`, secret: `tg_${user}_secret` };
      const made = await store.createApiKey({ user, name: user, known }, ADMIN);
      if (!made.ok) throw new Error(JSON.stringify(made.userErrors));
      ids.set(user, made.value.apiKey.id);
    }
    // Waits for all changes. Otherwise, an entry that was read before one of them would have to be
    // read again.
    await addRule(store);
    await until('the instance knows of all changes', () => ruleNames().includes('search'));
    const holder = (user: string) => live.subjects.holderOf(hashSecret(`tg_${user}_secret`));
    const isAccepted = (user: string) =>
      holder(user).then(
        (caller) => caller?.disabled === false,
        () => false,
      );
    for (const user of ids.keys()) {
      await until(`${user} is known`, () => isAccepted(user));
      expect(await live.subjects.resolve({ user })).toMatchObject({ disabled: false });
    }
    await way.set({ kind: 'refuse' });
    await until('the outage is noticed', () => live.health().databaseAway !== undefined);
    for (const user of ids.keys()) expect(await isAccepted(user)).toBe(true);

    await store.revokeApiKey({ id: ids.get('ann')! }, ADMIN);
    await store.disableSubject({ user: 'bob' }, ADMIN);
    await until('the key of ann is rejected', async () => !(await isAccepted('ann')));
    await until('bob is disabled', async () => (await live.subjects.resolve({ user: 'bob' })).disabled);
    expect(await isAccepted('bob')).toBe(false);
    expect(await isAccepted('carol')).toBe(true);

    await way.set({ kind: 'pass' });
    await until('the database is available', () => live.health().databaseAway === undefined);
    expect(await holder('ann')).toBeUndefined();
    expect(await holder('bob')).toMatchObject({ disabled: true });
    expect(await isAccepted('carol')).toBe(true);
  });
});

describe('rules in code', () => {
  const inCode = (rules: RuleInput[]) => {
    const policy = parsePolicy({
      tiers: [
        { name: 'free', isDefault: true, ...BUCKET },
        { name: 'gold', ...BUCKET },
      ],
      rules,
    });
    if (policy.problems) throw new Error(policy.problems.join('\n'));
    return policy.rules;
  };

  it('rules in code apply in addition to stored rules, and a stored rule replaces a rule in code of the same name', async () => {
    const rulesInCode = inCode([SEARCH, { ...SEARCH, name: 'logins', field: 'Mutation.login' }]);
    const { live, store, ruleNames } = await start({ rulesInCode });
    expect(ruleNames()).toEqual(['search', 'logins']);
    const stored = await addRule(store, { ...SEARCH, priority: 7 });
    expect(ruleNames()).toEqual(['search', 'logins']);
    expect(live.ruleset().rules[0]?.priority).toBe(7);
    await store.retireRule({ id: stored.id }, ADMIN);
    expect(live.ruleset().rules[0]?.priority).toBe(100);
  });

  it('rules in code are omitted if the database has none of their tiers', async () => {
    const rulesInCode = inCode([
      { ...SEARCH, match: { tiers: ['gold'] } },
      { ...SEARCH, name: 'both', match: { tiers: ['gold', 'free'] } },
    ]);
    const { live, ruleNames } = await start({ rulesInCode });
    expect(ruleNames()).toEqual(['both']);
    expect(live.ruleset().rules[0]?.match.tiers).toEqual(['free']);
  });
});

it('a subject stays disabled while PostgreSQL is unavailable, whether it was disabled before or after the start of the instance', async () => {
  const way = await passage();
  const before = createRulesStore(database.db);
  await before.disableSubject({ user: 'leaver' }, ADMIN);
  const { live } = await start({ url: way.url });
  await before.disableSubject({ user: 'other' }, ADMIN);
  await until('the change is known', () => live.subjects.resolve({ user: 'other' }).then(({ disabled }) => disabled));
  await way.set({ kind: 'refuse' });
  expect((await live.subjects.resolve({ user: 'leaver' })).disabled).toBe(true);
  expect((await live.subjects.resolve({ user: 'somebody' })).disabled).toBe(false);
});
