import { setImmediate } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Admission, Decision } from '../../../src/limiter/charge/decision.js';
import { createProtectionLimiter, type ProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import type { LimiterOptions } from '../../../src/limiter/limiter-options.js';
import { PATIENT } from '../../helpers/patient.js';
import { redisDatabase, uniqueName } from '../../helpers/servers.js';
import { someone } from '../engines.js';

// A lease contains tokens that an instance has taken in advance from one counter. The instance
// spends them without a call to Redis.

const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 1000,
  refillAmount: 1,
  refillPeriodMs: 3_600_000,
  precision: 'LEASED',
  cost: 1,
};
const day: LimitCharge = {
  id: 'day',
  scope: 'TENANT',
  algorithm: 'FIXED_WINDOW',
  amount: 10_000,
  windowMs: 86_400_000,
  precision: 'LEASED',
  cost: 1,
};
const slots: LimitCharge = {
  id: 'slots',
  scope: 'USER',
  algorithm: 'CONCURRENCY',
  capacity: 500,
  leaseMs: 60_000,
  cost: 1,
  precision: 'LEASED',
};

/**
 * A separate database, so that instances of other tests are not counted. The number of instances
 * reduces the size of a lease.
 */
const redisUrl = redisDatabase(inject('redisUrl'), 1);

/** Creates a limiter whose leases start early and last until they are returned. */
const open = (options: LimiterOptions = {}): ProtectionLimiter =>
  createProtectionLimiter({ redis: redisUrl, leases: { lengthMs: 60_000, after: 2 }, ...PATIENT, ...options });

const charged = (decision: Decision): Admission => {
  if (!decision.admitted) throw new Error(`denied by ${decision.deniedBy}`);
  return decision;
};

/**
 * Charges one operation at a time until a lease covers one completely. Returns the number of
 * charges.
 */
async function untilLeased(limiter: ProtectionLimiter, subject: object, limits: LimitCharge[]): Promise<number> {
  const before = limiter.leases().decisions;
  for (let count = 1; count < 200; count++) {
    charged(await limiter.charge({ subject, limits }));
    if (limiter.leases().decisions > before) return count;
  }
  throw new Error('nothing was leased');
}

