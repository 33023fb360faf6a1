import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Decision } from '../../src/limiter/charge/decision.js';
import { createLimiter, type MonitoredLimiter } from '../../src/limiter/create-limiter.js';
import type { PoolHealth } from '../../src/limiter/fallback/engine-observer.js';
import type { LimiterOptions } from '../../src/limiter/limiter-options.js';
import type { EngineErrorClass } from '../../src/limiter/redis/engine-failure.js';
import { countCases } from '../abuse/serve.js';
import { PATIENT } from '../helpers/patient.js';
import { freePort, startRedisServer, uniqueName } from '../helpers/servers.js';
import { type Fault, startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { until } from '../helpers/until.js';
import { quantileOf, reportFigure } from '../report/figures.js';

const DEADLINE_MS = 25;
const window: LimitCharge = {
  id: 'window',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 1_000_000,
  windowMs: 86_400_000_000,
  cost: 1,
};
const limits = [window];

let redis: Awaited<ReturnType<typeof startRedisServer>>;
let admin: Redis;
let proxy: TcpProxy;
beforeAll(async () => {
  redis = await startRedisServer(['--enable-debug-command', 'yes', '--appendonly', 'yes', '--appendfsync', 'always']);
  admin = new Redis(redis.url);
  admin.on('error', () => {}); // Connection errors while it restarts.
  proxy = await startTcpProxy(redis.url);
});
afterAll(async () => {
  admin.disconnect();
  await proxy.close();
  await redis.stop();
});

const open: MonitoredLimiter[] = [];
afterEach(async () => {
  redis.process.kill('SIGCONT');
  await admin.call('ACL', 'SETUSER', 'default', '+@all');
  await proxy.set({ kind: 'pass' });
  await Promise.all(open.splice(0).map((limiter) => limiter.close()));
});

interface Observed {
  limiter: MonitoredLimiter;
  states: PoolHealth['state'][];
  classes: Set<EngineErrorClass>;
  alarms: Set<EngineErrorClass>;
}

async function observe(options: LimiterOptions = {}): Promise<Observed> {
  const states: PoolHealth['state'][] = [];
  const classes = new Set<EngineErrorClass>();
  const alarms = new Set<EngineErrorClass>();
  const limiter = createLimiter({
    redis: proxy.url,
    deadlineMs: DEADLINE_MS,
    observer: {
      changed: ({ state }) => states.push(state),
      failed(failure) {
        classes.add(failure.class);
        if (failure.alarm) alarms.add(failure.class);
      },
    },
    ...options,
  });
  open.push(limiter);
  await limiter.opened;
  return { limiter, states, classes, alarms };
}

/** Returns the used amounts that Redis stores for users. Connects directly, without the proxy. */
async function countedFor(users: readonly string[], url = redis.url): Promise<number[]> {
  const reader = createLimiter({ redis: url, ...PATIENT });
  const states = await Promise.all(users.map((user) => reader.peek({ subject: { user }, limits })));
  await reader.close();
  return states.map(([state]) => state!.used);
}

/** Starts callers that charge one after the other until they are stopped. */
function load(limiter: MonitoredLimiter, user: string, callers = 8) {
  const timesMs: { ms: number; degraded: boolean; open: boolean }[] = [];
  const decisions = { remote: 0, local: 0 };
  let stopped = false;
  const done = Promise.all(
    Array.from({ length: callers }, async () => {
      while (!stopped) {
        const isOpen = limiter.health()[0]!.state !== 'CLOSED';
        const beganMs = performance.now();
        const { degraded } = await limiter.charge({ subject: { user }, limits });
        timesMs.push({ ms: performance.now() - beganMs, degraded, open: isOpen });
        decisions[degraded ? 'local' : 'remote']++;
        await pause(1);
      }
    }),
  );
  return {
    decisions,
    timesMs,
    async stop() {
      stopped = true;
      await done;
      return decisions;
    },
  };
}

/** Returns the maximum and the 99th percentile of times as text. */
function spread(timesMs: readonly number[]): string {
  if (timesMs.length === 0) return 'none';
  const [p99, most] = [0.99, 1].map((share) => quantileOf(timesMs, share).toFixed(1));
  return `p99 ${p99} ms, at most ${most} ms (${timesMs.length})`;
}

/**
 * Watches the event loop of this process. The returned function ends the watch, and returns the
 * longest stall in milliseconds. A stall adds to every measured time.
 */
function watchStalls(): () => string {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  return () => {
    delays.disable();
    return (delays.max / 1e6).toFixed(1);
  };
}

const stateOf = (limiter: MonitoredLimiter) => limiter.health()[0]!.state;
const healed = (limiter: MonitoredLimiter) =>
  until('Redis decides again', async () => {
    if (stateOf(limiter) !== 'CLOSED') return false;
    return !(await limiter.charge({ subject: { user: uniqueName('healed') }, limits })).degraded;
  });

test('R1: decisions are made without a Redis that is absent at the start, until it is found', async (context) => {
  const port = await freePort();
  const { limiter, classes } = await observe({ redis: `redis://127.0.0.1:${port}` });
  const user = uniqueName('r1');
  const timesMs: number[] = [];
  for (let i = 0; i < 1000; i++) {
    const beganMs = performance.now();
    const decision = await limiter.charge({ subject: { user }, limits });
    timesMs.push(performance.now() - beganMs);
    expect(decision).toMatchObject({ admitted: true, degraded: true });
  }
  reportFigure(context, `absent at start: a decision: ${spread(timesMs)}`);
  expect([...classes]).toEqual(['connection']);
  const late = await startRedisServer(['--port', String(port)]);
  await healed(limiter);
  await limiter.close();
  await late.stop();
});

test('R1: no decision fails when Redis becomes unavailable under load, and Redis decides again once it is back', async (context) => {
  const { limiter } = await observe();
  const running = load(limiter, uniqueName('r1'));
  await until('Redis decides', () => running.decisions.remote > 50);
  await proxy.set({ kind: 'refuse' });
  running.timesMs.length = 0;
  await until('the breaker opens', () => stateOf(limiter) !== 'CLOSED');
  await until('decisions continue without Redis', () => running.decisions.local > 200);
  const times = running.timesMs.filter(({ degraded }) => degraded).map(({ ms }) => ms);
  reportFigure(context, `later outage: a decision without Redis: ${spread(times)}`);
  await proxy.set({ kind: 'pass' });
  await healed(limiter);
  await running.stop();
});

const SLOW: readonly (Fault | { kind: 'SIGSTOP' })[] = [
  { kind: 'delay', ms: 10 },
  { kind: 'delay', ms: 50 },
  { kind: 'delay', ms: 200 },
  { kind: 'delay', ms: 1000 },
  { kind: 'black-hole' },
  { kind: 'half-open' },
  { kind: 'SIGSTOP' },
];
test.for(
  SLOW,
)('R2: with %o, decisions under load skip the network once the breaker is open, and use Redis again after the fault', async (fault, context) => {
  const { limiter, states } = await observe();
  const running = load(limiter, uniqueName('r2'));
  await until('Redis decides', () => running.decisions.remote > 100);
  if (fault.kind === 'SIGSTOP') redis.process.kill('SIGSTOP');
  else await proxy.set(fault);
  running.timesMs.length = 0;
  const stalls = watchStalls();
  const isSlow = fault.kind !== 'delay' || fault.ms > DEADLINE_MS;
  // The fault `half-open` lets new connections pass, so Redis may be back before the breaker opens.
  if (isSlow) await until('decisions continue without Redis', () => running.decisions.local > 100, 20_000);
  if (isSlow && fault.kind !== 'half-open') await until('the breaker opens', () => states.includes('OPEN'));
  await pause(1000);
  const during = [...running.timesMs];
  const beganMs = performance.now();
  if (fault.kind === 'SIGSTOP') redis.process.kill('SIGCONT');
  else await proxy.set({ kind: 'pass' });
  await healed(limiter);
  const backMs = performance.now() - beganMs;
  await running.stop();
  const of = (isOpen: boolean) => during.filter((one) => one.open === isOpen).map(({ ms }) => ms);
  const name = fault.kind === 'delay' ? `${fault.ms} ms slower` : fault.kind;
  reportFigure(
    context,
    `${name}: decisions until the breaker opens: ${spread(of(false))}; while it is open: ${spread(of(true))}; ` +
      `the event loop of the test stood still for ${stalls()} ms at most; back after ${backMs.toFixed(0)} ms`,
  );
});

test('R3: a charge with a lost reply changes its counter in Redis once, in 1,000 of 1,000 tries', async (context) => {
  const WAVES = 50;
  const AT_ONCE = 20;
  const users: string[] = [];
  const closing: Promise<void>[] = [];
  for (let wave = 0; wave < WAVES; wave++) {
    // Each limiter has a separate connection, which is lost with the reply.
    const seenAs = wave % 2 === 0 ? 'reset' : 'silence';
    // The deadline is long enough to send the charge even on a busy machine. A charge that was not
    // sent changes no counter.
    const deadlineMs = seenAs === 'reset' ? 5000 : 250;
    const fleet = await Promise.all(Array.from({ length: AT_ONCE }, () => observe({ deadlineMs })));
    await proxy.set({ kind: 'drop-replies', count: AT_ONCE, to: 'evalsha', seenAs });
    await Promise.all(
      fleet.map(async ({ limiter }, place) => {
        const user = uniqueName(`r3-${wave}-${place}`);
        users.push(user);
        const decision = await limiter.charge({ subject: { user }, limits });
        expect(decision).toMatchObject({ admitted: true, degraded: true });
        // The settlement refunds nothing in Redis, because a local decision is settled locally.
        if (decision.admitted) await limiter.settle(decision.receipt, { window: 0 });
      }),
    );
    await until('every reply is lost', () => proxy.dropped() === (wave + 1) * AT_ONCE);
    await proxy.set({ kind: 'pass' });
    for (const { limiter } of fleet) closing.push(limiter.close());
  }
  await Promise.all(closing);
  expect(proxy.dropped()).toBe(WAVES * AT_ONCE);
  const counts = await countedFor(users);
  const once = counts.filter((count) => count === 1).length;
  reportFigure(context, `replies lost: ${proxy.dropped()}; counters that moved once: ${once} of ${users.length}`);
  expect(counts.filter((count) => count !== 1)).toEqual([]);
  countCases(context, counts.length);
});

test('R3: no charge is made twice when connections are reset with charges in flight', async () => {
  const { limiter } = await observe({ deadlineMs: 500 });
  const users: string[] = [];
  let remote = 0;
  for (let i = 0; i < 20; i++) {
    const mine = Array.from({ length: 20 }, (_, j) => uniqueName(`r3-${i}-${j}`));
    const decisions = mine.map((user) => limiter.charge({ subject: { user }, limits }));
    await new Promise((resolve) => setImmediate(resolve));
    await proxy.set({ kind: 'reset' });
    await proxy.set({ kind: 'pass' });
    remote += (await Promise.all(decisions)).filter(({ degraded }) => !degraded).length;
    users.push(...mine);
    await healed(limiter);
  }
  const counts = await countedFor(users);
  expect(counts.filter((count) => count > 1)).toEqual([]);
  expect(counts.filter((count) => count === 1).length).toBeGreaterThanOrEqual(remote);
});

test('R4: no call fails and each charge is made once when scripts are flushed under load', async () => {
  const { limiter, classes } = await observe({ deadlineMs: 20_000 });
  const user = uniqueName('r4');
  const running = load(limiter, user);
  for (let i = 0; i < 50; i++) {
    await admin.script('FLUSH');
    await pause(5);
  }
  const { remote, local } = await running.stop();
  expect({ local, classes: [...classes] }).toEqual({ local: 0, classes: [] });
  expect(await countedFor([user])).toEqual([remote]);
});

test('R4: decisions continue and no charge is made twice when Redis restarts under load', async (context) => {
  const { limiter } = await observe({ deadlineMs: 1000 });
  const user = uniqueName('r4');
  const running = load(limiter, user);
  await until('Redis decides', () => running.decisions.remote > 100);
  // This client does not repeat a command after it has reconnected.
  const once = new Redis(redis.url, { autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 });
  once.on('error', () => {});
  once.call('DEBUG', 'RESTART').catch(() => once.disconnect());
  await until('Redis is unavailable', () => running.decisions.local > 0);
  await healed(limiter);
  const { remote, local } = await running.stop();
  const [count] = await countedFor([user]);
  expect(count).toBeGreaterThanOrEqual(remote);
  expect(count).toBeLessThanOrEqual(remote + local);
  reportFigure(context, `restart: ${remote} decided by Redis, ${local} without it, ${count} counted`);
});

describe('Redis that returns errors', () => {
  const acl = (...rules: string[]) => admin.call('ACL', 'SETUSER', 'default', ...rules);
  const cut = () => admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  let scripts: Redis;
  afterEach(() => scripts?.disconnect());

  const REJECTIONS: { name: string; class: EngineErrorClass; begin(): Promise<unknown>; end(): Promise<unknown> }[] = [
    {
      name: 'OOM with noeviction',
      class: 'out_of_memory',
      begin: () => admin.config('SET', 'maxmemory', '1'),
      end: () => admin.config('SET', 'maxmemory', '0'),
    },
    {
      name: 'READONLY',
      class: 'read_only',
      begin: () => admin.call('REPLICAOF', '127.0.0.1', '1'),
      end: () => admin.call('REPLICAOF', 'NO', 'ONE'),
    },
    {
      name: 'BUSY',
      class: 'busy',
      async begin() {
        await admin.config('SET', 'busy-reply-threshold', '1');
        scripts = new Redis(redis.url);
        scripts.eval('while true do end', 0).catch(() => {});
      },
      end: () => admin.call('SCRIPT', 'KILL'),
    },
    {
      name: 'NOAUTH',
      class: 'auth',
      async begin() {
        await admin.config('SET', 'requirepass', 'secret');
        await cut();
      },
      end: () => admin.config('SET', 'requirepass', ''),
    },
    { name: 'NOPERM', class: 'auth', begin: () => acl('-evalsha', '-eval'), end: () => acl('+@all') },
    {
      name: 'LOADING',
      class: 'loading',
      async begin() {
        await admin.call('DEBUG', 'POPULATE', '3000', 'filler', '10');
        await admin.config('SET', 'loading-process-events-interval-bytes', '1024');
        await admin.config('SET', 'key-load-delay', '1000');
        scripts = new Redis(redis.url);
        scripts.call('DEBUG', 'RELOAD').catch(() => {});
      },
      async end() {
        await until('Redis has loaded its data', async () => (await admin.ping().catch(() => '')) === 'PONG', 30_000);
        await admin.config('SET', 'key-load-delay', '0');
      },
    },
  ];

  test.each(
    REJECTIONS,
  )('R5: $name leads to decisions without Redis and the error class $class, and nothing is charged in part', async (rejection) => {
    const { limiter, classes, alarms } = await observe();
    const user = uniqueName('r5');
    const two = [window, { ...window, id: 'other' }];
    expect(await limiter.charge({ subject: { user }, limits: two })).toMatchObject({ degraded: false });
    await rejection.begin();
    try {
      await until('the limiter reports the error class', async () => {
        const decision = await limiter.charge({ subject: { user }, limits: two });
        expect(decision.admitted).toBe(true);
        await pause(5);
        return classes.has(rejection.class);
      });
      const closed = await limiter.charge({
        subject: { user },
        limits: [...two, { ...window, id: 'closed', onUnavailable: 'CLOSED' }],
      });
      if (closed.degraded) expect(closed).toMatchObject({ admitted: false, code: 'UNAVAILABLE' });
      expect(alarms.has(rejection.class)).toBe(rejection.class === 'auth');
    } finally {
      await rejection.end();
    }
    await healed(limiter);
    const [one, other] = await limiter.peek({ subject: { user }, limits: two });
    expect(one!.used).toBe(other!.used);
  });

  test('R5: a Redis without scripts leads to decisions without Redis, and to an immediate alarm', async () => {
    const without = await startRedisServer(['--rename-command', 'EVALSHA', '']);
    const { limiter, classes, alarms } = await observe({ redis: without.url });
    for (let i = 0; i < 5; i++) {
      const decision = await limiter.charge({ subject: { user: uniqueName('r5') }, limits });
      expect(decision).toMatchObject({ admitted: true, degraded: true });
    }
    expect([...classes]).toEqual(['script']);
    expect([...alarms]).toEqual(['script']);
    await limiter.close();
    await without.stop();
  });

  test('R5: a value of the wrong type (WRONGTYPE) under a key of Tollgate is repaired, and Redis decides', async () => {
    const { limiter } = await observe({ deadlineMs: 5000 });
    const user = uniqueName('r5');
    await limiter.charge({ subject: { user }, limits });
    const [key] = await admin.keys(`tg:*${user}*`);
    await admin.del(key!);
    await admin.lpush(key!, 'foreign');
    expect(await limiter.charge({ subject: { user }, limits })).toMatchObject({
      degraded: false,
      limits: [{ used: 1 }],
    });
    expect(limiter.anomalies.repaired).toBe(1);
  });
});

test('R8: a Redis that comes back gets one probe at a time, however many charges arrive', async () => {
  const { limiter, states } = await observe();
  const rejected = async () => {
    const info = await admin.info('commandstats');
    return Number(/cmdstat_evalsha:.*rejected_calls=(\d+)/.exec(info)?.[1] ?? 0);
  };
  await admin.call('ACL', 'SETUSER', 'default', '-evalsha', '-eval');
  const running = load(limiter, uniqueName('r8'), 20);
  // The breaker opens again after a failed probe. By then, all calls that were sent before it first
  // opened have ended.
  await until('a probe has failed', () => states.filter((state) => state === 'OPEN').length === 2);
  const before = { rejected: await rejected(), probes: states.filter((state) => state === 'HALF_OPEN').length };
  await until('four probes began', () => states.filter((state) => state === 'HALF_OPEN').length >= before.probes + 4);
  await until('no probe is running', () => stateOf(limiter) === 'OPEN');
  const probes = states.filter((state) => state === 'HALF_OPEN').length - before.probes;
  expect((await rejected()) - before.rejected).toBe(probes);
  expect(running.decisions.local).toBeGreaterThan(1000);
  await admin.call('ACL', 'SETUSER', 'default', '+@all');
  await healed(limiter);
  await running.stop();
});

test('R8: the instances of a fleet do not all probe an unavailable Redis at the same time', async (context) => {
  await proxy.set({ kind: 'refuse' });
  const atMs: number[] = [];
  const fleet = Array.from({ length: 30 }, () =>
    observe({ observer: { changed: ({ state }) => state === 'HALF_OPEN' && atMs.push(performance.now()) } }),
  );
  await Promise.all(fleet);
  await until('each instance has probed', () => atMs.length >= fleet.length);
  const first = atMs.slice(0, fleet.length);
  const windowMs = 10;
  const together = Math.max(...first.map((from) => first.filter((ms) => ms >= from && ms < from + windowMs).length));
  reportFigure(
    context,
    `${fleet.length} instances ask first within ${(first.at(-1)! - first[0]!).toFixed(0)} ms of each other, at most ${together} within ${windowMs} ms`,
  );
  // All instances lose Redis at the same moment. Each waits for 250 ms, plus or minus a quarter.
  expect(first.at(-1)! - first[0]!).toBeGreaterThan(50);
});

test('R8: a charge that was made without Redis refunds nothing in Redis once it is back', async () => {
  const { limiter } = await observe();
  const user = uniqueName('r8');
  const charge = () => limiter.charge({ subject: { user }, limits });
  for (let i = 0; i < 3; i++) expect(await charge()).toMatchObject({ degraded: false });
  await proxy.set({ kind: 'refuse' });
  const local: Decision[] = [];
  for (let i = 0; i < 4; i++) local.push(await charge());
  expect(local.every(({ degraded }) => degraded)).toBe(true);
  await proxy.set({ kind: 'pass' });
  await healed(limiter);
  for (const decision of local) if (decision.admitted) await limiter.settle(decision.receipt, { window: 0 });
  expect(await countedFor([user])).toEqual([3]);
});

const FLEETS: [string, LimiterOptions, number][] = [
  ['if their number is configured', { instances: 3 }, 0],
  // Only the first of the three instances has a share at that time. Each of the other two may admit
  // one charge.
  ['plus one charge of each instance without a share, if their number is not configured', {}, 2],
];
test.for(FLEETS)('R8: all instances together admit at most one capacity and its refill during an outage, %s', async ([
  ,
  options,
  more,
], context) => {
  const bucket: LimitCharge = {
    id: 'bucket',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: 90,
    refillAmount: 30,
    refillPeriodMs: 1000,
    cost: 1,
  };
  const user = uniqueName('r8');
  // Instances of earlier tests that could not sign off while Redis was unavailable keep their
  // shares for 15 s.
  await admin.del('tg:instances', '{tg:instances}:shares');
  const fleet = await Promise.all(Array.from({ length: 3 }, () => observe(options)));
  // Uses up the bucket in Redis.
  while ((await fleet[0]!.limiter.charge({ subject: { user }, limits: [bucket] })).admitted);
  await proxy.set({ kind: 'refuse' });
  const beganMs = performance.now();
  let admitted = 0;
  while (performance.now() - beganMs < 3000) {
    for (const { limiter } of fleet) {
      if ((await limiter.charge({ subject: { user }, limits: [bucket] })).admitted) admitted++;
    }
    await pause(1);
  }
  const seconds = (performance.now() - beganMs) / 1000;
  const bound = bucket.capacity! + bucket.refillAmount! * seconds;
  reportFigure(
    context,
    `over-admission in an outage of ${seconds.toFixed(1)} s: ${admitted}, the bound is ${(bound + more).toFixed(0)}`,
  );
  expect(admitted).toBeLessThanOrEqual(bound + more);
  expect(admitted).toBeGreaterThan(bucket.capacity! / 2);
});
