import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decisionLatency, readMetrics } from '../../bench/load/read-metrics.js';
import type { Platform } from '../helpers/platform.js';
import { startPlatform } from '../helpers/platform.js';
import { startRedisSentinels } from '../helpers/redis-sentinel.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';
import { reportFigure } from '../report/figures.js';
import {
  ask,
  askAdmin,
  isDegraded,
  liftAddressLimit,
  NOT_PATIENT,
  openStack,
  PRO,
  QUERY,
  type Stack,
} from './stack.js';
import { startTraffic } from './traffic.js';

const CALLERS = Array.from({ length: 8 }, () => PRO);
/** A query whose actual cost equals its estimated cost, so that nothing is refunded. */
const COUNTRIES = '{ countries(first: 100) { name } }';
const isRedisAway = (platform: Platform) => isDegraded(platform, 'Redis');

/** Gives the tier `pro` a bucket that refills almost nothing while a test runs. */
async function giveProBucket(platform: Platform, capacity: number): Promise<void> {
  const refillPeriodMs = Math.min(86_400_000, 1e12 / capacity);
  const tier = `name: "pro", capacity: ${capacity}, refillAmount: 1, refillPeriodMs: ${refillPeriodMs}`;
  const { body } = await askAdmin(platform, `mutation { tierUpdate(input: { ${tier} }) { userErrors { message } } }`);
  expect(body.data.tierUpdate.userErrors).toEqual([]);
}

const leftOf = async (platform: Platform) =>
  (await ask(platform, PRO)).body.extensions.cost.throttleStatus.currentlyAvailable as number;

describe('platform whose Redis fails', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await openStack();
  });
  afterEach(async () => {
    stack.redis.process.kill('SIGCONT');
    await stack.stop();
  });

  it('R1: a platform that starts without Redis serves immediately, reports it, and finds Redis on its own', async (context) => {
    await stack.toRedis.set({ kind: 'refuse' });
    const platform = await stack.start(NOT_PATIENT);
    expect(await isRedisAway(platform)).toBe(true);
    const before = await readMetrics(platform.url);
    const traffic = startTraffic({ url: platform.url, query: QUERY, callers: CALLERS });
    await until('responses arrive', () => traffic.result.requests >= 500);
    const { requests, failures, degraded, statuses } = await traffic.stop();
    expect({ failures, degraded }).toEqual({ failures: [], degraded: requests });
    expect(Object.keys(statuses)).toEqual(['200']);
    const { p99, max } = decisionLatency(before, await readMetrics(platform.url));
    reportFigure(
      context,
      `started without Redis: decisions of the platform: p99 ${p99.toFixed(2)}, below ${max} ms (${requests})`,
    );
    await stack.toRedis.set({ kind: 'pass' });
    await until('Redis decides', async () => (await ask(platform, PRO)).body.extensions.cost.degraded === false);
    expect(await isRedisAway(platform)).toBe(false);
  });

  it('R2: a platform whose Redis freezes under load fails no request, and exceeds the limit by one capacity at most', async (context) => {
    const capacity = 200;
    const platform = await stack.start(NOT_PATIENT);
    await giveProBucket(platform, capacity);
    for (let spent = 0; spent < capacity; spent += 100) expect((await ask(platform, PRO, COUNTRIES)).status).toBe(200);
    await until('the bucket is empty', async () => (await ask(platform, PRO)).status === 429);

    let isShareUsedUp = false;
    const traffic = startTraffic({
      url: platform.url,
      query: QUERY,
      callers: CALLERS,
      onAnswer({ status, text }) {
        isShareUsedUp ||= status === 429 && text.includes('"degraded":true');
      },
    });
    const { result } = traffic;
    await until('responses arrive', () => result.requests >= 300);
    stack.redis.process.kill('SIGSTOP');
    await until('the platform reports the outage', () => isRedisAway(platform));
    const opened = await readMetrics(platform.url);
    // The share of this single instance is the whole limit.
    await until('the share is used up', () => isShareUsedUp);
    const then = result.requests;
    await until('more responses arrive', () => result.requests >= then + 1000);
    const away = decisionLatency(opened, await readMetrics(platform.url));
    const beganMs = performance.now();
    stack.redis.process.kill('SIGCONT');
    await until('Redis decides', async () => (await ask(platform)).body.extensions.cost.degraded === false);
    const backMs = performance.now() - beganMs;
    const { failures, statuses } = await traffic.stop();
    expect(failures).toEqual([]);
    expect(Object.keys(statuses).sort()).toEqual(['200', '429']);
    expect(statuses[200]).toBeLessThanOrEqual(capacity);
    // The outage has not refilled the bucket.
    expect((await ask(platform, PRO)).status).toBe(429);
    reportFigure(
      context,
      `SIGSTOP under load over HTTP: ${statuses[200]} admitted beyond the limit, the bound is ${capacity}; decisions of the ` +
        `platform while the breaker is open: p99 ${away.p99.toFixed(2)} ms; back after ${backMs.toFixed(0)} ms`,
    );
  });
});

it('R4: no request fails and no charge is made twice when sentinels fail over under load', async (context) => {
  const sentinels = await startRedisSentinels();
  const database = await openServerDatabase('empty');
  const env = { REDIS_URL: sentinels.url, DATABASE_URL: database.url, LOG_LEVEL: 'warn', ...NOT_PATIENT };
  const platform = await startPlatform({ env, args: ['--demo'] });
  try {
    const capacity = 10_000_000;
    await liftAddressLimit(platform);
    await giveProBucket(platform, capacity);
    await until('Redis decides', async () => (await leftOf(platform)) > capacity - 100_000);
    const before = await leftOf(platform);
    const traffic = startTraffic({ url: platform.url, query: COUNTRIES, callers: CALLERS });
    await until('responses arrive', () => traffic.result.requests >= 300);
    await sentinels.failOver();
    const then = traffic.result.requests;
    await until('more responses arrive', () => traffic.result.requests >= then + 300);
    await until('Redis decides', async () => (await ask(platform)).body.extensions.cost.degraded === false, 20_000);
    const { failures, statuses, requests, degraded } = await traffic.stop();
    expect(failures).toEqual([]);
    expect(Object.keys(statuses)).toEqual(['200']);
    const spent = before - (await leftOf(platform)) - 1;
    // Charges that were not replicated are lost, so the amount may be lower than all requests cost.
    expect(spent).toBeLessThanOrEqual(requests * 100);
    expect(spent).toBeGreaterThan(0);
    const { p99 } = decisionLatency({ sum: () => 0, buckets: () => new Map() }, await readMetrics(platform.url));
    reportFigure(
      context,
      `failover by sentinels under load over HTTP: ${requests} answered, ${degraded} of them decided without Redis, ` +
        `${spent / 100} counted; p99 of decisions ${p99.toFixed(1)} ms`,
    );
  } finally {
    await platform.stop();
    await database.dispose();
    await sentinels.stop();
  }
});
