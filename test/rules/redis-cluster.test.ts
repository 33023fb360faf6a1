import { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { startLiveRules } from '../../src/rules/live/live-rules.js';
import type { Actor } from '../../src/rules/store/create-change-log.js';
import { hashSecret } from '../../src/rules/store/hash-secret.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { type RedisCluster, startRedisCluster } from '../helpers/redis-cluster.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';

const ADMIN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };

let cluster: RedisCluster;
let database: Awaited<ReturnType<typeof openServerDatabase>>;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  [cluster, database] = await Promise.all([startRedisCluster(), openServerDatabase()]);
  await migrate(database.db);
  const bucket = { capacity: 100, refillAmount: 1, refillPeriodMs: 1000 };
  await createRulesStore(database.db).ensureTiers([{ name: 'free', isDefault: true, ...bucket }], ADMIN);
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await database.dispose();
  await cluster.stop();
});

/**
 * Starts an instance that learns of changes only from messages, because it does not poll during the
 * test.
 */
async function start() {
  const db = await createPgDb({ url: database.url, maxConnections: 2 });
  const redis = new Cluster(cluster.ports.map((port) => ({ host: '127.0.0.1', port })));
  const store = createRulesStore(db);
  const events: string[] = [];
  const live = await startLiveRules({
    db,
    store,
    redis,
    prepare: async () => {},
    pollMs: 3_600_000,
    resyncMs: 3_600_000,
    observer: { lookedUp: (kind, level) => events.push(`${kind} from ${level}`) },
  });
  closers.push(
    () => db.close(),
    async () => redis.disconnect(),
    () => live.close(),
  );
  return { live, store, events };
}

it('on a Redis Cluster, changes arrive by message, and new instances find copies of rules, subjects and keys', async () => {
  const [here, there] = [await start(), await start()];
  // A message reaches only instances that have already subscribed. Therefore, the test repeats the
  // change until one message has arrived.
  let capacity = 100;
  await until('a change is in force there', async () => {
    await here.store.updateTier({ name: 'free', capacity: ++capacity }, ADMIN);
    return there.live.ruleset().tier('free').capacity! > 100;
  });
  await here.store.upsertSubject({ user: 'ada', tier: 'free' }, ADMIN);
  const key = await here.store.createApiKey({ user: 'ada' }, ADMIN);
  if (!key.ok || key.value.secret === null) throw new Error('no key');
  const hash = hashSecret(key.value.secret);
  expect((await here.live.subjects.holderOf(hash))?.subject.user).toBe('ada');
  expect((await here.live.subjects.resolve({ user: 'ada' })).subject.tier).toBe('free');

  // A look-up waits only briefly for a copy, and the client of a new instance may not be connected
  // yet. The test starts instances until one of them finds all three copies.
  await until('another instance finds all copies', async () => {
    const later = await start();
    await later.live.subjects.holderOf(hash);
    await later.live.subjects.resolve({ user: 'ada' });
    return ['ruleset', 'api_key', 'subject'].every((kind) => later.events.includes(`${kind} from redis`));
  });
  await here.store.revokeApiKey({ id: key.value.apiKey.id }, ADMIN);
  await until('the key is rejected there', async () => (await there.live.subjects.holderOf(hash)) === undefined);
});
