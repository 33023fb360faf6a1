import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChargeRecord } from '../../../src/limiter/charge/checked-request.js';
import { createCheckedRequest } from '../../../src/limiter/charge/checked-request.js';
import { createLimitCompiler, type LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Admission, Decision, Receipt } from '../../../src/limiter/charge/decision.js';
import { createProtectionLimiter, type ProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import { createUnsentReleases } from '../../../src/limiter/fallback/unsent-releases.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { startRedisCluster } from '../../helpers/redis-cluster.js';
import { startRedisServer, uniqueName } from '../../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';
import { someone } from '../engines.js';

// These tests check the slots of operations that end during an outage of Redis.

const DAY_MS = 86_400_000;
const DEADLINE_MS = 100;
const window = { scope: 'USER', windowMs: DAY_MS, cost: 1 } as const;
const rate = { capacity: 1000, refillAmount: 1, refillPeriodMs: 10 * DAY_MS } as const;
const places: LimitCharge = {
  id: 'places',
  scope: 'USER',
  algorithm: 'CONCURRENCY',
  capacity: 1000,
  leaseMs: DAY_MS,
  cost: 1,
};
const LIMITS: LimitCharge[] = [
  { id: 'bucket', scope: 'USER', algorithm: 'TOKEN_BUCKET', ...rate, cost: 1 },
  { id: 'fixed', algorithm: 'FIXED_WINDOW', amount: 1000, ...window },
  { id: 'sliding', algorithm: 'SLIDING_WINDOW_COUNTER', amount: 1000, ...window },
  { id: 'strict', algorithm: 'SLIDING_WINDOW_COUNTER', strict: true, amount: 1000, ...window },
  { id: 'log', algorithm: 'SLIDING_WINDOW_LOG', amount: 1000, ...window },
  places,
];
/**
 * Actual costs of 0, with which a settlement refunds the full charge. The counters then show
 * whether a refund was applied twice or too late.
 */
const NOTHING = Object.fromEntries(LIMITS.map(({ id }) => [id, 0]));

let redis: Awaited<ReturnType<typeof startRedisServer>>;
let proxy: TcpProxy;
let direct: ProtectionLimiter;
let limiter: ProtectionLimiter;
beforeAll(async () => {
  redis = await startRedisServer();
  proxy = await startTcpProxy(redis.url);
  direct = createProtectionLimiter({ redis: redis.url, deadlineMs: PATIENT_MS });
  await direct.opened;
});
beforeEach(async () => {
  limiter = createProtectionLimiter({ redis: proxy.url, deadlineMs: DEADLINE_MS });
  await limiter.opened;
});
afterEach(async () => {
  redis.process.kill('SIGCONT');
  await proxy.set({ kind: 'pass' });
  await limiter.close();
});
afterAll(async () => {
  await direct.close();
  await proxy.close();
  await redis.stop();
});

type Subject = ReturnType<typeof someone>;

const usedOf = async (subject: Subject, limits = LIMITS) =>
  (await direct.peek({ subject, limits })).map(({ used }) => used).join();

async function run(subject: Subject, count: number, limits = LIMITS): Promise<Admission[]> {
  const decisions = await Promise.all(Array.from({ length: count }, () => limiter.charge({ subject, limits })));
  return decisions.map((decision) => {
    if (!decision.admitted) throw new Error('it was denied');
    return decision;
  });
}

/** Charges for a new caller whose operations Redis has admitted within the deadline. */
async function runInRedis(count: number): Promise<{ subject: Subject; running: Admission[] }> {
  for (;;) {
    const subject = someone();
    const running = await run(subject, count);
    if (running.every(({ degraded }) => !degraded)) return { subject, running };
    // A busy machine has exceeded the deadline.
    await untilClosed();
  }
}

/** Waits until Redis has executed all calls that have reached it. */
const untilUsed = (subject: Subject, counts: string) =>
  until(`${counts} are used`, async () => (await usedOf(subject)) === counts);

const stateOf = (one: ProtectionLimiter): string => one.health()[0]!.state;

/** Sends charges of other callers until the breaker is open. */
async function untilOpen(one = limiter): Promise<void> {
  await until('the breaker is open', async () => {
    const waves = Array.from({ length: 12 }, () => one.charge({ subject: someone(), limits: LIMITS.slice(0, 1) }));
    await Promise.all(waves);
    return stateOf(one) === 'OPEN';
  });
}

const untilClosed = () => until('the breaker is closed', () => stateOf(limiter) === 'CLOSED');

test.each([
  [
    'is frozen',
    async () => {
      redis.process.kill('SIGSTOP');
    },
    async () => {
      redis.process.kill('SIGCONT');
    },
  ] as const,
  ['accepts no connections', () => proxy.set({ kind: 'refuse' }), () => proxy.set({ kind: 'pass' })] as const,
])('slots that are released while Redis %s are free once Redis is back, and nothing else is refunded', async (_, away, back) => {
  const {
    subject,
    running: [first, second, third],
  } = await runInRedis(3);
  expect(await usedOf(subject)).toBe('3,3,3,3,3,3');
  await away();
  await untilOpen();
  await limiter.settle(first!.receipt, NOTHING);
  // This settlement sets the cost of the slot limit to 1, so the slot stays in use.
  await limiter.settle(second!.receipt, { ...NOTHING, places: 1 });
  await limiter.release(second!.receipt);
  await back();
  await until('the slots are free', async () => (await usedOf(subject)) === '3,3,3,3,3,1');
  await untilClosed();
  await limiter.settle(third!.receipt, {});
  await limiter.release(third!.receipt);
  await until('the last slot is free', async () => (await usedOf(subject)) === '3,3,3,3,3,0');
});

test('slots are free after a reconnect if their releases were lost with the connection', async () => {
  const { subject, running } = await runInRedis(5);
  await proxy.set({ kind: 'black-hole' });
  await Promise.all(running.slice(0, 3).map(({ receipt }) => limiter.settle(receipt, NOTHING)));
  // The reset drops the messages that waited in the proxy.
  await proxy.set({ kind: 'reset' });
  await proxy.set({ kind: 'pass' });
  await until('the three slots are free', async () => (await usedOf(subject)) === '5,5,5,5,5,2');
});

test('a lost release frees the slot of the caller that was charged, even if the subject object now names another caller', async () => {
  const {
    subject,
    running: [running],
  } = await runInRedis(1);
  const first = { ...subject };
  await proxy.set({ kind: 'black-hole' });
  await limiter.settle(running!.receipt, NOTHING);
  Object.assign(subject, someone());
  await proxy.set({ kind: 'reset' });
  await proxy.set({ kind: 'pass' });
  await until('the slot is free', async () => (await usedOf(first)) === '1,1,1,1,1,0');
});

test('a release that is sent again because its reply was lost frees only its own slot', async () => {
  const {
    subject,
    running: [ended],
  } = await runInRedis(4);
  await proxy.set({ kind: 'hold-replies' });
  await limiter.settle(ended!.receipt, { places: 0 });
  await untilUsed(subject, '4,4,4,4,4,3');
  await proxy.set({ kind: 'reset' });
  await proxy.set({ kind: 'pass' });
  // The limiter sends the release again within this time.
  await pause(1000);
  expect(await usedOf(subject)).toBe('4,4,4,4,4,3');
});

test('if the reply to a charge is lost, the slot ends with the operation, and the charges of other limits remain', async () => {
  const subject = someone();
  // The reply to a heartbeat is not lost, because it does not name the caller.
  await proxy.set({ kind: 'drop-replies', count: 1, to: subject.user, seenAs: 'reset' });
  const [decision] = await run(subject, 1);
  expect(decision).toMatchObject({ degraded: true });
  expect(await usedOf(subject)).toBe('1,1,1,1,1,1');
  await limiter.settle(decision!.receipt, NOTHING);
  await until('the slot is free', async () => (await usedOf(subject)) === '1,1,1,1,1,0');
});

test('a slot is released if Redis charged it for an operation that was denied locally', async () => {
  const subject = someone();
  await proxy.set({ kind: 'drop-replies', count: 1, to: subject.user, seenAs: 'reset' });
  const limits = LIMITS.map((limit): LimitCharge => ({ ...limit, onUnavailable: 'CLOSED' }));
  expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false, code: 'UNAVAILABLE' });
  await until('the slot is free', async () => (await usedOf(subject)) === '1,1,1,1,1,0');
});

