import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createProtectionLimiter, type ProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import type { PoolHealth } from '../../../src/limiter/fallback/engine-observer.js';
import type { EngineFailure } from '../../../src/limiter/redis/engine-failure.js';
import type { LimitState } from '../../../src/model/limit-parameters.js';
import { freePort, startRedisServer } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';
import { someone } from '../engines.js';

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

async function withoutRedis(instances = 1) {
  const failures: EngineFailure[] = [];
  const redis = `redis://127.0.0.1:${await freePort()}`;
  const limiter = createProtectionLimiter({
    redis,
    instances,
    observer: { failed: (failure) => failures.push(failure) },
  });
  limiters.push(limiter);
  return { limiter, failures, subject: someone() };
}

describe('decisions without Redis', () => {
  test('without Redis, a LOCAL limit is charged and settled in this process, and the decision is degraded', async () => {
    const { limiter, failures, subject } = await withoutRedis();
    const first = await limiter.charge({ subject, limits: [local] });
    expect(first).toMatchObject({ admitted: true, degraded: true, limits: [{ used: 1 }] });
    expect(await limiter.charge({ subject, limits: [local] })).toMatchObject({ admitted: true });
    const denied = await limiter.charge({ subject, limits: [local] });
    expect(denied).toMatchObject({ admitted: false, degraded: true, code: 'THROTTLED', deniedBy: 'local' });
    if (first.admitted) await limiter.settle(first.receipt, { local: 0 });
    expect(await limiter.charge({ subject, limits: [local] })).toMatchObject({ admitted: true });
    expect(failures[0]).toMatchObject({ pool: 'default', class: 'connection', alarm: false });
    expect(limiter.health()).toMatchObject([{ pool: 'default', reason: 'connection' }]);
    expect(limiter.health()[0]!.state).not.toBe('CLOSED');
  });

  test('without Redis, an OPEN limit admits without counting, also in a charge with a LOCAL limit', async () => {
    const { limiter, subject } = await withoutRedis();
    for (let i = 0; i < 5; i++) {
      const decision = await limiter.charge({ subject, limits: [open] });
      expect(decision).toMatchObject({ admitted: true, degraded: true, limits: [{ id: 'open', used: 0 }] });
    }
    const both = await limiter.charge({ subject, limits: [open, local] });
    expect(both.limits).toMatchObject([{ id: 'open' }, { id: 'local', used: 1 }]);
  });

  test('without Redis, a settlement corrects only limits that were charged in this process', async () => {
    const { limiter, subject } = await withoutRedis();
    const expensive = { ...local, amount: 10, cost: 4 };
    const both = await limiter.charge({
      subject,
      limits: [{ ...expensive, id: 'open', onUnavailable: 'OPEN' }, expensive],
    });
    if (!both.admitted) expect.unreachable();
    const actual = { local: 1, open: 9 };
    expect(limiter.settledStates(both, actual)).toMatchObject([
      { id: 'open', used: 0 },
      { id: 'local', used: 1 },
    ]);
    await limiter.settle(both.receipt, actual);
    expect(await limiter.peek({ subject, limits: [{ ...expensive, id: 'open' }, expensive] })).toMatchObject([
      { used: 0 },
      { used: 1 },
    ]);
  });

  test('without Redis, a charge with a CLOSED limit is denied, whatever the other limits decide, and nothing is charged', async () => {
    const { limiter, subject } = await withoutRedis();
    const denied = await limiter.charge({ subject, limits: [open, local, closed] });
    expect(denied).toMatchObject({ admitted: false, degraded: true, code: 'UNAVAILABLE', deniedBy: 'closed' });
    expect(denied).not.toHaveProperty('retryAfterMs');
    expect(await limiter.peek({ subject, limits: [local] })).toMatchObject([{ used: 0 }]);
  });

  test('without Redis, a CLOSED limit with cost 0 or in shadow mode denies nothing', async () => {
    const { limiter, subject } = await withoutRedis();
    const free = await limiter.charge({ subject, limits: [{ ...closed, cost: 0 }, local] });
    expect(free).toMatchObject({ admitted: true, limits: [{ wouldDeny: false }, { used: 1 }] });
    const shadow = await limiter.charge({ subject, limits: [{ ...closed, mode: 'SHADOW' }, local] });
    expect(shadow).toMatchObject({ admitted: true, limits: [{ id: 'closed', wouldDeny: true }, { id: 'local' }] });
  });

  test('without Redis, a cost above the capacity is still denied permanently', async () => {
    const { limiter, subject } = await withoutRedis();
    const denied = await limiter.charge({ subject, limits: [{ ...local, cost: 3 }] });
    expect(denied).toMatchObject({ code: 'COST_EXCEEDS_CAPACITY', degraded: true });
  });

  test('without Redis, peek and a charge directly after it give the same decision with every onUnavailable', async () => {
    const { limiter, subject } = await withoutRedis(2);
    const waves: LimitCharge[][] = [
      [open, { ...local, amount: 10 }],
      [{ ...local, amount: 10, cost: 9 }],
      [{ ...local, amount: 10, cost: 1 }, open],
      [{ ...local, cost: 3 }],
      [open, local, closed],
      [{ ...closed, mode: 'SHADOW' }, local],
      [{ ...closed, cost: 0 }, local],
    ];
    for (const limits of waves) {
      const { decision } = await limiter.peek({ subject, limits });
      const charged = await limiter.charge({ subject, limits });
      // The clock of this process advances between the two calls.
      const withoutTimes = ({ resetAtMs: _resetAtMs, retryAfterMs: _retryAfterMs, ...state }: LimitState) => state;
      const { limits: peekedStates, ...peeked } = decision;
      const { limits: chargedStates, ...verdict } = charged;
      expect({ ...verdict, receipt: undefined, retryAfterMs: undefined }).toEqual({
        ...peeked,
        retryAfterMs: undefined,
      });
      expect(chargedStates.map(withoutTimes)).toEqual(peekedStates.map(withoutTimes));
    }
  });

  test('without Redis, each of four instances enforces a quarter of a limit and reports the full limit', async () => {
    const { limiter, subject } = await withoutRedis(4);
    const limits = [{ ...local, amount: 10 }];
    const first = await limiter.charge({ subject, limits });
    expect(first).toMatchObject({ admitted: true, limits: [{ limit: 10, used: 9, remaining: 1 }] });
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true });
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false, limits: [{ limit: 10 }] });
    const larger = await limiter.charge({ subject: someone(), limits: [{ ...local, amount: 10, cost: 11 }] });
    expect(larger).toMatchObject({ code: 'COST_EXCEEDS_CAPACITY', limits: [{ limit: 10 }] });
  });
});

