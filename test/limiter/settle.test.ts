import { describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Admission, Decision } from '../../src/limiter/charge/decision.js';
import { createProtectionLimiter } from '../../src/limiter/create-limiter.js';
import { ENGINES, someone } from './engines.js';

const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 10,
  refillAmount: 1,
  refillPeriodMs: 1000,
  cost: 6,
};
const window: LimitCharge = {
  id: 'window',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 10,
  windowMs: 60_000,
  cost: 6,
};
const KINDS: LimitCharge[] = [
  bucket,
  { ...bucket, id: 'leaky', algorithm: 'LEAKY_BUCKET' },
  window,
  { ...window, id: 'sliding', algorithm: 'SLIDING_WINDOW_COUNTER' },
  { ...window, id: 'strict', algorithm: 'SLIDING_WINDOW_COUNTER', strict: true },
  { ...window, id: 'log', algorithm: 'SLIDING_WINDOW_LOG' },
];

function admission(decision: Decision): Admission {
  if (!decision.admitted) throw new Error(`denied by ${decision.deniedBy}`);
  return decision;
}

const places: LimitCharge = {
  id: 'places',
  scope: 'USER',
  algorithm: 'CONCURRENCY',
  capacity: 3,
  leaseMs: 60_000,
  cost: 1,
};

