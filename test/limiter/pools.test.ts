import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createProtectionLimiter, type ProtectionLimiter } from '../../src/limiter/create-limiter.js';
import type { LimiterOptions } from '../../src/limiter/limiter-options.js';
import type { EngineFailure } from '../../src/limiter/redis/engine-failure.js';
import { PATIENT, PATIENT_MS } from '../helpers/patient.js';
import { startRedisServer, uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';

type Server = Awaited<ReturnType<typeof startRedisServer>>;
let main: Server;
let reports: Server;
beforeAll(async () => {
  [main, reports] = await Promise.all([startRedisServer(), startRedisServer()]);
});
afterAll(() => Promise.all([main.stop(), reports.stop()]));

const open: ProtectionLimiter[] = [];
afterEach(async () => {
  reports.process.kill('SIGCONT');
  await Promise.all(open.splice(0).map((limiter) => limiter.close()));
  // An instance that could not unregister would be counted as an instance of the next test.
  await Promise.all([main, reports].map(({ url }) => empty(url)));
});

async function empty(url: string): Promise<void> {
  const client = new Redis(url);
  await client.flushall();
  client.disconnect();
}

function start(options: LimiterOptions = PATIENT): ProtectionLimiter {
  const limiter = createProtectionLimiter({ redis: main.url, pools: { reports: reports.url }, ...options });
  open.push(limiter);
  return limiter;
}

const limits: LimitCharge[] = [
  { id: 'window', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 86_400_000, cost: 4 },
];
const usedIn = async (limiter: ProtectionLimiter, user: string, pool?: string) =>
  (await limiter.peek({ subject: { user }, limits, pool }))[0]!.used;

test('a charge goes with all its limits to the Redis of its pool, and to no other Redis', async () => {
  const limiter = start();
  const user = uniqueName('pool');
  expect(limiter.pools).toEqual(['default', 'reports']);
  await limiter.charge({ subject: { user }, limits, pool: 'reports' });
  await limiter.charge({ subject: { user }, limits, pool: 'reports' });
  await limiter.charge({ subject: { user }, limits });
  expect(await limiter.charge({ subject: { user }, limits, pool: 'reports' })).toMatchObject({ admitted: false });
  expect(await usedIn(limiter, user, 'reports')).toBe(8);
  expect(await usedIn(limiter, user)).toBe(4);
  expect(await usedIn(limiter, user, 'default')).toBe(4);
  const client = new Redis(reports.url);
  expect((await client.keys('*')).filter((key) => key.includes(user))).toHaveLength(1);
  client.disconnect();
});

test('a settlement goes to the pool that was charged, and frees the slots there', async () => {
  const limiter = start();
  const user = uniqueName('pool');
  const place: LimitCharge = {
    id: 'place',
    scope: 'USER',
    algorithm: 'CONCURRENCY',
    capacity: 1,
    leaseMs: 60_000,
    cost: 1,
  };
  const both = [...limits, place];
  const one = await limiter.charge({ subject: { user }, limits: both, pool: 'reports' });
  const other = await limiter.charge({ subject: { user }, limits: both });
  if (!one.admitted || !other.admitted) throw new Error('denied');
  const settled = limiter.settle(one.receipt, { window: 1, place: 0 });
  // This promise covers the settlements of every pool that must be sent before the response.
  await limiter.settlementsSent();
  await settled;
  const used = async (pool?: string) =>
    (await limiter.peek({ subject: { user }, limits: both, pool })).map((state) => state.used);
  expect(await used('reports')).toEqual([1, 0]);
  expect(await used()).toEqual([4, 1]);
});

test('a reset empties only the counters of its pool', async () => {
  const limiter = start();
  const user = uniqueName('pool');
  await limiter.charge({ subject: { user }, limits, pool: 'reports' });
  await limiter.charge({ subject: { user }, limits });
  expect(await limiter.reset({ subject: { user }, limits, pool: 'reports' })).toBe(true);
  expect(await usedIn(limiter, user, 'reports')).toBe(0);
  expect(await usedIn(limiter, user)).toBe(4);
});

test('an unknown pool is rejected with the names of the known pools', async () => {
  const limiter = start();
  const asked = { subject: { user: 'x' }, limits, pool: 'report' };
  const message = 'pool: expected one of default, reports, got "report"';
  for (const call of [limiter.charge, limiter.peek, limiter.reset]) {
    await expect(call(asked)).rejects.toThrow(new TypeError(message));
  }
  const inMemory = createProtectionLimiter();
  expect(inMemory.pools).toEqual(['default']);
  await expect(inMemory.charge(asked)).rejects.toThrow(TypeError);
  expect(await inMemory.charge({ ...asked, pool: 'default' })).toMatchObject({ admitted: true });
});

test.each([
  ['without a default Redis', { pools: { a: 'redis://x' } }, /pools: expected redis too/],
  [
    'under the name of the default',
    { redis: 'redis://x', pools: { default: 'redis://y' } },
    /not default; got "default"/,
  ],
  [
    'under a name that no environment variable can have',
    { redis: 'redis://x', pools: { 'A-b': 'redis://y' } },
    /got "A-b"/,
  ],
  ['with the Redis of another pool', { redis: 'redis://x', pools: { a: 'redis://x' } }, /pools.a: .*that of default/],
])('createProtectionLimiter rejects pools %s', (_, options, message) => {
  expect(() => createProtectionLimiter(options)).toThrow(message);
});

test('a pool whose Redis is frozen decides locally with its own breaker, and the other pools are not affected', async () => {
  const failures: EngineFailure[] = [];
  const impatient = start({ deadlineMs: 250, observer: { failed: (failure) => failures.push(failure) } });
  await impatient.opened;
  const limiter = start({ deadlineMs: PATIENT_MS, observer: { failed: (failure) => failures.push(failure) } });
  await limiter.opened;
  const healthOf = (pool: string) => impatient.health().find((one) => one.pool === pool)!;
  // The first instance has the whole share until it knows of the second instance.
  await until('each instance has half of the share', () => healthOf('reports').instances === 2);
  const user = uniqueName('pool');
  reports.process.kill('SIGSTOP');
  for (let i = 0; i < 5; i++) {
    // Charges of the other pool must not wait for the frozen Redis.
    const hung = limiter.charge({ subject: { user }, limits: [{ ...limits[0]!, cost: 0 }], pool: 'reports' });
    expect(await limiter.charge({ subject: { user: uniqueName('other') }, limits })).toMatchObject({ degraded: false });
    void hung;
  }
  await until('the breaker of the pool opens', async () => {
    await impatient.charge({ subject: { user: uniqueName('other') }, limits, pool: 'reports' });
    return healthOf('reports').state !== 'CLOSED';
  });
  expect(healthOf('default')).toMatchObject({ state: 'CLOSED' });
  expect(failures.some(({ pool }) => pool === 'reports')).toBe(true);
  // The limiter decides instead of the frozen pool. Each of the two instances has half of the limit
  // as its share, and counts only in its own memory.
  const decisions = [];
  for (let i = 0; i < 2; i++) decisions.push(await impatient.charge({ subject: { user }, limits, pool: 'reports' }));
  expect(decisions.map(({ admitted, degraded }) => [admitted, degraded])).toEqual([
    [true, true],
    [false, true],
  ]);
  expect(await usedIn(limiter, user)).toBe(0);
  reports.process.kill('SIGCONT');
  await until('the pool decides again', () => healthOf('reports').state === 'CLOSED');
  expect(await usedIn(limiter, user, 'reports')).toBe(0);
});

test('a limiter counts and reports the instances of each pool', async () => {
  const [one] = [start(), start()];
  const alone = createProtectionLimiter({ redis: main.url, ...PATIENT });
  open.push(alone);
  await Promise.all(open.map(({ opened }) => opened));
  const again = start();
  await again.opened;
  expect(again.health()).toMatchObject([
    { pool: 'default', state: 'CLOSED', instances: 4 },
    { pool: 'reports', state: 'CLOSED', instances: 3 },
  ]);
  expect(one!.anomalies).toEqual({ repaired: 0, rebased: 0, forgotten: 0 });
});

test.each([
  'Redis',
  'memory',
])('nowMs returns the time by the clock of %s, independent of the clock of the process', async (where) => {
  const AHEAD_MS = 3_600_000;
  const options = { ...PATIENT, now: () => Date.now() + AHEAD_MS };
  const limiter = where === 'Redis' ? start(options) : createProtectionLimiter(options);
  const bucket: LimitCharge = {
    id: 'bucket',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: 100,
    refillAmount: 1,
    refillPeriodMs: 1000,
    cost: 60,
  };
  const decision = await limiter.charge({ subject: { user: uniqueName('clock') }, limits: [bucket] });
  const resetAfterMs = decision.limits[0]!.resetAtMs - limiter.nowMs(decision);
  expect(resetAfterMs).toBeLessThanOrEqual(60_050);
  expect(resetAfterMs).toBeGreaterThan(60_000 - PATIENT_MS);
});

test('knowsDenials is true even if only a pool other than the default has denied', async () => {
  const limiter = start({ ...PATIENT, denialMemory: {} });
  const subject = { user: uniqueName('pool') };
  const asked = { subject, limits, pool: 'reports' };
  expect(limiter.knowsDenials).toBe(false);
  for (let charge = 0; charge < 3; charge++) await limiter.charge(asked);
  expect(limiter.knowsDenials).toBe(true);
});
