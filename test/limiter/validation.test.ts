import { describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Receipt } from '../../src/limiter/charge/decision.js';
import { ENGINES, someone } from './engines.js';

const bucket: LimitCharge = {
  id: 'tier',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 10,
  refillAmount: 1,
  refillPeriodMs: 1000,
  cost: 1,
};
const window: LimitCharge = {
  id: 'calls',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 10,
  windowMs: 1000,
  cost: 1,
};
const sliding: LimitCharge = { ...window, algorithm: 'SLIDING_WINDOW_COUNTER' };
const log: LimitCharge = { ...window, algorithm: 'SLIDING_WINDOW_LOG' };
const { capacity: _, ...withoutCapacity } = bucket;

const BAD: [string, unknown, RegExp][] = [
  ...[Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, 2 ** 31, '1', null, undefined].map(
    (cost): [string, unknown, RegExp] => [
      `a cost of ${cost}`,
      { ...bucket, cost },
      /limits\[0\] "tier": cost: expected/,
    ],
  ),
  ['no capacity', withoutCapacity, /"tier": capacity: expected a whole number from 1/],
  ['a capacity of zero', { ...bucket, capacity: 0 }, /"tier": capacity: expected/],
  ['a capacity that is too large to be exact', { ...bucket, capacity: 2 ** 43 }, /"tier": capacity: expected .*2\^52/],
  ['a fractional refill', { ...bucket, refillAmount: 0.1 }, /"tier": refillAmount: expected/],
  ['no refill period', { ...bucket, refillPeriodMs: 0 }, /"tier": refillPeriodMs: expected/],
  ['a negative debt', { ...bucket, maxDebt: -1 }, /"tier": maxDebt: expected/],
  ['an infinite delay', { ...bucket, maxDelayMs: Number.POSITIVE_INFINITY }, /"tier": maxDelayMs: expected/],
  ['no window', { ...window, windowMs: undefined }, /"calls": windowMs: expected/],
  ['an amount as text', { ...window, amount: '10' }, /"calls": amount: expected/],
  [
    'a sliding amount that is too large to be exact',
    { ...sliding, amount: 2 ** 39, windowMs: 86_400_000 },
    /"calls": amount: .*2\^52/,
  ],
  [
    'a log of more than 1,000 entries',
    { ...log, amount: 1001 },
    /"calls": amount: expected a whole number from 1 to 1000/,
  ],
  ['an unknown algorithm', { ...window, algorithm: 'GUESS' }, /"calls": algorithm: expected one of TOKEN_BUCKET/],
  ['an unknown scope', { ...window, scope: 'PLANET' }, /"calls": scope: expected one of USER/],
  ['an unknown mode', { ...window, mode: 'MAYBE' }, /"calls": mode: expected one of ENFORCE, SHADOW/],
  ['a rank that is no number', { ...window, rank: Number.NaN }, /"calls": rank: expected/],
  ['no id', { ...window, id: '' }, /limits\[0\]: id: expected/],
];

