import { request } from 'node:http';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { startEmbeddedPlatform } from '../../helpers/embedded-platform.js';
import { protectedApi } from '../../helpers/testkit.js';
import { countCases } from '../serve.js';

const OTHERS = 100_000;

it.each([
  ['are refilled within a second', 1000],
  ['are not refilled during the test', 86_400_000],
])('A32: 200,000 other identities, whose tokens %s, do not evict the counter of a drained identity', async (_, refillPeriodMs) => {
  const clock = { now: 1_700_000_000_000 };
  const limiter = createLimiter({ now: () => clock.now });
  const bucket = (cost: number, periodMs = refillPeriodMs): LimitCharge => {
    const parameters = { capacity: 100, refillAmount: 10, refillPeriodMs: periodMs };
    return { id: 'tier', scope: 'USER', algorithm: 'TOKEN_BUCKET', ...parameters, cost };
  };
  const drained = { subject: { user: 'drained' }, limits: [bucket(100, 86_400_000)] };
  expect((await limiter.charge(drained)).admitted).toBe(true);
  for (let i = 0; i < 2 * OTHERS; i++) {
    if (i % 10 === 0) clock.now++;
    await limiter.charge({ subject: { user: `other-${i}` }, limits: [bucket(1)] });
  }
  expect(await limiter.charge(drained)).toMatchObject({ admitted: false, code: 'THROTTLED' });
  // Evicting a full bucket loses nothing. If no bucket is full, each identity above the default
  // maximum of 100,000 counters evicts a bucket that still limits another identity.
  const { forgotten } = limiter.anomalies;
  expect(forgotten).toBe(refillPeriodMs === 1000 ? 0 : OTHERS + 1);
  await limiter.close();
});

it('A32: a server denies a drained caller even after many others, and reports that it forgets counters', async (context) => {
  const registry = new Registry();
  const { ask, warnings } = await protectedApi({ maxPartitions: 50, metrics: registry });
  const query = '{ items(first: 99) { name } }';
  // A part of the estimate is refunded, but the remaining tokens do not suffice for the estimate of
  // another operation.
  expect((await ask(query, { as: 'drained' })).status).toBe(200);
  expect((await ask('{ items(first: 45) { name } }', { as: 'drained' })).status).toBe(200);
  for (let i = 0; i < 300; i++) expect((await ask('{ item { name } }', { as: `other-${i}` })).status).toBe(200);
  expect((await ask(query, { as: 'drained' })).status).toBe(429);
  expect(warnings.filter((line) => line.includes('TOLLGATE_MAX_PARTITIONS'))).toHaveLength(1);
  expect(await registry.metrics()).toMatch(/tollgate_engine_anomalies_total\{kind="forgotten"\} 251\n/);
  countCases(context, 300);
});

it('A32: a platform keeps the configured number of counters, including that of the drained caller', async (context) => {
  const platform = await startEmbeddedPlatform({
    env: { TOLLGATE_MAX_PARTITIONS: '40', TOLLGATE_TRUSTED_PROXIES: '1' },
  });
  try {
    const ask = (address: string, query: string) =>
      new Promise<number>((resolve, reject) => {
        const body = JSON.stringify({ query });
        const headers = {
          'content-type': 'application/json',
          'content-length': body.length,
          'x-forwarded-for': address,
        };
        const sent = request(`${platform.url}/graphql`, { method: 'POST', headers }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
        });
        sent.once('error', reject).end(body);
      });
    const writes = (count: number) =>
      `mutation { ${Array.from({ length: count }, (_, i) => `n${i}: noteSave(input: { place: "SWE", text: "x" }) { note { id } }`).join(' ')} }`;
    // A rule of the sample API allows 30 writes per minute. The first request uses all of them. For
    // at least 40 seconds after it, a request with 20 writes exceeds the limit.
    expect(await ask('203.0.113.1', writes(30))).toBe(200);
    expect(await ask('203.0.113.1', writes(20))).toBe(429);
    const others = Array.from({ length: 60 }, (_, i) => ask(`198.51.100.${i}`, '{ countries(first: 1) { name } }'));
    expect(new Set(await Promise.all(others))).toEqual(new Set([200]));
    expect(await ask('203.0.113.1', writes(20))).toBe(429);
    const metrics = await (await fetch(`${platform.url}/metrics`)).text();
    expect(Number(/^tollgate_engine_anomalies_total\{kind="forgotten"\} (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    countCases(context, 80);
  } finally {
    await platform.stop();
  }
});
