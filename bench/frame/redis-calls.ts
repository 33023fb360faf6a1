import type { Redis } from 'ioredis';

/**
 * Returns the number of scripts that Redis has run so far, which is the number of calls of a
 * limiter.
 */
export async function redisCalls(redis: Redis): Promise<number> {
  const info = await redis.info('commandstats');
  let calls = 0;
  for (const [, count] of info.matchAll(/^cmdstat_eval(?:sha)?(?:_ro)?:calls=(\d+)/gm)) calls += Number(count);
  return calls;
}
