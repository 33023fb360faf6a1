import { describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Receipt } from '../../src/limiter/charge/decision.js';
import { ENGINES, someone } from './engines.js';

const windows: LimitCharge[] = [
  { id: 'fixed', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 60_000, cost: 0 },
  { id: 'sliding', scope: 'USER', algorithm: 'SLIDING_WINDOW_COUNTER', amount: 10, windowMs: 60_000, cost: 0 },
  {
    id: 'strict',
    scope: 'USER',
    algorithm: 'SLIDING_WINDOW_COUNTER',
    strict: true,
    amount: 10,
    windowMs: 60_000,
    cost: 0,
  },
  { id: 'log', scope: 'USER', algorithm: 'SLIDING_WINDOW_LOG', amount: 10, windowMs: 60_000, cost: 0 },
];
const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 100,
  refillAmount: 1,
  refillPeriodMs: 1000,
  cost: 0,
};
const slots: LimitCharge = {
  id: 'slots',
  scope: 'USER',
  algorithm: 'CONCURRENCY',
  capacity: 10,
  leaseMs: 60_000,
  cost: 0,
};

describe.each(ENGINES)('late settlements with the $name engine', ({ start }) => {
  async function charge(limiter: ReturnType<typeof start>['limiter'], subject: object, limits: LimitCharge[]) {
    const decision = await limiter.charge({ subject, limits });
    if (!decision.admitted) throw new Error(`denied by ${decision.deniedBy}`);
    return decision.receipt as Receipt;
  }

  test('a charge of 0 that is settled to a higher cost counts in every limit that counts costs', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const limits = [...windows, bucket, slots];
    const receipt = await charge(limiter, subject, limits);
    clock.now += 10;
    await limiter.settle(receipt, Object.fromEntries(limits.map(({ id }) => [id, 7])));
    const asked = limits.map((limit) => ({ ...limit, cost: limit.id === 'slots' ? 0 : 4 }));
    const states = await limiter.peek({ subject, limits: asked });
    expect(states.map(({ used }) => used)).toEqual([7, 7, 7, 7, 7, 0]);
    expect(states.map(({ violated }) => violated)).toEqual([true, true, true, true, false, false]);
    // The entry of the log expires a window after the charge, not after the settlement.
    clock.now += 60_000 - 11;
    expect(await limiter.peek({ subject, limits: [windows[3]!] })).toMatchObject([{ used: 7 }]);
    clock.now += 1;
    expect(await limiter.peek({ subject, limits: [windows[3]!] })).toMatchObject([{ used: 0 }]);
    await limiter.close();
  });

  test('a charge of 0 that is settled to a higher cost does not count in a log whose window has ended', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const receipt = await charge(limiter, subject, [windows[3]!]);
    clock.now += 60_000;
    await limiter.settle(receipt, { log: 7 });
    expect(await limiter.peek({ subject, limits: [windows[3]!] })).toMatchObject([{ used: 0 }]);
    await limiter.close();
  });

  test.each([
    0, 10, 90, 200,
  ])('an edited rate still applies after an operation from before the edit is settled to %i', async (actual) => {
    const edited = { ...bucket, refillAmount: 50 };
    for (const waitMs of [0, 5000]) {
      const { limiter, clock } = start();
      const subject = someone();
      const receipt = await charge(limiter, subject, [{ ...bucket, cost: 50 }]);
      await charge(limiter, subject, [{ ...edited, cost: 40 }]);
      clock.now += waitMs;
      await limiter.settle(receipt, { bucket: actual });
      const [settled] = await limiter.peek({ subject, limits: [edited] });
      clock.now += 1000;
      const [later] = await limiter.peek({ subject, limits: [edited] });
      expect(later!.used).toBe(Math.max(0, settled!.used - 50));
      await limiter.close();
    }
  });
});
