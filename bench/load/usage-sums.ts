// `npm run load:usage`: sends requests at a fixed rate, and stops the platform with SIGTERM
// meanwhile. It then compares the stored usage with the usage that responses reported to callers.
import { parseArgs } from 'node:util';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { describeMachine } from '../frame/machine.js';
import { machineLine } from '../frame/table.js';
import { type ReportedUsage, startLoadGenerator } from './generator.js';
import { startParts } from './parts.js';
import { outcomeLine } from './print.js';
import { introduceCallers, seedCallers, seedMeteredTier } from './seed-callers.js';
import { wholeNumber } from './whole-number.js';

/** Time for which requests continue after SIGTERM. */
const STOPPING_MS = 1_000;
const WARM_UP_MS = 10_000;
/**
 * Maximum number of requests in flight. It is so low that each request has a response before the
 * client's timeout. An aborted request would be charged, but the client would not learn the cost.
 */
const MAX_UNDER_WAY = 200;
const KEYS = 200;
const NAMES = ['requests', 'denied', 'estimated_cost', 'actual_cost', 'denied_cost'] as const;

const { values } = parseArgs({ options: { rate: { type: 'string' }, seconds: { type: 'string' } } });
const rate = wholeNumber('--rate', values.rate, { fallback: 1_000, max: 100_000 });
const seconds = wholeNumber('--seconds', values.seconds, { fallback: 60, max: 3_600 });

const parts = await startParts();
const generator = startLoadGenerator();
const db = await createPgDb({ url: parts.databaseUrl, maxConnections: 1 });
try {
  const { platform, store } = parts;
  // These buckets are soon empty, so that the load also includes denials.
  await seedMeteredTier(store, 'metered', 500);
  const keys = await seedCallers(store, 'load', 'pro', KEYS);
  const meteredKeys = await seedCallers(store, 'metered', 'metered', 5);
  await introduceCallers(platform, [...keys, ...meteredKeys]);
  const mix = { keys, addresses: 10_000, meteredKeys, mistakes: false, cheap: true };
  const run = (ms: number) =>
    generator.run({ url: platform.url, requestsPerSecond: rate, durationMs: ms, mix, maxUnderWay: MAX_UNDER_WAY });
  await run(WARM_UP_MS);
  // The usage of the warm-up is stored first, because it is not part of the measurement.
  const before = await settledUsage();
  const load = run(seconds * 1000 + STOPPING_MS);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const status = await platform.stop();
  const result = await load;
  const stored = minus(await storedUsage(), before);
  console.log(machineLine(describeMachine()));
  console.log(`${rate} requests a second for ${seconds} s, then SIGTERM; the platform ended with ${status}`);
  console.log(`${outcomeLine(result)}\n`);
  console.log('| what | callers saw | stored |\n| --- | ---: | ---: |');
  for (const name of NAMES) console.log(`| ${name} | ${result.usage[name]} | ${stored[name]} |`);
  const isExact = NAMES.every((name) => result.usage[name] === stored[name]);
  console.log(isExact ? '\nevery sum is equal' : '\nBROKEN: the stored sums differ');
  // Requests after the exit fail with ECONNREFUSED. All other requests must receive a response.
  const broken = Object.keys(result.failures).filter((code) => code !== 'ECONNREFUSED');
  if (!isExact || status !== 0 || broken.length > 0) process.exitCode = 1;
} finally {
  generator.stop();
  await db.close();
  await parts.stop();
}

async function storedUsage(): Promise<ReportedUsage> {
  const [row] = await db.query<Record<keyof ReportedUsage, string>>(
    `select ${NAMES.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(', ')} from usage_minute`,
  );
  return Object.fromEntries(NAMES.map((name) => [name, Number(row![name])])) as unknown as ReportedUsage;
}

/** Returns the stored usage once it no longer changes. */
async function settledUsage(): Promise<ReportedUsage> {
  for (let last = await storedUsage(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const now = await storedUsage();
    if (now.requests === last.requests) return now;
    last = now;
  }
}

function minus(after: ReportedUsage, before: ReportedUsage): ReportedUsage {
  return Object.fromEntries(NAMES.map((name) => [name, after[name] - before[name]])) as unknown as ReportedUsage;
}
