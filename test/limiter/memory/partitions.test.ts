import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { createPartitions } from '../../../src/limiter/memory/partitions.js';
import { createStoredCounter } from '../../../src/limiter/memory/stored-counter.js';

const DAY_MS = 86_400_000;

function windowOf(cost: number, members: Partial<LimitCharge> = {}): LimitCharge {
  return { id: 'w', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 100, windowMs: DAY_MS, cost, ...members };
}

/** Returns a bucket that refills within a minute. */
function bucketOf(cost: number): LimitCharge {
  return {
    id: 'b',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: 60,
    refillAmount: 1,
    refillPeriodMs: 1000,
    cost,
  };
}

function limiterOf(maxPartitions: number) {
  const clock = { now: 1_700_000_000_000 };
  const limiter = createLimiter({ maxPartitions, now: () => clock.now });
  const charge = (user: string, ...limits: LimitCharge[]) =>
    limiter.charge({ subject: { user, tenant: `of-${user}`, ip: `of-${user}` }, limits });
  const used = async (user: string, limit: LimitCharge) =>
    (
      await limiter.peek({ subject: { user, tenant: `of-${user}`, ip: `of-${user}` }, limits: [{ ...limit, cost: 0 }] })
    )[0]!.used;
  return { limiter, clock, charge, used };
}

describe('counters in memory beyond their maximum number', () => {
  test('empty counters are removed before used counters', async () => {
    const { limiter, clock, charge, used } = limiterOf(10);
    await charge('soon empty', bucketOf(1));
    for (let i = 0; i < 9; i++) await charge(`used-${i}`, windowOf(1));
    clock.now += 1000;
    await charge('one more', windowOf(1));
    for (let i = 0; i < 9; i++) expect(await used(`used-${i}`, windowOf(0))).toBe(1);
    expect(await used('one more', windowOf(0))).toBe(1);
    expect(limiter.anomalies.forgotten).toBe(0);
  });

  test('the counters with the smallest used part of their limit are removed first, and each removal is counted', async () => {
    const { limiter, clock, charge, used } = limiterOf(3);
    await charge('half', windowOf(50));
    await charge('most', bucketOf(50));
    await charge('little', windowOf(2));
    await charge('first', windowOf(70));
    expect(await used('little', windowOf(0))).toBe(0);
    // Most of the bucket has refilled by now.
    clock.now += 40_000;
    await charge('second', windowOf(70));
    expect(await used('most', bucketOf(0))).toBe(0);
    expect(await used('half', windowOf(0))).toBe(50);
    await charge('third', windowOf(70));
    expect(await used('half', windowOf(0))).toBe(0);
    expect(limiter.anomalies.forgotten).toBe(3);
  });

  test('a counter that all callers share is forgotten last, however little of it is used', async () => {
    const { charge, used } = limiterOf(3);
    const everybody = windowOf(1, { id: 'all', scope: 'GLOBAL' });
    await charge('a', everybody);
    for (let i = 0; i < 20; i++) await charge(`other-${i}`, windowOf(90));
    expect(await used('anybody', everybody)).toBe(1);
  });

  test.each([
    1, 2, 3,
  ])('a charge never removes the counters that it is about to write, with a maximum of %i', async (maxPartitions) => {
    const { charge } = limiterOf(maxPartitions);
    const limits = (['USER', 'TENANT', 'IP'] as const).map((scope) => windowOf(40, { scope }));
    const verdicts: boolean[] = [];
    for (let i = 0; i < 3; i++) verdicts.push((await charge('one', ...limits)).admitted);
    expect(verdicts).toEqual([true, true, false]);
  });

  test('a bounded memory makes the same decisions as an unbounded one until it forgets a counter', async () => {
    const use = fc.record({
      user: fc.nat(14),
      bucket: fc.boolean(),
      cost: fc.integer({ min: 1, max: 70 }),
      afterMs: fc.nat(12_000),
    });
    let compared = 0;
    let forgetful = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(use, { minLength: 20, maxLength: 60 }), async (uses) => {
        const bounded = limiterOf(6);
        const unbounded = limiterOf(1000);
        for (const { user, bucket, cost, afterMs } of uses) {
          const limit = bucket ? bucketOf(Math.min(cost, 60)) : windowOf(cost, { windowMs: 60_000 });
          const ours = await bounded.charge(`u${user}`, limit);
          const theirs = await unbounded.charge(`u${user}`, limit);
          bounded.clock.now += afterMs;
          unbounded.clock.now += afterMs;
          if (bounded.limiter.anomalies.forgotten > 0) {
            forgetful++;
            return;
          }
          compared++;
          expect({ ...ours, receipt: undefined }).toEqual({ ...theirs, receipt: undefined });
        }
      }),
    );
    expect(compared).toBeGreaterThan(500);
    expect(forgetful).toBeGreaterThan(10);
  });

  test('removing a counter takes the same number of steps, however many counters are stored', () => {
    const [limit] = createChargeReader().read({ user: 'u' }, [windowOf(1)]).limits;
    let looks = 0;
    const maxPartitions = 5000;
    const partitions = createPartitions({
      maxPartitions,
      isInUse: () => {
        looks++;
        return false;
      },
      onForgotten: () => {},
    });
    const now = 1_700_000_000_000;
    for (let i = 0; i < 2 * maxPartitions; i++) {
      const before = looks;
      const partition = partitions.open({ user: `u${i}` }, limit!, now);
      const counter = { ...createStoredCounter(limit!), used: 1, previousCount: 0, emptyAtMs: now + DAY_MS };
      Object.assign(partition, { counters: [counter], first: counter });
      expect(looks - before).toBeLessThanOrEqual(16);
    }
    expect(looks).toBeGreaterThan(maxPartitions);
  });
});
