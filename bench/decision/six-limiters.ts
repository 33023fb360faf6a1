import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type BenchSubject, BUCKET, WINDOWS } from './workload.js';

/**
 * Six limiters of rate-limiter-flexible side by side, as its users write it. It knows fixed windows only: less work for
 * each limit, and no answer for all of them together.
 */
export interface SixLimiters {
  /** Resolves to what is left of each limit, and rejects when one of them has no room. */
  consume(subject: BenchSubject, cost: number): Promise<number[]>;
}

export function createSixLimiters(redis: Redis): SixLimiters {
  const limits = [{ of: 'user', amount: BUCKET.capacity, windowMs: 60_000 } as const, ...WINDOWS];
  const limiters = limits.map(({ of, amount, windowMs }, index) => ({
    of,
    limiter: new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `limit-${index}`,
      points: amount,
      duration: windowMs / 1000,
    }),
  }));
  return {
    async consume(subject, cost) {
      const results = await Promise.all(
        limiters.map(({ limiter, of }, index) => limiter.consume(subject[of], index === 0 ? cost : 1)),
      );
      return results.map((result) => result.remainingPoints);
    },
  };
}