describe('limits with precision LEASED on Redis', () => {
  test('a lease decides without a call once its counter is charged often, and closing returns the unspent tokens', async () => {
    const limiter = open();
    const subject = someone();
    const limits = [bucket, day];
    const spent = await untilLeased(limiter, subject, limits);
    const decision = await limiter.charge({ subject, limits });
    expect(decision).toMatchObject({ admitted: true, degraded: false, approximate: true });
    expect(decision.limits).toMatchObject([
      { id: 'bucket', used: spent + 1, remaining: 1000 - spent - 1, violated: false },
      { id: 'day', used: spent + 1, remaining: 10_000 - spent - 1, violated: false },
    ]);
    expect(limiter.leases().held).toBeGreaterThan(0);
    await limiter.close();
    const after = open();
    expect((await after.peek({ subject, limits })).map(({ used }) => used)).toEqual([spent + 1, spent + 1]);
    await after.close();
  });

  test('a lease pays its part of an operation that also needs a slot in Redis, and is refunded when the slot is denied', async () => {
    const limiter = open();
    const subject = someone();
    await untilLeased(limiter, subject, [bucket]);
    const mixed = charged(await limiter.charge({ subject, limits: [bucket, slots] }));
    expect(mixed).toMatchObject({ approximate: true, limits: [{ id: 'bucket' }, { id: 'slots', used: 1 }] });
    await limiter.settle(mixed.receipt, { bucket: 0 });
    await limiter.release(mixed.receipt);
    expect((await limiter.peek({ subject, limits: [slots] }))[0]).toMatchObject({ used: 0 });
    const { held } = limiter.leases();
    const full = { ...slots, capacity: 1, id: 'full' };
    charged(await limiter.charge({ subject, limits: [full] }));
    const denied = await limiter.charge({ subject, limits: [bucket, full] });
    expect(denied).toMatchObject({ admitted: false, deniedBy: 'full', limits: [{ id: 'bucket' }, { violated: true }] });
    expect(limiter.leases().held).toBe(held);
    await limiter.close();
  });

  test('an instance returns its leases before it denies, so that it denies no operation that its leased tokens cover', async () => {
    const limiter = open();
    const subject = someone();
    let admitted = await untilLeased(limiter, subject, [bucket]);
    for (;;) {
      const decision = await limiter.charge({ subject, limits: [bucket] });
      if (!decision.admitted) break;
      admitted++;
    }
    expect(admitted).toBe(1000);
    expect(limiter.leases()).toMatchObject({ held: 0, lost: 0 });
    await limiter.close();
  });

  test('all refunds arrive before a denial, including refunds that wait to be sent together', async () => {
    const limiter = open();
    const subject = someone();
    await untilLeased(limiter, subject, [bucket]);
    const { receipt } = charged(await limiter.charge({ subject, limits: [bucket] }));
    // This charge is too expensive, so the limiter returns the lease. Then the next charge takes
    // all remaining tokens.
    const denial = await limiter.charge({ subject, limits: [{ ...bucket, cost: 1000 }] });
    charged(await limiter.charge({ subject, limits: [{ ...bucket, cost: denial.limits[0]!.remaining }] }));
    await limiter.settle(receipt, { bucket: 0 });
    charged(await limiter.charge({ subject, limits: [bucket] }));
    expect(await limiter.charge({ subject, limits: [bucket] })).toMatchObject({ admitted: false });
    await limiter.close();
  });

  test('concurrent charges are not denied for lack of tokens that the instance is returning for one of them', async () => {
    const limiter = open();
    const subject = someone();
    const spent = await untilLeased(limiter, subject, [bucket]);
    // The first charge can never be admitted, so the limiter returns the lease for it. After that,
    // the second charge fits, although it was sent earlier.
    const first = limiter.charge({ subject, limits: [{ ...bucket, cost: 1000 }] });
    await setImmediate();
    const second = limiter.charge({ subject, limits: [{ ...bucket, cost: 1000 - spent }] });
    expect(await first).toMatchObject({ admitted: false });
    expect(await second).toMatchObject({ admitted: true });
    await limiter.close();
  });

  test('denials from memory are counted once each, except denials that were revised after a refund', async () => {
    const limiter = open({ denialMemory: { maxAgeMs: 60_000 } });
    const subject = someone();
    await untilLeased(limiter, subject, [bucket]);
    const { receipt } = charged(await limiter.charge({ subject, limits: [bucket] }));
    const denial = await limiter.charge({ subject, limits: [{ ...bucket, cost: 1000 }] });
    charged(await limiter.charge({ subject, limits: [{ ...bucket, cost: denial.limits[0]!.remaining }] }));
    // The limiter stores a denial when it happens for the second time.
    for (let count = 0; count < 2; count++)
      expect(await limiter.charge({ subject, limits: [bucket] })).toMatchObject({ admitted: false });
    const { answered } = limiter.rememberedDenials;
    expect(await limiter.charge({ subject, limits: [bucket] })).toMatchObject({ admitted: false });
    expect(limiter.rememberedDenials.answered).toBe(answered + 1);
    await limiter.settle(receipt, { bucket: 0 });
    charged(await limiter.charge({ subject, limits: [bucket] }));
    expect(limiter.rememberedDenials.answered).toBe(answered + 1);
    await limiter.close();
  });

  test('leased tokens return to the caller of the lease, even if the subject object now names another caller', async () => {
    const limiter = open();
    const subject = someone();
    const first = { ...subject };
    const spent = await untilLeased(limiter, subject, [bucket]);
    Object.assign(subject, someone());
    charged(await limiter.charge({ subject, limits: [{ ...bucket, cost: 500 }] }));
    await limiter.close();
    const after = open();
    expect(await after.peek({ subject: first, limits: [bucket] })).toMatchObject([{ used: spent }]);
    expect(await after.peek({ subject, limits: [bucket] })).toMatchObject([{ used: 500 }]);
    await after.close();
  });

  test('tokens that were leased under an older rule are returned before the edited rule denies', async () => {
    const limiter = open();
    const subject = someone();
    const spent = await untilLeased(limiter, subject, [bucket]);
    expect(limiter.leases().held).toBeGreaterThan(0);
    const edited = { ...bucket, capacity: spent + 2 };
    for (let left = 2; left > 0; left--) charged(await limiter.charge({ subject, limits: [edited] }));
    expect(await limiter.charge({ subject, limits: [edited] })).toMatchObject({ admitted: false });
    await limiter.close();
  });

  test('a remembered denial neither spends nor returns a lease', async () => {
    const limiter = open({ denialMemory: { maxAgeMs: 60_000 } });
    const tenant = uniqueName('tenant');
    const spent = await untilLeased(limiter, { tenant }, [day]);
    const few: LimitCharge = { ...bucket, id: 'few', capacity: 1, precision: 'EXACT' };
    const flood = () => limiter.charge({ subject: { user: 'flooder', tenant }, limits: [few, day] });
    charged(await flood());
    // The limiter stores a denial when it happens for the second time. It does so first for the
    // limits without a lease, then for all limits.
    for (let count = 0; count < 4; count++) expect(await flood()).toMatchObject({ admitted: false, deniedBy: 'few' });
    const { decisions } = limiter.leases();
    const { answered } = limiter.rememberedDenials;
    const denials = await Promise.all(Array.from({ length: 50 }, flood));
    for (const denial of denials) {
      expect(denial).toMatchObject({ admitted: false, deniedBy: 'few', limits: [{ violated: true }, { id: 'day' }] });
    }
    expect(limiter.leases()).toMatchObject({ decisions, lost: 0 });
    expect(limiter.leases().held).toBeGreaterThan(0);
    expect(limiter.rememberedDenials.answered).toBe(answered + 50);
    await limiter.close();
    const after = open();
    expect(await after.peek({ subject: { tenant }, limits: [day] })).toMatchObject([{ used: spent + 1 }]);
    await after.close();
  });

  test('a caller with a remembered denial is admitted as soon as their bucket has a token again', async () => {
    let nowMs = Date.now();
    const limiter = open({ denialMemory: { maxAgeMs: 60_000 }, now: () => nowMs });
    const tenant = uniqueName('tenant');
    await untilLeased(limiter, { tenant }, [day]);
    const few: LimitCharge = { ...bucket, id: 'few', capacity: 1, refillPeriodMs: 1000, precision: 'EXACT' };
    const isAdmitted = async () =>
      (await limiter.charge({ subject: { user: 'someone', tenant }, limits: [few, day] })).admitted;
    expect(await isAdmitted()).toBe(true);
    for (let count = 0; count < 5; count++) expect(await isAdmitted()).toBe(false);
    for (let token = 0; token < 3; token++) {
      nowMs += 1000;
      expect([await isAdmitted(), await isAdmitted(), await isAdmitted()]).toEqual([true, false, false]);
    }
    await limiter.close();
  });

  test('a lease gets the refunds of operations that it paid for, and pays the difference to a higher actual cost', async () => {
    const limiter = open();
    const subject = someone();
    const limits = [{ ...bucket, cost: 5 }];
    const count = await untilLeased(limiter, subject, limits);
    const { receipt, limits: states } = charged(await limiter.charge({ subject, limits }));
    const { held } = limiter.leases();
    const admission = { receipt, limits: states } as Admission;
    expect(limiter.settledStates(admission, { bucket: 2 })[0]).toMatchObject({ used: 5 * count + 2 });
    await limiter.settle(receipt, { bucket: 2 });
    expect(limiter.leases().held).toBe(held + 3);
    const more = charged(await limiter.charge({ subject, limits }));
    await limiter.settle(more.receipt, { bucket: 6 });
    expect(limiter.leases().held).toBe(held + 3 - 6);
    await limiter.close();
    const after = open();
    expect((await after.peek({ subject, limits }))[0]).toMatchObject({ used: 5 * count + 2 + 6 });
    await after.close();
  });

  test('tokens leased before a reset are not spent after it', async () => {
    const limiter = open();
    const subject = someone();
    await untilLeased(limiter, subject, [bucket]);
    expect(await limiter.reset({ subject, limits: [bucket] })).toBe(true);
    expect(limiter.leases().held).toBe(0);
    expect((await limiter.peek({ subject, limits: [bucket] }))[0]).toMatchObject({ used: 0 });
    expect((await limiter.charge({ subject, limits: [bucket] })).limits[0]).toMatchObject({ used: 1 });
    await limiter.close();
  });

  test('tokens leased under an older rule are not spent under the edited rule', async () => {
    const limiter = open();
    const subject = someone();
    const spent = await untilLeased(limiter, subject, [bucket]);
    const edited = charged(await limiter.charge({ subject, limits: [{ ...bucket, capacity: 900 }] }));
    expect(edited.approximate).toBeUndefined();
    // The lease under the older rule counts as used, like the leases of other instances.
    expect(edited.limits[0]!.used).toBeGreaterThanOrEqual(spent + 1);
    await limiter.close();
  });

  test('a limit that is small, has the precision EXACT or cannot be leased gets no lease', async () => {
    for (const limit of [
      { ...bucket, capacity: 50 },
      { ...bucket, precision: 'EXACT' as const },
      { ...bucket, maxDelayMs: 1000 },
      { ...bucket, countDenied: true },
      { ...bucket, algorithm: 'LEAKY_BUCKET' as const },
      { ...day, windowMs: 100 },
      slots,
    ]) {
      const limiter = open();
      const subject = someone();
      for (let i = 0; i < 20; i++) charged(await limiter.charge({ subject, limits: [limit] }));
      expect(limiter.leases(), JSON.stringify(limit)).toEqual({
        decisions: 0,
        taken: 0,
        returned: 0,
        lost: 0,
        held: 0,
      });
      await limiter.close();
    }
  });

  test('an expired lease is returned without another charge', async () => {
    const limiter = createProtectionLimiter({
      redis: redisUrl,
      leases: { lengthMs: 50, after: 2 },
      ...PATIENT,
    });
    const subject = someone();
    const spent = await untilLeased(limiter, subject, [bucket]);
    const watcher = createProtectionLimiter({ redis: redisUrl, ...PATIENT });
    await expect.poll(async () => (await watcher.peek({ subject, limits: [bucket] }))[0]?.used).toBe(spent);
    const { taken, returned, held } = limiter.leases();
    expect({ held, spent: taken - returned > 0 }).toEqual({ held: 0, spent: true });
    await watcher.close();
    await limiter.close();
  });
});

