import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter, type MonitoredLimiter } from '../../src/limiter/create-limiter.js';
import type { LimiterOptions } from '../../src/limiter/limiter-options.js';
import { PATIENT } from '../helpers/patient.js';
import { startRedisServer } from '../helpers/servers.js';
import { ENGINES, someone } from './engines.js';

const bucket = (capacity: number, refillAmount = 1, refillPeriodMs = 1000, cost = 0): LimitCharge => ({
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity,
  refillAmount,
  refillPeriodMs,
  cost,
});
const window = (amount: number, cost = 0, more: Partial<LimitCharge> = {}): LimitCharge => ({
  id: 'window',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount,
  windowMs: 60_000,
  cost,
  ...more,
});

describe.each(ENGINES)('edited limits with the $name engine', ({ start }) => {
  test('a raised capacity adds the difference immediately, and a capacity below the used amount leaves 0 without an error', async () => {
    const { limiter } = start();
    const subject = someone();
    await limiter.charge({ subject, limits: [bucket(10, 1, 1000, 8), window(10, 8)] });
    expect(await limiter.peek({ subject, limits: [bucket(100), window(100)] })).toMatchObject([
      { used: 8, remaining: 92 },
      { used: 8, remaining: 92 },
    ]);
    expect(await limiter.peek({ subject, limits: [bucket(5), window(5)] })).toMatchObject([
      { used: 8, remaining: 0 },
      { used: 8, remaining: 0 },
    ]);
    await limiter.close();
  });

  test('a changed refill period keeps the used amount, rounded up', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    await limiter.charge({ subject, limits: [bucket(10, 1, 1000, 8)] });
    clock.now += 500;
    // 7.5 tokens are used. One token refills in 3 ms, so that is 22.5 ms of refill, rounded up to
    // 23.
    const [state] = await limiter.peek({ subject, limits: [bucket(10, 1, 3)] });
    expect(state).toMatchObject({ used: 8, resetAtMs: clock.now + 23 });
    await limiter.close();
  });

  test('an edited rate applies from the edit on, and the time before the edit refills at the old rate', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    await limiter.charge({ subject, limits: [bucket(10, 1, 1000, 10)] });
    clock.now += 3000;
    const denied = await limiter.charge({ subject, limits: [bucket(10, 10, 1000, 10)] });
    expect(denied).toMatchObject({ admitted: false, retryAfterMs: 700, limits: [{ used: 7 }] });
    clock.now += 700;
    expect(await limiter.charge({ subject, limits: [bucket(10, 10, 1000, 10)] })).toMatchObject({ admitted: true });
    await limiter.close();
  });

  test('a sliding counter keeps its previous window when another counter of the same caller is added', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const sliding = window(10, 4, { id: 'sliding', algorithm: 'SLIDING_WINDOW_COUNTER' });
    for (let i = 0; i < 2; i++) await limiter.charge({ subject, limits: [sliding] });
    clock.now = (Math.floor(clock.now / 60_000) + 1.5) * 60_000;
    await limiter.charge({ subject, limits: [{ ...sliding, id: 'other' }] });
    expect(await limiter.peek({ subject, limits: [sliding] })).toMatchObject([{ used: 4 }]);
    await limiter.close();
  });

  test('a changed rank, mode or amount keeps the counter, and a changed algorithm or window starts a new counter', async () => {
    const { limiter } = start();
    const subject = someone();
    await limiter.charge({ subject, limits: [bucket(10, 1, 1000, 4), window(10, 4)] });
    const [again] = await limiter.peek({
      subject,
      limits: [window(50, 0, { rank: 3, mode: 'SHADOW', countDenied: true })],
    });
    expect(again).toMatchObject({ used: 4 });
    const others: LimitCharge[] = [
      window(10, 0, { windowMs: 61_000 }),
      window(10, 0, { algorithm: 'SLIDING_WINDOW_COUNTER' }),
      window(10, 0, { algorithm: 'SLIDING_WINDOW_COUNTER', strict: true }),
      window(10, 0, { algorithm: 'SLIDING_WINDOW_LOG' }),
      { ...bucket(10), algorithm: 'LEAKY_BUCKET' },
    ];
    for (const other of others) expect(await limiter.peek({ subject, limits: [other] })).toMatchObject([{ used: 0 }]);
    await limiter.close();
  });
});

