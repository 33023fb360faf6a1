import type { Redis } from 'ioredis';

/**
 * Returns the processor time of the Redis process so far, in microseconds, as Redis itself reports
 * it.
 */
export async function redisCpuUs(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const seconds = (name: string) => {
    const value = new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1];
    if (value === undefined) throw new Error(`INFO cpu has no ${name}`);
    return Number(value);
  };
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6;
}
