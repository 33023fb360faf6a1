import { Redis } from 'ioredis';
import { until } from '../../test/helpers/until.js';
import { type LoadResult, startLoadGenerator } from './generator.js';
import { askAdmin, type PartsOptions, startParts } from './parts.js';
import { latencyTable, outcomeLine, partsTable } from './print.js';
import { startRandomFaults } from './random-faults.js';
import { decisionLatency, readMetrics } from './read-metrics.js';
import { introduceCallers, seedCallers, seedMeteredTier } from './seed-callers.js';
import { type PartUse, watchParts } from './watch-parts.js';

export interface SoakOptions extends PartsOptions {
  seconds: number;
  requestsPerSecond: number;
  /** Callers without a key, each with an address of his own. */
  identities: number;
  /** Of the sequence of faults. */
  seed: number;
}

export interface SoakResult {
  /** Invariants that did not hold, in words; empty: all did. */
  problems: string[];
  load: LoadResult;
  faults: Record<string, number>;
  /** Tables for people. */
  text: string;
}

const WARM_UP_MS = 5000;
const KEYS = 100;
const METERED = 5;
const METERED_CAPACITY = 1000;
/** After the last fault, decisions are made by Redis again after this long at the latest. */
const RECOVERED_WITHIN_MS = 5000;
/** Memory counts as flat while what is used at last is at most so much above what was used after the warm-up. */
const MEMORY_SLACK = { share: 0.2, mb: 40 };

/** Mixed load with random faults, and what must be true of all of it. */
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
    if (failed.length > 0) problems.push(`answers that are failures: ${failed.join(', ')}`);
    problems.push(...overAdmission(load, counts));
    const counted = after.sum('tollgate_decisions_total') - before.sum('tollgate_decisions_total');
    if (counted !== load.decided) problems.push(`${counted} decisions were counted, ${load.decided} were answered`);
    problems.push(...memoryGrowth(used));
    problems.push(...(await keysWithoutExpiry(parts.redisUrl)));
    try {
      await run(RECOVERED_WITHIN_MS);
      await until('no part is degraded', async () => (await problemsOf(platform)).length === 0);
      const calm = await run(2000);
      if (calm.degraded > 0) problems.push(`${calm.degraded} decisions were degraded after the last fault`);
    } catch (error) {
      problems.push(`not well again: ${error instanceof Error ? error.message : error}`);
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

/** Of each bucket that is not refilled: its capacity, and once more for every time that Redis was not there to ask. */
function overAdmission({ metered }: LoadResult, faults: Record<string, number>): string[] {
  const outages = Object.entries(faults)
    .filter(([name]) => name.startsWith('Redis'))
    .reduce((sum, [, times]) => sum + times, 0);
  const bound = METERED_CAPACITY * (1 + outages);
  return metered
    .filter((admitted) => admitted > bound)
    .map((admitted) => `a bucket of ${METERED_CAPACITY} let ${admitted} through; ${outages} outages allow ${bound}`);
}

function memoryGrowth(used: readonly PartUse[]): string[] {
  return used
    .filter(({ name }) => name === 'server')
    .flatMap(({ name, memoryMb }) => {
      const quarter = Math.ceil(memoryMb.length / 4);
      const warm = medianOf(memoryMb.slice(quarter, 2 * quarter));
      const last = medianOf(memoryMb.slice(-quarter));
      if (!(last > warm * (1 + MEMORY_SLACK.share) + MEMORY_SLACK.mb)) return [];
      return [`the memory of the ${name} grew from ${warm.toFixed(0)} to ${last.toFixed(0)} MB`];
    });
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function problemsOf(platform: Parameters<typeof askAdmin>[0]): Promise<unknown[]> {
  const { health } = (await askAdmin(platform, '{ health { problems } }')) as { health: { problems: unknown[] } };
  return health.problems;
}

/** Looks at every key that there is. One that has just expired has no time to live either: its key is gone. */
async function keysWithoutExpiry(url: string): Promise<string[]> {
  const redis = new Redis(url);
  const found: string[] = [];
  try {
    for await (const keys of redis.scanStream({ match: 'tg:*', count: 1000 }) as AsyncIterable<string[]>) {
      const pipeline = redis.pipeline();
      for (const key of keys) pipeline.pttl(key);
      const answers = (await pipeline.exec()) ?? [];
      for (const [index, [, ttlMs]] of answers.entries()) if (ttlMs === -1) found.push(keys[index]!);
    }
  } finally {
    redis.disconnect();
  }
  return found.length === 0 ? [] : [`${found.length} keys in Redis never expire, such as ${found[0]}`];
}
