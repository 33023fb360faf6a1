import { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { EngineErrorClass } from '../../src/limiter/redis/engine-failure.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { type RedisCluster, startRedisCluster } from '../helpers/redis-cluster.js';
import { startRedisSentinels } from '../helpers/redis-sentinel.js';
import { uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { reportFigure } from '../report/figures.js';

const window: LimitCharge = {
  id: 'window',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 1_000_000,
  windowMs: 86_400_000_000,
  cost: 1,
};

/** Charges users in turn while `disturb` runs, until Redis decides on all of them again. */
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
  // A failed election, as on a busy machine, is repeated after four node timeouts: eight seconds on
  // a Cluster.
  for (const user of users) await until(`Redis decides on ${user}`, async () => !(await charge(user)), 45_000);
  stopped = true;
  await running;
  const used = new Map<string, number>();
  for (const user of users) {
    await until(`Redis reports the used amount of ${user}`, async () => {
      const { limits, degraded } = await limiter.charge({ subject: { user }, limits: [{ ...window, cost: 0 }] });
      used.set(user, limits[0]!.used);
      return !degraded;
    });
  }
  await limiter.close();
  return { remote, local, used, classes: [...classes] };
}

type Counts = Record<'remote' | 'local' | 'used', ReadonlyMap<string, number>>;

function outcomeOf(counts: Counts): string {
  const sum = (of: ReadonlyMap<string, number>) => [...of.values()].reduce((total, count) => total + count, 0);
  return `${sum(counts.remote)} decided by Redis, ${sum(counts.local)} without it, ${sum(counts.used)} counted in the end`;
}

test('R7: no decision fails when sentinels fail over under load, and the new primary continues from its data', async (context) => {
  const sentinels = await startRedisSentinels();
  try {
    const users = Array.from({ length: 4 }, () => uniqueName('r7'));
    const { remote, local, used, classes } = await throughout(sentinels.url, users, () => sentinels.failOver());
    for (const user of users) {
      expect(used.get(user)).toBeGreaterThan(0);
      expect(used.get(user)).toBeLessThanOrEqual(remote.get(user)! + local.get(user)!);
    }
    for (const one of classes) expect(['connection', 'read_only', 'deadline', 'loading']).toContain(one);
    reportFigure(context, `sentinels failed over: ${outcomeOf({ remote, local, used })}`);
  } finally {
    await sentinels.stop();
  }
});

describe('changes of a cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster.stop());

  test('R6: counts stay exact and no error reaches a caller while hash slots move under load', async (context) => {
    const errors: unknown[] = [];
    const limiter = createLimiter({
      redis: cluster.url,
      deadlineMs: PATIENT_MS,
      observer: { failed: ({ error }) => errors.push(error) },
    });
    const subjects = Array.from({ length: 12 }, () => ({ user: uniqueName('r6'), tenant: uniqueName('r6') }));
    const limits: LimitCharge[] = [window, { ...window, id: 'shared', scope: 'TENANT' }];
    const counted = new Map(subjects.map(({ user }) => [user, 0]));
    let degraded = 0;
    let moving = true;
    const callers = subjects.flatMap((subject) =>
      Array.from({ length: 4 }, async () => {
        while (moving) {
          const decision = await limiter.charge({ subject, limits });
          expect(decision.admitted).toBe(true);
          if (decision.degraded) degraded++;
          else counted.set(subject.user, counted.get(subject.user)! + 1);
        }
      }),
    );
    const probe = new Cluster([{ host: '127.0.0.1', port: cluster.ports[0]! }]);
    const slots = await Promise.all(subjects.map(({ tenant }) => probe.cluster('KEYSLOT', `{t.${tenant}}`)));
    for (const slot of slots) {
      const from = await cluster.portOfSlot(slot);
      await cluster.moveSlot(slot, cluster.ports.slice(0, 3).find((port) => port !== from)!);
    }
    moving = false;
    await Promise.all(callers);
    for (const subject of subjects) {
      const used = counted.get(subject.user)!;
      expect(await limiter.peek({ subject, limits })).toMatchObject([{ used }, { used }]);
      expect(used).toBeGreaterThan(0);
    }
    expect(errors).toEqual([]);
    probe.disconnect();
    await limiter.close();
    const decisions = [...counted.values()].reduce((sum, count) => sum + count, degraded);
    reportFigure(context, `${slots.length} slots moved: ${decisions} decisions, ${degraded} of them without Redis`);
  });

  test('R6: concurrent charges find each hash slot that has moved since the client read the slot map', async () => {
    const errors: unknown[] = [];
    const limiter = createLimiter({
      redis: cluster.url,
      deadlineMs: PATIENT_MS,
      observer: { failed: ({ error }) => errors.push(error) },
    });
    await limiter.opened;
    const users = Array.from({ length: 40 }, () => uniqueName('r6'));
    const probe = new Cluster([{ host: '127.0.0.1', port: cluster.ports[0]! }]);
    const slots = await Promise.all(users.map((user) => probe.cluster('KEYSLOT', `{u.${user}}`)));
    probe.disconnect();
    // The test moves every second hash slot. The client must find the other slots at their old
    // node.
    for (const slot of slots.filter((_, i) => i % 2 === 0)) {
      const from = await cluster.portOfSlot(slot);
      await cluster.moveSlot(slot, cluster.ports.slice(0, 3).find((port) => port !== from)!);
    }
    const decisions = await Promise.all(users.map((user) => limiter.charge({ subject: { user }, limits: [window] })));
    expect(errors).toEqual([]);
    for (const decision of decisions) expect(decision).toMatchObject({ admitted: true, degraded: false });
    await limiter.close();
  });

  test('R6: no decision fails when a primary is killed under load, and its replica continues from its data', async (context) => {
    const users = Array.from({ length: 8 }, () => uniqueName('r6'));
    const { remote, local, used, classes } = await throughout(cluster.url, users, () =>
      cluster.kill(cluster.ports[1]!),
    );
    for (const user of users) {
      expect(used.get(user)).toBeGreaterThan(0);
      expect(used.get(user)).toBeLessThanOrEqual(remote.get(user)! + local.get(user)!);
    }
    for (const one of classes) expect(['connection', 'cluster', 'deadline', 'read_only', 'loading']).toContain(one);
    reportFigure(context, `a primary killed: ${outcomeOf({ remote, local, used })}`);
  });
});

test('R6: every caller gets a decision on a cluster that has lost a primary and its replica, if necessary without Redis', async () => {
  const cluster = await startRedisCluster();
  const failures = new Set<EngineErrorClass>();
  const limiter = createLimiter({ redis: cluster.url, observer: { failed: (failure) => failures.add(failure.class) } });
  try {
    const users = Array.from({ length: 30 }, () => uniqueName('r6'));
    const charge = (user: string) => limiter.charge({ subject: { user }, limits: [window] });
    for (const user of users) await until(`Redis decides on ${user}`, async () => !(await charge(user)).degraded);
    // The test kills the replica first, so that no node can take over.
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
});
