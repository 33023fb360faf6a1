import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type BenchSubject, BUCKET, WINDOWS } from './workload.js';

/**
 * Six limiters of rate-limiter-flexible, called in parallel, which is the usual way to combine
 * them. The package has only fixed windows, which are less work per limit, and no common decision
 * for all limits.
 */
export interface SixLimiters {
  /** Resolves to the remaining amount of each limit. Rejects if any limit denies. */
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
