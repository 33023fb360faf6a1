import { Redis } from 'ioredis';
import { describe, expect, inject, test } from 'vitest';
import { createChargeReader } from '../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import { keysFor } from '../../src/limiter/redis/keys-for.js';
import { RequestWriter } from '../../src/limiter/redis/request-writer.js';
import { SCRIPTS } from '../../src/limiter/redis/scripts.js';
import { bucketInput, tierInput } from '../../src/rules/policy/tier-input.js';
import { schedule } from '../../src/runtime/schedule.js';
import { ENGINES, someone } from './engines.js';

const YEAR_MS = 31_536_000_000;
const HOUR_MS = 3_600_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A bucket that needs 100,000 years to fill up. */
const TOO_SLOW = { capacity: 100_000, refillAmount: 1, refillPeriodMs: YEAR_MS };
const slow: LimitCharge = { id: 'slow', scope: 'USER', algorithm: 'TOKEN_BUCKET', ...TOO_SLOW, cost: 1 };

describe('a bucket whose time to fill exceeds what its record can store', () => {
  test('the limiter rejects a bucket that takes too long to fill, and names the largest capacity', async () => {
    const limiter = createLimiter();
    await expect(limiter.charge({ subject: someone(), limits: [slow] })).rejects.toThrow(
      'limits[0] "slow": capacity: expected at most 34 tokens, which refill in 2^40 ms, got 100000',
    );
    const debt = { ...slow, capacity: 30, maxDebt: 100_000 };
    await expect(limiter.charge({ subject: someone(), limits: [debt] })).rejects.toThrow(
      'maxDebt: expected at most 34',
    );
    expect(await limiter.charge({ subject: someone(), limits: [{ ...slow, capacity: 34 }] })).toMatchObject({
      admitted: true,
    });
  });

  test('validation of tiers and callers rejects a bucket that takes too long to fill', () => {
    const tier = tierInput.safeParse({ name: 'slow', ...TOO_SLOW });
    expect(tier.error?.issues).toMatchObject([
      { path: ['refillPeriodMs'], message: expect.stringContaining('34 years') },
    ]);
    expect(bucketInput.safeParse(TOO_SLOW).success).toBe(false);
    expect(bucketInput.safeParse({ ...TOO_SLOW, capacity: 34 }).success).toBe(true);
  });

  test('the script rejects a bucket that takes too long to fill, and writes nothing', async () => {
    const subject = someone();
    const reader = createChargeReader();
    const good = reader.read(subject, [{ ...slow, capacity: 34 }]);
    const request = { ...good, limits: good.limits.map((limit) => ({ ...limit, capacity: 100_000 })) };
    const writer = new RequestWriter();
    writer.addCharge(request, '123456', 0, keysFor(subject));
    const { keys, request: bytes } = writer.finish();
    const redis = new Redis(inject('redisUrl'));
    try {
      await expect(redis.eval(SCRIPTS.charge.text, 1, ...keys, bytes, '')).rejects.toThrow(
        'a limit has bad parameters',
      );
      expect(await redis.exists(keys[0]!)).toBe(0);
    } finally {
      redis.disconnect();
    }
  });
});

describe.each(ENGINES)('long durations with the $name engine', ({ start }) => {
  test('an empty bucket stays empty when its edited rate needs thousands of years to fill it', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const fast = {
      ...slow,
      capacity: 2 ** 31 - 1,
      refillAmount: 2 ** 31 - 1,
      refillPeriodMs: 1000,
      cost: 2 ** 31 - 1,
    };
    const edited = { ...slow, capacity: 34 };
    expect(await limiter.charge({ subject, limits: [fast] })).toMatchObject({ admitted: true });
    for (let year = 0; year < 30; year++) {
      expect(await limiter.charge({ subject, limits: [edited] })).toMatchObject({ admitted: false, code: 'THROTTLED' });
      clock.now += HOUR_MS;
    }
    await limiter.close();
  });

  test.each([
    { capacity: 1, maxDelayMs: 3_000_000_000 },
    { capacity: 1000, maxDelayMs: undefined },
    { capacity: 1000, maxDelayMs: 3_000_000_000 },
  ])('a leaky bucket denies a charge whose delay exceeds the longest possible timer ($capacity, $maxDelayMs)', async (parameters) => {
    const { limiter, clock } = start();
    const subject = someone();
    const { maxDelayMs, capacity } = parameters;
    const leaky: LimitCharge = {
      id: 'leaky',
      scope: 'USER',
      algorithm: 'LEAKY_BUCKET',
      capacity,
      refillAmount: 1,
      refillPeriodMs: HOUR_MS,
      cost: 1,
      ...(maxDelayMs !== undefined && { maxDelayMs }),
    };
    const fitting = Math.floor(LONGEST_TIMER_MS / HOUR_MS) + 1;
    const delays: number[] = [];
    let denied = 0;
    for (let i = 0; i < 800; i++) {
      const decision = await limiter.charge({ subject, limits: [leaky] });
      if (decision.admitted) delays.push(decision.delayMs);
      else {
        denied++;
        expect(decision).toMatchObject({ code: 'THROTTLED', maxAdmissibleCost: 0 });
      }
    }
    expect(delays).toEqual(Array.from({ length: fitting }, (_, i) => i * HOUR_MS));
    expect(denied).toBe(800 - fitting);
    const denial = await limiter.charge({ subject, limits: [leaky] });
    if (denial.admitted) throw new Error('expected a denial');
    clock.now += denial.retryAfterMs! - 1;
    expect(await limiter.charge({ subject, limits: [leaky] })).toMatchObject({ admitted: false });
    clock.now += 1;
    expect(await limiter.charge({ subject, limits: [leaky] })).toMatchObject({ admitted: true });
    await limiter.close();
  });
});

test('a timer of many years does not fire immediately', async () => {
  let hasRun = false;
  const cancel = schedule(() => {
    hasRun = true;
  }, 100 * YEAR_MS);
  await new Promise((resolve) => setTimeout(resolve, 20));
  cancel();
  expect(hasRun).toBe(false);
});
