import { Redis } from 'ioredis';
import type { Conditions, Runner } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { type BenchSubject, subjectOf } from './workload.js';

const IN_FLIGHT = [1, 64, 512];

/**
 * Decides for one subject. Throws on a denial, because a denial takes a different amount of work.
 */
export type Decide = (subject: BenchSubject) => Promise<void>;

export const METRICS = [
  { name: 'decisions/s', better: 'higher' },
  { name: 'Redis CPU us', better: 'lower' },
  { name: 'Node CPU us', better: 'lower' },
] as const;

/**
 * Measures a limiter at each number of decisions in flight, alternating with the other variants.
 * The measured values are the throughput, and the CPU time of Node.js and of Redis per decision.
 */
export async function measureDecisions(
  { redisUrl, warmUpMs }: Conditions,
  decide: Decide,
  close: () => Promise<unknown>,
): Promise<Runner> {
  const observer = new Redis(redisUrl);
  const work = (call: number) => decide(subjectOf(call));
  const run = Object.fromEntries(
    IN_FLIGHT.map((inFlight) => [
      `${inFlight} in flight`,
      async (durationMs: number) => {
        const redisBefore = await redisCpuUs(observer);
        const nodeBefore = process.cpuUsage();
        const { done, elapsedMs } = await keepInFlight(inFlight, durationMs, work);
        const node = process.cpuUsage(nodeBefore);
        const redis = (await redisCpuUs(observer)) - redisBefore;
        const values = [(done / elapsedMs) * 1000, redis / done, (node.user + node.system) / done];
        return Object.fromEntries(METRICS.map(({ name }, index) => [name, values[index]!]));
      },
    ]),
  );
  return {
    run,
    // V8 must compile more code than in other benchmarks, which takes seconds on a slow machine.
    warmUpMs: 4 * warmUpMs,
    async close() {
      await observer.quit();
      await close();
    },
  };
}
