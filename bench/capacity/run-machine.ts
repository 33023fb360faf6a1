// `npm run load:capacity`: runs several instances with a real Redis and PostgreSQL on this machine.
// It finds the highest rate at which the p99 of requests stays below 10 ms. Then it compares the use
// of each resource at that rate with the formulas of `tollgate capacity`, and with the simulation.
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeMachine } from '../frame/machine.js';
import { machineLine } from '../frame/table.js';
import { type LoadRequest, type LoadResult, startLoadGenerator } from '../load/generator.js';
import { outcomeLine } from '../load/print.js';
import { wholeNumber } from '../load/whole-number.js';
import {
  compare,
  compareCallers,
  comparisonTable,
  measureUse,
  readRedis,
  withoutIdle,
} from './compare-with-formula.js';
import { startFleet } from './start-fleet.js';

const USAGE = 'npm run load:capacity -- [--instances N] [--users N] [--first-rate N] [--seconds S] [--rate N]';
const MAX_P99_MS = 10;
const STEP_S = 7;
const WARM_UP_S = 10;
const FACTOR = 1.25;
const IDLE_MS = 5_000;
const ZIPF = 1;

const options = readOptions();
const fleet = await startFleet(options);
const generator = startLoadGenerator();
try {
  const mix = { keys: fleet.keys, addresses: 1, meteredKeys: [], mistakes: false, zipf: ZIPF };
  let operations = 0;
  const run = async (requestsPerSecond: number, seconds: number) => {
    const load = {
      url: fleet.urls,
      requestsPerSecond,
      durationMs: seconds * 1000,
      mix: { ...mix, firstNumber: operations },
    };
    const result = await generator.run(load satisfies LoadRequest);
    operations += result.requests;
    return result;
  };
  console.log(`${machineLine(describeMachine())}; ${options.instances} instances, ${options.users} users`);
  const { memoryBytes: memoryBytesAtStart } = await readRedis(fleet.redis);
  await run(options.firstRate, WARM_UP_S);
  const rate = options.rate ?? (await findHighestRate());
  const idle = await measureUse(fleet, () => setTimeout(IDLE_MS));
  const measure = async (requestsPerSecond: number, seconds: number) => {
    let result: LoadResult | undefined;
    const use = await measureUse(fleet, async () => {
      result = await run(requestsPerSecond, seconds);
    });
    return { use: withoutIdle(use, idle), result: result! };
  };
  const half = await measure(Math.round(rate / 2), STEP_S);
  const cpuUs = (half.use.instancesMs * 1000) / half.result.requests;
  const { use, result } = await measure(rate, options.seconds);
  const { p50, p99 } = result.latencyMs;
  console.log(`\n${outcomeLine(result)}; p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
  console.log(`CPU of an instance for an operation at half of the rate: ${cpuUs.toFixed(0)} us`);
  const load = { rate, seconds: options.seconds, users: options.users, zipf: ZIPF };
  const rows = compare(use, { load, instances: options.instances, cpuUs });
  const callers = await compareCallers(fleet, { load, operations, memoryBytesAtStart });
  console.log(`\n${comparisonTable([...rows, ...callers])}`);

  /**
   * Returns the highest rate of the tried ones at which the p99 is low enough. A rate has two
   * attempts, so that one disturbance does not count.
   */
  async function findHighestRate(): Promise<number> {
    let rate = options.firstRate;
    if (await isFast(rate)) {
      for (let next = Math.round(rate * FACTOR); await isFast(next); next = Math.round(rate * FACTOR)) rate = next;
      return rate;
    }
    do rate = Math.round(rate / FACTOR);
    while (rate > 1 && !(await isFast(rate)));
    return rate;
  }

  async function isFast(requestsPerSecond: number): Promise<boolean> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const { latencyMs } = await run(requestsPerSecond, STEP_S);
      console.log(`${requestsPerSecond} a second: p99 ${latencyMs.p99.toFixed(2)} ms`);
      if (latencyMs.p99 < MAX_P99_MS) return true;
    }
    return false;
  }
} finally {
  generator.stop();
  await fleet.stop();
}

function readOptions() {
  const number = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: { instances: number, users: number, 'first-rate': number, seconds: number, rate: number },
    });
    return {
      instances: wholeNumber('--instances', values.instances, { fallback: 2, max: 64 }),
      users: wholeNumber('--users', values.users, { fallback: 5_000, max: 100_000 }),
      firstRate: wholeNumber('--first-rate', values['first-rate'], { fallback: 150, max: 100_000 }),
      seconds: wholeNumber('--seconds', values.seconds, { fallback: 30, max: 600 }),
      rate: values.rate === undefined ? undefined : wholeNumber('--rate', values.rate, { fallback: 0, max: 100_000 }),
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nusage: ${USAGE}`);
    process.exit(2);
  }
}
