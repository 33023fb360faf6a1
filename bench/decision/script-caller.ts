import { Redis } from 'ioredis';
import { type BenchSubject, BUCKET, COST, WINDOWS } from './workload.js';

/**
 * Caller of one script. Each call passes the keys of the subject's three partitions, and the packed
 * parameters of all six limits.
 */
export interface ScriptCaller {
  call(subject: BenchSubject): Promise<unknown>;
  close(): Promise<unknown>;
}

export async function createScriptCaller(redisUrl: string, script: string): Promise<ScriptCaller> {
  const redis = new Redis(redisUrl);
  const sha = String(await redis.script('LOAD', script));
  const parameters = packParameters(BUCKET, WINDOWS);
  return {
    call({ user, tenant, ip }) {
      const request = Buffer.from(parameters);
      request.writeUInt32LE(COST); // The cost is the only parameter that changes with each operation.
      const root = `tg:{${tenant}}`;
      return redis.callBuffer(
        'EVALSHA',
        sha,
        3,
        `${root}:U:${user}`,
        `${root}:T:${tenant}`,
        `${root}:I:${ip}`,
        request,
      );
    },
    close: () => redis.quit(),
  };
}

/** Packs the argument of `floor.lua`. The cost for the bucket is zero until a call sets it. */
export function packParameters(
  bucket: { capacity: number; refillAmount: number; refillPeriodMs: number },
  windows: readonly { amount: number; windowMs: number }[],
): Buffer {
  const refillPerSecond = bucket.refillAmount * (1000 / bucket.refillPeriodMs);
  const numbers = [
    0,
    bucket.capacity,
    refillPerSecond,
    ...windows.flatMap(({ amount, windowMs }) => [amount, windowMs]),
  ];
  const buffer = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) buffer.writeUInt32LE(number, index * 4);
  return buffer;
}
