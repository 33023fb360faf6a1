import type { Redis } from 'ioredis';

/** The processor time that the Redis process has used so far, in microseconds, by its own account. */
export async function redisCpuUs(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const seconds = (name: string) => {
    const value = new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1];
    if (value === undefined) throw new Error(`INFO cpu has no ${name}`);
    return Number(value);
  };
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6;
}
