import { describe, expect, inject, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import { ENGINES, someone } from './engines.js';

const base = { scope: 'USER', cost: 3, amount: 10, windowMs: 60_000, capacity: 10 } as const;
/** One limit of each algorithm. */
const LIMITS: LimitCharge[] = [
  { ...base, id: 'bucket', algorithm: 'TOKEN_BUCKET', refillAmount: 1, refillPeriodMs: 1000 },
  { ...base, id: 'leaky', algorithm: 'LEAKY_BUCKET', refillAmount: 1, refillPeriodMs: 1000, maxDelayMs: 60_000 },
  { ...base, id: 'fixed', algorithm: 'FIXED_WINDOW' },
  { ...base, id: 'sliding', algorithm: 'SLIDING_WINDOW_COUNTER' },
  { ...base, id: 'strict', algorithm: 'SLIDING_WINDOW_COUNTER', strict: true },
  { ...base, id: 'log', algorithm: 'SLIDING_WINDOW_LOG' },
  { ...base, id: 'places', algorithm: 'CONCURRENCY', leaseMs: 60_000 },
];

describe.each(ENGINES)('resets with the $name engine', ({ start }) => {
  test('a reset restores the full quota of every algorithm, and changes no other limit or caller', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const colleague = { ...someone(), tenant: subject.tenant };
    const shared: LimitCharge = { ...LIMITS[2]!, id: 'shared', scope: 'TENANT' };
    const other: LimitCharge = { ...LIMITS[2]!, id: 'other' };
    const all = [...LIMITS, shared, other];
    await limiter.charge({ subject, limits: all });
    await limiter.charge({ subject: colleague, limits: all });
    clock.now += 500;

    expect(await limiter.reset({ subject, limits: LIMITS })).toBe(true);
    const used = async (who: typeof subject) => (await limiter.peek({ subject: who, limits: all })).map((s) => s.used);
    expect(await used(subject)).toEqual([0, 0, 0, 0, 0, 0, 0, 6, 3]);
    expect(await used(colleague)).toEqual([3, 3, 3, 3, 3, 3, 3, 6, 3]);
    // The full amount can be spent again, to the last token.
    const whole = LIMITS.map((limit) => ({ ...limit, cost: 10 }));
    expect(await limiter.charge({ subject, limits: whole })).toMatchObject({ admitted: true });
    expect(await limiter.charge({ subject, limits: LIMITS })).toMatchObject({ admitted: false });
  });

  test('a reset clears a debt', async () => {
    const { limiter } = start();
    const subject = someone();
    const limits = [LIMITS[0]!];
    const decision = await limiter.charge({ subject, limits });
    if (!decision.admitted) throw new Error('denied');
    await limiter.settle(decision.receipt, { bucket: 18 });
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 18, remaining: 0 }]);
    await limiter.reset({ subject, limits });
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 0, remaining: 10 }]);
  });

  test('a reset finds its counters even if the amounts of the rules were edited', async () => {
    const { limiter } = start();
    const subject = someone();
    await limiter.charge({ subject, limits: LIMITS });
    const edited = LIMITS.map((limit) => ({ ...limit, capacity: 5, amount: 5, refillAmount: 2, cost: 0 }));
    await limiter.reset({ subject, limits: edited });
    expect((await limiter.peek({ subject, limits: LIMITS })).every(({ used }) => used === 0)).toBe(true);
  });

  test('a reset of counters that were never charged does nothing', async () => {
    const { limiter } = start();
    const subject = someone();
    expect(await limiter.reset({ subject, limits: LIMITS })).toBe(true);
    expect(await limiter.reset({ subject, limits: [] })).toBe(true);
    expect((await limiter.peek({ subject, limits: LIMITS })).every(({ used }) => used === 0)).toBe(true);
  });
});

test('a reset that Redis does not confirm returns false and never rejects', async () => {
  const url = new URL(inject('redisUrl'));
  url.port = '1';
  const errors: unknown[] = [];
  const limiter = createLimiter({ redis: url.href, observer: { failed: ({ error }) => errors.push(error) } });
  expect(await limiter.reset({ subject: someone(), limits: LIMITS })).toBe(false);
  // The start reports one error, and the reset reports another.
  expect(errors).toHaveLength(2);
  await limiter.close();
});
