import { Redis } from 'ioredis';
import { type BenchSubject, BUCKET, COST, WINDOWS } from './workload.js';

/** Runs a script with the keys of a subject's three partitions and the parameters of all six limits, packed. */
export interface ScriptCaller {
  call(subject: BenchSubject): Promise<unknown>;
  close(): Promise<unknown>;
}

export async function createScriptCaller(redisUrl: string, script: string): Promise<ScriptCaller> {
  const redis = new Redis(redisUrl);
  const sha = String(await redis.script('LOAD', script));
  const parameters = pack([
    0,
    BUCKET.capacity,
    BUCKET.refillAmount * (1000 / BUCKET.refillPeriodMs),
    ...WINDOWS.flatMap(({ amount, windowMs }) => [amount, windowMs]),
  ]);
  return {
    call({ user, tenant, ip }) {
      const request = Buffer.from(parameters);
      request.writeUInt32LE(COST); // The one parameter that every operation brings itself.
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

function pack(numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => {
    buffer.writeUInt32LE(number, index * 4);
  });
  return buffer;
}
