import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';

interface Admitted {
  at: number;
  cost: number;
}

const START = 1_700_000_000_000;
const AMOUNT = 20;
const WINDOW_MS = 1000;
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

/**
 * Schedules with long pauses and dense bursts. Some charges happen exactly at the border of a
 * window or of a part of a window.
 */
const schedule = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.constantFrom(0, 0, 0, 1, 99, 100, 101, 899, 999, 1000, 1001), fc.nat(400)),
    cost: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: AMOUNT })),
  }),
  { minLength: 5, maxLength: 60, size: 'max' },
);

async function run(limit: Omit<LimitCharge, 'cost' | 'id' | 'scope'>, steps: { waitMs: number; cost: number }[]) {
  let now = START;
  const limiter = createLimiter({ now: () => now });
  const admitted: Admitted[] = [];
  for (const { waitMs, cost } of steps) {
    now += waitMs;
    const limits: LimitCharge[] = [{ ...limit, id: 'limit', scope: 'USER', cost }];
    if ((await limiter.charge({ subject: { user: 'u' }, limits })).admitted) admitted.push({ at: now, cost });
  }
  return admitted;
}

/**
 * Returns the largest amount that was admitted in any interval of one window length. It is enough
 * to check the intervals that end with an admission.
 */
function worstWindow(admitted: Admitted[]): number {
  return Math.max(
    0,
    ...admitted.map(({ at }) =>
      admitted.filter((one) => one.at > at - WINDOW_MS && one.at <= at).reduce((sum, { cost }) => sum + cost, 0),
    ),
  );
}

async function worstOf(limit: Omit<LimitCharge, 'cost' | 'id' | 'scope'>): Promise<number> {
  let worst = 0;
  await fc.assert(
    fc.asyncProperty(schedule, async (steps) => {
      worst = Math.max(worst, worstWindow(await run(limit, steps)));
    }),
    { numRuns: 1000, seed },
  );
  return worst;
}

describe(`admissions in any interval of the window's length, in 1,000 random schedules (SEED=${seed})`, () => {
  test('a strict sliding counter never admits more than its amount in any interval of its window length', async () => {
    const worst = await worstOf({
      algorithm: 'SLIDING_WINDOW_COUNTER',
      strict: true,
      amount: AMOUNT,
      windowMs: WINDOW_MS,
    });
    expect(worst).toBe(AMOUNT);
  });

  test('a sliding log never admits more than its amount in any interval of its window length', async () => {
    expect(await worstOf({ algorithm: 'SLIDING_WINDOW_LOG', amount: AMOUNT, windowMs: WINDOW_MS })).toBe(AMOUNT);
  });

  test('a sliding counter that is not strict can admit more than its amount in an interval of its window length, but less than twice as much', async (context) => {
    const worst = await worstOf({ algorithm: 'SLIDING_WINDOW_COUNTER', amount: AMOUNT, windowMs: WINDOW_MS });
    await context.annotate(`admitted in the worst interval: ${worst}, with an amount of ${AMOUNT}`);
    process.stdout.write(`sliding counter, admitted in the worst interval: ${worst}, with an amount of ${AMOUNT}\n`);
    expect(worst).toBeGreaterThan(AMOUNT);
    expect(worst).toBeLessThan(2 * AMOUNT);
  });

  test('a fixed window admits at most twice its amount in any interval of its length', async () => {
    const worst = await worstOf({ algorithm: 'FIXED_WINDOW', amount: AMOUNT, windowMs: WINDOW_MS });
    expect(worst).toBeGreaterThan(AMOUNT);
    expect(worst).toBeLessThanOrEqual(2 * AMOUNT);
  });

  test('a token bucket admits at most its capacity and the refill in any interval', async () => {
    const worst = await worstOf({
      algorithm: 'TOKEN_BUCKET',
      capacity: AMOUNT,
      refillAmount: AMOUNT,
      refillPeriodMs: WINDOW_MS,
    });
    expect(worst).toBeLessThanOrEqual(2 * AMOUNT);
  });
});
