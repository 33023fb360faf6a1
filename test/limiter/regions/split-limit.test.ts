import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { partOf, shareOfRegion } from '../../../src/limiter/regions/split-limit.js';
import { MAX_COUNT } from '../../../src/model/limit-parameters.js';

const NAMES = ['ap', 'eu', 'us'];

/** Shares of three regions, in any order of the names. */
const anyShares = fc
  .tuple(
    fc.integer({ min: 0, max: 100 }),
    fc.integer({ min: 0, max: 100 }),
    fc.shuffledSubarray(NAMES, { minLength: 3 }),
  )
  .map(([a, b, names]) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)];
    return Object.fromEntries(names.map((name, i) => [name, [from, to - from, 100 - to][i]!]));
  });
const anyAmount = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }));

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

test('the parts of an amount sum exactly to the amount, for any shares', () => {
  fc.assert(
    fc.property(anyShares, fc.oneof(anyAmount, fc.maxSafeInteger().map(Math.abs)), (shares, amount) => {
      const parts = NAMES.map((name) => partOf(amount, shareOfRegion({ name, shares })));
      expect(parts.reduce((all, part) => all + BigInt(part), 0n)).toBe(BigInt(amount));
      for (const [i, part] of parts.entries()) {
        expect(Math.abs(part - (amount * shares[NAMES[i]!]!) / 100)).toBeLessThan(1 + amount / 2 ** 50);
      }
    }),
    { numRuns: 2000 },
  );
});

const anyBucket = fc.record({
  algorithm: fc.constantFrom('TOKEN_BUCKET' as const, 'LEAKY_BUCKET' as const),
  capacity: anyAmount,
  refillAmount: anyAmount,
  refillPeriodMs: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: MAX_COUNT })),
  maxDebt: anyAmount,
});
const anyWindow = fc.record({
  algorithm: fc.constantFrom('FIXED_WINDOW' as const, 'SLIDING_WINDOW_COUNTER' as const),
  amount: anyAmount,
  windowMs: fc.integer({ min: 1, max: 1_000_000 }),
});
const anyCalendar = fc
  .record({ amount: anyAmount, above: fc.nat(1000), percent: fc.integer({ min: 1, max: 100 }), max: anyAmount })
  .map(({ amount, above, percent, max }) => ({
    algorithm: 'CALENDAR_WINDOW' as const,
    every: 'DAY' as const,
    amount,
    hardCap: amount + above,
    carryOver: { percent, max },
  }));

/** Returns the limit that each region enforces; undefined if the whole limit is invalid. */
function limitsOf(limit: Omit<LimitCharge, 'id' | 'scope' | 'cost'>, shares: Record<string, number>) {
  const charge = { ...limit, id: 'split', scope: 'GLOBAL', cost: 1, regionMode: 'SPLIT' } as const;
  const read = (region?: { name: string; shares: Record<string, number> }) =>
    createChargeReader(region).readOne({}, charge)!;
  try {
    read();
  } catch {
    return undefined;
  }
  return { whole: read(), parts: NAMES.map((name) => read({ name, shares })) };
}

