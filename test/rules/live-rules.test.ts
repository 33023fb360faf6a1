import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { DatabaseAway, type LiveRules, type LiveRulesOptions, startLiveRules } from '../../src/rules/live-rules.js';
import type { Actor } from '../../src/rules/store/changes.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store.js';
import { parsePolicy, type RuleInput } from '../../src/rules/validate.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { createPgDb } from '../../src/store/pg-db.js';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { until } from '../helpers/until.js';
import { emptyDatabase, openServerDatabase } from '../store/databases.js';

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
  // A database of its own in the Redis that other tests use too.
  redis = new Redis(inject('redisUrl'), { db: 7 });
});
afterAll(async () => {
  await redis.quit();
  await database.dispose();
});
beforeEach(async () => {
  await redis.flushdb();
  await emptyDatabase(database.db);
  await migrate(database.db);
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
  /** What its observer was told: `looked up` and the like, in order. */
  told: string[];
  ruleNames(): string[];
}

/** One instance of the platform's rules, with connections of its own, as in a process of its own. */
async function start(
  options: Partial<Omit<LiveRulesOptions, 'redis'>> & { redis?: boolean; url?: string } = {},
): Promise<Instance> {
  const { redis: withRedis = true, url = database.url, ...rest } = options;
  const db = await createPgDb({ url, maxConnections: 3 });
  closers.push(() => db.close());
  const store = createRulesStore(db);
  const told: string[] = [];
  const live = await startLiveRules({
    db,
    store,
    redis: withRedis ? redis : undefined,
    prepare: async () => void (await migrate(db)),
    pollMs: 50,
    resyncMs: 100,
    identityDeadlineMs: 500,
    observer: {
      lookedUp: (kind, level) => told.push(`${kind} from ${level}`),
      rulesetInvalid: (problem) => told.push(problem === undefined ? 'valid' : 'invalid'),
      databaseAway: (away) => told.push(away ? 'away' : 'back'),
    },
    ...rest,
  });
  closers.push(() => live.close());
  return { live, store, db, told, ruleNames: () => live.ruleset().rules.map(({ name }) => name) };
}

/** A rule as an admin would store it. */
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

describe('a change', () => {
  it('is in force where it was made when its answer comes, and elsewhere by message, from the copy in Redis', async () => {
    const here = await start();
    // Polling this seldom cannot be what brings it there.
    const there = await start({ pollMs: 3_600_000, resyncMs: 3_600_000 });
    there.told.length = 0;
    await addRule(here.store);
    expect(here.ruleNames()).toEqual(['search']);
    await until('the rule is in force there', () => there.ruleNames().includes('search'), 2000);
    expect(there.told).toEqual(['ruleset from redis']);
    expect(there.live.ruleset().version).toBe(here.live.ruleset().version);
  });

  it('whose message is lost is in force elsewhere by polling', async () => {
    const here = await start({ redis: false });
    const there = await start();
    await addRule(here.store);
    await until('the rule is in force there', () => there.ruleNames().includes('search'), 2000);
  });

  it('of amounts keeps the counter: nobody gets a fresh bucket', async () => {
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
    await here.store.updateRule({ id: rule.id, limits: [{ ...SEARCH.limits[0]!, amount: 5 }] }, ADMIN);
    await here.store.updateTier({ name: 'free', capacity: 7 }, ADMIN);
    expect(here.live.ruleset().tier('free').capacity).toBe(7);
    expect(idsOf()).toEqual(before);
  });

  it('is not taken back by messages that are old, forged or none', async () => {
    const { live, store, told } = await start({ pollMs: 3_600_000, resyncMs: 3_600_000 });
    await addRule(store);
    const { version } = live.ruleset();
    told.length = 0;
    for (const message of ['1', '0', '-5', '999999999999999', '1e300', 'NaN', '{}', '', '9'.repeat(400)]) {
      await redis.publish('tg:changes', message);
    }
    await addRule(store, { ...SEARCH, name: 'second' });
    expect(live.ruleset().version).toBeGreaterThan(version);
    expect(live.ruleset().rules).toHaveLength(2);
    // The forged ones caused looks, and nothing was read again for them.
    expect(told.filter((line) => line.startsWith('ruleset'))).toHaveLength(1);
  });

  it('of a tier or rule is not taken from a copy in Redis that is of another moment or is rubbish', async () => {
    const here = await start();
    await addRule(here.store);
    const [key] = await redis.keys('tg:cache:*:ruleset');
    const copy = JSON.parse((await redis.get(key as string)) as string);
    for (const text of ['{', '{}', JSON.stringify({ ...copy, number: copy.number + 5, rules: [] })]) {
      await redis.set(key as string, text);
      const there = await start();
      expect(there.ruleNames()).toEqual(['search']);
      expect(there.told).toContain('ruleset from postgres');
    }
  });
});

describe('an invalid ruleset in the tables', () => {
  it('leaves the last good one in force, raises the alarm, says why, and heals', async () => {
    const { live, store, db, told, ruleNames } = await start();
    const rule = await addRule(store);
    // Past Tollgate, and allowed by the tables: a rule that rejects, without a limit.
    await db.query('delete from rule_limits where rule_id = $1', [rule.id]);
    await until('the alarm', () => told.includes('invalid'));
    expect(ruleNames()).toEqual(['search']);
    expect(live.ruleset().rules[0]?.limits).toHaveLength(1);
    expect(live.health().invalid).toMatch(/"search".*limits: expected at least one limit/);

    await store.retireRule({ id: rule.id }, ADMIN);
    expect(live.health().invalid).toBeUndefined();
    expect(told).toContain('valid');
    expect(ruleNames()).toEqual([]);
  });

  it('does not keep an instance from starting with the snapshot of the last good one', async () => {
    const snapshotPath = join(folder, 'ruleset.json');
    const first = await start({ snapshotPath });
    const rule = await addRule(first.store);
    await until('the snapshot', () => readFileSync(snapshotPath, 'utf8').includes('"search"'));
    await first.live.close();
    await first.db.query('delete from rule_limits where rule_id = $1', [rule.id]);
    await redis.flushdb();

    const second = await start({ snapshotPath });
    expect(second.live.health()).toMatchObject({ source: 'snapshot', invalid: expect.stringMatching(/search/) });
    expect(second.ruleNames()).toEqual(['search']);
    await expect(start()).rejects.toThrow(/cannot be used.*search/);
  });
});

describe('without PostgreSQL', () => {
  it('an instance starts with the snapshot of the last one, and follows the database once it is back', async () => {
    const snapshotPath = join(folder, 'deep', 'ruleset.json');
    const way = await passage();
    const first = await start({ snapshotPath });
    await addRule(first.store);
    await until('the snapshot', () => readFileSync(snapshotPath, 'utf8').includes('"search"'));
    await first.live.close();

    await way.set({ kind: 'refuse' });
    const second = await start({ snapshotPath, url: way.url });
    expect(second.ruleNames()).toEqual(['search']);
    expect(second.live.health()).toMatchObject({ source: 'snapshot', databaseAway: { reason: expect.any(String) } });

    await addRule(createRulesStore(database.db), { ...SEARCH, name: 'meanwhile' });
    await way.set({ kind: 'pass' });
    await until('it follows', () => second.live.health().databaseAway === undefined);
    expect(second.ruleNames()).toEqual(['search', 'meanwhile']);
    expect(second.live.health().source).toBe('postgres');
    expect(second.told).toContain('back');
  });

  it('and without a snapshot it says why it does not start', async () => {
    const way = await passage();
    await way.set({ kind: 'refuse' });
    const starting = start({ url: way.url, snapshotPath: join(folder, 'none.json') });
    await expect(starting).rejects.toThrow(DatabaseAway);
    await expect(starting).rejects.toThrow(/no snapshot/);
  });

  it('everything goes on as it is known, says so, and catches up with what was changed meanwhile', async () => {
    const way = await passage();
    const { live, told, ruleNames } = await start({ url: way.url });
    await way.set({ kind: 'refuse' });
    await until('it is noticed', () => live.health().databaseAway !== undefined);
    await addRule(createRulesStore(database.db));
    expect(ruleNames()).toEqual([]);
    await way.set({ kind: 'pass' });
    await until('it has caught up', () => ruleNames().includes('search'));
    await until('it says so', () => live.health().databaseAway === undefined);
    expect(told.filter((line) => line === 'away' || line === 'back')).toEqual(['away', 'back']);
  });
});

describe('rules given in code', () => {
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

  it('stand beside those of the database, which take the place of those with their name', async () => {
    const rulesInCode = inCode([SEARCH, { ...SEARCH, name: 'logins', field: 'Mutation.login' }]);
    const { live, store, ruleNames } = await start({ rulesInCode });
    expect(ruleNames()).toEqual(['search', 'logins']);
    const stored = await addRule(store, { ...SEARCH, priority: 7 });
    expect(ruleNames()).toEqual(['search', 'logins']);
    expect(live.ruleset().rules[0]?.priority).toBe(7);
    await store.retireRule({ id: stored.id }, ADMIN);
    expect(live.ruleset().rules[0]?.priority).toBe(100);
  });

  it('are left out where the database has none of the tiers that they are for', async () => {
    const rulesInCode = inCode([
      { ...SEARCH, match: { tiers: ['gold'] } },
      { ...SEARCH, name: 'both', match: { tiers: ['gold', 'free'] } },
    ]);
    const { live, ruleNames } = await start({ rulesInCode });
    expect(ruleNames()).toEqual(['both']);
    expect(live.ruleset().rules[0]?.match.tiers).toEqual(['free']);
  });
});
