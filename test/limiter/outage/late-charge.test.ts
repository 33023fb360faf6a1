import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import type { EngineFailure } from '../../../src/limiter/redis/engine-failure.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { startRedisServer } from '../../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';
import { someone } from '../engines.js';

// In these tests, Redis replies after the deadline. By that time, this process has already decided
// without Redis.

const DEADLINE_MS = 200;
const window = { scope: 'USER', windowMs: 86_400_000, cost: 1 } as const;
const LIMITS = (amount: number): LimitCharge[] => [
  { id: 'fixed', algorithm: 'FIXED_WINDOW', amount, ...window },
  { id: 'sliding', algorithm: 'SLIDING_WINDOW_COUNTER', amount, ...window },
  { id: 'log', algorithm: 'SLIDING_WINDOW_LOG', amount, ...window },
  { id: 'places', scope: 'USER', algorithm: 'CONCURRENCY', capacity: amount, leaseMs: 86_400_000, cost: 1 },
];

let redis: Awaited<ReturnType<typeof startRedisServer>>;
let proxy: TcpProxy;
let direct: MonitoredLimiter;
let late: MonitoredLimiter;
let failures: EngineFailure['class'][];
beforeAll(async () => {
  redis = await startRedisServer();
  proxy = await startTcpProxy(redis.url);
  // This limiter bypasses the proxy and has a long deadline. Its heartbeats can fail while Redis is
  // out of memory.
  direct = createLimiter({ redis: redis.url, deadlineMs: PATIENT_MS });
  await direct.opened;
});
beforeEach(async () => {
  // Each test gets a new limiter, so that the breaker is closed at its start.
  failures = [];
  await openLate();
});
afterEach(async () => {
  await runOutOfMemory(false);
  await proxy.set({ kind: 'pass' });
  await late.close();
});
afterAll(async () => {
  await direct.close();
  await proxy.close();
  await redis.stop();
});

async function openLate(deadlineMs = DEADLINE_MS): Promise<void> {
  late = createLimiter({
    redis: proxy.url,
    deadlineMs,
    observer: { failed: (failure) => void failures.push(failure.class) },
  });
  await late.opened;
}

/** Makes Redis reject commands that may need memory (`isOut`), or accept them again. */
async function runOutOfMemory(isOut: boolean): Promise<void> {
  const client = new Redis(redis.url);
  await client.config('SET', 'maxmemory', isOut ? 1 : 0);
  await client.quit();
}

const usedOf = async (subject: ReturnType<typeof someone>, limits: LimitCharge[]) =>
  (await direct.peek({ subject, limits })).map(({ used }) => used);

const charge = (limiter: MonitoredLimiter, subject: ReturnType<typeof someone>, limits: LimitCharge[]) =>
  limiter.charge({ subject, limits });

test('a charge that was admitted locally and denied by Redis is counted in Redis afterwards, at its actual cost', async () => {
  const subject = someone();
  const limits = LIMITS(10);
  for (let i = 0; i < 10; i++) expect((await charge(direct, subject, limits)).admitted).toBe(true);
  await proxy.set({ kind: 'hold-replies' });
  const decision = await charge(late, subject, limits);
  expect(decision).toMatchObject({ admitted: true, degraded: true });
  await proxy.set({ kind: 'pass' });
  await until('the charge counts', async () => (await usedOf(subject, limits)).every((used) => used === 11));
  if (decision.admitted) await late.settle(decision.receipt, { fixed: 0, sliding: 0, log: 0, places: 0 });
  await until('the charge is corrected', async () => (await usedOf(subject, limits)).every((used) => used === 10));
});

test('a charge that was admitted locally and by Redis counts once, at its actual cost, even if settled early', async () => {
  const subject = someone();
  const limits = LIMITS(10).map((limit) => ({ ...limit, cost: 4 }));
  await proxy.set({ kind: 'hold-replies' });
  const decision = await charge(late, subject, limits);
  expect(decision).toMatchObject({ admitted: true, degraded: true });
  if (decision.admitted) await late.settle(decision.receipt, { fixed: 1, sliding: 1, log: 1, places: 0 });
  await proxy.set({ kind: 'pass' });
  await until('the charge is corrected', async () => (await usedOf(subject, limits)).join() === '1,1,1,0');
});

