import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Subject } from '../../src/model/subject.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createSharedCache } from '../../src/rules/live/shared-cache.js';
import { createSubjectCache, type SubjectCache } from '../../src/rules/live/subject-cache.js';
import { startPostgresServer } from '../../test/helpers/servers.js';
import type { Conditions, Sample, Variant } from '../frame/bench.js';
import { SIX_LIMITS } from '../limiter/count-bytes.js';

export const METRICS = [{ name: 'bytes', better: 'lower' }] as const;

/**
 * Number of callers. The hash tables of Redis grow by doubling, so 25,000 callers fill them to the
 * same degree as 100,000 callers.
 */
const CALLERS = 25_000;
const AT_ONCE = 500;
const HOUR_MS = 3_600_000;
const SCENARIOS = { 'a bucket': SIX_LIMITS.slice(0, 1), 'a bucket and five windows': SIX_LIMITS };

type LookUp = (cache: SubjectCache, caller: number) => Promise<{ subject: Subject } | undefined>;

export const countersAlone: Variant = (conditions) => countBytes(conditions, undefined);

/** Measures callers who send an API key. */
export const copiesOfKeys: Variant = (conditions) =>
  countBytes(conditions, (cache, caller) => cache.holderOf(hashOf(caller)));

/** Measures callers who are identified by a token or by the server's `identify`. */
export const copiesOfUsers: Variant = (conditions) =>
  countBytes(conditions, (cache, caller) => cache.resolve({ user: userOf(caller), tenant: tenantOf(caller) }));

const hashOf = (caller: number) => caller.toString(16).padStart(64, '0');
const userOf = (caller: number) => `user-${caller}`;
const tenantOf = (caller: number) => `tenant-${caller % 1000}`;

async function countBytes({ redisUrl }: Conditions, lookUp: LookUp | undefined): Promise<Sample> {
  const redis = new Redis(redisUrl);
  const limiter = createLimiter({ redis: redisUrl, deadlineMs: 10_000 });
  const known = lookUp && (await openCache(redis));
  const usedMemory = async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  const sample: Sample = {};
  try {
    for (const [scenario, limits] of Object.entries(SCENARIOS)) {
      await redis.flushall();
      await limiter.charge({ subject: { user: 'first' }, limits });
      const before = await usedMemory();
      for (let i = 0; i < CALLERS; i += AT_ONCE) {
        await Promise.all(
          Array.from({ length: AT_ONCE }, async (_, j) => {
            const subject = { user: userOf(i + j), tenant: tenantOf(i + j) };
            const { admitted, degraded } = await limiter.charge({ subject, limits });
            if (!admitted || degraded) throw new Error('not charged in Redis');
          }),
        );
      }
      if (known) await known.copy(lookUp!);
      sample[scenario] = { bytes: ((await usedMemory()) - before) / CALLERS };
    }
  } finally {
    await known?.close();
    await limiter.close();
    await redis.quit();
  }
  return sample;
}

/**
 * Starts a PostgreSQL that contains the callers. `copy` reads them through the caches that an
 * instance uses in front of PostgreSQL.
 */
async function openCache(redis: Redis) {
  const server = await startPostgresServer();
  const db = await createPgDb({ url: server.url, statementTimeoutMs: 120_000 });
  await migrate(db);
  await db.query(
    `insert into tiers (name, display_name, capacity, refill_amount, refill_period_ms, is_default)
     values ('free', 'Free', 1000, 50, 1000, true)`,
  );
  await db.query(
    `insert into subjects (tenant_id, user_id, tier)
     select 'tenant-' || n % 1000, 'user-' || n, 'free' from generate_series(0, $1::integer - 1) n`,
    [CALLERS],
  );
  await db.query(
    `insert into api_keys (prefix, secret_hash, subject_id)
     select 'tgk_' || lpad(to_hex(n), 12, '0'), lpad(to_hex(n), 64, '0'), s.id
     from generate_series(0, $1::integer - 1) n join subjects s on s.user_id = 'user-' || n`,
    [CALLERS],
  );
  await db.query('analyze');
  const database = randomUUID();
  return {
    /**
     * Looks up all callers until Redis contains a copy of each. Repeats the look-ups, because an
     * instance writes no copies while Redis is slow.
     */
    async copy(lookUp: LookUp) {
      const countKeys = () => redis.dbsize();
      const counters = await countKeys();
      while ((await countKeys()) < counters + CALLERS) {
        const shared = createSharedCache(redis, () => database);
        const cache = createSubjectCache({ db, shared, freshMs: HOUR_MS, deadlineMs: 60_000 });
        for (let i = 0; i < CALLERS; i += AT_ONCE) {
          const found = await Promise.all(Array.from({ length: AT_ONCE }, (_, j) => lookUp(cache, i + j)));
          if (found.includes(undefined)) throw new Error('a caller was not found');
          // The cache does not await the writes of copies, but sends them in order. Redis replies
          // to this PING after it has executed them.
          await redis.ping();
        }
      }
    },
    async close() {
      await db.close();
      await server.stop();
    },
  };
}
