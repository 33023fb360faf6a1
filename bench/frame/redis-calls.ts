import type { Redis } from 'ioredis';

/**
 * Returns the number of script calls that Redis has executed so far. Each call of a limiter is one
 * script call.
 */
export async function redisCalls(redis: Redis): Promise<number> {
  const info = await redis.info('commandstats');
  let calls = 0;
  for (const [, count] of info.matchAll(/^cmdstat_eval(?:sha)?(?:_ro)?:calls=(\d+)/gm)) calls += Number(count);
  return calls;
}
