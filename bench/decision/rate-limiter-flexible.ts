import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Variant } from '../frame/bench.js';
import { measureDecisions } from './measure-decisions.js';
import { type BenchSubject, BUCKET, COST, WINDOWS } from './workload.js';

/**
 * Six limiters side by side, as its users write it. It knows fixed windows only: less work for each limit, and no
 * answer for all of them together.
 */
export const rateLimiterFlexible: Variant = async (conditions) => {
  const redis = new Redis(conditions.redisUrl);
  const limits: { of: keyof BenchSubject; points: number; windowMs: number; cost: number }[] = [
    { of: 'user', points: BUCKET.capacity, windowMs: 60_000, cost: COST },
    ...WINDOWS.map(({ of, amount, windowMs }) => ({ of, points: amount, windowMs, cost: 1 })),
  ];
  const limiters = limits.map(({ of, points, windowMs, cost }, index) => ({
    of,
    cost,
    limiter: new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `limit-${index}`,
      points,
      duration: windowMs / 1000,
    }),
  }));
  const sample = await measureDecisions(async (subject) => {
    // Rejects when a limit has no room.
    await Promise.all(limiters.map(({ limiter, of, cost }) => limiter.consume(subject[of], cost)));
  }, conditions);
  await redis.quit();
  return sample;
};
