import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { createLimiter } from '../src/limiter/create-limiter.js';
import type { LimitCharge } from '../src/limiter/types.js';
import { PATIENT } from '../test/helpers/patient.js';
import { startRedisServer } from '../test/helpers/servers.js';

// What a decision of 1 to 12 limits costs Redis and this process, 64 in flight, all limits of one subject: each further
// limit in an existing partition must cost less than the first.

const IN_FLIGHT = 64;
const DECISIONS = 40_000;
const TICK_US = 10_000;

const server = await startRedisServer();
const client = new Redis(server.url);
const limiter = createLimiter({
  redis: client,
  ...PATIENT,
});

function limitsOf(count: number): LimitCharge[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `limit ${i}`,
    scope: 'USER',
    algorithm: 'SLIDING_WINDOW_COUNTER',
    amount: 10_000_000,
    windowMs: 60_000,
    cost: 1,
  }));
}

/** Processor time of redis-server. */
function redisUs(): number {
  const fields = readFileSync(`/proc/${server.process.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

async function run(limits: LimitCharge[], count: number): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < count) await limiter.charge({ subject: { user: `user-${next++ % 2000}` }, limits });
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
}

let one = { redis: 0, node: 0 };
for (const count of [1, 2, 4, 6, 8, 12]) {
  await client.flushall();
  const limits = limitsOf(count);
  await run(limits, 5000);
  const redisBefore = redisUs();
  const nodeBefore = process.cpuUsage();
  await run(limits, DECISIONS);
  const { user, system } = process.cpuUsage(nodeBefore);
  const us = { redis: (redisUs() - redisBefore) / DECISIONS, node: (user + system) / DECISIONS };
  if (count === 1) one = us;
  const ratio = (name: 'redis' | 'node') => `${name} ${(us[name] / one[name]).toFixed(2)} times`;
  console.log(
    `${count} limits: ${ratio('redis')}, ${ratio('node')} what one costs (${us.redis.toFixed(1)} us, ${us.node.toFixed(1)} us)`,
  );
}
await limiter.close();
client.disconnect();
await server.stop();
