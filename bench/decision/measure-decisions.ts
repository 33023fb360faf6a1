import { Redis } from 'ioredis';
import type { Conditions, Sample } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { type BenchSubject, subjectOf } from './workload.js';

const IN_FLIGHT = [1, 64, 512];

/** Decides for one subject; what is not admitted is thrown, because a denial is another work. */
export type Decide = (subject: BenchSubject) => Promise<void>;

export const METRICS = [
  { name: 'decisions/s', better: 'higher' },
  { name: 'Redis CPU us', better: 'lower' },
  { name: 'Node CPU us', better: 'lower' },
] as const;

/** Measures a limiter at each number of decisions in flight: throughput, and CPU per decision on both sides. */
export async function measureDecisions(decide: Decide, conditions: Conditions): Promise<Sample> {
  const observer = new Redis(conditions.redisUrl);
  const sample: Sample = {};
  for (const inFlight of IN_FLIGHT) {
    const work = (call: number) => decide(subjectOf(call));
    // Until V8 has compiled all of it: what has more code takes longer, on a slow machine seconds.
    await keepInFlight(inFlight, 4 * conditions.warmUpMs, work);
    const redisBefore = await redisCpuUs(observer);
    const nodeBefore = process.cpuUsage();
    const { done, elapsedMs } = await keepInFlight(inFlight, conditions.measureMs, work);
    const node = process.cpuUsage(nodeBefore);
    const redis = (await redisCpuUs(observer)) - redisBefore;
    const values = [(done / elapsedMs) * 1000, redis / done, (node.user + node.system) / done];
    sample[`${inFlight} in flight`] = Object.fromEntries(METRICS.map(({ name }, index) => [name, values[index]!]));
  }
  await observer.quit();
  return sample;
}
