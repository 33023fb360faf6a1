import { Redis } from 'ioredis';
import { parseRedisUrl } from '../../src/limiter/redis/connect.js';
import { type BenchSubject, subjectOf } from '../decision/workload.js';
import type { Conditions, Runner } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { LIMITS, SCENARIOS } from './workload.js';

/**
 * Decides; resolves to whether it was decided without Redis. What is not admitted is thrown: a
 * denial is another work.
 */
export type Decide = (subject: BenchSubject) => Promise<boolean>;

export const METRICS = [
  { name: 'decisions/s', better: 'higher' },
  { name: 'Redis CPU us', better: 'lower' },
  { name: 'Node CPU us', better: 'lower' },
  { name: 'degraded', better: 'lower' },
] as const;

/**
 * Measures each scenario by turns: throughput, CPU per decision on both sides (all nodes together),
 * and what was degraded.
 */
export async function measureOnCluster(
  { redisUrl, warmUpMs }: Conditions,
  decideBy: (limits: keyof typeof LIMITS) => Decide,
  close: () => Promise<unknown>,
): Promise<Runner> {
  const observers = parseRedisUrl(redisUrl).nodes.map(({ host, port }) => new Redis(port, host));
  const cpuUs = async () => (await Promise.all(observers.map(redisCpuUs))).reduce((sum, one) => sum + one, 0);
  const run = Object.fromEntries(
    SCENARIOS.map(({ limits, inFlight }) => {
      const decide = decideBy(limits);
      const measure = async (durationMs: number) => {
        let degraded = 0;
        const redisBefore = await cpuUs();
        const nodeBefore = process.cpuUsage();
        const { done, elapsedMs } = await keepInFlight(inFlight, durationMs, async (call) => {
          if (await decide(subjectOf(call))) degraded++;
        });
        const node = process.cpuUsage(nodeBefore);
        const redis = (await cpuUs()) - redisBefore;
        const values = [(done / elapsedMs) * 1000, redis / done, (node.user + node.system) / done, degraded];
        return Object.fromEntries(METRICS.map(({ name }, index) => [name, values[index]!]));
      };
      return [`${limits}, ${inFlight} in flight`, measure];
    }),
  );
  return {
    run,
    warmUpMs: 4 * warmUpMs,
    async close() {
      await Promise.all(observers.map((observer) => observer.quit()));
      await close();
    },
  };
}
