import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/compile-limit.js';
import { createLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT } from '../../helpers/patient.js';
import { startRedisServer } from '../../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';
import { someone } from '../engines.js';

// A call that Redis answers after the deadline: the decision was made in this process by then.

const LATE_MS = 200;
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
beforeAll(async () => {
  redis = await startRedisServer();
  proxy = await startTcpProxy(redis.url);
  direct = createLimiter({ redis: redis.url, ...PATIENT });
  await direct.opened;
});
beforeEach(async () => {
  // Its breaker is closed, whatever it has seen before.
  late = createLimiter({ redis: proxy.url, deadlineMs: 25 });
  await late.opened;
});
afterEach(async () => {
  await proxy.set({ kind: 'pass' });
  await late.close();
});
afterAll(async () => {
  await direct.close();
  await proxy.close();
  await redis.stop();
});

const usedOf = async (subject: ReturnType<typeof someone>, limits: LimitCharge[]) =>
  (await direct.peek({ subject, limits })).map(({ used }) => used);

const charge = (limiter: MonitoredLimiter, subject: ReturnType<typeof someone>, limits: LimitCharge[]) =>
  limiter.charge({ subject, limits });

test('what was admitted here counts in Redis when it is known that Redis refused it, and as what it cost in the end', async () => {
  const subject = someone();
  const limits = LIMITS(10);
  for (let i = 0; i < 10; i++) expect((await charge(direct, subject, limits)).admitted).toBe(true);
  await proxy.set({ kind: 'delay', ms: LATE_MS });
  const decision = await charge(late, subject, limits);
  expect(decision).toMatchObject({ admitted: true, degraded: true });
  await until('it counts', async () => (await usedOf(subject, limits)).every((used) => used === 11));
  if (decision.admitted) await late.settle(decision.receipt, { fixed: 0, sliding: 0, log: 0, places: 0 });
  await until('it is corrected', async () => (await usedOf(subject, limits)).every((used) => used === 10));
});

test('what was admitted here and by Redis counts once, and is corrected there too, though it was settled before that was known', async () => {
  const subject = someone();
  const limits = LIMITS(10).map((limit) => ({ ...limit, cost: 4 }));
  await proxy.set({ kind: 'delay', ms: LATE_MS });
  const decision = await charge(late, subject, limits);
  expect(decision).toMatchObject({ admitted: true, degraded: true });
  if (decision.admitted) await late.settle(decision.receipt, { fixed: 1, sliding: 1, log: 1, places: 0 });
  await until('it is corrected', async () => (await usedOf(subject, limits)).join() === '1,1,1,0');
});

test('what was refused here is refunded when it is known that Redis has taken it', async () => {
  const subject = someone();
  const limits = LIMITS(1);
  await proxy.set({ kind: 'delay', ms: LATE_MS });
  // Both together are more than there is: no share of it is set aside while nobody knows what becomes of either.
  const both = await Promise.all([charge(late, subject, limits), charge(late, subject, limits)]);
  expect(both.map(({ admitted, degraded }) => [admitted, degraded])).toEqual([
    [false, true],
    [false, true],
  ]);
  expect(await usedOf(subject, limits)).toEqual([1, 1, 1, 1]);
  await until('it is refunded', async () => (await usedOf(subject, limits)).every((used) => used === 0));
});

test('a limit that Redis has just refused is not given out here while a call is under way', async () => {
  const subject = someone();
  const limits = LIMITS(10);
  for (let i = 0; i < 10; i++) await charge(direct, subject, limits);
  expect(await charge(late, subject, limits)).toMatchObject({ admitted: false, degraded: false });
  await proxy.set({ kind: 'delay', ms: LATE_MS });
  expect(await charge(late, subject, limits)).toMatchObject({ admitted: false, degraded: true, code: 'THROTTLED' });
  expect(await usedOf(subject, limits)).toEqual([10, 10, 10, 10]);
});