test.each([
  'before',
  'after',
])('the slot of an abandoned charge ends with its operation, which ends %s the reply is lost', async (when) => {
  const subject = someone();
  await proxy.set({ kind: 'hold-replies' });
  const [decision] = await run(subject, 1);
  expect(decision).toMatchObject({ degraded: true });
  if (when === 'before') await limiter.settle(decision!.receipt, NOTHING);
  await proxy.set({ kind: 'reset' });
  if (when === 'after') await limiter.settle(decision!.receipt, NOTHING);
  await untilUsed(subject, '1,1,1,1,1,1');
  await proxy.set({ kind: 'pass' });
  await until('the slot is free', async () => (await usedOf(subject)) === '1,1,1,1,1,0');
});

test('slots of operations that also use leased tokens are released too', async () => {
  const subject = someone();
  const limits: LimitCharge[] = [{ ...LIMITS[0]!, precision: 'LEASED' }, places];
  let receipt: Receipt | undefined;
  await until('a lease pays', async () => {
    const [decision] = await run(subject, 1, limits);
    receipt = decision!.receipt;
    if (decision!.approximate) return true;
    await limiter.settle(receipt, { places: 0 });
    return false;
  });
  await until('only this slot is in use', async () => (await usedOf(subject, [places])) === '1');
  await proxy.set({ kind: 'refuse' });
  await untilOpen();
  await limiter.settle(receipt!, { places: 0 });
  await proxy.set({ kind: 'pass' });
  await until('the slot is free', async () => (await usedOf(subject, [places])) === '0');
});

