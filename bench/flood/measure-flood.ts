import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Precision } from '../../src/model/limit-parameters.js';
import type { Metric, Runner, Variant } from '../frame/bench.js';
import { redisCalls } from '../frame/redis-calls.js';
import { percentile } from '../frame/statistics.js';

export const METRICS = [
  { name: 'p50 ms of others', better: 'lower' },
  { name: 'p99 ms of others', better: 'lower' },
  { name: 'Redis calls/s', better: 'lower' },
  { name: 'flood charges/s in Redis', better: 'lower' },
  { name: 'flood operations/s', better: 'higher' },
  { name: 'Node CPU us/s', better: 'lower' },
] as const satisfies readonly Metric[];

const FLOOD_PER_SECOND = 20_000;
const OTHERS_PER_SECOND = 500;
const OTHERS = 50;

/**
 * Limits of the flooding caller and the others. The bucket, which refills one token a second,
 * denies the flooding caller. No limit denies the others.
 */
const limitsOf = (precision: Precision): LimitCharge[] => [
  {
    id: 'bucket',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: 1000,
    refillAmount: 1,
    refillPeriodMs: 1000,
    precision,
    cost: 1,
  },
  {
    id: 'address',
    scope: 'IP',
    algorithm: 'FIXED_WINDOW',
    amount: 1_000_000_000,
    windowMs: 60_000,
    precision,
    cost: 1,
  },
  {
    id: 'all',
    scope: 'GLOBAL',
    algorithm: 'FIXED_WINDOW',
    amount: 1_000_000_000,
    windowMs: 60_000,
    precision,
    cost: 1,
  },
];

const FLOODER = { user: 'flooder', ip: '192.0.2.1' };

/**
 * Measures the other callers with or without a flood. Both loads are open loops: their rate does
 * not depend on the decisions.
 */
export function measureFlood({
  isFlooded = false,
  denialMemory = {},
}: {
  isFlooded?: boolean;
  denialMemory?: false | object;
}): Variant {
  return async ({ redisUrl, warmUpMs }): Promise<Runner> => {
    const observer = new Redis(redisUrl);
    const limiter = createLimiter({ redis: redisUrl, deadlineMs: 1000, denialMemory });
    await limiter.opened;
    let call = 0;

    async function measure(precision: Precision, durationMs: number): Promise<Record<string, number>> {
      const limits = limitsOf(precision);
      const flood = async () => (await limiter.charge({ subject: FLOODER, limits })).admitted;
      // Empties the bucket, so that the flooding caller is denied from now on.
      if (isFlooded) while (await flood()) {}
      const latencies: number[] = [];
      let asked = 0;
      const answeredBefore = limiter.rememberedDenials.answered;
      const callsBefore = await redisCalls(observer);
      const cpuBefore = process.cpuUsage();
      const startMs = performance.now();
      const [flooded] = await Promise.all([
        paced(isFlooded ? FLOOD_PER_SECOND : 0, durationMs, async () => {
          asked++;
          await flood();
        }),
        paced(OTHERS_PER_SECOND, durationMs, async () => {
          // Each call has a different caller, so that no caller empties their bucket.
          const subject = { user: `user-${call++}`, ip: `10.0.0.${call % OTHERS}` };
          const sentMs = performance.now();
          const { admitted, degraded } = await limiter.charge({ subject, limits });
          if (!admitted || degraded) throw new Error('a normal caller was not charged in Redis');
          latencies.push(performance.now() - sentMs);
        }),
      ]);
      const seconds = (performance.now() - startMs) / 1000;
      const { user, system } = process.cpuUsage(cpuBefore);
      const calls = (await redisCalls(observer)) - callsBefore;
      const ofFlood = asked - (limiter.rememberedDenials.answered - answeredBefore);
      return Object.fromEntries(
        [
          percentile(latencies, 0.5),
          percentile(latencies, 0.99),
          calls / seconds,
          ofFlood / seconds,
          flooded / seconds,
          (user + system) / seconds,
        ].map((value, index) => [METRICS[index]!.name, value]),
      );
    }

    return {
      warmUpMs: 4 * warmUpMs,
      run: {
        exact: (durationMs) => measure('EXACT', durationMs),
        leased: (durationMs) => measure('LEASED', durationMs),
      },
      async close() {
        await limiter.close();
        await observer.quit();
      },
    };
  };
}

/**
 * Starts `work` `perSecond` times per second, regardless of its results. Resolves to the number of
 * calls when all calls have ended. It stores no promises, because the garbage collection of tens of
 * thousands of promises would affect the measurement.
 */
async function paced(perSecond: number, durationMs: number, work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  const total = Math.floor((perSecond * durationMs) / 1000);
  let begun = 0;
  let ended = 0;
  let failure: unknown;
  const onEnd = () => void ended++;
  const onFailure = (error: unknown) => {
    ended++;
    failure ??= error;
  };
  while (begun < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) * perSecond) / 1000));
    for (; begun < due; begun++) work().then(onEnd, onFailure);
    await sleep(1);
  }
  while (ended < begun) await sleep(1);
  if (failure !== undefined) throw failure;
  return begun;
}
