import { Redis } from 'ioredis';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Conditions } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { SIX_LIMITS } from '../limiter/count-bytes.js';

/**
 * Number of limiters, each with its own connection and one operation in flight. So Redis gets single
 * calls from many instances, and no limiter combines several charges into one call.
 */
const INSTANCES = 16;
const CALLERS = 10_000;

interface OperationUse {
  redisUs: number;
  nodeUs: number;
  /** Bytes that Redis received and sent, without the headers of TCP and IP. */
  wireBytes: number;
}

/** Measures an operation whose caller has this number of limits: a charge and a settlement. */
export async function measureOperations(
  { redisUrl, measureMs, warmUpMs }: Conditions,
  limits: 1 | 6,
): Promise<OperationUse> {
  const charged = SIX_LIMITS.slice(0, limits).map((limit) => ({
    ...limit,
    ...LARGE[limit.algorithm as keyof typeof LARGE],
  }));
  const limiters = Array.from({ length: INSTANCES }, () => createLimiter({ redis: redisUrl, deadlineMs: 2_000 }));
  const observer = new Redis(redisUrl);
  await observer.flushall();
  const operate = async (call: number) => {
    const limiter = limiters[call % INSTANCES]!;
    const decision = await limiter.charge({ subject: { user: `user-${(call * 7919) % CALLERS}` }, limits: charged });
    if (!decision.admitted || decision.degraded) throw new Error(`not charged in Redis: ${JSON.stringify(decision)}`);
    await limiter.settle(decision.receipt, { tier: 5 });
  };
  try {
    await keepInFlight(INSTANCES, 4 * warmUpMs, operate);
    const before = await usedBy(observer);
    const { done } = await keepInFlight(INSTANCES, 4 * measureMs, operate);
    const after = await usedBy(observer);
    return {
      redisUs: (after.redisUs - before.redisUs) / done,
      nodeUs: (after.nodeUs - before.nodeUs) / done,
      wireBytes: (after.wireBytes - before.wireBytes) / done,
    };
  } finally {
    for (const limiter of limiters) await limiter.close();
    await observer.flushall();
    await observer.quit();
  }
}

/** Amounts that deny no operation, because a denial takes a different amount of work. */
const LARGE = { TOKEN_BUCKET: { capacity: 100_000_000 }, SLIDING_WINDOW_COUNTER: { amount: 100_000_000 } };

async function usedBy(observer: Redis): Promise<OperationUse> {
  const stats = await observer.info('stats');
  const bytes = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(stats)?.[1]);
  const { user, system } = process.cpuUsage();
  return {
    redisUs: await redisCpuUs(observer),
    nodeUs: user + system,
    wireBytes: bytes('total_net_input_bytes') + bytes('total_net_output_bytes'),
  };
}
