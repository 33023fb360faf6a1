import { afterEach, describe, expect, test } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { LimitCharge } from '../../src/limiter/types.js';
import { freePort, startRedisServer } from '../helpers/servers.js';
import { someone } from './engines.js';

const local: LimitCharge = {
  id: 'local',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 2,
  windowMs: 86_400_000,
  cost: 1,
};
const open: LimitCharge = { ...local, id: 'open', onUnavailable: 'OPEN' };
const closed: LimitCharge = { ...local, id: 'closed', onUnavailable: 'CLOSED' };

const limiters: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(limiters.splice(0).map((limiter) => limiter.close()));
});

async function withoutRedis() {
  const errors: unknown[] = [];
  const redis = `redis://127.0.0.1:${await freePort()}`;
  const limiter = createLimiter({ redis, onEngineError: (error) => errors.push(error) });
  limiters.push(limiter);
  return { limiter, errors, subject: someone() };
}

describe('while Redis does not answer', () => {
  test('a local limit is charged and settled in this process, and the decision says so', async () => {
    const { limiter, errors, subject } = await withoutRedis();
    const first = await limiter.charge({ subject, limits: [local] });
    expect(first).toMatchObject({ admitted: true, degraded: true, limits: [{ used: 1 }] });
    expect(await limiter.charge({ subject, limits: [local] })).toMatchObject({ admitted: true });
    const denied = await limiter.charge({ subject, limits: [local] });
    expect(denied).toMatchObject({ admitted: false, degraded: true, code: 'THROTTLED', deniedBy: 'local' });
    if (first.admitted) await limiter.settle(first.receipt, { local: 0 });
    expect(await limiter.charge({ subject, limits: [local] })).toMatchObject({ admitted: true });
    expect(errors).toHaveLength(4);
  });

  test('an open limit admits without counting, also beside a local one', async () => {
    const { limiter, subject } = await withoutRedis();
    for (let i = 0; i < 5; i++) {
      const decision = await limiter.charge({ subject, limits: [open] });
      expect(decision).toMatchObject({ admitted: true, degraded: true, limits: [{ id: 'open', used: 0 }] });
    }
    const both = await limiter.charge({ subject, limits: [open, local] });
    expect(both.limits).toMatchObject([{ id: 'open' }, { id: 'local', used: 1 }]);
  });

  test('a closed limit refuses, whatever the others say, and nothing is charged', async () => {
    const { limiter, subject } = await withoutRedis();
    const denied = await limiter.charge({ subject, limits: [open, local, closed] });
    expect(denied).toMatchObject({ admitted: false, degraded: true, code: 'UNAVAILABLE', deniedBy: 'closed' });
    expect(denied).not.toHaveProperty('retryAfterMs');
    expect(await limiter.peek({ subject, limits: [local] })).toMatchObject([{ used: 0 }]);
  });

  test('a cost above the capacity is still refused for good', async () => {
    const { limiter, subject } = await withoutRedis();
    const denied = await limiter.charge({ subject, limits: [{ ...local, cost: 3 }] });
    expect(denied).toMatchObject({ code: 'COST_EXCEEDS_CAPACITY', degraded: true });
  });
});

test('a call that Redis does not answer in time is given up, and decided without it', async () => {
  const server = await startRedisServer();
  const limiter = createLimiter({ redis: server.url, commandTimeoutMs: 200 });
  limiters.push(limiter);
  const subject = someone();
  expect(await limiter.charge({ subject, limits: [local] })).toMatchObject({ degraded: false });
  server.process.kill('SIGSTOP');
  try {
    expect(await limiter.charge({ subject, limits: [local, closed] })).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await limiter.charge({ subject, limits: [local] })).toMatchObject({ admitted: true, degraded: true });
  } finally {
    server.process.kill('SIGCONT');
  }
  await limiter.close();
  await server.stop();
});