test('a limiter that closes when Redis is back releases its slots first', async () => {
  const {
    subject,
    running: [decision],
  } = await runInRedis(1);
  redis.process.kill('SIGSTOP');
  await untilOpen();
  await limiter.settle(decision!.receipt, NOTHING);
  redis.process.kill('SIGCONT');
  // Redis has executed the calls that it received while it was frozen.
  await direct.peek({ subject, limits: LIMITS });
  await limiter.close();
  expect(await usedOf(subject)).toBe('1,1,1,1,1,0');
});

test('around an outage, each slot is released once, and charges that are settled during the outage are not refunded', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          user: fc.nat(2),
          limits: fc.subarray(LIMITS, { minLength: 1 }),
          ends: fc.constantFrom('before', 'during', 'twice', 'after', 'never'),
        }),
        { minLength: 10, maxLength: 60 },
      ),
      async (operations) => {
        const users = [someone(), someone(), someone()];
        /** Returns the counts of each user if these charges still count. */
        const countsOf = (stands: (id: string, ends: string) => boolean) =>
          users.map((_, user) =>
            LIMITS.map(({ id }) => {
              const counts = operations.filter((one) => one.user === user && stands(id, one.ends));
              return counts.filter(({ limits }) => limits.some((limit) => limit.id === id)).length;
            }).join(),
          );
        const found = () => Promise.all(users.map((subject) => usedOf(subject)));
        const charged = await Promise.all(
          operations.map(async (one) => ({ ...one, decision: (await run(users[one.user]!, 1, one.limits))[0]! })),
        );
        if (charged.some(({ decision }) => decision.degraded)) return fc.pre(false);
        const end = (...when: string[]) =>
          Promise.all(
            charged
              .filter(({ ends }) => when.includes(ends))
              .map(async ({ decision, ends, limits }) => {
                const ended = Object.fromEntries(limits.map(({ id }) => [id, 0]));
                await limiter.settle(decision.receipt, ended);
                if (ends === 'twice') await limiter.release(decision.receipt);
              }),
          );
        await end('before');
        // A settlement that has missed its deadline on a busy machine would be lost with the connection.
        await expect.poll(found).toEqual(countsOf((_, ends) => ends !== 'before'));
        await proxy.set({ kind: 'refuse' });
        await untilOpen();
        await end('during', 'twice');
        await proxy.set({ kind: 'pass' });
        await untilClosed();
        await end('after');
        const wanted = countsOf((id, ends) =>
          id === 'places' ? ends === 'never' : ends !== 'before' && ends !== 'after',
        );
        await until('the slots of all ended operations are free', async () => {
          const now = await found();
          return now.every((counts, i) => counts.split(',').at(-1) === wanted[i]!.split(',').at(-1));
        });
        await expect.poll(found).toEqual(wanted);
      },
    ),
    { numRuns: 4 },
  );
});

