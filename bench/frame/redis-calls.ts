import type { Redis } from 'ioredis';

/** How many scripts Redis has run so far: what a limiter asks it for. */
export async function redisCalls(redis: Redis): Promise<number> {
  const info = await redis.info('commandstats');
  let calls = 0;
  for (const [, count] of info.matchAll(/^cmdstat_eval(?:sha)?(?:_ro)?:calls=(\d+)/gm)) calls += Number(count);
  return calls;
}