test('the limits of all regions never sum to more than the whole limit, for any algorithm', () => {
  fc.assert(
    fc.property(fc.oneof(anyBucket, anyWindow, anyCalendar), anyShares, (limit, shares) => {
      const read = limitsOf(limit, shares);
      fc.pre(read !== undefined);
      const { whole, parts } = read!;
      expect(sum(parts.map(({ capacity }) => capacity))).toBeLessThanOrEqual(whole.capacity);
      expect(sum(parts.map(({ maxDebt }) => maxDebt))).toBeLessThanOrEqual(whole.maxDebt);
      for (const part of parts) expect(part.wholeCapacity).toBe(part.capacity);
      if (limit.algorithm === 'FIXED_WINDOW') expect(sum(parts.map(({ capacity }) => capacity))).toBe(whole.capacity);
      if (whole.calendar === undefined && whole.refillPeriodMs === 0) return;
      if (whole.calendar !== undefined) {
        expect(sum(parts.map(({ calendar }) => calendar!.amount))).toBe(whole.calendar.amount);
        expect(sum(parts.map(({ calendar }) => calendar!.maxCarry))).toBeLessThanOrEqual(whole.calendar.maxCarry);
        return;
      }
      const rates = parts
        .filter(({ capacity }) => capacity > 0)
        .map(({ refillAmount, refillPeriodMs }) => [BigInt(refillAmount), BigInt(refillPeriodMs)] as const);
      const periods = rates.reduce((all, [, periodMs]) => all * periodMs, 1n);
      const amounts = rates.reduce((all, [amount, periodMs]) => all + amount * (periods / periodMs), 0n);
      expect(amounts * BigInt(whole.refillPeriodMs) <= BigInt(whole.refillAmount) * periods).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

test('a region with a share of 0 percent denies every operation, and shows a limit of 0', async () => {
  const limiter = createLimiter({ region: { name: 'us', shares: { eu: 100, us: 0 } } });
  const bucket = { algorithm: 'TOKEN_BUCKET', capacity: 10, refillAmount: 1, refillPeriodMs: 1000 } as const;
  const limit = { ...bucket, id: 'none', scope: 'GLOBAL', cost: 1, regionMode: 'SPLIT' } as const;
  expect(await limiter.charge({ subject: {}, limits: [limit] })).toMatchObject({
    admitted: false,
    code: 'COST_EXCEEDS_CAPACITY',
    limits: [{ limit: 0, remaining: 0 }],
  });
});

test('a limit with the mode CENTRAL, and any limit without a region, is enforced whole', async () => {
  const window = {
    id: 'w',
    scope: 'GLOBAL',
    algorithm: 'FIXED_WINDOW',
    amount: 10,
    windowMs: 60_000,
    cost: 1,
  } as const;
  const region = { name: 'eu', shares: { eu: 40, us: 60 }, tierMode: 'SPLIT' } as const;
  const limitOf = async (options: Parameters<typeof createLimiter>[0], regionMode?: 'CENTRAL' | 'SPLIT') => {
    const limiter = createLimiter(options);
    const limits = [{ ...window, ...(regionMode && { regionMode }) }];
    return (await limiter.peek({ subject: {}, limits }))[0]!.limit;
  };
  expect(await limitOf({ region }, 'CENTRAL')).toBe(10);
  expect(await limitOf({ region }, 'SPLIT')).toBe(4);
  expect(await limitOf({ region })).toBe(4);
  expect(await limitOf({}, 'SPLIT')).toBe(10);
});

test.each([
  [
    { name: 'ue', shares: { eu: 40, us: 60 } },
    'region.name: expected a region of shares (eu, us), got "ue"; did you mean eu?',
  ],
  [{ name: 'eu', shares: { eu: 40, us: 50 } }, 'region.shares: expected shares that sum to 100, got 90 (eu=40, us=50)'],
  [
    { name: 'eu', shares: { eu: 40.5, us: 59.5 } },
    /region\.shares\.eu: expected a whole number from 0 to 100, got 40\.5/,
  ],
  [{ name: 'EU', shares: { EU: 100 } }, /region\.shares: expected names of lower-case letters, .* got "EU"/],
  [{ name: 'eu' }, /region\.shares: expected an object, got undefined/],
  [{ name: 'eu', shares: { eu: 100 }, tierMode: 'SPLT' }, 'did you mean "SPLIT"?'],
])('the region %j is rejected with its mistake', (region, message) => {
  expect(() => createLimiter({ region: region as never })).toThrow(message);
});

test('a limit with an unknown mode is rejected with the known ones', async () => {
  const limit = { id: 'w', scope: 'GLOBAL', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 60_000, cost: 1 } as const;
  await expect(
    createLimiter().charge({ subject: {}, limits: [{ ...limit, regionMode: 'SHARED' as never }] }),
  ).rejects.toThrow('limits[0] "w": regionMode: expected one of CENTRAL, SPLIT, WATCH, got "SHARED"');
});
