import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { redisCalls } from '../../../bench/frame/redis-calls.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Decision, Receipt } from '../../../src/limiter/charge/decision.js';
import { createProtectionLimiter, type ProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT } from '../../helpers/patient.js';
import { startRedisServer, type TestServer } from '../../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';
import { someone } from '../engines.js';
import { bucket, perDay } from './limits.js';

// In these tests, the process reads replies only after the maximum age of a denial has passed, as
// an overloaded process does.

const MAX_AGE_MS = 400;

let server: TestServer;
let proxy: TcpProxy;
let observer: Redis;
let monitor: Redis;
/** Commands that the server has executed. */
const executed: string[] = [];
beforeAll(async () => {
  // The tests count the calls to this server, so no other test may use it.
  server = await startRedisServer();
  proxy = await startTcpProxy(server.url);
  observer = new Redis(server.url);
  monitor = await observer.monitor();
  monitor.on('monitor', (_time, command: string[]) => executed.push(command.join(' ')));
});
afterAll(async () => {
  monitor?.disconnect();
  observer?.disconnect();
  await proxy?.close();
  await server?.stop();
});

const clock = { now: 1_700_000_000_123 };

async function startLimiter(redis = proxy.url): Promise<ProtectionLimiter> {
  const limiter = createProtectionLimiter({
    redis,
    now: () => clock.now,
    denialMemory: { maxAgeMs: MAX_AGE_MS },
    ...PATIENT,
  });
  await limiter.opened;
  onTestFinished(async () => {
    await proxy.set({ kind: 'pass' });
    await limiter.close();
  });
  return limiter;
}

/** Returns a bucket that is not refilled during a test. */
const slowBucket = (more: Partial<LimitCharge> = {}) => bucket({ refillPeriodMs: 60_000, cost: 1, ...more });

type Request = Parameters<ProtectionLimiter['charge']>[0];

/** Travel time of a reply, in milliseconds. */
const REPLY_MS = 60;

/**
 * Returns the request of a denied caller. The limiter has read the reply too late to use the denial
 * for other charges.
 */
async function deniedLate(limiter: ProtectionLimiter, limits: LimitCharge[]): Promise<Request & { receipt: Receipt }> {
  const request = { subject: someone(), limits };
  const admitted = await limiter.charge({
    ...request,
    limits: limits.map((limit) => ({ ...limit, cost: limit.capacity ?? 1 })),
  });
  await proxy.set({ kind: 'delay', ms: REPLY_MS });
  const denied = limiter.charge(request);
  clock.now += MAX_AGE_MS + 1;
  expect(await denied).toMatchObject({ admitted: false });
  return { ...request, receipt: (admitted as { receipt: Receipt }).receipt };
}

/** Sends charges, and waits until Redis has denied the first one. Its reply is still on its way. */
async function floodUntilDenied(limiter: ProtectionLimiter, request: Request): Promise<Promise<Decision>[]> {
  // Heartbeats have replies too, but do not name the caller.
  const callsOfCaller = () => executed.filter((command) => command.includes(request.subject.user!)).length;
  const before = callsOfCaller();
  const decisions = flood(limiter, request, 10);
  await until('Redis has denied the charge', () => callsOfCaller() > before);
  return decisions;
}

/** Sends `count` charges simultaneously and returns their decisions. */
function flood(limiter: ProtectionLimiter, request: Request, count: number): Promise<Decision>[] {
  return Array.from({ length: count }, () => limiter.charge(request));
}

const admittedOf = (decisions: readonly Decision[]) => decisions.filter(({ admitted }) => admitted).length;

