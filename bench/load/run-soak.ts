import { until } from '../../test/helpers/until.js';
import { type LoadResult, startLoadGenerator } from './generator.js';
import { keysWithoutExpiry } from './keys-without-expiry.js';
import { memoryGrowth } from './memory-growth.js';
import { askAdmin, type PartsOptions, startParts } from './parts.js';
import { latencyTable, outcomeLine, partsTable } from './print.js';
import { startRandomFaults } from './random-faults.js';
import { decisionLatency, readMetrics } from './read-metrics.js';
import { introduceCallers, seedCallers, seedMeteredTier } from './seed-callers.js';
import { watchParts } from './watch-parts.js';

export interface SoakOptions extends PartsOptions {
  seconds: number;
  requestsPerSecond: number;
  /** Number of callers without a key, each with its own address. */
  identities: number;
  /** Seed of the sequence of faults. */
  seed: number;
}

export interface SoakResult {
  /** Descriptions of violated invariants. Empty if all invariants held. */
  problems: string[];
  load: LoadResult;
  faults: Record<string, number>;
  /** The results as text: outcomes, faults and tables. */
  text: string;
}

const WARM_UP_MS = 5000;
const KEYS = 100;
const METERED = 5;
const METERED_CAPACITY = 1000;
/** Maximum time after the last fault until Redis decides again. */
const RECOVERED_WITHIN_MS = 5000;
/**
 * Maximum number of periods to check after the last fault. One period without degraded decisions is
 * enough. On a busy machine, some deadlines are exceeded although no part is broken. If a part is
 * broken, deadlines are exceeded in every period.
 */
const CALM_SPELLS = 5;

/** Runs mixed load with random faults, and checks the invariants. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const problems: string[] = [];
  const parts = await startParts({ ...options, faultyRedis: true });
  const generator = startLoadGenerator();
  let status: number | null | undefined;
  try {
    const { platform, store } = parts;
    await seedMeteredTier(store, 'metered', METERED_CAPACITY);
    const keys = await seedCallers(store, 'soak', 'pro', KEYS);
    const meteredKeys = await seedCallers(store, 'metered', 'metered', METERED);
    const mix = { keys, addresses: options.identities, meteredKeys, mistakes: true };
    const run = (ms: number) =>
      generator.run({ url: platform.url, requestsPerSecond: options.requestsPerSecond, durationMs: ms, mix });
    await introduceCallers(platform, [...keys, ...meteredKeys]);
    await run(WARM_UP_MS);

    const before = await readMetrics(platform.url);
    const watch = watchParts({ ...parts.pids, generator: generator.pid });
    const faults = startRandomFaults({ parts, seed: options.seed, everyMs: 5000, lastsMs: 4000 });
    const load = await run(options.seconds * 1000);
    const counts = await faults.stop();
    const used = watch.stop();
    const after = await readMetrics(platform.url);

    const failed = Object.entries(load.failures).map(([what, count]) => `${what}: ${count}`);
    if (failed.length > 0) problems.push(`failed requests: ${failed.join(', ')}`);
    problems.push(...overAdmission(load, counts));
    const counted = after.sum('tollgate_decisions_total') - before.sum('tollgate_decisions_total');
    if (counted !== load.decided) {
      problems.push(`the metrics count ${counted} decisions, the responses report ${load.decided}`);
    }
    problems.push(...memoryGrowth(used));
    const { count, stay } = await keysWithoutExpiry(parts.redisUrl);
    if (stay.length > 0) problems.push(`${stay.length} of ${count} keys in Redis never expire, such as ${stay[0]}`);
    try {
      await run(RECOVERED_WITHIN_MS);
      await until('no part is degraded', async () => (await problemsOf(platform)).length === 0);
      let degraded = 1;
      for (let spell = 0; spell < CALM_SPELLS && degraded > 0; spell++) ({ degraded } = await run(2000));
      if (degraded > 0) problems.push(`${degraded} decisions were degraded in 2 s, long after the last fault`);
    } catch (error) {
      problems.push(`no recovery: ${error instanceof Error ? error.message : error}`);
    }
    const latencies = { requests: load.latencyMs, decisions: decisionLatency(before, after) };
    const text = [
      outcomeLine(load),
      `faults: ${Object.entries(counts)
        .map(([name, times]) => `${name} ${times}`)
        .join(', ')}`,
      `\n${latencyTable(latencies)}\n\n${partsTable(used)}`,
    ].join('\n');
    status = await parts.stop();
    if (status !== 0) problems.push(`the platform ended with ${status}`);
    return { problems, load, faults: counts, text };
  } finally {
    generator.stop();
    if (status === undefined) await parts.stop();
  }
}

/**
 * Checks buckets that refill almost nothing. Each bucket may admit its capacity once, and once more
 * for every outage of Redis.
 */
function overAdmission({ metered }: LoadResult, faults: Record<string, number>): string[] {
  const outages = Object.entries(faults)
    .filter(([name]) => name.startsWith('Redis'))
    .reduce((sum, [, times]) => sum + times, 0);
  const bound = METERED_CAPACITY * (1 + outages);
  return metered
    .filter((admitted) => admitted > bound)
    .map((admitted) => `a bucket of ${METERED_CAPACITY} admitted ${admitted}; ${outages} outages allow ${bound}`);
}

async function problemsOf(platform: Parameters<typeof askAdmin>[0]): Promise<unknown[]> {
  const { health } = (await askAdmin(platform, '{ health { problems } }')) as { health: { problems: unknown[] } };
  return health.problems;
}
