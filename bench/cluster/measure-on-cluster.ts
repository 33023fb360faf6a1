import { Redis } from 'ioredis';
import { parseRedisUrl } from '../../src/limiter/redis/connect.js';
import { type BenchSubject, subjectOf } from '../decision/workload.js';
import type { Conditions, Runner } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { LIMITS, SCENARIOS } from './workload.js';

/**
 * Decides one operation and resolves to whether the decision was made without Redis. Throws on a
 * denial, because a denial takes a different amount of work.
 */
export type Decide = (subject: BenchSubject) => Promise<boolean>;

export const METRICS = [
  { name: 'decisions/s', better: 'higher' },
  { name: 'Redis CPU us', better: 'lower' },
  { name: 'Node CPU us', better: 'lower' },
  { name: 'degraded', better: 'lower' },
] as const;

/**
 * Measures a limiter in each scenario, in turns with the other variants. The measured values are the
 * throughput, the number of degraded decisions, and the CPU time of Node.js and of all Redis nodes
 * together per decision.
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
