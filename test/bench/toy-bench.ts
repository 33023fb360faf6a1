import { Redis } from 'ioredis';
import type { Bench, Variant } from '../../bench/frame/bench.js';

/** Reports the ids of its process and its Redis, and the start time of the process. */
const whereAmI: Variant = async ({ redisUrl }) => {
  const redis = new Redis(redisUrl);
  const redisPid = /process_id:(\d+)/.exec(await redis.info('server'))?.[1];
  await redis.quit();
  return { only: { pid: process.pid, 'redis pid': Number(redisPid), 'started at': performance.timeOrigin } };
};

export const bench: Bench = {
  title: 'a bench for the tests of the frame',
  metrics: [
    { name: 'pid', better: 'lower' },
    { name: 'redis pid', better: 'lower' },
    { name: 'started at', better: 'lower' },
  ],
  variants: { first: whereAmI, second: whereAmI },
  baselines: ['first'],
  redis: true,
};
