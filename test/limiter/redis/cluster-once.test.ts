import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT, PATIENT_MS } from '../../helpers/patient.js';
import { type RedisCluster, startRedisCluster } from '../../helpers/redis-cluster.js';
import { uniqueName } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';

const limits: LimitCharge[] = [
  { id: 'window', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 1_000_000, windowMs: 86_400_000, cost: 1 },
];

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterAll(() => cluster?.stop());

async function countedFor(user: string): Promise<number> {
  const reader = createLimiter({ redis: cluster.url, ...PATIENT });
  const [state] = await reader.peek({ subject: { user }, limits });
  await reader.close();
  return state!.used;
}

/**
 * Returns a user whose counters are on the node at that port. The function does not use the
 * connections of the tested limiter.
 */
async function someoneOn(port: number): Promise<string> {
  const limiter = createLimiter({ redis: cluster.url, ...PATIENT });
  const client = new Redis(port, '127.0.0.1');
  try {
    for (;;) {
      const user = uniqueName('once');
      await limiter.charge({ subject: { user }, limits });
      const keys = await client.keys(`*${user}*`);
      await limiter.reset({ subject: { user }, limits });
      if (keys.length > 0) return user;
    }
  } finally {
    client.disconnect();
    await limiter.close();
  }
}

/**
 * Returns the port of a primary that does not store the heartbeats of the instances. While that
 * primary is stopped, the others still reply.
 */
async function portWithoutHeartbeats(): Promise<number> {
  const client = new Redis(cluster.ports[0]!, '127.0.0.1');
  const counting = await cluster.portOfSlot(await client.cluster('KEYSLOT', 'tg:instances'));
  client.disconnect();
  return cluster.ports.slice(0, 3).find((port) => port !== counting)!;
}

/**
 * Resolves to false when the node replies. In a race with a pause that resolves to true, the result
 * is whether the node is busy.
 */
async function isAnswered(client: Redis): Promise<boolean> {
  await client.ping().catch(() => {});
  return false;
}

const charge = (limiter: MonitoredLimiter, user: string) => limiter.charge({ subject: { user }, limits });
const healed = (limiter: MonitoredLimiter, user: string) =>
  until('the node decides again', async () => {
    await limiter.charge({ subject: { user }, limits: [{ ...limits[0]!, cost: 0 }] });
    const [state] = limiter.health();
    return state!.state === 'CLOSED' && !(await charge(limiter, user)).degraded;
  });

test('R3: on a cluster, a charge in flight when its connection breaks is never sent again', async () => {
  const port = cluster.ports[0]!;
  const user = await someoneOn(port);
  const other = await someoneOn(port);
  const limiter = createLimiter({ redis: cluster.url, deadlineMs: PATIENT_MS });
  await limiter.opened;
  expect(await charge(limiter, user)).toMatchObject({ degraded: false });
  const disturber = new Redis(port, '127.0.0.1');
  await disturber.ping();
  // While the node is busy, it receives the charge but does not read it. Then the node closes all
  // other connections without reading them.
  const busy = disturber
    .pipeline()
    .eval('for i = 1, 1e8 do end', 0)
    .call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    .exec();
  const probe = new Redis(port, '127.0.0.1', { retryStrategy: null });
  await until('the node is busy', () => Promise.race([isAnswered(probe), pause(20, true)]));
  expect(await charge(limiter, user)).toMatchObject({ admitted: true, degraded: true });
  expect((await busy)?.map(([error]) => error)).toEqual([null, null]);
  probe.disconnect();
  disturber.disconnect();
  await healed(limiter, other);
  await limiter.close();
  expect(await countedFor(user)).toBe(1);
});

test('R2: on a cluster, a charge for a node that is still connecting is decided without it and never sent late', async () => {
  const port = await portWithoutHeartbeats();
  const user = await someoneOn(port);
  const other = await someoneOn(port);
  const client = new Redis(port, '127.0.0.1');
  const pid = Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1]);
  client.disconnect();
  // The kernel still accepts connections for the stopped process, but the process does not reply to
  // them.
  process.kill(pid, 'SIGSTOP');
  const limiter = createLimiter({ redis: cluster.url, deadlineMs: 25 });
  try {
    await limiter.opened;
    for (let i = 0; i < 5; i++) expect(await charge(limiter, user)).toMatchObject({ degraded: true });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await healed(limiter, other);
  await limiter.close();
  expect(await countedFor(user)).toBe(0);
});

test('R2: on a cluster, a deadline that a frozen node misses while other nodes reply is reported as fellBehind', async () => {
  const port = await portWithoutHeartbeats();
  const user = await someoneOn(port);
  const other = await someoneOn(cluster.ports.slice(0, 3).find((one) => one !== port)!);
  const client = new Redis(port, '127.0.0.1');
  const pid = Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1]);
  client.disconnect();
  const fellBehind: string[] = [];
  const observer = { fellBehind: (pool: string) => fellBehind.push(pool) };
  // The deadline is longer than the pauses of the other nodes on a busy machine.
  const limiter = createLimiter({ redis: cluster.url, deadlineMs: 1000, observer });
  await limiter.opened;
  expect(await charge(limiter, user)).toMatchObject({ degraded: false });
  expect(fellBehind).toEqual([]);
  process.kill(pid, 'SIGSTOP');
  try {
    const frozen = charge(limiter, user);
    let isDecided = false;
    void frozen.then(() => {
      isDecided = true;
    });
    while (!isDecided) {
      expect(await charge(limiter, other)).toMatchObject({ admitted: true, degraded: false });
      await pause(1);
    }
    expect(await frozen).toMatchObject({ admitted: true, degraded: true });
    expect(fellBehind).toEqual(['default']);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await limiter.close();
});

test('on a cluster, a charge that is admitted locally and denied by a node is counted once in limits that count denied operations', async () => {
  const port = await portWithoutHeartbeats();
  const user = await someoneOn(port);
  const client = new Redis(port, '127.0.0.1');
  const pid = Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1]);
  client.disconnect();
  const subject = { user };
  const both: LimitCharge[] = [
    { ...limits[0]!, amount: 3, countDenied: true },
    { ...limits[0]!, id: uniqueName('global'), scope: 'GLOBAL', countDenied: true },
  ];
  const exact = createLimiter({ redis: cluster.url, ...PATIENT });
  await exact.charge({ subject, limits: [{ ...both[0]!, cost: 3 }] });
  const limiter = createLimiter({ redis: cluster.url, deadlineMs: 250 });
  await limiter.opened;
  process.kill(pid, 'SIGSTOP');
  try {
    expect(await limiter.charge({ subject, limits: both })).toMatchObject({ admitted: true, degraded: true });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await until('it counts', async () => (await exact.peek({ subject, limits: both }))[1]!.used > 0);
  expect((await exact.peek({ subject, limits: both })).map(({ used }) => used)).toEqual([4, 1]);
  await Promise.all([limiter.close(), exact.close()]);
});