describe.each(ENGINES)('settlements with the $name engine', ({ start }) => {
  test('a settlement keeps a slot that it does not name, and a release frees the slot once', async () => {
    const { limiter } = start();
    for (const limits of [[bucket, places], [places]]) {
      const subject = someone();
      const usedOf = async () => {
        const states = await limiter.peek({ subject, limits });
        return Object.fromEntries(states.map(({ id, used }) => [id, used]));
      };
      const first = admission(await limiter.charge({ subject, limits: [places] }));
      const { receipt } = admission(await limiter.charge({ subject, limits }));
      await limiter.settle(receipt, { bucket: 2 });
      expect(await usedOf()).toMatchObject({ places: 2, ...(limits.length > 1 && { bucket: 2 }) });
      for (let again = 0; again < 3; again++) {
        await limiter.release(receipt);
        expect(await usedOf()).toMatchObject({ places: 1, ...(limits.length > 1 && { bucket: 2 }) });
      }
      await limiter.release(first.receipt);
      await limiter.settle(first.receipt, { places: 0 });
      expect(await usedOf()).toMatchObject({ places: 0 });
    }
    await limiter.close();
  });

  test.each(KINDS)('a settlement corrects the charge to the actual cost, down and up: $id', async (limit) => {
    const { limiter } = start();
    for (const actual of [0, 2, 6, 9, 30]) {
      const subject = someone();
      const { receipt } = admission(await limiter.charge({ subject, limits: [limit] }));
      await limiter.settle(receipt, { [limit.id]: actual });
      // The debt of a bucket is at most its capacity.
      const used = limit.capacity === undefined ? actual : Math.min(actual, 20);
      expect(await limiter.peek({ subject, limits: [limit] })).toMatchObject([
        { used, remaining: Math.max(0, 10 - used) },
      ]);
    }
    await limiter.close();
  });

  test('a receipt is settled once, however often and concurrently it is used', async () => {
    const { limiter } = start();
    const subject = someone();
    admission(await limiter.charge({ subject, limits: [{ ...bucket, cost: 4 }] }));
    const { receipt } = admission(await limiter.charge({ subject, limits: [bucket] }));
    await Promise.all(Array.from({ length: 10 }, () => limiter.settle(receipt, { bucket: 5 })));
    await limiter.settle(receipt, { bucket: 0 });
    expect(await limiter.peek({ subject, limits: [bucket] })).toMatchObject([{ used: 9 }]);
    await limiter.close();
  });

  test('a settlement does not change limits that are missing from the actual costs', async () => {
    const { limiter } = start();
    const subject = someone();
    const { receipt } = admission(await limiter.charge({ subject, limits: [bucket, window] }));
    await limiter.settle(receipt, { window: 1, unknown: 3 });
    expect(await limiter.peek({ subject, limits: [bucket, window] })).toMatchObject([{ used: 6 }, { used: 1 }]);
    await limiter.close();
  });

  test('a settlement never refunds into another window', async () => {
    const { limiter, clock } = start();
    for (const limit of KINDS.slice(2)) {
      const subject = someone();
      const { receipt } = admission(await limiter.charge({ subject, limits: [limit] }));
      clock.now += 180_000;
      admission(await limiter.charge({ subject, limits: [limit] }));
      await limiter.settle(receipt, { [limit.id]: 0 });
      expect(await limiter.peek({ subject, limits: [limit] }), limit.id).toMatchObject([{ used: 6 }]);
    }
    await limiter.close();
  });

  test('a refill pays debt first, and nothing is admitted until the level is above zero', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const { receipt } = admission(await limiter.charge({ subject, limits: [{ ...bucket, cost: 10, maxDebt: 5 }] }));
    await limiter.settle(receipt, { bucket: 1000 });
    expect(await limiter.peek({ subject, limits: [{ ...bucket, cost: 1 }] })).toMatchObject([
      { used: 15, retryAfterMs: 6000 },
    ]);
    clock.now += 5999;
    expect(await limiter.charge({ subject, limits: [{ ...bucket, cost: 1 }] })).toMatchObject({ admitted: false });
    clock.now += 1;
    expect(await limiter.charge({ subject, limits: [{ ...bucket, cost: 1 }] })).toMatchObject({ admitted: true });
    await limiter.close();
  });

  test('a settlement never refunds more than was charged, even after a change of tier', async () => {
    const { limiter } = start();
    const subject = someone();
    const { receipt } = admission(await limiter.charge({ subject, limits: [bucket] }));
    const larger = { ...bucket, capacity: 100, refillAmount: 7, refillPeriodMs: 3000, cost: 1 };
    admission(await limiter.charge({ subject, limits: [larger] }));
    await limiter.settle(receipt, { bucket: 0 });
    expect(await limiter.peek({ subject, limits: [larger] })).toMatchObject([{ used: 1, remaining: 99 }]);
    await limiter.close();
  });

  test('settledStates returns the numbers after a settlement without waiting for it', async () => {
    const { limiter } = start();
    for (const actual of [0, 2, 6, 9, 30]) {
      const subject = someone();
      const shadow: LimitCharge = { ...window, id: 'shadow', mode: 'SHADOW', cost: 20 };
      const limits = [shadow, ...KINDS.slice(0, 4)];
      const admitted = admission(await limiter.charge({ subject, limits }));
      const costs = Object.fromEntries(limits.map(({ id }) => [id, actual]));
      const predicted = limiter.settledStates(admitted, costs);
      await limiter.settle(admitted.receipt, costs);
      const found = await limiter.peek({ subject, limits: limits.map((limit) => ({ ...limit, cost: 0 })) });
      const numbers = (states: typeof predicted) =>
        states.map(({ used, remaining, resetAtMs }) => ({ used, remaining, resetAtMs }));
      expect(numbers(predicted)).toEqual(numbers(found));
    }
    await limiter.close();
  });

  test.each(
    KINDS.slice(0, 4),
  )('settledStates returns the numbers of a single limit that earlier charges have used: $id', async (limit) => {
    const { limiter, clock } = start();
    const subject = someone();
    const charge = async (cost: number) => admission(await limiter.charge({ subject, limits: [{ ...limit, cost }] }));
    await charge(4);
    // Moves the clock into the next window. There, a sliding window still counts a part of the
    // charge.
    clock.now += limit.windowMs ?? 500;
    await charge(1);
    const admitted = await charge(2);
    const predicted = limiter.settledStates(admitted, { [limit.id]: 1 });
    await limiter.settle(admitted.receipt, { [limit.id]: 1 });
    expect(predicted).toEqual(await limiter.peek({ subject, limits: [{ ...limit, cost: 0 }] }));
    await limiter.close();
  });

  test('a settlement does not charge a shadow limit that was full', async () => {
    const { limiter } = start();
    const subject = someone();
    const shadow: LimitCharge = { ...window, mode: 'SHADOW', cost: 20 };
    const { receipt } = admission(await limiter.charge({ subject, limits: [shadow, bucket] }));
    await limiter.settle(receipt, { window: 9, bucket: 6 });
    expect(await limiter.peek({ subject, limits: [shadow] })).toMatchObject([{ used: 0 }]);
    await limiter.close();
  });

  test.each([
    -1,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 31,
  ])('a settlement rejects an actual cost of %s', async (actual) => {
    const { limiter } = start();
    const { receipt } = admission(await limiter.charge({ subject: someone(), limits: [bucket] }));
    await expect(limiter.settle(receipt, { bucket: actual })).rejects.toThrow(
      /actual "bucket": expected a whole number/,
    );
    await limiter.close();
  });
});