test('a remembered denial stays valid, whatever leases other callers need', async () => {
  const limiter = createProtectionLimiter({
    redis: redisUrl,
    leases: { lengthMs: 60_000, after: 2 },
    denialMemory: { maxAgeMs: 60_000 },
    ...PATIENT,
  });
  const { tenant } = someone();
  const flooder = { user: uniqueName('flooder'), tenant };
  const few: LimitCharge = { ...bucket, id: 'few', capacity: 1 };
  const admitted: boolean[] = [];
  const flood = async (times: number) => {
    for (let i = 0; i < times; i++) {
      admitted.push((await limiter.charge({ subject: flooder, limits: [few, day] })).admitted);
    }
  };
  // The limiter remembers the denial first without a lease, and later with a lease that would cover
  // a part of the operation.
  await flood(10);
  await untilLeased(limiter, { user: uniqueName('other'), tenant }, [day]);
  const { answered } = limiter.rememberedDenials;
  const { taken } = limiter.leases();
  await flood(50);
  expect(admitted.filter((is) => is)).toHaveLength(1);
  expect(limiter.rememberedDenials.answered - answered).toBe(50);
  expect(limiter.leases().taken).toBe(taken);
  await limiter.close();
});

test('a limit with precision LEASED is exact in the memory engine', async () => {
  const limiter = createProtectionLimiter();
  const subject = { user: uniqueName('user') };
  for (let count = 1; count <= 1000; count++) {
    const decision = charged(await limiter.charge({ subject, limits: [bucket] }));
    expect(decision.approximate).toBeUndefined();
    expect(decision.limits[0]).toMatchObject({ used: count });
  }
  expect(await limiter.charge({ subject, limits: [bucket] })).toMatchObject({ admitted: false });
  expect(limiter.leases().taken).toBe(0);
  await limiter.close();
});
