import { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChargeIds } from '../../../src/limiter/charge/charge-receipt.js';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter, createProtectionLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import { connect } from '../../../src/limiter/redis/connect.js';
import { hashTag, keysFor } from '../../../src/limiter/redis/keys-for.js';
import { ACTION } from '../../../src/limiter/redis/layout.js';
import { RequestWriter } from '../../../src/limiter/redis/request-writer.js';
import { SCRIPTS } from '../../../src/limiter/redis/scripts.js';
import { slotOf } from '../../../src/limiter/redis/slot-of.js';
import { PATIENT } from '../../helpers/patient.js';
import { type RedisCluster, startRedisCluster } from '../../helpers/redis-cluster.js';
import { uniqueName } from '../../helpers/servers.js';
import { someone } from '../engines.js';

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterAll(() => cluster?.stop());

const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 100,
  refillAmount: 1,
  refillPeriodMs: 3_600_000,
  cost: 1,
};
const window: LimitCharge = {
  id: 'window',
  scope: 'TENANT',
  algorithm: 'SLIDING_WINDOW_COUNTER',
  amount: 1000,
  windowMs: 3_600_000,
  cost: 1,
};

function start(now?: () => number): MonitoredLimiter {
  return createLimiter({
    redis: cluster.url,
    ...(now ? { now } : {}),
    ...PATIENT,
  });
}

function nodeOf(subject: ReturnType<typeof someone>, charge: LimitCharge): Promise<number> {
  const [limit] = createChargeReader().read(subject, [charge]).limits;
  return cluster.portOfSlot(slotOf(hashTag(keysFor(subject)(limit!))));
}