test('on a Cluster, slots on several nodes are free once all of the nodes are back', async () => {
  const cluster = await startRedisCluster({ replicas: false });
  const pids = await Promise.all(
    cluster.ports.map(async (port) => {
      const client = new Redis(port, '127.0.0.1');
      const pid = Number(/process_id:(\d+)/.exec(await client.info('server'))![1]);
      client.disconnect();
      return pid;
    }),
  );
  const reader = createProtectionLimiter({ redis: cluster.url, deadlineMs: PATIENT_MS });
  const one = createProtectionLimiter({ redis: cluster.url, deadlineMs: DEADLINE_MS });
  try {
    await Promise.all([reader.opened, one.opened]);
    let subject = someone();
    let limits: LimitCharge[] = [];
    const used = async () => (await reader.peek({ subject, limits })).map((state) => state.used).join();
    const running: Decision[] = [];
    await until('Redis has decided about three operations of a caller', async () => {
      subject = someone();
      limits = [
        places,
        { ...places, id: 'address', scope: 'IP' },
        ...[1, 2, 3, 4].map((): LimitCharge => ({ ...places, id: uniqueName('all'), scope: 'GLOBAL' })),
        LIMITS[0]!,
      ];
      running.length = 0;
      for (let i = 0; i < 3; i++) running.push(await one.charge({ subject, limits }));
      return running.every(({ admitted, degraded }) => admitted && !degraded);
    });
    expect(await used()).toBe('3,3,3,3,3,3,3');
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await untilOpen(one);
    for (const decision of running.slice(0, 2)) {
      if (decision.admitted) await one.settle(decision.receipt, Object.fromEntries(limits.map(({ id }) => [id, 0])));
    }
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    await until('the slots of two operations are free', async () => (await used()) === '1,1,1,1,1,1,3');
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    await Promise.all([reader.close(), one.close()]);
    await cluster.stop();
  }
});

describe('releases that wait for Redis', () => {
  const { compile } = createLimitCompiler();
  const chargeOf = (chargeId: string, leaseMs = 1000): ChargeRecord => ({
    request: createCheckedRequest({ user: 'u' }, [compile({ ...places, leaseMs }, 0)], [1]),
    chargeId,
    time: { clock: 0, now: 0 },
    times: undefined,
  });

  function start(maxWaiting?: number) {
    const world = {
      nowMs: 0,
      isAway: true,
      calls: [] as string[][],
      lost: new Set<string>(),
      later: [] as (() => void)[],
    };
    const releases = createUnsentReleases({
      async release(charges, confirmed) {
        world.calls.push(charges.map(({ chargeId }) => chargeId));
        for (const charge of charges) if (!world.lost.has(charge.chargeId)) confirmed(charge);
        if (charges.some(({ chargeId }) => world.lost.has(chargeId))) throw new Error('lost');
      },
      isAway: () => world.isAway,
      timings: {
        clock: () => world.nowMs,
        schedule(run) {
          world.later.push(run);
          return () => void world.later.splice(world.later.indexOf(run), 1);
        },
        random: () => 0,
      },
      ...(maxWaiting !== undefined && { maxWaiting }),
    });
    return { world, releases };
  }

  test('the number of waiting releases is bounded, and the oldest are dropped first', async () => {
    const { world, releases } = start(3);
    for (const id of ['a', 'b', 'c', 'd', 'e']) releases.keep(chargeOf(id), { places: 0 });
    expect(releases.totals()).toEqual({ waiting: 3, dropped: 2 });
    await releases.send();
    expect(world.calls).toEqual([['c', 'd', 'e']]);
    expect(releases.totals()).toEqual({ waiting: 0, dropped: 2 });
  });

  test('a waiting release is dropped once its slot has expired', async () => {
    const { world, releases } = start();
    releases.keep(chargeOf('short', 10), { places: 0 });
    releases.keep(chargeOf('long', 20_000), { places: 0 });
    world.nowMs = 10;
    await releases.send();
    expect(world.calls).toEqual([['long']]);
  });

  test('a release that fails repeatedly does not delay the others, and is removed when it succeeds', async () => {
    const { world, releases } = start();
    world.lost.add('dead');
    for (const id of ['dead', 'b', 'c']) releases.keep(chargeOf(id), { places: 0 });
    world.isAway = false;
    await releases.send();
    expect(world.calls).toEqual([['dead', 'b', 'c'], ['dead']]);
    world.lost.clear();
    expect(world.later).toHaveLength(1);
    world.later.shift()!();
    await releases.send();
    await releases.send();
    expect(world.calls.slice(2)).toEqual([['dead']]);
    expect(world.later).toHaveLength(0);
  });

  test('a waiting release causes no call and no timer during an outage, and is sent once on close', async () => {
    const { world, releases } = start();
    world.lost.add('a');
    releases.keep(chargeOf('a'), { places: 0 });
    expect([world.calls, world.later]).toEqual([[], []]);
    await releases.close();
    releases.keep(chargeOf('b'), { places: 0 });
    expect([world.calls, world.later]).toEqual([[['a']], []]);
  });

  test('a settlement that ends no slot creates no waiting release', async () => {
    const { world, releases } = start();
    releases.keep(chargeOf('a'), {});
    releases.keep(
      { ...chargeOf('b'), request: createCheckedRequest({ user: 'u' }, [compile(LIMITS[0]!, 0)], [1]) },
      NOTHING,
    );
    await releases.send();
    expect(world.calls).toEqual([]);
  });
});