describe('a frozen Redis', () => {
  async function frozen(deadlineMs: number) {
    const server = await startRedisServer();
    const states: PoolHealth['state'][] = [];
    const failures: EngineFailure[] = [];
    const limiter: ProtectionLimiter = createProtectionLimiter({
      redis: server.url,
      deadlineMs,
      observer: { changed: ({ state }) => states.push(state), failed: (failure) => failures.push(failure) },
    });
    limiters.push({
      async close() {
        server.process.kill('SIGCONT');
        await limiter.close();
        await server.stop();
      },
    });
    await limiter.opened;
    await until('Redis decides', async () => !(await limiter.charge({ subject: someone(), limits: [local] })).degraded);
    failures.length = 0;
    states.splice(0, states.length, 'CLOSED');
    return { server, limiter, states, failures, subject: someone() };
  }

  test('a call to a frozen Redis is abandoned at its deadline, and this process decides', async () => {
    const { server, limiter, failures, subject } = await frozen(1000);
    expect(await limiter.charge({ subject, limits: [local] })).toMatchObject({ degraded: false });
    server.process.kill('SIGSTOP');
    expect(await limiter.charge({ subject, limits: [local, closed] })).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await limiter.charge({ subject, limits: [local] })).toMatchObject({ admitted: true, degraded: true });
    // The list may also contain a failed heartbeat.
    expect(failures.length).toBeGreaterThanOrEqual(2);
    expect(failures[0]!.class).toBe('deadline');
    // On a busy machine, the calls may last longer than the timeout of a silent socket. Then the
    // connection fails first.
    for (const failure of failures) expect(['deadline', 'connection']).toContain(failure.class);
  });

  test('no charge waits for a frozen Redis after several late calls, until a probe succeeds', async () => {
    const { server, limiter, states, subject } = await frozen(500);
    const limits = [{ ...local, amount: 1000 }];
    server.process.kill('SIGSTOP');
    const waited = await Promise.all(Array.from({ length: 10 }, () => limiter.charge({ subject, limits })));
    expect(waited.every(({ degraded }) => degraded)).toBe(true);
    expect(limiter.health()).toMatchObject([{ state: 'OPEN', reason: 'deadline' }]);
    const { sinceMs } = limiter.health()[0]!;
    // The charge is decided in the same turn of the event loop, so it did not use the network.
    let scheduler = 0;
    setImmediate(() => scheduler++);
    await limiter.charge({ subject, limits });
    expect(scheduler).toBe(0);
    await until('a probe fails', () => states.filter((state) => state === 'OPEN').length > 1);
    // The start of the outage is still the first time that the breaker opened.
    expect(limiter.health()[0]!.sinceMs).toBe(sinceMs);
    server.process.kill('SIGCONT');
    await until('the breaker closes', () => limiter.health()[0]!.state === 'CLOSED');
    expect(await limiter.charge({ subject, limits })).toMatchObject({ degraded: false });
    expect(states.slice(0, 4)).toEqual(['CLOSED', 'OPEN', 'HALF_OPEN', 'OPEN']);
    expect(states.at(-1)).toBe('CLOSED');
  });

  test('from the first call to a frozen Redis on, a caller who sends one operation at a time is admitted by the local share', async () => {
    const { server, limiter, subject } = await frozen(25);
    // The bucket is full again after a millisecond. Four operations are more than it holds.
    const bucket: LimitCharge = {
      id: 'bucket',
      scope: 'USER',
      algorithm: 'TOKEN_BUCKET',
      capacity: 1000,
      refillAmount: 1000,
      refillPeriodMs: 1,
      cost: 300,
    };
    await limiter.charge({ subject, limits: [{ ...bucket, cost: 0 }] });
    server.process.kill('SIGSTOP');
    for (let sent = 0; sent < 20; sent++) {
      expect(await limiter.charge({ subject, limits: [bucket] })).toMatchObject({ admitted: true, degraded: true });
      await pause(2);
    }
  });

  test('a caller cannot get more than the share by freezing Redis, however many operations are in flight', async () => {
    const { server, limiter, subject } = await frozen(25);
    const limits = [{ ...local, amount: 10 }];
    await limiter.charge({ subject, limits: [{ ...local, amount: 10, cost: 0 }] });
    server.process.kill('SIGSTOP');
    let admitted = 0;
    const codes = new Set<string>();
    const charge = async () => {
      const decision = await limiter.charge({ subject, limits });
      if (decision.admitted) admitted++;
      else codes.add(decision.code);
    };
    // First one after the other, then in bursts, until the process decides by the share alone.
    for (let sent = 0; sent < 4; sent++) await charge();
    await until('the share is used up', async () => {
      await Promise.all(Array.from({ length: 20 }, charge));
      return codes.has('THROTTLED');
    });
    expect(admitted).toBe(10);
    server.process.kill('SIGCONT');
    await until('Redis decides', async () => !(await limiter.charge({ subject: someone(), limits })).degraded);
    // Only those calls to the frozen Redis that were admitted locally remain counted.
    await until('no other charge is counted', async () => (await limiter.peek({ subject, limits }))[0]!.used <= 10);
    expect((await limiter.peek({ subject, limits }))[0]!.used).toBeGreaterThanOrEqual(4);
  });

  test('a stall of the process does not count as a failure of Redis', async () => {
    // The deadline is longer than a pause of Redis on a busy machine.
    const { limiter, states, failures, subject } = await frozen(500);
    const limits = [{ ...local, amount: 1000 }];
    for (let i = 0; i < 3; i++) {
      const decisions = Array.from({ length: 20 }, () => limiter.charge({ subject, limits }));
      // Blocks the event loop: in the first round before the calls are sent, later while the
      // replies are in flight.
      const standStill = () => {
        const until = performance.now() + 1200;
        while (performance.now() < until) {}
      };
      if (i === 0) standStill();
      else setImmediate(() => setImmediate(standStill));
      for (const decision of await Promise.all(decisions)) expect(decision).toMatchObject({ degraded: false });
    }
    expect(failures).toEqual([]);
    expect(states).toEqual(['CLOSED']);
  });
});

test('calls in flight that may use up a limit make its local share unavailable, with 0 remaining', async () => {
  const server = await startRedisServer();
  const limiter = createProtectionLimiter({ redis: server.url, instances: 1 });
  limiters.push(limiter);
  const subject = someone();
  const limit = { ...local, amount: 10 };
  // The charges must be in flight when Redis freezes, so the limiter must be connected.
  await limiter.opened;
  await until('Redis decides', async () => !(await limiter.charge({ subject: someone(), limits: [local] })).degraded);
  server.process.kill('SIGSTOP');
  try {
    const all = await Promise.all([4, 4, 4].map((cost) => limiter.charge({ subject, limits: [{ ...limit, cost }] })));
    const denied = all.filter(({ admitted }) => !admitted);
    expect(denied.length).toBeGreaterThan(0);
    for (const decision of denied) {
      expect(decision).toMatchObject({ code: 'UNDECIDED', degraded: true, limits: [{ limit: 10, remaining: 0 }] });
      expect(decision).toHaveProperty('retryAfterMs');
    }
  } finally {
    server.process.kill('SIGCONT');
    await server.stop();
  }
});