test('a flood of one caller calls Redis once per maximum age of a denial, however late replies are read', async () => {
  const maxAgeMs = 200;
  const limiter = createProtectionLimiter({ redis: proxy.url, denialMemory: { maxAgeMs }, ...PATIENT });
  onTestFinished(async () => {
    await proxy.set({ kind: 'pass' });
    await limiter.close();
  });
  const request = { subject: someone(), limits: [perDay()] };
  for (let i = 0; i < 2; i++) await limiter.charge(request);
  await proxy.set({ kind: 'delay', ms: maxAgeMs + 50 });
  // Repeats until the limiter has noticed that it reads replies too late.
  await until('a denial is read late', async () => {
    const startMs = performance.now();
    await limiter.charge(request);
    return performance.now() - startMs > maxAgeMs;
  });
  const callsBefore = await redisCalls(observer);
  const startMs = performance.now();
  const decisions: Promise<Decision>[] = [];
  while (performance.now() - startMs < 1500 || decisions.length < 2000) {
    decisions.push(...flood(limiter, request, 50));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(admittedOf(await Promise.all(decisions))).toBe(0);
  // The bound is one call for each maximum age of a denial, and the heartbeats of the instance.
  const seconds = (performance.now() - startMs) / 1000;
  expect((await redisCalls(observer)) - callsBefore).toBeLessThanOrEqual((1000 / maxAgeMs) * seconds + 1 + 2 * seconds);
});

test('charges that arrive while another one calls Redis share its result', async () => {
  const limiter = await startLimiter();
  const request = await deniedLate(limiter, [slowBucket()]);
  const { answered } = limiter.rememberedDenials;
  const decisions = flood(limiter, request, 50);
  clock.now += MAX_AGE_MS;
  decisions.push(...flood(limiter, request, 50));
  const decided = await Promise.all(decisions);
  expect(admittedOf(decided)).toBe(0);
  expect(limiter.rememberedDenials.answered - answered).toBe(99);
  // `retryAfterMs` is counted from the arrival of each charge. The last charge arrived MAX_AGE_MS
  // after the first one.
  const retryAfterMs = decided.map((decision) => (decision as { retryAfterMs: number }).retryAfterMs);
  expect(retryAfterMs[0]! - retryAfterMs[99]!).toBe(MAX_AGE_MS);
});

test('a charge does not wait for the reply to a call that was sent more than the maximum age earlier', async () => {
  const [limiter, there] = [await startLimiter(), await startLimiter(server.url)];
  const request = await deniedLate(limiter, [perDay()]);
  // The delay is long enough that the following steps happen before the reply is read. It is
  // shorter than the timeout of the socket.
  await proxy.set({ kind: 'delay', ms: 1500 });
  const first = await floodUntilDenied(limiter, request);
  clock.now += MAX_AGE_MS + 1;
  // Another instance refunds the charge in the meantime.
  await there.settle(request.receipt, { day: 0 });
  const second = flood(limiter, request, 10);
  expect(proxy.delayed()).toBeGreaterThan(0);
  expect(admittedOf(await Promise.all(first))).toBe(0);
  expect(admittedOf(await Promise.all(second))).toBe(1);
});

test('waiting charges are admitted as long as the state that the first one reads has room', async () => {
  const limiter = await startLimiter();
  const request = await deniedLate(limiter, [slowBucket({ refillPeriodMs: 1000 })]);
  clock.now += 3000;
  const { answered } = limiter.rememberedDenials;
  const decisions = await Promise.all(flood(limiter, request, 100));
  expect(admittedOf(decisions)).toBe(3);
  expect(limiter.rememberedDenials.answered - answered).toBe(97);
});

test('a refund through this instance is available to later charges while earlier charges still wait', async () => {
  const limiter = await startLimiter();
  const request = await deniedLate(limiter, [perDay()]);
  const before = await floodUntilDenied(limiter, request);
  void limiter.settle(request.receipt, { day: 0 });
  const after = await Promise.all(flood(limiter, request, 10));
  expect(admittedOf(await Promise.all(before))).toBe(0);
  expect(admittedOf(after)).toBe(1);
});

test('one waiting charge calls Redis again when a different limit denies than before', async () => {
  const limiter = await startLimiter();
  const ip = perDay({ id: 'address', scope: 'IP', amount: 11 });
  const request = await deniedLate(limiter, [slowBucket({ refillPeriodMs: 1000 }), ip]);
  const { ip: address = '' } = request.subject;
  // The bucket has refilled, and other callers have used up the limit of the address.
  clock.now += 60_000;
  await proxy.set({ kind: 'pass' });
  const others = await limiter.charge({ subject: { ...someone(), ip: address }, limits: [{ ...ip, cost: 10 }] });
  expect(others).toMatchObject({ admitted: true });
  await proxy.set({ kind: 'delay', ms: REPLY_MS });
  const { answered } = limiter.rememberedDenials;
  const decisions = flood(limiter, request, 50);
  clock.now += MAX_AGE_MS / 2;
  expect(admittedOf(await Promise.all(decisions))).toBe(0);
  expect(limiter.rememberedDenials.answered - answered).toBe(48);
});

test('a refund to a limit that has not denied yet is also available to later charges', async () => {
  const limiter = await startLimiter();
  const address = perDay({ id: 'address', scope: 'IP', amount: 11 });
  const request = await deniedLate(limiter, [slowBucket({ refillPeriodMs: 1000 }), address]);
  const { ip = '' } = request.subject;
  await proxy.set({ kind: 'pass' });
  const others = await limiter.charge({ subject: { ...someone(), ip }, limits: [{ ...address, cost: 10 }] });
  clock.now += 60_000;
  await proxy.set({ kind: 'delay', ms: REPLY_MS });
  const before = await floodUntilDenied(limiter, request);
  // This reply is also read late, so all charges that arrive in the meantime wait for it.
  clock.now += MAX_AGE_MS / 2;
  void limiter.settle((others as { receipt: Receipt }).receipt, { address: 9 });
  const after = await Promise.all(flood(limiter, request, 10));
  expect(admittedOf([...(await Promise.all(before)), ...after])).toBe(1);
});

test('waiting charges are decided locally when the call that they wait for gets no reply', async () => {
  const limiter = createProtectionLimiter({
    redis: proxy.url,
    now: () => clock.now,
    denialMemory: { maxAgeMs: MAX_AGE_MS },
    deadlineMs: PATIENT.deadlineMs!,
  });
  await limiter.opened;
  onTestFinished(async () => {
    await proxy.set({ kind: 'pass' });
    await limiter.close();
  });
  const request = await deniedLate(limiter, [perDay()]);
  const decisions = flood(limiter, request, 20);
  await proxy.set({ kind: 'reset' });
  for (const decision of await Promise.all(decisions)) expect(decision).toMatchObject({ degraded: true });
});
