import { describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import { ENGINES, someone } from './engines.js';

const bucket = { id: 'bucket', scope: 'USER', algorithm: 'TOKEN_BUCKET', capacity: 10 } as const;
const perSecond = { refillAmount: 1, refillPeriodMs: 1000 } as const;
const sliding = { id: 'sliding', scope: 'TENANT', algorithm: 'SLIDING_WINDOW_COUNTER', windowMs: 60_000 } as const;

describe.each(ENGINES)('charges with the $name engine', ({ start }) => {
  test('a charge takes each cost from its limit and reports the remaining amounts', async () => {
    const { limiter } = start();
    const decision = await limiter.charge({
      subject: someone(),
      limits: [
        { ...bucket, ...perSecond, cost: 4 },
        { ...sliding, amount: 100, cost: 1 },
      ],
    });
    expect(decision).toMatchObject({ admitted: true, delayMs: 0, degraded: false });
    expect(decision.limits).toMatchObject([
      { id: 'bucket', limit: 10, used: 4, remaining: 6, retryAfterMs: 0, violated: false },
      { id: 'sliding', limit: 100, used: 1, remaining: 99, retryAfterMs: 0, violated: false },
    ]);
    await limiter.close();
  });

  test('a charge is not affected if the caller changes the subject object for the next charge', async () => {
    const { limiter } = start();
    await limiter.opened;
    const limits: LimitCharge[] = [
      { id: 'calls', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 60_000, cost: 1 },
    ];
    const subject = { user: '' };
    const users = [someone().user, someone().user, someone().user];
    const charged = users.map((user) => limiter.charge({ subject: Object.assign(subject, { user }), limits }));
    await Promise.all(charged);
    for (const user of users) {
      await limiter.charge({ subject: Object.assign(subject, { user }), limits });
      expect((await limiter.peek({ subject: { user }, limits }))[0]!.used).toBe(2);
    }
  });

  test('a charge takes tokens from every limit, or from none when one of them is used up', async () => {
    const { limiter } = start();
    const subject = someone();
    const limits: LimitCharge[] = [
      { ...sliding, amount: 100, cost: 1 },
      { ...bucket, ...perSecond, cost: 10 },
    ];
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true });
    const denied = await limiter.charge({ subject, limits });
    expect(denied).toMatchObject({ admitted: false, code: 'THROTTLED', deniedBy: 'bucket', retryAfterMs: 10_000 });
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 1 }, { used: 10 }]);
    await limiter.close();
  });

  test('charges and settlements of one caller are correct when their limits do not fit into one call', async () => {
    const { limiter } = start();
    const subject = someone();
    const decisions = await Promise.all(
      Array.from({ length: 32 }, (_, operation) => {
        const limits = Array.from(
          { length: 9 },
          (__, i): LimitCharge => ({ ...bucket, ...perSecond, id: `field ${operation * 9 + i}`, cost: 1 }),
        );
        return limiter.charge({ subject, limits });
      }),
    );
    for (const { admitted, degraded, limits } of decisions) {
      expect({ admitted, degraded }).toEqual({ admitted: true, degraded: false });
      expect(limits.map(({ used }) => used)).toEqual(Array(9).fill(1));
    }
    const admissions = decisions.filter((decision) => decision.admitted);
    await Promise.all(
      admissions.map(({ receipt, limits }) =>
        limiter.settle(receipt, Object.fromEntries(limits.map(({ id }) => [id, 0]))),
      ),
    );
    // At most 64 of the counters still exist, and all of them are empty.
    for (const { limits } of admissions) {
      const idle = limits.map(({ id }): LimitCharge => ({ ...bucket, ...perSecond, id, cost: 0 }));
      expect((await limiter.peek({ subject, limits: idle })).map(({ used }) => used)).toEqual(Array(9).fill(0));
    }
    await limiter.close();
  });
});