describe.each(ENGINES)('settlements of charges that no longer count, with the $name engine', ({ start }) => {
  test.each(KINDS)('a late settlement leaves no record of $id behind, however late it is', async (kind) => {
    const limit = {
      ...kind,
      cost: 0,
      ...('windowMs' in kind ? { windowMs: 3333 } : { refillPeriodMs: 1 }),
    } as LimitCharge;
    // After 3,449 and 3,450 ms, Redis still stores the part of a strict window, although no window
    // includes the part any more.
    for (const lateMs of kind.id === 'sliding' ? [6700] : [3449, 3450, 3667, 6700]) {
      const { limiter, clock } = start();
      clock.now += 123;
      const subject = someone();
      const { receipt } = admission(await limiter.charge({ subject, limits: [limit] }));
      clock.now += lateMs;
      await limiter.settle(receipt, { [limit.id]: kind === bucket || kind.id === 'leaky' ? 0 : 1 });
      // If a record remained, the limiter would find it after this step back of the clock, and
      // rebase it.
      clock.now -= 90_000;
      expect(admission(await limiter.charge({ subject, limits: [{ ...limit, cost: 10 }] })).limits[0]!.used).toBe(10);
      expect(limiter.anomalies).toMatchObject({ rebased: 0 });
    }
  });
});

test.each(
  ENGINES,
)('a settlement refills a bucket at its own rate if the bucket was set back to the clock and is empty, with the $name engine', async ({
  start,
}) => {
  const { limiter, clock } = start();
  const subject = someone();
  const slot: LimitCharge = { ...places, leaseMs: 7, cost: 0 };
  const slow: LimitCharge = { ...bucket, cost: 0 };
  const fast: LimitCharge = { ...slow, refillPeriodMs: 1 };
  const slowly = admission(await limiter.charge({ subject, limits: [slow, slot] }));
  const fastly = admission(await limiter.charge({ subject, limits: [fast, slot] }));
  await limiter.settle(slowly.receipt, { bucket: 1 });
  clock.now -= 90_000;
  admission(await limiter.charge({ subject, limits: [{ ...slot, cost: 1 }] }));
  clock.now -= 5000;
  // The slots were written 5 s ahead of the clock, which is the time of this call. The bucket was
  // written 95 s ahead, so it is set back to the clock, and is empty at the time of the call.
  await limiter.settle(fastly.receipt, { places: 0, bucket: 2 });
  clock.now += 5001;
  expect((await limiter.peek({ subject, limits: [slow] }))[0]!.used).toBe(1);
  await limiter.close();
});

test.each(ENGINES)('a release frees a slot and changes no other limit of the same id, with the $name engine', async ({
  start,
}) => {
  const { limiter } = start();
  for (const other of [bucket, window]) {
    const subject = someone();
    const limits: LimitCharge[] = [other, { ...places, id: other.id }];
    const { receipt } = admission(await limiter.charge({ subject, limits }));
    await limiter.release(receipt);
    expect((await limiter.peek({ subject, limits })).map(({ used }) => used)).toEqual([6, 0]);
    await limiter.settle(receipt, { [other.id]: 2 });
    expect((await limiter.peek({ subject, limits })).map(({ used }) => used)).toEqual([2, 0]);
  }
});

describe.each(ENGINES)('limits with ids of built-in properties, with the $name engine', ({ start }) => {
  test.each([
    ['constructor', 'toString'],
    ['toString', '__proto__'],
    ['__proto__', 'constructor'],
  ])('limits with the ids %s and %s keep their charges until they are settled or released', async (id, slots) => {
    const { limiter } = start();
    const limits: LimitCharge[] = [
      { ...window, id },
      { ...places, id: slots },
    ];
    const subject = someone();
    const usedOf = async () => (await limiter.peek({ subject, limits })).map(({ used }) => used);
    const { receipt } = admission(await limiter.charge({ subject, limits }));
    await limiter.settle(receipt, { another: 1 });
    expect(await usedOf()).toEqual([6, 1]);
    await limiter.release(receipt);
    expect(await usedOf()).toEqual([6, 0]);
    const { receipt: settled } = admission(await limiter.charge({ subject, limits: [{ ...window, id, cost: 4 }] }));
    await limiter.settle(settled, Object.fromEntries([[id, 1]]));
    expect(await usedOf()).toEqual([7, 0]);
  });
});

test('a settlement that is not awaited is made once, and its errors are reported instead of thrown', async () => {
  const limiter = createProtectionLimiter();
  const subject = someone();
  const { receipt } = admission(await limiter.charge({ subject, limits: [bucket] }));
  const errors: unknown[] = [];
  const settle = (actual: number) =>
    limiter.settleUnawaited(receipt, { bucket: actual }, (error) => errors.push(error));
  settle(-1);
  expect(errors).toEqual([expect.any(TypeError)]);
  await expect(limiter.settle(receipt, { bucket: -1 })).rejects.toEqual(errors[0]);
  settle(2);
  settle(0);
  expect(errors).toHaveLength(1);
  expect((await limiter.peek({ subject, limits: [bucket] }))[0]!.remaining).toBe(8);
  await limiter.close();
});
