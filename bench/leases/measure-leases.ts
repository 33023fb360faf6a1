import { Redis } from 'ioredis';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Precision } from '../../src/model/limit-parameters.js';
import type { Metric, Runner, Variant } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { redisCalls } from '../frame/redis-calls.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { startSharers } from './sharers.js';
import { WORKLOADS } from './workload.js';

export const METRICS = [
  { name: 'decisions/s', better: 'higher' },
  { name: 'Redis CPU us', better: 'lower' },
  { name: 'Redis calls', better: 'lower' },
  { name: 'Node CPU us', better: 'lower' },
  { name: 'above the limit', better: 'lower' },
] as const satisfies readonly Metric[];

const IN_FLIGHT = 64;
const PROCESSES = 4;

interface Work {
  decisions: number;
  elapsedMs: number;
  nodeCpuUs: number;
  aboveLimit: number;
}

/**
 * Measures decisions with limits of this precision, alternating with the other variants. CPU and
 * calls are per decision.
 */
export function measureLeases(precision: Precision): Variant {
  return async ({ redisUrl, warmUpMs }): Promise<Runner> => {
    const observer = new Redis(redisUrl);
    const limiter = createLimiter({ redis: redisUrl, deadlineMs: 1000 });
    await limiter.opened;
    const sharers = await startSharers(redisUrl, PROCESSES);

    async function alone(scenario: string, durationMs: number): Promise<Work> {
      const { limits, subject } = WORKLOADS[scenario]!(precision);
      const before = process.cpuUsage();
      const { done, elapsedMs } = await keepInFlight(IN_FLIGHT, durationMs, async (call) => {
        const decision = await limiter.charge({ subject: subject(call), limits });
        if (!decision.admitted || decision.degraded) throw new Error(`not charged: ${JSON.stringify(decision)}`);
      });
      const cpu = process.cpuUsage(before);
      return { decisions: done, elapsedMs, nodeCpuUs: cpu.user + cpu.system, aboveLimit: 0 };
    }

    async function measure(work: (durationMs: number) => Promise<Work>, durationMs: number) {
      const cpuBefore = await redisCpuUs(observer);
      const callsBefore = await redisCalls(observer);
      const { decisions, elapsedMs, nodeCpuUs, aboveLimit } = await work(durationMs);
      const redisUs = (await redisCpuUs(observer)) - cpuBefore;
      const calls = (await redisCalls(observer)) - callsBefore;
      const perSecond = (decisions / elapsedMs) * 1000;
      const values = [perSecond, redisUs / decisions, calls / decisions, nodeCpuUs / decisions, aboveLimit];
      return Object.fromEntries(METRICS.map(({ name }, index) => [name, values[index]!]));
    }

    const run: Runner['run'] = Object.fromEntries([
      ...Object.keys(WORKLOADS).map((name) => [
        name,
        (durationMs: number) => measure((forMs) => alone(name, forMs), durationMs),
      ]),
      [
        `a GLOBAL limit shared by ${PROCESSES} processes`,
        (durationMs: number) => measure((forMs) => sharers.run({ precision, durationMs: forMs }), durationMs),
      ],
    ]);
    return {
      run,
      warmUpMs: 4 * warmUpMs,
      async close() {
        sharers.stop();
        await limiter.close();
        await observer.quit();
      },
    };
  };
}
