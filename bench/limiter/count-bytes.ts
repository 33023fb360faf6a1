import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Conditions, Variant } from '../frame/bench.js';

export const METRICS = [{ name: 'bytes', better: 'lower' }] as const;

const AT_ONCE = 500;

const WINDOWS = ['Query.*', 'Query.search', 'User.posts', 'Post.comments', '*'];
export const SIX_LIMITS: LimitCharge[] = [
  {
    id: 'tier',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: 1000,
    refillAmount: 50,
    refillPeriodMs: 60_000,
    cost: 7,
  },
  ...WINDOWS.map(
    (id): LimitCharge => ({
      id,
      scope: 'USER',
      algorithm: 'SLIDING_WINDOW_COUNTER',
      amount: 1000,
      windowMs: 3_600_000,
      cost: 1,
    }),
  ),
];

/** Measures six limits in one partition. */
export const tollgate: Variant = async (conditions) => {
  const limiter = createLimiter({ redis: conditions.redisUrl, deadlineMs: 10_000 });
  const sample = await countBytes(conditions, async (user) => {
    const decision = await limiter.charge({ subject: { user }, limits: SIX_LIMITS });
    if (!decision.admitted || decision.degraded) throw new Error(`not charged in Redis: ${JSON.stringify(decision)}`);
  });
  await limiter.close();
  return sample;
};

/** Measures six fixed windows, each with its own key. */
export const rateLimiterFlexible: Variant = async (conditions) => {
  const redis = new Redis(conditions.redisUrl);
  const limiters = SIX_LIMITS.map(
    ({ id }) => new RateLimiterRedis({ storeClient: redis, keyPrefix: id, points: 1000, duration: 3600 }),
  );
  const sample = await countBytes(conditions, (user) => Promise.all(limiters.map((limiter) => limiter.consume(user))));
  await redis.quit();
  return sample;
};

/**
 * Charges 100,000 subjects once each. A quick run charges 25,000 subjects. The hash tables of Redis
 * grow by doubling, so both numbers fill them to the same degree.
 */
async function countBytes({ redisUrl, measureMs }: Conditions, charge: (user: string) => Promise<unknown>) {
  const subjects = measureMs >= 1000 ? 100_000 : 25_000;
  const observer = new Redis(redisUrl);
  const usedMemory = async () => Number(/used_memory:(\d+)/.exec(await observer.info('memory'))?.[1]);
  // At its first charge, the server allocates scripts and buffers. They must not be measured.
  await charge('first');
  const before = await usedMemory();
  for (let i = 0; i < subjects; i += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, j) => charge(`user-${i + j}`)));
  }
  const bytes = ((await usedMemory()) - before) / subjects;
  await observer.quit();
  return { [`${subjects.toLocaleString('en-US')} subjects`]: { bytes } };
}