test('a late correction applies to the caller that was charged, even if the subject object now names another caller', async () => {
  const subject = someone();
  const first = { ...subject };
  const limits = LIMITS(10).map((limit) => ({ ...limit, cost: 4 }));
  await proxy.set({ kind: 'hold-replies' });
  const decision = await charge(late, subject, limits);
  if (decision.admitted) await late.settle(decision.receipt, { fixed: 1, sliding: 1, log: 1, places: 0 });
  Object.assign(subject, someone());
  await proxy.set({ kind: 'pass' });
  await until('the charge is corrected', async () => (await usedOf(first, limits)).join() === '1,1,1,0');
});

test('an early release of a late charge frees its slot, and changes no other limit with the same id', async () => {
  const subject = someone();
  const limits = LIMITS(10).map((limit) => ({ ...limit, id: 'one' }));
  await proxy.set({ kind: 'hold-replies' });
  const decision = await charge(late, subject, limits);
  expect(decision).toMatchObject({ admitted: true, degraded: true });
  if (decision.admitted) await late.release(decision.receipt);
  await proxy.set({ kind: 'pass' });
  await until('the slot is free', async () => (await usedOf(subject, limits)).join() === '1,1,1,0');
});

test('a charge that was denied locally is refunded once the limiter knows that Redis charged it', async () => {
  const subject = someone();
  const limits = LIMITS(1);
  await proxy.set({ kind: 'hold-replies' });
  // Together, the two charges exceed the local share. While the result of a charge in Redis is
  // unknown, its cost is not available in the share, so both charges are denied.
  const both = await Promise.all([charge(late, subject, limits), charge(late, subject, limits)]);
  expect(both.map(({ admitted, degraded }) => [admitted, degraded])).toEqual([
    [false, true],
    [false, true],
  ]);
  await until('Redis has charged', async () => (await usedOf(subject, limits)).join() === '1,1,1,1');
  await proxy.set({ kind: 'pass' });
  await until('the charge is refunded', async () => (await usedOf(subject, limits)).every((used) => used === 0));
});

test('a limit that has just denied in Redis admits nothing locally while a call is in flight', async () => {
  const subject = someone();
  const limits = LIMITS(10);
  for (let i = 0; i < 10; i++) await charge(direct, subject, limits);
  // Redis must reply to the first charge within the deadline.
  await late.close();
  await openLate(1000);
  expect(await charge(late, subject, limits)).toMatchObject({ admitted: false, degraded: false });
  await proxy.set({ kind: 'hold-replies' });
  expect(await charge(late, subject, limits)).toMatchObject({ admitted: false, degraded: true, code: 'THROTTLED' });
  expect(await usedOf(subject, limits)).toEqual([10, 10, 10, 10]);
});

test.each([
  true,
  false,
])('a charge that was admitted locally is counted in Redis even if Redis rejects the late call (settled early: %s)', async (isSettledFirst) => {
  const subject = someone();
  const limits = LIMITS(10).map((limit) => ({ ...limit, cost: 4 }));
  const settle = async () => {
    if (decision.admitted) await late.settle(decision.receipt, { fixed: 1, sliding: 1, log: 1, places: 0 });
  };
  await runOutOfMemory(true);
  await proxy.set({ kind: 'hold-replies' });
  const decision = await charge(late, subject, limits);
  expect(decision).toMatchObject({ admitted: true, degraded: true });
  if (isSettledFirst) await settle();
  await until('Redis rejects the call', () => proxy.delayed() > 0);
  await runOutOfMemory(false);
  await proxy.set({ kind: 'pass' });
  if (!isSettledFirst) {
    await until('the charge counts', async () => (await usedOf(subject, limits)).every((used) => used === 4));
    await settle();
  }
  await until('the charge is corrected', async () => (await usedOf(subject, limits)).join() === '1,1,1,0');
  expect(failures).toContain('out_of_memory');
});

