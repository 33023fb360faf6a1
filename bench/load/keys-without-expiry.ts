import { Redis } from 'ioredis';

/**
 * Checks every key of Tollgate and returns the names of those that never expire. A key that expires
 * during the check also has no time to live, but it no longer exists and is not reported.
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