describe.each(ENGINES)('validation by the $name engine', ({ start }) => {
  test.each(
    BAD,
  )('a charge with %s is rejected, and the message names the limit and the field', async (_, limit, message) => {
    const { limiter } = start();
    const limits = [limit as LimitCharge];
    const rejection = expect(limiter.charge({ subject: someone(), limits })).rejects;
    await rejection.toThrow(TypeError);
    await expect(limiter.peek({ subject: someone(), limits })).rejects.toThrow(message);
    await limiter.close();
  });

  test.each([
    [
      { ...bucket, refilAmount: 5 },
      /"tier": refilAmount: unknown member, TOKEN_BUCKET takes .*; did you mean refillAmount\?/,
    ],
    [{ ...bucket, countdenied: true }, /"tier": countdenied: unknown member, .*; did you mean countDenied\?/],
    [
      { ...window, windowms: 5 },
      /"calls": windowms: unknown member, FIXED_WINDOW takes amount, windowMs; did you mean windowMs\?/,
    ],
  ])('a limit with an unknown member is rejected: %j', async (limit, message) => {
    const { limiter } = start();
    const rejection = expect(limiter.charge({ subject: someone(), limits: [limit as LimitCharge] })).rejects;
    await rejection.toThrow(TypeError);
    await expect(limiter.peek({ subject: someone(), limits: [limit as LimitCharge] })).rejects.toThrow(message);
    const unset = { ...bucket, windowMs: undefined, typo: undefined } as unknown as LimitCharge;
    expect(await limiter.charge({ subject: someone(), limits: [unset] })).toMatchObject({ admitted: true });
    await limiter.close();
  });

  test('members that belong to other algorithms are ignored, whatever was charged before', async () => {
    const { limiter } = start();
    const limits = [
      { ...bucket, strict: 'yes', windowMs: -1 },
      { ...window, maxDelayMs: -1, maxDebt: 'all', strict: 7, capacity: null },
    ] as unknown as LimitCharge[];
    for (const known of [limits, [bucket, window], limits]) {
      expect(await limiter.charge({ subject: someone(), limits: known })).toMatchObject({ admitted: true });
    }
    await limiter.close();
  });

  test('a subject with an unknown member is rejected', async () => {
    const { limiter } = start();
    const charge = (subject: unknown, ...limits: LimitCharge[]) =>
      limiter.charge({ subject: subject as never, limits });
    const ofTenant: LimitCharge = { ...bucket, scope: 'TENANT' };
    const everyone: LimitCharge = { ...bucket, scope: 'GLOBAL' };
    for (const limits of [[bucket], [everyone], [bucket, window], []]) {
      await expect(charge({ userId: 'x' }, ...limits)).rejects.toThrow(
        'subject.userId: unknown member, expected user, tenant, apiKey, ip; did you mean user?',
      );
    }
    for (let i = 0; i < 2; i++) {
      const misspelled = charge({ user: 'x', tenent: 'acme' }, bucket, ofTenant);
      await expect(misspelled).rejects.toThrow('subject.tenent: unknown member');
    }
    const tiered = { ...someone(), tier: 'pro', bucket: undefined };
    expect(await charge(tiered, bucket, ofTenant)).toMatchObject({ admitted: true });
    expect(await charge({}, ofTenant)).toMatchObject({ admitted: true });
    await limiter.close();
  });

  test('a subject without any name is rejected, such as an anonymous caller whose connection has closed', async () => {
    const { limiter } = start();
    for (const limit of [bucket, { ...window, scope: 'IP' } as const]) {
      await expect(limiter.charge({ subject: {}, limits: [limit] })).rejects.toThrow(
        'subject: expected one of user, tenant, apiKey, ip, because limits[0]',
      );
    }
    await limiter.close();
  });

  test('the receipt of a denied charge is rejected', async () => {
    const { limiter } = start();
    const denied = await limiter.charge({ subject: someone(), limits: [{ ...bucket, cost: 11 }] });
    const { receipt } = denied as unknown as { receipt: Receipt };
    await expect(limiter.settle(receipt, {})).rejects.toThrow(
      'receipt: expected the receipt of an admitted charge, got undefined: a denied charge has none',
    );
    await limiter.close();
  });

  test('a repeated counter, more than 64 limits and a subject that is no object are rejected', async () => {
    const { limiter } = start();
    const subject = someone();
    await expect(limiter.charge({ subject, limits: [window, { ...window, amount: 5 }] })).rejects.toThrow(
      /each counter once/,
    );
    const many = Array.from({ length: 65 }, (_, i) => ({ ...window, id: `${i}` }));
    await expect(limiter.charge({ subject, limits: many })).rejects.toThrow(/at most 64/);
    await expect(limiter.charge({ subject: null as never, limits: [] })).rejects.toThrow(/subject: expected an object/);
    await expect(limiter.charge({ subject: { user: 7 as never }, limits: [] })).rejects.toThrow(
      /subject.user: expected a string/,
    );
    await limiter.close();
  });
});
