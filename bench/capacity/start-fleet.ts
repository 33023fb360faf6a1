import { Redis } from 'ioredis';
import { demoTiers } from '../../packages/platform/src/demo-policy.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { startPlatform } from '../../test/helpers/platform.js';
import { startPostgresServer, startRedisServer } from '../../test/helpers/servers.js';

const ACTOR = { name: 'load', authMethod: 'SYSTEM' as const };
const WINDOWS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Several instances of the built platform with one Redis and one PostgreSQL. */
export interface Fleet {
  urls: string[];
  keys: string[];
  redis: Redis;
  db: Db;
  pids: { instances: number[]; redis: number; postgres: number };
  stop(): Promise<void>;
}

/**
 * Starts instances with the sample API. Each user has an API key, and six limits: a large bucket and
 * five windows.
 */
export async function startFleet({ instances, users }: { instances: number; users: number }): Promise<Fleet> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const redisServer = await startRedisServer();
    closers.push(redisServer.stop);
    const postgres = await startPostgresServer();
    closers.push(postgres.stop);
    const db = await createPgDb({ url: postgres.url, statementTimeoutMs: 120_000 });
    closers.push(() => db.close());
    await migrate(db);
    const keys = await seedUsers(db, users);
    const redis = new Redis(redisServer.url);
    closers.push(() => redis.quit());
    const platforms = [];
    for (let instance = 0; instance < instances; instance++) {
      const platform = await startPlatform({
        env: {
          REDIS_URL: redisServer.url,
          DATABASE_URL: postgres.url,
          TOLLGATE_TRUSTED_PROXIES: '1',
          LOG_LEVEL: 'warn',
          TOLLGATE_REDIS_DEADLINE_MS: '500',
          // The log of decisions is a sample, which the plan does not include.
          TOLLGATE_DECISIONS_PER_SECOND: '0',
        },
        args: ['--demo'],
      });
      closers.push(platform.stop);
      platforms.push(platform);
    }
    // The platform adds the rules of the sample API only to an empty database.
    await checkRules(db);
    return {
      urls: platforms.map(({ url }) => url),
      keys,
      redis,
      db,
      pids: {
        instances: platforms.map((platform) => platform.process.pid!),
        redis: redisServer.process.pid!,
        postgres: postgres.process.pid!,
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function seedUsers(db: Db, users: number): Promise<string[]> {
  const store = createRulesStore(db);
  const large = { name: 'load', capacity: 100_000_000, refillAmount: 10_000_000, refillPeriodMs: 1000 };
  await store.ensureTiers([...demoTiers, large], ACTOR);
  for (const name of WINDOWS) {
    const limits = [{ algorithm: 'SLIDING_WINDOW_COUNTER' as const, amount: 1_000_000, windowMs: 3_600_000 }];
    const created = await store.createRule({ name, scope: 'USER', field: '*', measure: 'REQUESTS', limits }, ACTOR);
    if (!created.ok) throw new Error(`the rule ${name} was not created: ${JSON.stringify(created)}`);
  }
  const keys = Array.from({ length: users }, (_, index) => `load-${index}`);
  for (let from = 0; from < users; from += 8) {
    await Promise.all(
      keys.slice(from, from + 8).map(async (key) => {
        await store.upsertSubject({ user: key, tier: 'load' }, ACTOR);
        await store.createApiKey({ user: key, name: 'Load', known: { prefix: key, secret: key } }, ACTOR);
      }),
    );
  }
  return keys;
}

/** Throws if operations of a user would have other limits than their bucket and the windows. */
async function checkRules(db: Db): Promise<void> {
  const rules = await db.query<{ name: string }>('select name from rules order by name');
  const names = rules.map(({ name }) => name).join(', ');
  if (names !== [...WINDOWS].sort().join(', '))
    throw new Error(`expected the rules ${WINDOWS.join(', ')}, got ${names}`);
}
