import { Redis } from 'ioredis';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Admission } from '../../../src/limiter/charge/decision.js';
import { createLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT } from '../../helpers/patient.js';
import { redisDatabase, uniqueName } from '../../helpers/servers.js';

// Two limiters behave like two processes: they share nothing but Redis.

function startTwo() {
  const limiters = [0, 1].map(() => createLimiter({ redis: inject('redisUrl'), ...PATIENT }));
  onTestFinished(async () => {
    for (const limiter of limiters) await limiter.close();
  });
  const slot: LimitCharge = {
    id: uniqueName('slot'),
    scope: 'GLOBAL',
    algorithm: 'CONCURRENCY',
    capacity: 1,
    leaseMs: 600_000,
    maxWaitMs: 60_000,
    cost: 1,
  };
  return { one: limiters[0]!, other: limiters[1]!, slot };
}

async function admitted(limiter: MonitoredLimiter, user: string, slot: LimitCharge): Promise<Admission> {
  const decision = await limiter.charge({ subject: { user }, limits: [slot] });
  if (!decision.admitted) throw new Error(`denied by ${decision.deniedBy}`);
  return decision;
}

test('a slot that one process frees admits an operation that waits in another process', async () => {
  const { one, other, slot } = startTwo();
  const held = await admitted(one, 'a', slot);
  const waits = admitted(other, 'b', slot);
  await expect.poll(() => other.waits().waiting).toBe(1);
  await one.release(held.receipt);
  await other.release((await waits).receipt);
});

test('operations that wait in two processes run in turn, although both processes always have more', async () => {
  const { one, other, slot } = startTwo();
  // Both have received a notice of the other, so both are subscribed.
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    const held = await admitted(first, 'holder', slot);
    const waits = admitted(second, 'waits', slot);
    await expect.poll(() => second.waits().waiting).toBe(1);
    await first.release(held.receipt);
    await second.release((await waits).receipt);
  }
  const held = await admitted(one, 'holder', slot);
  const order: string[] = [];
  let running = 0;
  const run = async (limiter: MonitoredLimiter, name: string) => {
    const { receipt } = await admitted(limiter, name, slot);
    expect(++running).toBe(1);
    order.push(name);
    running--;
    await limiter.release(receipt);
  };
  const all = Array.from({ length: 80 }, (_, i) => run(i < 40 ? one : other, i < 40 ? 'one' : 'other'));
  await expect.poll(() => one.waits().waiting + other.waits().waiting).toBe(80);
  await one.release(held.receipt);
  await Promise.all(all);
  expect(order).toHaveLength(80);
  // Each process has the same chance. Fewer than 6 of 40 turns have a probability of 10^-6.
  const ofOther = order.slice(0, 40).filter((name) => name === 'other').length;
  expect(ofOther).toBeGreaterThanOrEqual(6);
  expect(ofOther).toBeLessThanOrEqual(34);
});

test('new operations of one process do not overtake an operation that waits in another process', async () => {
  const { one, other, slot } = startTwo();
  let held = await admitted(one, 'a', slot);
  const waits = admitted(other, 'b', slot);
  let isAdmitted = false;
  const done = waits.then((decision) => {
    isAdmitted = true;
    return other.release(decision.receipt);
  });
  await expect.poll(() => other.waits().waiting).toBe(1);
  // A client of the first process sends one operation after the other.
  let turns = 0;
  while (!isAdmitted && turns < 200) {
    turns++;
    await one.release(held.receipt);
    held = await admitted(one, 'a', slot);
  }
  await one.release(held.receipt);
  await done;
  expect(turns).toBeLessThan(200);
});

test('messages that do not come from Tollgate change no decision', async () => {
  const { one, other, slot } = startTwo();
  const held = await admitted(one, 'a', slot);
  const waits = admitted(other, 'b', slot);
  await expect.poll(() => other.waits().waiting).toBe(1);
  const attacker = new Redis(inject('redisUrl'));
  const key = `tg:{g.x}:G:`;
  for (const message of ['', '\n', `x\nf 1 ${key}\nw 99999 ${key}`, `x\nf -1 a b\nw 1`, 'x'.repeat(200_000)]) {
    await attacker.publish('tg:slots', message);
  }
  await attacker.quit();
  expect(other.waits()).toMatchObject({ waiting: 1 });
  await one.release(held.receipt);
  await other.release((await waits).receipt);
});

test('processes that use another database, or another prefix of keys, have a channel of their own', async () => {
  const { slot } = startTwo();
  const listener = new Redis(inject('redisUrl'));
  const channels = new Set<string>();
  let theirs = uniqueName('user');
  listener.on('pmessage', (_pattern, channel: string, message: string) => {
    if (message.includes(theirs)) channels.add(channel);
  });
  await listener.psubscribe('tg:slots*');
  const prefixed = new Redis(inject('redisUrl'), { keyPrefix: 'theirs:' });
  for (const redis of [redisDatabase(inject('redisUrl'), 3), prefixed]) {
    const limiter = createLimiter({ redis, ...PATIENT });
    theirs = uniqueName('user');
    const own: LimitCharge = { ...slot, scope: 'USER' };
    const held = await admitted(limiter, theirs, own);
    const waits = admitted(limiter, theirs, own);
    await expect.poll(() => channels.size).toBe(redis === prefixed ? 2 : 1);
    await limiter.release(held.receipt);
    await limiter.release((await waits).receipt);
    await limiter.close();
  }
  expect([...channels]).toEqual(['tg:slots:3:', 'tg:slots:0:theirs:']);
  for (const client of [listener, prefixed]) client.disconnect();
});
