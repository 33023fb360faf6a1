import { expect, test } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { EngineErrorClass } from '../../src/limiter/engine-errors.js';
import type { LimitCharge } from '../../src/limiter/types.js';
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