describe('state in Redis', () => {
  let server: Awaited<ReturnType<typeof startRedisServer>>;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedisServer();
    client = new Redis(server.url);
  });
  const open: MonitoredLimiter[] = [];
  afterAll(async () => {
    // The limiters are closed before the client. Otherwise a heartbeat would fail, because its
    // connection is closed.
    await Promise.all(open.map((limiter) => limiter.close()));
    client?.disconnect();
    await server?.stop();
  });

  function start(options: LimiterOptions): MonitoredLimiter {
    const limiter = createLimiter(options);
    open.push(limiter);
    return limiter;
  }

  /** Returns all keys except those that store heartbeats of instances. */
  const partitionKeys = async () => (await client.keys('*')).filter((key) => !key.includes('tg:instances'));

  test('the state in Redis stays bounded over 10,000 counters and 10,000 edits in a week', async () => {
    let now = 1_700_000_000_000;
    const limiter = start({ redis: client, now: () => now, ...PATIENT });
    const subject = someone();
    const stepMs = (7 * 86_400_000) / 10_000;
    let largest = 0;
    for (let i = 0; i < 10_000; i++) {
      now += Math.floor(stepMs);
      const decision = await limiter.charge({
        subject,
        limits: [
          bucket(1000 + (i % 7), 1 + (i % 5), 1000 + (i % 11), 3),
          window(100, 1, { id: `field ${i}`, windowMs: 1000 * (1 + (i % 3600)) }),
        ],
      });
      expect(decision.admitted).toBe(true);
      if (i % 100 === 0)
        largest = Math.max(largest, await client.strlen(`tg:{t.${subject.tenant}}:U:u.${subject.user}`));
    }
    // A value has at most a header of 15 bytes, a bucket of 30 bytes and 63 windows of 23 bytes.
    expect(largest).toBeLessThanOrEqual(15 + 30 + 63 * 23);
    now += 8_000_000;
    await limiter.charge({ subject, limits: [bucket(1000, 1, 1000, 3)] });
    expect(await client.strlen(`tg:{t.${subject.tenant}}:U:u.${subject.user}`)).toBe(15 + 30);
    // Apart from the keys of the heartbeats, Redis has no other key.
    expect(await partitionKeys()).toHaveLength(1);
  });

  test('every key expires soon after all counters in it are empty', async () => {
    await client.flushall();
    const limiter = start({ redis: client, ...PATIENT });
    const limits: LimitCharge[] = [
      bucket(10, 1, 1000, 10),
      window(10, 1, { scope: 'TENANT' }),
      window(10, 1, { scope: 'IP', algorithm: 'SLIDING_WINDOW_LOG' }),
      window(10, 1, { scope: 'GLOBAL', id: 'global' }),
      { id: 'places', scope: 'USER', algorithm: 'CONCURRENCY', capacity: 5, leaseMs: 5000, cost: 1 },
    ];
    await limiter.charge({ subject: someone(), limits });
    const keys = await partitionKeys();
    expect(keys).toHaveLength(5);
    for (const key of keys) {
      const ttlMs = await client.pttl(key);
      expect(ttlMs, key).toBeGreaterThan(0);
      expect(ttlMs, key).toBeLessThanOrEqual(60_000 * 1.25 + 10_000);
    }
  });

  test('keys live for at least an hour with an injected clock', async () => {
    await client.flushall();
    const limiter = start({ redis: client, now: () => 1000, ...PATIENT });
    await limiter.charge({ subject: someone(), limits: [bucket(10, 1, 1, 1)] });
    expect(await client.pttl((await partitionKeys())[0]!)).toBeGreaterThan(3_590_000);
  });

  test.each([
    ['another type', (key: string) => client.multi().del(key).hset(key, 'a', 1).exec()],
    ['text', (key: string) => client.set(key, 'not ours at all, but long enough to have a header')],
    ['a few bytes', (key: string) => client.set(key, '\x01')],
    ['a cut record', async (key: string) => client.set(key, (await client.getrangeBuffer(key, 0, -4))!)],
    ['a record of an unknown kind', (key: string) => client.setrange(key, 15, 'z')],
    ['a refill period of zero', (key: string) => client.setrange(key, 33, '\0\0\0\0\0')],
  ])('the limiter treats a key with %s as empty, repairs it and counts the repair', async (_, spoil) => {
    await client.flushall();
    const limiter = start({ redis: client, ...PATIENT });
    const subject = someone();
    const limits = [bucket(10, 1, 3_600_000, 4)];
    await limiter.charge({ subject, limits });
    const [key] = await partitionKeys();
    await spoil(key!);
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true, limits: [{ used: 4 }] });
    expect(limiter.anomalies.repaired).toBe(1);
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true, limits: [{ used: 8 }] });
    expect(limiter.anomalies.repaired).toBe(1);
    expect(await client.pttl(key!)).toBeGreaterThan(0);
  });
});