describe('limits on a Redis Cluster of six nodes', () => {
  test('a cluster client is always ready at the first attempt', async () => {
    for (let time = 0; time < 20; time++) {
      const connection = await connect(cluster.url);
      try {
        await connection.ready();
        expect(connection.client.status).toBe('ready');
      } finally {
        await connection.close();
      }
    }
  });

  test('limits of one subject are exact under concurrent charges', async () => {
    const limiter = start();
    for (let run = 0; run < 10; run++) {
      const subject = someone();
      const limits = [{ ...bucket, cost: 10 }, window];
      const decisions = await Promise.all(Array.from({ length: 200 }, () => limiter.charge({ subject, limits })));
      expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(10);
      expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 100 }, { used: 10 }]);
    }
    await limiter.close();
  });

  test('a global limit on another hash slot never exceeds its amount, and a denied charge charges no limit', async () => {
    const limiter = start();
    for (let run = 0; run < 10; run++) {
      const subjects = Array.from({ length: 8 }, someone);
      const global: LimitCharge = { ...window, scope: 'GLOBAL', id: uniqueName('global'), amount: 50 };
      const address: LimitCharge = { ...window, scope: 'IP', id: 'address' };
      const charges = Array.from({ length: 200 }, (_, i) =>
        limiter.charge({ subject: subjects[i % 8]!, limits: [global, address, bucket] }),
      );
      const admitted = (await Promise.all(charges)).filter((decision) => decision.admitted);
      expect(admitted).toHaveLength(50);
      const left = await Promise.all(subjects.map((subject) => limiter.peek({ subject, limits: [bucket, address] })));
      for (const kind of [0, 1]) expect(left.reduce((sum, states) => sum + states[kind]!.used, 0)).toBe(50);
    }
    await limiter.close();
  });

  test('a charge waits in the queue of this process beyond its deadline while Redis replies to earlier charges', async () => {
    // The deadline is longer than the pauses of a node on a busy machine.
    const limiter = createLimiter({ redis: cluster.url, deadlineMs: 250 });
    const address: LimitCharge = { ...window, scope: 'IP', id: 'address' };
    for (let run = 0; run < 2; run++) {
      const global: LimitCharge = { ...window, scope: 'GLOBAL', id: uniqueName('global'), amount: 10_000 };
      const charges = Array.from({ length: 1500 }, () =>
        limiter.charge({ subject: someone(), limits: [global, address, bucket] }),
      );
      const decisions = await Promise.all(charges);
      expect(decisions.filter(({ degraded }) => degraded)).toHaveLength(0);
      expect(await limiter.peek({ subject: someone(), limits: [global] })).toMatchObject([{ used: 1500 }]);
    }
    expect(limiter.health()).toMatchObject([{ state: 'CLOSED' }]);
    await limiter.close();
  });

  test('a denied user never uses up limits that they share with others', async () => {
    const limiter = start();
    const subject = someone();
    const global: LimitCharge = { ...window, scope: 'GLOBAL', id: uniqueName('global') };
    await limiter.charge({ subject, limits: [{ ...bucket, cost: 100 }] });
    const denied = await limiter.charge({ subject, limits: [global, bucket] });
    expect(denied).toMatchObject({ admitted: false, deniedBy: 'bucket', limits: [{ used: 0 }, { used: 100 }] });
    expect(await limiter.peek({ subject, limits: [global] })).toMatchObject([{ used: 0 }]);
    await limiter.close();
  });

  // A denial does not wait for the states of nodes that were not called, because such a node could
  // be unresponsive.
  test('a denial lists the denying limits of the nodes that were called, and reports the others as unused', async () => {
    const limiter = start();
    const subject = someone();
    const address: LimitCharge = { ...window, scope: 'IP', id: 'address', amount: 1 };
    // This limit must be on another node than the limit that denies first.
    let full: LimitCharge;
    do full = { ...window, scope: 'GLOBAL', id: uniqueName('global'), amount: 1 };
    while ((await nodeOf(subject, full)) === (await nodeOf(subject, address)));
    await limiter.charge({ subject, limits: [full, address] });
    const denied = await limiter.charge({ subject, limits: [full, bucket, address] });
    expect(denied).toMatchObject({ admitted: false, deniedBy: 'address' });
    expect(denied.limits.map(({ violated }) => violated)).toEqual([false, false, true]);
    expect(denied.limits[0]).toMatchObject({ used: 0, remaining: 1 });
    expect(await limiter.peek({ subject, limits: [bucket] })).toMatchObject([{ used: 0 }]);
    await limiter.close();
  });

  test('peek and a charge directly after it give the same decision, whichever hash slot denies', async () => {
    const clock = 1_700_000_000_000;
    const limiter = createProtectionLimiter({ redis: cluster.url, now: () => clock, ...PATIENT });
    const subject = someone();
    const global: LimitCharge = { ...window, scope: 'GLOBAL', id: uniqueName('global'), amount: 4, countDenied: true };
    const limits: LimitCharge[] = [
      global,
      { ...bucket, cost: 30 },
      { ...window, scope: 'IP', amount: 3, countDenied: true },
    ];
    const seen = new Set<unknown>();
    for (const cost of [1, 1, 1, 1, 9, 1]) {
      const asked = limits.map((limit) => (limit === global ? { ...limit, cost } : limit));
      const { decision } = await limiter.peek({ subject, limits: asked });
      const charged = await limiter.charge({ subject, limits: asked });
      expect({ ...charged, receipt: undefined }).toEqual({ ...decision, receipt: undefined });
      // Waits until confirmations and refunds are sent, so that the next peek includes them.
      await limiter.settlementsSent();
      seen.add(charged.admitted ? 'admitted' : charged.deniedBy);
    }
    expect(seen.size).toBeGreaterThan(2);
    await limiter.close();
  });

  test('a settlement reaches every hash slot', async () => {
    const limiter = start();
    const subject = someone();
    const global: LimitCharge = { ...window, scope: 'GLOBAL', id: uniqueName('global'), cost: 9 };
    const limits = [global, { ...bucket, cost: 9 }, { ...window, scope: 'IP', cost: 9 } as LimitCharge];
    const decision = await limiter.charge({ subject, limits });
    if (!decision.admitted) throw new Error('denied');
    await limiter.settle(decision.receipt, { [global.id]: 1, bucket: 2, window: 3 });
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 1 }, { used: 2 }, { used: 3 }]);
    await limiter.close();
  });

  test('a reset reaches every hash slot, and empties only the named counters', async () => {
    const limiter = start();
    const subject = someone();
    const global: LimitCharge = { ...window, scope: 'GLOBAL', id: uniqueName('global'), cost: 9 };
    const limits = [global, { ...bucket, cost: 9 }, { ...window, cost: 9 }, { ...window, id: 'kept', cost: 9 }];
    await limiter.charge({ subject, limits });
    expect(await limiter.reset({ subject, limits: limits.slice(0, 3) })).toBe(true);
    expect((await limiter.peek({ subject, limits })).map(({ used }) => used)).toEqual([0, 0, 0, 9]);
    await limiter.close();
  });

  describe('pending charges', () => {
    const limits: LimitCharge[] = [
      { ...bucket, cost: 5 },
      { ...bucket, id: 'leaky', algorithm: 'LEAKY_BUCKET', cost: 5 },
      { ...window, scope: 'USER', cost: 5 },
      { ...window, scope: 'USER', id: 'strict', strict: true, cost: 5 },
      { ...window, scope: 'USER', id: 'fixed', algorithm: 'FIXED_WINDOW', cost: 5 },
      { id: 'month', scope: 'USER', algorithm: 'CALENDAR_WINDOW', amount: 1000, every: 'MONTH', cost: 5 },
      { ...window, scope: 'USER', id: 'log', algorithm: 'SLIDING_WINDOW_LOG', cost: 5 },
      { id: 'places', scope: 'USER', algorithm: 'CONCURRENCY', capacity: 100, leaseMs: 3_600_000, cost: 5 },
    ];
    const settled = limits.map((limit) => ({ ...limit, cost: 3 }));
    const START = 1_700_000_000_000;
    let now = START;
    let limiter: MonitoredLimiter;
    let redis: Cluster;
    beforeAll(() => {
      limiter = start(() => now);
      redis = new Cluster(cluster.ports.map((port) => ({ host: '127.0.0.1', port })));
    });
    afterAll(async () => {
      redis.disconnect();
      await limiter.close();
    });

    /** Runs a script. All keys are in one hash slot, so one call can use them all. */
    async function run(script: { text: string }, writer: RequestWriter): Promise<void> {
      const { keys, request } = writer.finish(now);
      await redis.eval(script.text, keys.length, ...keys, request, String(now));
    }

    /**
     * Charges like a process that dies before the last hash slot has replied. After that, each
     * limit has a confirmed charge of 3 and a pending charge of 5.
     */
    async function chargeOnHold() {
      now = START;
      const subject = someone();
      expect(await limiter.charge({ subject, limits: settled })).toMatchObject({ admitted: true });
      const checked = createChargeReader().read(subject, limits);
      const chargeId = createChargeIds()();
      const writer = new RequestWriter();
      writer.addCharge(checked, chargeId, 3000, keysFor(subject));
      await run(SCRIPTS.charge, writer);
      const charge = { request: checked, chargeId, time: { clock: START, now: START }, times: undefined };
      const end = async (action: number) => {
        const ending = new RequestWriter();
        ending.addEnd(charge, action, keysFor(subject), action === ACTION.CONFIRM_AGAIN ? 3000 : 0);
        await run(SCRIPTS.charge, ending);
      };
      const settle = async (actual: number) => {
        const settling = new RequestWriter();
        settling.addCorrection(charge, Object.fromEntries(limits.map(({ id }) => [id, actual])), keysFor(subject));
        await run(SCRIPTS.charge, settling);
      };
      const used = async () => (await limiter.peek({ subject, limits })).map((state) => state.used);
      return { subject, end, settle, used };
    }
    const each = (used: number) => limits.map(() => used);

    test('an unconfirmed pending charge counts until its deadline and is then refunded', async () => {
      const { subject, used } = await chargeOnHold();
      now += 2999;
      expect(await used()).toEqual(each(8));
      now += 1;
      expect(await used()).toEqual(each(3));
      expect(await limiter.charge({ subject, limits: settled })).toMatchObject({ admitted: true });
      expect(await used()).toEqual(each(6));
    });

    test('a confirmed charge still counts after its deadline', async () => {
      const { end, used } = await chargeOnHold();
      await end(ACTION.CONFIRM);
      now += 3000;
      expect(await used()).toEqual(each(8));
    });

    test('a cancelled charge is refunded, and only once', async () => {
      const { end, used } = await chargeOnHold();
      await end(ACTION.CANCEL);
      expect(await used()).toEqual(each(3));
      await end(ACTION.CANCEL);
      now += 3000;
      expect(await used()).toEqual(each(3));
    });

    test('a settlement corrects a pending charge that was not confirmed, and corrects it only once', async () => {
      for (const actual of [1, 9]) {
        const { settle, used } = await chargeOnHold();
        await settle(actual);
        now += 3000;
        const inWindows = Array.from({ length: 6 }, () => actual + 3);
        // The settlement does not confirm the entry of the log, so the entry expires at the
        // deadline. The settlement also ends the slot.
        expect(await used()).toEqual([...inWindows, 3, 3]);
      }
    });

    test('a repeated confirmation after the settlement does not change a settled charge', async () => {
      const { end, settle, used } = await chargeOnHold();
      await settle(1);
      await end(ACTION.CONFIRM_AGAIN);
      now += 3000;
      expect(await used()).toEqual([4, 4, 4, 4, 4, 4, 4, 3]);
    });

    test('a charge counts once when it is confirmed twice before its deadline', async () => {
      const { end, used } = await chargeOnHold();
      await end(ACTION.CONFIRM);
      await end(ACTION.CONFIRM_AGAIN);
      now += 3000;
      expect(await used()).toEqual(each(8));
    });

    test('a refunded charge counts again when its repeated confirmation comes after the deadline', async () => {
      const { end, used } = await chargeOnHold();
      now += 3000;
      expect(await used()).toEqual(each(3));
      await end(ACTION.CONFIRM_AGAIN);
      expect(await used()).toEqual(each(8));
    });

    test('after a reset, a pending charge that is cancelled or expires refunds nothing', async () => {
      for (const waitMs of [0, 3000]) {
        const { subject, end, used } = await chargeOnHold();
        expect(await limiter.reset({ subject, limits })).toBe(true);
        expect(await limiter.charge({ subject, limits: settled })).toMatchObject({ admitted: true });
        now += waitMs;
        if (waitMs === 0) await end(ACTION.CANCEL);
        expect(await used()).toEqual(each(3));
      }
    });

    test('a charge counts again if it is confirmed after another charge has found it expired and refunded it', async () => {
      const { subject, end, used } = await chargeOnHold();
      now += 3000;
      expect(await limiter.charge({ subject, limits: settled })).toMatchObject({ admitted: true });
      expect(await used()).toEqual(each(6));
      await end(ACTION.CONFIRM);
      expect(await used()).toEqual(each(11));
    });
  });
});
