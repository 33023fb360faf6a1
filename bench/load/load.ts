// `npm run load`: measures the real platform with a real Redis and PostgreSQL. A separate process
// sends requests at a fixed rate.
import { parseArgs } from 'node:util';
import { describeMachine } from '../frame/machine.js';
import { machineLine } from '../frame/table.js';
import { type Distribution, type LoadResult, startLoadGenerator } from './generator.js';
import { memoryGrowth } from './memory-growth.js';
import { startParts } from './parts.js';
import { latencyTable, outcomeLine, partsTable } from './print.js';
import { decisionLatency, readMetrics } from './read-metrics.js';
import { introduceCallers, seedCallers } from './seed-callers.js';
import { watchParts } from './watch-parts.js';
import { wholeNumber } from './whole-number.js';

const USAGE = `npm run load -- [--rate N] [--seconds S] [--warm-up S] [--identities N] [--postgres-away S]
                    [--redis-url U] [--database-url U]`;
const KEYS = 200;
const WITHOUT_POSTGRES = ' while PostgreSQL is unavailable';
/**
 * Maximum share of failed requests, and upper bound of the p99 of decisions in milliseconds. If
 * either is exceeded, the run fails.
 */
const MAX_ERROR_SHARE = 0.001;
const MAX_DECISION_P99_MS = 10;
/**
 * Bounds of the p99 while PostgreSQL is unavailable: 1.25 times the p99 while it is available, and
 * 1 ms more than that p99. The run fails only if both bounds are exceeded.
 */
const AWAY = { factor: 1.25, moreMs: 1 };

const options = readOptions();
const parts = await startParts(options);
const generator = startLoadGenerator();
try {
  const keys = await seedCallers(parts.store, 'load', 'pro', KEYS);
  await introduceCallers(parts.platform, keys);
  const mix = { keys, addresses: options.identities, meteredKeys: [], mistakes: false };
  const run = (seconds: number) =>
    generator.run({ url: parts.platform.url, requestsPerSecond: options.rate, durationMs: seconds * 1000, mix });
  await run(options.warmUp);

  const watch = watchParts({ ...parts.pids, generator: generator.pid });
  const latencies: Record<string, Distribution> = {};
  async function measure(name: string, seconds: number): Promise<LoadResult> {
    const before = await readMetrics(parts.platform.url);
    const result = await run(seconds);
    latencies[`requests${name}`] = result.latencyMs;
    latencies[`decisions${name}`] = decisionLatency(before, await readMetrics(parts.platform.url));
    console.log(`${name === '' ? '' : `${name.trim()}: `}${outcomeLine(result)}`);
    return result;
  }
  console.log(`${machineLine(describeMachine())}; ${options.rate} requests a second for ${options.seconds} s`);
  const results = [await measure('', options.seconds)];
  const used = watch.stop();
  if (options.postgresAway > 0) {
    await parts.toPostgres.set({ kind: 'refuse' });
    results.push(await measure(WITHOUT_POSTGRES, options.postgresAway));
    await parts.toPostgres.set({ kind: 'pass' });
  }
  console.log(`\n${latencyTable(latencies)}\n\n${partsTable(used)}\n`);
  const problems = [...results.flatMap(tooManyErrors), ...tooSlow(latencies), ...memoryGrowth(used)];
  console.log(problems.length === 0 ? 'every bound holds' : `BROKEN:\n  ${problems.join('\n  ')}`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  generator.stop();
  const status = await parts.stop();
  if (status !== 0) {
    console.error(`the platform ended with ${status}`);
    process.exitCode = 1;
  }
}

function tooManyErrors({ requests, failures }: LoadResult): string[] {
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  if (failed <= requests * MAX_ERROR_SHARE) return [];
  return [`${failed} of ${requests} requests failed, more than ${MAX_ERROR_SHARE * 100} %`];
}

function tooSlow(measured: Record<string, Distribution>): string[] {
  const usual = measured['decisions']!.p99;
  const away = measured[`decisions${WITHOUT_POSTGRES}`]?.p99;
  const problems: string[] = [];
  if (!(usual < MAX_DECISION_P99_MS)) {
    problems.push(`the p99 of decisions is ${usual.toFixed(2)} ms, not less than ${MAX_DECISION_P99_MS} ms`);
  }
  if (away !== undefined && !(away <= Math.max(usual * AWAY.factor, usual + AWAY.moreMs))) {
    problems.push(
      `the p99 of decisions without PostgreSQL is ${away.toFixed(2)} ms, and ${usual.toFixed(2)} ms with it`,
    );
  }
  return problems;
}

function readOptions() {
  const number = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: {
        rate: number,
        seconds: number,
        'warm-up': number,
        identities: number,
        'postgres-away': number,
        'redis-url': { type: 'string' },
        'database-url': { type: 'string' },
      },
    });
    return {
      rate: wholeNumber('--rate', values.rate, { fallback: 200, max: 100_000 }),
      seconds: wholeNumber('--seconds', values.seconds, { fallback: 30, max: 86_400 }),
      warmUp: wholeNumber('--warm-up', values['warm-up'], { fallback: 10, max: 3600 }),
      identities: wholeNumber('--identities', values.identities, { fallback: 10_000, max: 2 ** 24 }),
      postgresAway: wholeNumber('--postgres-away', values['postgres-away'], { fallback: 0, min: 0, max: 3600 }),
      redisUrl: values['redis-url'],
      databaseUrl: values['database-url'],
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nusage: ${USAGE}`);
    process.exit(2);
  }
}
