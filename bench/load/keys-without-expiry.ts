import { Redis } from 'ioredis';

/**
 * Checks every key of Tollgate and returns the names of those that never expire. For a key without
 * an expiry, Redis returns -1. For a key that has expired during the check, it returns -2.
 */
export async function keysWithoutExpiry(url: string): Promise<{ count: number; stay: string[] }> {
  const redis = new Redis(url);
  const stay: string[] = [];
  let count = 0;
  try {
    for await (const keys of redis.scanStream({ match: 'tg:*', count: 1000 }) as AsyncIterable<string[]>) {
      const pipeline = redis.pipeline();
      for (const key of keys) pipeline.pttl(key);
      const answers = (await pipeline.exec()) ?? [];
      for (const [index, [, ttlMs]] of answers.entries()) if (ttlMs === -1) stay.push(keys[index]!);
      count += keys.length;
    }
  } finally {
    redis.disconnect();
  }
  return { count, stay };
}
