import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Decision } from '../../src/limiter/charge/decision.js';
import { createLimiter, type Limiter } from '../../src/limiter/create-limiter.js';
import { PATIENT } from '../helpers/patient.js';
import { uniqueName } from '../helpers/servers.js';
import { countCases, STACKS } from './serve.js';

/** Seed of the random schedules. To repeat a run, set ABUSE_SEED to the seed that it printed. */
const seed = Number(process.env['ABUSE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
process.stdout.write(`counters: ABUSE_SEED=${seed}\n`);

const AMOUNT = 10;
/** Redis keeps counters for this time at least, by its own clock. No test takes that long. */
const WINDOW_MS = 60_000;

describe.each(STACKS)('counters, $stack', ({ redis }) => {
  let limiter: Limiter;
  /** Time of the limiter. It starts far in the future, after the windows of all other tests. */
  let nowMs = 4_000_000_000_000;
  beforeAll(() => {
    const url = redis();
    limiter = createLimiter({ now: () => nowMs, ...(url !== undefined && { redis: inject('redisUrl'), ...PATIENT }) });
  });
  afterAll(() => limiter.close());

  const window = (members: Partial<LimitCharge>): LimitCharge => ({
    id: 'w',
    scope: 'USER',
    algorithm: 'SLIDING_WINDOW_COUNTER',
    amount: AMOUNT,
    windowMs: WINDOW_MS,
    cost: 1,
    ...members,
  });
  const bucket = (capacity: number, cost: number): LimitCharge => {
    const parameters = { capacity, refillAmount: 1, refillPeriodMs: 86_400_000 };
    return { id: 'b', scope: 'USER', algorithm: 'TOKEN_BUCKET', ...parameters, cost };
  };
  const charge = (user: string, limit: LimitCharge): Promise<Decision> =>
    limiter.charge({ subject: { user }, limits: [limit] });
  const used = async (user: string, limit: LimitCharge): Promise<number> =>
    (await limiter.peek({ subject: { user }, limits: [{ ...limit, cost: 0 }] }))[0]!.used;
  async function admission(user: string, limit: LimitCharge) {
    const decision = await charge(user, limit);
    if (!decision.admitted) throw new Error(`denied: ${JSON.stringify(decision)}`);
    return decision;
  }

  // The last value is the documented bound: the maximum amount that is admitted in any interval as
  // long as the window. The bound is a multiple of the limit.
  it.each([
    ['SLIDING_WINDOW_LOG', { algorithm: 'SLIDING_WINDOW_LOG' }, 1],
    ['a strict SLIDING_WINDOW_COUNTER', { strict: true }, 1],
    ['SLIDING_WINDOW_COUNTER', {}, 2],
    ['FIXED_WINDOW', { algorithm: 'FIXED_WINDOW' }, 2],
  ] as [
    string,
    Partial<LimitCharge>,
    number,
  ][])('A18: %s admits at most its documented bound in any interval as long as its window', async (_, members, bound) => {
    const borders = [WINDOW_MS - 1, 1, WINDOW_MS, WINDOW_MS + 1, WINDOW_MS / 2];
    const steps = fc.array(
      fc.record({
        stepMs: fc.oneof(fc.constantFrom(...borders), fc.integer({ min: 0, max: WINDOW_MS })),
        cost: fc.integer({ min: 1, max: AMOUNT }),
      }),
      { minLength: 5, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (schedule) => {
        const user = uniqueName('window');
        const admitted: { atMs: number; cost: number }[] = [];
        for (const { stepMs, cost } of schedule) {
          nowMs += stepMs;
          const decision = await charge(user, window({ ...members, cost }));
          if (decision.admitted) admitted.push({ atMs: nowMs, cost });
        }
        for (const { atMs: startMs } of admitted) {
          const inside = admitted.filter(({ atMs }) => atMs >= startMs && atMs < startMs + WINDOW_MS);
          expect(inside.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(bound * AMOUNT);
        }
      }),
      { seed, numRuns: 25 },
    );
  });

  it('A18: full loads right before and right after the border of a window stay within the bound', async () => {
    for (const [members, most] of [
      [{ algorithm: 'SLIDING_WINDOW_LOG' }, AMOUNT],
      [{ strict: true }, AMOUNT],
      [{}, AMOUNT],
      [{ algorithm: 'FIXED_WINDOW' }, 2 * AMOUNT],
    ] as [Partial<LimitCharge>, number][]) {
      const user = uniqueName('border');
      nowMs = (Math.floor(nowMs / WINDOW_MS) + 2) * WINDOW_MS - 1;
      let admitted = 0;
      for (let index = 0; index < AMOUNT; index++) admitted += (await charge(user, window(members))).admitted ? 1 : 0;
      nowMs += 1;
      for (let index = 0; index < AMOUNT; index++) admitted += (await charge(user, window(members))).admitted ? 1 : 0;
      expect(admitted, JSON.stringify(members)).toBeLessThanOrEqual(most);
    }
  });

  it('A19: a receipt can be settled only once, even by many simultaneous settlements', async (context) => {
    for (let round = 0; round < 20; round++) {
      const user = uniqueName('replay');
      await charge(user, bucket(100, 30));
      const { receipt } = await admission(user, bucket(100, 50));
      await Promise.all(Array.from({ length: 10 }, () => limiter.settle(receipt, { b: 10 })));
      await limiter.settle(receipt, { b: 0 });
      expect(await used(user, bucket(100, 0))).toBe(40);
    }
    countCases(context, 220);
  });

  it('A19: a settlement refunds at most the charged amount and never exceeds the capacity', async () => {
    const user = uniqueName('refund');
    const { receipt } = await admission(user, bucket(100, 60));
    await limiter.settle(receipt, { b: 0 });
    expect(await used(user, bucket(100, 0))).toBe(0);
    await expect(limiter.settle(receipt, { b: -1000 })).rejects.toThrow(/expected a whole number/);
    expect(await used(user, bucket(100, 0))).toBe(0);
  });

  it('A19: a settlement after the end of its window refunds nothing to the next window', async () => {
    for (const members of [{}, { algorithm: 'FIXED_WINDOW' }, { strict: true }] as Partial<LimitCharge>[]) {
      const user = uniqueName('late');
      nowMs = (Math.floor(nowMs / WINDOW_MS) + 3) * WINDOW_MS;
      const { receipt } = await admission(user, window({ ...members, cost: AMOUNT }));
      nowMs += 3 * WINDOW_MS;
      await admission(user, window({ ...members, cost: 4 }));
      await limiter.settle(receipt, { w: 0 });
      expect(await used(user, window(members)), JSON.stringify(members)).toBe(4);
    }
  });

  it('A19: a settlement after the tier was lowered leaves no more than the new capacity', async () => {
    const user = uniqueName('lowered');
    const { receipt } = await admission(user, bucket(1000, 900));
    expect((await charge(user, bucket(50, 1))).admitted).toBe(false);
    await limiter.settle(receipt, { b: 0 });
    const [state] = await limiter.peek({ subject: { user }, limits: [bucket(50, 0)] });
    expect(state).toMatchObject({ limit: 50, remaining: 50 });
    expect((await charge(user, bucket(50, 51))).admitted).toBe(false);
  });

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    0.5,
    2 ** 31,
    1e300,
    '1' as unknown as number,
    null as unknown as number,
    undefined as unknown as number,
  ])('A15: a cost of %s is rejected and changes no counter', async (cost) => {
    const user = uniqueName('amount');
    await expect(charge(user, bucket(100, cost))).rejects.toThrow(TypeError);
    const { receipt } = await admission(user, bucket(100, 10));
    if (cost !== undefined) await expect(limiter.settle(receipt, { b: cost })).rejects.toThrow(TypeError);
    expect(await used(user, bucket(100, 0))).toBe(10);
  });

  it.each([
    { capacity: Number.NaN },
    { capacity: -1 },
    { capacity: 0 },
    { capacity: 1.5 },
    { capacity: Number.POSITIVE_INFINITY },
    { capacity: '100' as unknown as number },
    { capacity: 2 ** 53, refillPeriodMs: 1 },
    { refillAmount: Number.NaN },
    { refillAmount: 0 },
    { refillPeriodMs: 0 },
    { refillPeriodMs: 0.5 },
    { maxDebt: -1 },
    { maxDebt: Number.NaN },
  ])('A15: a limit with %j is rejected', async (wrong) => {
    await expect(charge(uniqueName('limit'), { ...bucket(100, 1), ...wrong })).rejects.toThrow(TypeError);
  });
});
