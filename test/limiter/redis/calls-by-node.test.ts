import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import { hashTag, keysFor } from '../../../src/limiter/redis/keys-for.js';
import { slotOf } from '../../../src/limiter/redis/slot-of.js';
import { PATIENT } from '../../helpers/patient.js';
import { type RedisCluster, startRedisCluster } from '../../helpers/redis-cluster.js';
import { uniqueName } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';
import { someone } from '../engines.js';

const window = { algorithm: 'FIXED_WINDOW', amount: 1_000_000, windowMs: 86_400_000, cost: 1 } as const;
const byUser: LimitCharge = { id: 'user', scope: 'USER', ...window };
const byAddress: LimitCharge = { id: 'address', scope: 'IP', ...window };
const USERS = 60;

let cluster: RedisCluster;
let nodes: Redis[];
beforeAll(async () => {
  cluster = await startRedisCluster({ replicas: false });
  nodes = cluster.ports.map((port) => new Redis(port, '127.0.0.1'));
});
afterAll(async () => {
  for (const node of nodes ?? []) node.disconnect();
  await cluster?.stop();
});

async function scriptCalls(): Promise<number> {
  const counts = nodes.map(async (node) =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await node.info('commandstats'))?.[1] ?? 0),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function chargeAll(limiter: MonitoredLimiter, users: readonly string[], limits: LimitCharge[]): Promise<void> {
  const all = users.map((user) => limiter.charge({ subject: { user, ip: user }, limits }));
  for (const decision of await Promise.all(all)) expect(decision).toMatchObject({ admitted: true, degraded: false });
}

async function usedOf(limiter: MonitoredLimiter, users: readonly string[], limits: LimitCharge[]): Promise<number[]> {
  const states = users.map((user) => limiter.peek({ subject: { user, ip: user }, limits }));
  return (await Promise.all(states)).flatMap((found) => found.map(({ used }) => used));
}

const someUsers = () => Array.from({ length: USERS }, () => uniqueName('user'));

test('charges of one tick need one call per node, whatever their hash slots, and few calls if their limits are on several nodes', async () => {
  const limiter = createLimiter({ redis: cluster.url, ...PATIENT });
  const users = someUsers();
  await chargeAll(limiter, users, [byUser]);
  const before = await scriptCalls();
  await chargeAll(limiter, users, [byUser]);
  const ofUsers = (await scriptCalls()) - before;
  expect(ofUsers).toBeGreaterThanOrEqual(3);
  // The count includes heartbeats.
  expect(ofUsers).toBeLessThan(10);
  const global: LimitCharge = { id: uniqueName('global'), scope: 'GLOBAL', ...window };
  await chargeAll(limiter, users, [global, byAddress, byUser]);
  // A charge has two steps: first the address and the user, then the global limit. Charges on the
  // same two nodes share the calls of both steps. The calls for the confirmations follow.
  expect((await scriptCalls()) - before - ofUsers).toBeLessThan(40);
  expect(await usedOf(limiter, users, [byUser, byAddress])).toEqual(users.flatMap(() => [3, 1]));
  expect(await limiter.peek({ subject: someone(), limits: [global] })).toMatchObject([{ used: USERS }]);
  await limiter.close();
});

test('an address and its user are charged at the same time, and a denial by one of them charges neither', async () => {
  const limiter = createLimiter({ redis: cluster.url, ...PATIENT });
  await limiter.opened;
  const global: LimitCharge = { id: uniqueName('global'), scope: 'GLOBAL', ...window };
  const limits = [global, { ...byAddress, amount: 2 }, { ...byUser, amount: 1 }];
  const portOf = (subject: { user: string; ip: string }) =>
    createChargeReader()
      .read(subject, limits)
      .limits.map((limit) => cluster.portOfSlot(slotOf(hashTag(keysFor(subject)(limit)))));
  let subject: { user: string; ip: string };
  let ports: number[];
  do {
    subject = { user: uniqueName('user'), ip: uniqueName('ip') };
    ports = await Promise.all(portOf(subject));
    // Limits on the same node would be charged in one call.
  } while (ports[1] === ports[2] || ports[1] === ports[0]);
  const ofUser = nodes[cluster.ports.indexOf(ports[2]!)]!;
  const pid = Number(/process_id:(\d+)/.exec(await ofUser.info('server'))![1]);
  const usedByAddress = async () => (await limiter.peek({ subject, limits: [limits[1]!] }))[0]!.used;

  process.kill(pid, 'SIGSTOP');
  const charged = limiter.charge({ subject, limits });
  try {
    // The charge must arrive before the other nodes consider the stopped node failed.
    await until('it is taken from the address', async () => (await usedByAddress()) === 1, 20_000);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(await charged).toMatchObject({ admitted: true });
  const denied = await limiter.charge({ subject, limits });
  expect(denied).toMatchObject({ admitted: false, deniedBy: 'user' });
  // The denial came before the node of the global limit was called, so that limit is reported as
  // unused.
  expect(denied.limits.map(({ used }) => used)).toEqual([0, 1, 1]);
  await until('it is refunded', async () => (await usedByAddress()) === 1);
  await limiter.close();
});

test('each charge is made once while hash slots move, and a rejected call is repeated for each hash slot', async () => {
  const limiter = createLimiter({ redis: cluster.url, ...PATIENT });
  const users = someUsers();
  const global: LimitCharge = { id: uniqueName('global'), scope: 'GLOBAL', ...window };
  const limits = [global, byAddress, byUser];
  let rounds = 0;
  let isMoving = true;
  const load = (async () => {
    do {
      await chargeAll(limiter, users, limits);
      rounds++;
    } while (isMoving);
  })();
  for (const user of users.slice(0, 12)) {
    const slot = slotOf(`u.${user}`);
    const from = await cluster.portOfSlot(slot);
    await cluster.moveSlot(slot, cluster.ports.find((port) => port !== from)!);
    await pause(20);
  }
  isMoving = false;
  await load;
  expect(await usedOf(limiter, users, [byUser, byAddress])).toEqual(users.flatMap(() => [rounds, rounds]));
  expect(await limiter.peek({ subject: someone(), limits: [global] })).toMatchObject([{ used: rounds * USERS }]);
  await limiter.close();
});

test('settlements and resets reach every hash slot while hash slots move', async () => {
  const limiter = createLimiter({ redis: cluster.url, ...PATIENT });
  const users = someUsers();
  const limits = [byAddress, { ...byUser, cost: 5 }];
  const charge = () => Promise.all(users.map((user) => limiter.charge({ subject: { user, ip: user }, limits })));
  await charge();
  const decisions = await charge();
  // Moves a hash slot to another node. The client does not know this yet.
  const slot = slotOf(`u.${users[0]}`);
  const from = await cluster.portOfSlot(slot);
  await cluster.moveSlot(slot, cluster.ports.find((port) => port !== from)!);
  await Promise.all(
    decisions.map((decision) => decision.admitted && limiter.settle(decision.receipt, { user: 2, address: 0 })),
  );
  expect(await usedOf(limiter, users, [byUser, byAddress])).toEqual(users.flatMap(() => [7, 1]));
  const back = await cluster.portOfSlot(slot);
  await cluster.moveSlot(slot, cluster.ports.find((port) => port !== back)!);
  const resets = users.map((user) => limiter.reset({ subject: { user, ip: user }, limits }));
  expect(await Promise.all(resets)).toEqual(users.map(() => true));
  expect(await usedOf(limiter, users, [byUser, byAddress])).toEqual(users.flatMap(() => [0, 0]));
  await limiter.close();
});
