import { expect, test } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { EngineErrorClass } from '../../src/limiter/engine-errors.js';
import type { LimitCharge } from '../../src/limiter/types.js';
import { startRedisCluster } from '../helpers/redis-cluster.js';
import { startRedisSentinels } from '../helpers/redis-sentinel.js';
import { uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';

const window: LimitCharge = {
  id: 'window',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 1_000_000,
  windowMs: 86_400_000_000,
  cost: 1,
};

/** Charges users in turn until told to stop. */
async function throughout(url: string, users: readonly string[], disturb: () => Promise<void>) {
  const classes = new Set<EngineErrorClass>();
  const limiter = createLimiter({ redis: url, observer: { failed: (failure) => classes.add(failure.class) } });
  const remote = new Map(users.map((user) => [user, 0]));
  const local = new Map(users.map((user) => [user, 0]));
  const charge = async (user: string) => {
    const { admitted, degraded } = await limiter.charge({ subject: { user }, limits: [window] });
    expect(admitted).toBe(true);
    const counts = degraded ? local : remote;
    counts.set(user, counts.get(user)! + 1);
    return degraded;
  };
  let stopped = false;
  const running = Promise.all(
    users.map(async (user) => {
      while (!stopped) {
        await charge(user);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }),
  );
  await disturb();
  for (const user of users) await until(`Redis decides on ${user}`, async () => !(await charge(user)), 20_000);
  stopped = true;
  await running;
  const used = new Map<string, number>();
  for (const user of users) {
    await until(`Redis tells of ${user}`, async () => {
      const { limits, degraded } = await limiter.charge({ subject: { user }, limits: [{ ...window, cost: 0 }] });
      used.set(user, limits[0]!.used);
      return !degraded;
    });
  }
  await limiter.close();
  return { remote, local, used, classes: [...classes] };
}

test('R7: sentinels fail over under load: nobody is failed, and the new primary goes on from what was replicated', async () => {
  const sentinels = await startRedisSentinels();
  try {
    const users = Array.from({ length: 4 }, () => uniqueName('r7'));
    const { remote, local, used, classes } = await throughout(sentinels.url, users, () => sentinels.failOver());
    for (const user of users) {
      expect(used.get(user)).toBeGreaterThan(0);
      expect(used.get(user)).toBeLessThanOrEqual(remote.get(user)! + local.get(user)!);
    }
    for (const one of classes) expect(['connection', 'read_only', 'deadline', 'loading']).toContain(one);
  } finally {
    await sentinels.stop();
  }
}, 90_000);

test('R6: a primary of a cluster is killed under load: nobody is failed, and its replica goes on from what it has', async () => {
  const cluster = await startRedisCluster();
  try {
    const users = Array.from({ length: 8 }, () => uniqueName('r6'));
    const { remote, local, used, classes } = await throughout(cluster.url, users, () =>
      cluster.kill(cluster.ports[1]!),
    );
    for (const user of users) {
      expect(used.get(user)).toBeGreaterThan(0);
      expect(used.get(user)).toBeLessThanOrEqual(remote.get(user)! + local.get(user)!);
    }
    for (const one of classes) expect(['connection', 'cluster', 'deadline', 'read_only', 'loading']).toContain(one);
  } finally {
    await cluster.stop();
  }
}, 90_000);

test('R6: a cluster that lost a primary and its replica: every caller is decided on, by policy', async () => {
  const cluster = await startRedisCluster();
  const failures = new Set<EngineErrorClass>();
  const limiter = createLimiter({ redis: cluster.url, observer: { failed: (failure) => failures.add(failure.class) } });
  try {
    const users = Array.from({ length: 30 }, () => uniqueName('r6'));
    const charge = (user: string) => limiter.charge({ subject: { user }, limits: [window] });
    for (const user of users) await until(`Redis decides on ${user}`, async () => !(await charge(user)).degraded);
    // The replica first: nobody is left to take over.
    await cluster.kill(cluster.ports[4]!);
    await cluster.kill(cluster.ports[1]!);
    let degraded = 0;
    for (let round = 0; round < 20; round++) {
      for (const user of users) {
        const decision = await charge(user);
        expect(decision.admitted).toBe(true);
        if (decision.degraded) degraded++;
      }
    }
    expect(degraded).toBeGreaterThan(0);
    for (const one of failures) expect(['connection', 'cluster', 'deadline']).toContain(one);
  } finally {
    await limiter.close();
    await cluster.stop();
  }
}, 90_000);
