import { Redis } from 'ioredis';
import { createLimiter } from '../src/limiter/create-limiter.js';
import type { LimitCharge } from '../src/limiter/types.js';
import { PATIENT } from '../test/helpers/patient.js';
import { startRedisServer } from '../test/helpers/servers.js';

// Memory in Redis per subject with six limits of its own in one partition: key, value, expiry and overhead, as the
// difference of used_memory over 100,000 subjects.

const SUBJECTS = 100_000;
const TARGET_BYTES = 350;

const server = await startRedisServer();
const client = new Redis(server.url);
const limiter = createLimiter({
  redis: client,
  ...PATIENT,
});
const limits: LimitCharge[] = [
  {
    id: 'tier',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: 1000,
    refillAmount: 50,
    refillPeriodMs: 60_000,
    cost: 7,
  },
  ...['Query.*', 'Query.search', 'User.posts', 'Post.comments', '*'].map(
    (id): LimitCharge => ({
      id,
      scope: 'USER',
      algorithm: 'SLIDING_WINDOW_COUNTER',
      amount: 1000,
      windowMs: 3_600_000,
      cost: 1,
    }),
  ),
];

async function usedMemory(): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))![1]);
}

// What the server allocates once: scripts, buffers.
await limiter.charge({ subject: { user: 'first' }, limits });
const before = await usedMemory();
for (let i = 0; i < SUBJECTS; i += 500) {
  const batch = Array.from({ length: 500 }, (_, j) => limiter.charge({ subject: { user: `user-${i + j}` }, limits }));
  await Promise.all(batch);
}
const bytes = ((await usedMemory()) - before) / SUBJECTS;
const key = await client.randomkey();
const value = await client.strlen(key!);
console.log(`${bytes.toFixed(0)} bytes per subject (value ${value}, key ${key!.length}; target ${TARGET_BYTES})`);
await limiter.close();
client.disconnect();
await server.stop();
