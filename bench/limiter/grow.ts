import { Redis } from 'ioredis';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Variant } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { redisCpuUs } from '../frame/redis-cpu.js';

export const METRICS = [
  { name: 'Redis CPU us', better: 'lower' },
  { name: 'Node CPU us', better: 'lower' },
] as const;

const IN_FLIGHT = 64;
const USERS = 2000;

/**
 * Measures the processor time that Redis and this process need for a decision on `count` sliding
 * window counters in one partition.
 */
export function decideMany(count: number): Variant {
  const limits = Array.from(
    { length: count },
    (_, index): LimitCharge => ({
      id: `limit ${index}`,
      scope: 'USER',
      algorithm: 'SLIDING_WINDOW_COUNTER',
      amount: 10_000_000,
      windowMs: 60_000,
      cost: 1,
    }),
  );
  return async ({ redisUrl, warmUpMs, measureMs }) => {
    const limiter = createLimiter({ redis: redisUrl, deadlineMs: 1000 });
    const observer = new Redis(redisUrl);
    const work = async (call: number) => {
      const decision = await limiter.charge({ subject: { user: `user-${(call * 7919) % USERS}` }, limits });
      if (!decision.admitted || decision.degraded) throw new Error(`not charged in Redis: ${JSON.stringify(decision)}`);
    };
    await keepInFlight(IN_FLIGHT, 2 * warmUpMs, work);
    const redisBefore = await redisCpuUs(observer);
    const nodeBefore = process.cpuUsage();
    const { done } = await keepInFlight(IN_FLIGHT, measureMs, work);
    const { user, system } = process.cpuUsage(nodeBefore);
    const redis = (await redisCpuUs(observer)) - redisBefore;
    await observer.quit();
    await limiter.close();
    return { '64 in flight': { 'Redis CPU us': redis / done, 'Node CPU us': (user + system) / done } };
  };
}