test('a charge that was denied locally is not counted when Redis rejects the late call', async () => {
  const subject = someone();
  const limits = LIMITS(1);
  await runOutOfMemory(true);
  await proxy.set({ kind: 'hold-replies' });
  const both = await Promise.all([charge(late, subject, limits), charge(late, subject, limits)]);
  expect(both.map(({ admitted }) => admitted)).toEqual([false, false]);
  await until('Redis rejects the calls', () => proxy.delayed() > 0);
  await runOutOfMemory(false);
  await proxy.set({ kind: 'pass' });
  await until('the error is reported', () => failures.includes('out_of_memory'));
  // When this charge is decided by Redis, all earlier calls have arrived.
  await until('Redis decides', async () => !(await charge(late, someone(), limits)).degraded);
  expect(await usedOf(subject, limits)).toEqual([0, 0, 0, 0]);
});

test('an error from Redis for a settlement is reported even if it arrives after the deadline', async () => {
  const subject = someone();
  const decision = await charge(late, subject, LIMITS(10));
  // The replies are held first. Otherwise, a heartbeat could report the error before the deadline.
  await proxy.set({ kind: 'hold-replies' });
  await runOutOfMemory(true);
  if (decision.admitted) await late.settle(decision.receipt, { places: 0 });
  await until('Redis rejects the call', () => proxy.delayed() > 0);
  await runOutOfMemory(false);
  await proxy.set({ kind: 'pass' });
  await until('the error is reported', () => failures.includes('out_of_memory'));
  expect(failures[0]).toBe('deadline');
});

test('the breaker does not open because of a long queue, but opens when the queued calls fail', async () => {
  // The deadline is longer than any pause of a busy machine.
  const deadlineMs = 2000;
  const stepMs = 500;
  const [limit] = LIMITS(1_000_000);
  const opened: unknown[] = [];
  let fallenBehind = 0;
  const queued = createLimiter({
    redis: proxy.url,
    deadlineMs,
    observer: {
      fellBehind: () => void fallenBehind++,
      changed: ({ state, reason }) => void (state === 'OPEN' && opened.push(reason)),
    },
  });
  await queued.opened;
  const ask = () => {
    void queued.charge({ subject: someone(), limits: [limit!] });
    void queued.peek({ subject: someone(), limits: [limit!] });
  };
  // Redis replies continuously, but the delay of its replies grows. In the end, each call is older
  // than the deadline when its reply arrives.
  const asking = setInterval(ask, 10);
  for (let ms = 0; fallenBehind < 50; ms += stepMs) {
    await proxy.set({ kind: 'delay', ms: Math.min(ms, 2000 + deadlineMs) });
    await pause(stepMs / 4);
  }
  expect(opened).toEqual([]);
  await runOutOfMemory(true);
  await until('the breaker opens', () => opened.length > 0);
  clearInterval(asking);
  expect(opened).toEqual(['out_of_memory']);
  await queued.close();
});

test('a charge that was admitted locally and denied by Redis is counted once in limits that count denied operations', async () => {
  const subject = someone();
  const full: LimitCharge = { id: 'full', algorithm: 'FIXED_WINDOW', amount: 3, ...window };
  const limits: LimitCharge[] = [
    { ...full, cost: 2 },
    { id: 'window', algorithm: 'FIXED_WINDOW', amount: 100, countDenied: true, ...window, cost: 5 },
    { id: 'log', algorithm: 'SLIDING_WINDOW_LOG', amount: 100, countDenied: true, ...window, cost: 5 },
    {
      id: 'bucket',
      scope: 'USER',
      algorithm: 'TOKEN_BUCKET',
      capacity: 100,
      refillAmount: 1,
      refillPeriodMs: 86_400_000,
      countDenied: true,
      cost: 5,
    },
  ];
  await charge(direct, subject, [{ ...full, cost: 2 }]);
  await proxy.set({ kind: 'hold-replies' });
  const decision = await charge(late, subject, limits);
  expect(decision).toMatchObject({ admitted: true, degraded: true });
  await proxy.set({ kind: 'pass' });
  await until('the charge counts', async () => (await usedOf(subject, limits))[0] === 4);
  expect(await usedOf(subject, limits)).toEqual([4, 5, 5, 5]);
  if (decision.admitted) await late.settle(decision.receipt, { full: 0, window: 1, log: 1, bucket: 1 });
  await until('the charge is corrected', async () => (await usedOf(subject, limits))[0] === 2);
  expect(await usedOf(subject, limits)).toEqual([2, 1, 1, 1]);
});
