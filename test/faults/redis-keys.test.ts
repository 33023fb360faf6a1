import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLimiter, type MonitoredLimiter } from '../../src/limiter/create-limiter.js';
import { countCases } from '../abuse/serve.js';
import { startRedisServer, uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { ask, openStack, PRO, type Stack } from './stack.js';

/** Values of every type of Redis, and texts of other programs. */
const FOREIGN: [string, (redis: Redis, key: string) => Promise<unknown>][] = [
  ['a text', (redis, key) => redis.set(key, 'a text of another program')],
  ['an empty text', (redis, key) => redis.set(key, '')],
  ['JSON without a caller', (redis, key) => redis.set(key, '{"caller":{"subject":null}}')],
  ['a number', (redis, key) => redis.set(key, '7')],
  ['a list', (redis, key) => redis.rpush(key, 'a', 'b')],
  ['a set', (redis, key) => redis.sadd(key, 'a', 'b')],
  ['a hash', (redis, key) => redis.hset(key, { a: 'b', c: '-1', d: 'nan' })],
  ['a sorted set', (redis, key) => redis.zadd(key, 'inf', 'a', '1e300', 'b')],
  ['a stream', (redis, key) => redis.xadd(key, '*', 'a', 'b')],
];
const HEARTBEATS = ['tg:instances', '{tg:instances}:shares'];
const limits = [{ id: 'w', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 60_000, cost: 1 }] as const;

describe('foreign values under the keys of the heartbeats', () => {
  let server: Awaited<ReturnType<typeof startRedisServer>>;
  let redis: Redis;
  const open: MonitoredLimiter[] = [];
  beforeAll(async () => {
    server = await startRedisServer();
    redis = new Redis(server.url);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((limiter) => limiter.close()));
    await redis.flushall();
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  async function start(deadlineMs = 1000): Promise<MonitoredLimiter> {
    const limiter = createLimiter({ redis: server.url, deadlineMs });
    open.push(limiter);
    await limiter.opened;
    return limiter;
  }

  test.for(FOREIGN)('R9: %s under each key of the heartbeats is repaired and counted, and Redis decides', async ([
    ,
    put,
  ], context) => {
    for (const key of HEARTBEATS) {
      await redis.del(...HEARTBEATS);
      await put(redis, key);
      const limiter = await start();
      expect(limiter.health(), key).toMatchObject([{ state: 'CLOSED', reason: undefined, instances: 1 }]);
      const decision = await limiter.charge({ subject: { user: uniqueName('user') }, limits });
      expect(decision).toMatchObject({ admitted: true, degraded: false });
      const kind = key === HEARTBEATS[0] ? 'zset' : 'hash';
      expect(await redis.type(key)).toBe(kind);
      await limiter.close();
      open.pop();
      // In a hash of the heartbeats, entries that belong to no instance are ignored, not repaired.
      expect(limiter.anomalies.repaired + Number(kind === 'hash'), key).toBeGreaterThan(0);
    }
    countCases(context, HEARTBEATS.length);
  });

  test('R9: a value that is put under the keys of the heartbeats makes no running instance decide without Redis', async () => {
    const limiter = await start();
    const repaired = limiter.anomalies.repaired;
    await redis.del(...HEARTBEATS);
    for (const key of HEARTBEATS) await redis.set(key, 'x');
    await until('both keys are repaired', () => limiter.anomalies.repaired >= repaired + 2, 15_000);
    expect(limiter.health()).toMatchObject([{ state: 'CLOSED' }]);
    expect(await redis.type(HEARTBEATS[0]!)).toBe('zset');
  });

  test('R9: an open breaker closes again although the limiter may not access the keys of the heartbeats', async () => {
    await redis.call('ACL', 'SETUSER', 'probed', 'on', '>secret', '+@all', '~tg:{*', '~{tg:instances}:probe:*');
    const limiter = createLimiter({
      redis: server.url.replace('redis://', 'redis://probed:secret@'),
      deadlineMs: 1000,
      observer: {},
    });
    open.push(limiter);
    await limiter.opened;
    await until('Redis decides', async () => limiter.health()[0]!.state === 'CLOSED');
    const decision = await limiter.charge({ subject: { user: uniqueName('user') }, limits });
    expect(decision).toMatchObject({ admitted: true, degraded: false });
  });
});

describe('foreign values under the keys of copied rules and callers', () => {
  let stack: Stack;
  let redis: Redis;
  beforeAll(async () => {
    stack = await openStack();
    redis = new Redis(stack.redis.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await stack.stop();
  });

  test.for(FOREIGN)('R9: %s under each key of a copy is not read as a copy, and is overwritten', async ([
    ,
    put,
  ], context) => {
    const first = await stack.start();
    expect((await ask(first, PRO)).status).toBe(200);
    let keys: string[] = [];
    await until('the copies exist', async () => {
      keys = await redis.keys('tg:cache:*');
      return keys.some((key) => key.endsWith('number')) && keys.length > 3;
    });
    await first.stop();
    for (const key of keys) {
      await redis.del(key);
      await put(redis, key);
    }
    for (const key of HEARTBEATS) {
      await redis.del(key);
      await put(redis, key);
    }
    const second = await stack.start();
    const ready = await (await fetch(`${second.url}/readyz`)).json();
    expect(ready).toEqual({ status: 'ready' });
    const answer = await ask(second, PRO);
    expect(answer.status).toBe(200);
    expect(answer.body.extensions.cost).toMatchObject({ tier: 'pro', degraded: false });
    await until('the keys contain copies again', async () => {
      const types = await Promise.all(keys.map((key) => redis.type(key)));
      return types.every((type) => type === 'string');
    });
    await second.stop();
    countCases(context, keys.length);
  });
});
