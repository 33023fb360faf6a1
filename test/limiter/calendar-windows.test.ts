import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { ProtectionLimiter } from '../../src/limiter/create-limiter.js';
import { uniqueName } from '../helpers/servers.js';
import { ENGINES, someone } from './engines.js';

const month = {
  id: 'month',
  scope: 'USER',
  algorithm: 'CALENDAR_WINDOW',
  amount: 10,
  every: 'MONTH',
  cost: 1,
} as const satisfies LimitCharge;
const SECOND_MS = 1000;
const MIDNIGHT = Date.UTC(2024, 1, 1);

describe.each(ENGINES)('a calendar window in the $name engine', ({ start }) => {
  let limiter: ProtectionLimiter;
  let clock: { now: number };
  beforeAll(() => {
    ({ limiter, clock } = start());
  });
  afterAll(() => limiter.close());

  const charge = (subject: ReturnType<typeof someone>, limit: LimitCharge) =>
    limiter.charge({ subject, limits: [limit] });
  async function stateOf(subject: ReturnType<typeof someone> & { billingAnchor?: string }, limit: LimitCharge) {
    const [state] = await limiter.peek({ subject, limits: [{ ...limit, cost: 0 }] });
    return state!;
  }

  test('a period ends at the boundary, and resetAtMs and retryAfterMs name it', async () => {
    const subject = someone();
    clock.now = MIDNIGHT - 1500;
    expect(await charge(subject, { ...month, cost: 10 })).toMatchObject({
      admitted: true,
      limits: [{ used: 10, remaining: 0, overage: 0, resetAtMs: MIDNIGHT, windowMs: 31 * 86_400_000 }],
    });
    expect(await charge(subject, month)).toMatchObject({ admitted: false, retryAfterMs: 1500 });
    clock.now = MIDNIGHT - 1;
    expect(await charge(subject, month)).toMatchObject({ admitted: false, retryAfterMs: 1 });
    clock.now = MIDNIGHT;
    expect(await charge(subject, { ...month, cost: 10 })).toMatchObject({
      admitted: true,
      limits: [{ used: 10, resetAtMs: Date.UTC(2024, 2, 1), windowMs: 29 * 86_400_000 }],
    });
  });

  test('an operation admitted at 23:59:59.9 and settled at 00:00:00.1 leaves the new period untouched', async () => {
    for (const actual of [0, 3, 9]) {
      const subject = someone();
      clock.now = MIDNIGHT - 100;
      const late = await charge(subject, { ...month, cost: 5 });
      if (!late.admitted) throw new Error('denied');
      clock.now = MIDNIGHT + 50;
      await charge(subject, { ...month, cost: 2 });
      clock.now = MIDNIGHT + 100;
      await limiter.settle(late.receipt, { month: actual });
      expect(await stateOf(subject, month)).toMatchObject({ used: 2, remaining: 8 });
    }
  });

  test('a settlement within the period corrects it', async () => {
    const subject = someone();
    clock.now = MIDNIGHT + 100;
    const decision = await charge(subject, { ...month, cost: 5 });
    if (!decision.admitted) throw new Error('denied');
    clock.now = MIDNIGHT + 20 * 86_400_000;
    await limiter.settle(decision.receipt, { month: 2 });
    expect(await stateOf(subject, month)).toMatchObject({ used: 2 });
  });

  test('the part of the count between amount and hardCap is admitted and reported as overage', async () => {
    const subject = someone();
    clock.now = MIDNIGHT;
    const limit: LimitCharge = { ...month, hardCap: 15, cost: 12 };
    const admitted = await charge(subject, limit);
    expect(admitted).toMatchObject({ admitted: true, limits: [{ limit: 15, used: 12, remaining: 3, overage: 2 }] });
    expect(await charge(subject, { ...limit, cost: 4 })).toMatchObject({ admitted: false, maxAdmissibleCost: 3 });
    if (admitted.admitted) await limiter.settle(admitted.receipt, { month: 9 });
    expect(await stateOf(subject, limit)).toMatchObject({ used: 9, remaining: 6, overage: 0 });
    expect(await charge(subject, { ...limit, cost: 16 })).toMatchObject({ code: 'COST_EXCEEDS_CAPACITY' });
  });

  test('unused amounts are carried over by one period, are used first, and are not carried on', async () => {
    const subject = someone();
    const limit: LimitCharge = { ...month, carryOver: { percent: 50, max: 4 } };
    clock.now = MIDNIGHT;
    // The period before was unused: 4 of 10 are carried over, and 4 + 10 can be used.
    expect(await stateOf(subject, limit)).toMatchObject({ used: 0, remaining: 14, carriedOver: 4 });
    await charge(subject, { ...limit, cost: 3 });
    expect(await stateOf(subject, limit)).toMatchObject({ used: 0, remaining: 11, carriedOver: 1 });
    await charge(subject, { ...limit, cost: 6 });
    expect(await stateOf(subject, limit)).toMatchObject({ used: 5, remaining: 5, carriedOver: 0 });
    // Half of the 5 that are left, rounded down.
    clock.now = Date.UTC(2024, 2, 1);
    expect(await stateOf(subject, limit)).toMatchObject({ used: 0, remaining: 12, carriedOver: 2 });
    await charge(subject, { ...limit, cost: 12 });
    clock.now = Date.UTC(2024, 3, 1);
    expect(await stateOf(subject, limit)).toMatchObject({ used: 0, remaining: 10, carriedOver: 0 });
    await charge(subject, { ...limit, cost: 10 });
    // After a period without usage, the period before that has no effect.
    clock.now = Date.UTC(2024, 5, 1);
    expect(await stateOf(subject, limit)).toMatchObject({ remaining: 14, carriedOver: 4 });
  });

  test('the periods of a subject with a billing anchor start on its day, clamped to the last day of a month', async () => {
    const limit: LimitCharge = { ...month, anchor: 'SUBJECT' };
    const subject = { ...someone(), billingAnchor: '2023-10-31' };
    clock.now = Date.UTC(2024, 1, 10);
    expect(await charge(subject, limit)).toMatchObject({ limits: [{ resetAtMs: Date.UTC(2024, 1, 29) }] });
    clock.now = Date.UTC(2024, 1, 29);
    expect(await charge(subject, limit)).toMatchObject({ limits: [{ used: 1, resetAtMs: Date.UTC(2024, 2, 31) }] });
    const without = someone();
    expect(await charge(without, limit)).toMatchObject({ limits: [{ resetAtMs: Date.UTC(2024, 2, 1) }] });
    await expect(charge({ ...someone(), billingAnchor: '2024-02-30' } as never, limit)).rejects.toThrow(
      'subject.billingAnchor: expected a date as YYYY-MM-DD, got "2024-02-30"',
    );
  });

  test('an edit of the boundaries keeps the count, and the period ends at the earlier of both boundaries', async () => {
    for (const [before, after] of [
      [1, 15],
      [15, 1],
    ]) {
      const subject = someone();
      clock.now = Date.UTC(2024, 1, 10);
      await charge(subject, { ...month, anchorDay: before!, cost: 7 });
      const edited: LimitCharge = { ...month, anchorDay: after! };
      expect(await stateOf(subject, edited)).toMatchObject({ used: 7 });
      await charge(subject, edited);
      clock.now = Date.UTC(2024, 1, 15) - 1;
      expect(await stateOf(subject, edited)).toMatchObject({ used: 8 });
      clock.now = Date.UTC(2024, 1, 15);
      expect(await stateOf(subject, edited)).toMatchObject({ used: 0 });
    }
  });

  test('the count of a year stays until the year ends, even after many months without a charge', async () => {
    const subject = someone();
    const limit: LimitCharge = { ...month, id: uniqueName('year'), every: 'YEAR', anchorDay: 2 };
    clock.now = Date.UTC(2024, 0, 2);
    await charge(subject, { ...limit, cost: 10 });
    clock.now = Date.UTC(2025, 0, 2) - 1;
    expect(await charge(subject, limit)).toMatchObject({ admitted: false, retryAfterMs: 1 });
    clock.now += 1;
    expect(await charge(subject, limit)).toMatchObject({ admitted: true });
  });

  test('a denied operation counts with countDenied, and a shadow limit reports but admits', async () => {
    const subject = someone();
    clock.now = MIDNIGHT;
    const counting: LimitCharge = { ...month, countDenied: true, cost: 8 };
    await charge(subject, counting);
    await charge(subject, counting);
    expect(await stateOf(subject, month)).toMatchObject({ used: 16, remaining: 0, overage: 6 });
    const shadow: LimitCharge = { ...month, mode: 'SHADOW' };
    expect(await charge(subject, shadow)).toMatchObject({ admitted: true, limits: [{ wouldDeny: true }] });
    expect(await limiter.reset({ subject, limits: [month] })).toBe(true);
    expect(await stateOf(subject, month)).toMatchObject({ used: 0 });
  });

  test('the count stays if the clock is set back, even into the period before', async () => {
    const subject = someone();
    clock.now = MIDNIGHT + 60 * SECOND_MS;
    await charge(subject, { ...month, cost: 10 });
    clock.now = MIDNIGHT + 30 * SECOND_MS;
    expect(await charge(subject, month)).toMatchObject({ admitted: false });
    clock.now = MIDNIGHT - 30 * SECOND_MS;
    expect(await charge(subject, month)).toMatchObject({ admitted: false, retryAfterMs: 30 * SECOND_MS });
  });
});

describe('the parameters of a calendar window', () => {
  test('all mistakes are listed, each with its member and the nearest name', async () => {
    const { limiter } = ENGINES[0]!.start();
    const bad = {
      ...month,
      amount: 100,
      every: 'WEEK',
      timeZone: 'Europe/Berln',
      anchorDay: 8,
      anchorTime: '24:00',
      anchor: 'SUBJCT',
      hardCap: 99,
      carryOver: { percent: 101, max: 0, maxi: 3 },
    } as unknown as LimitCharge;
    const place = (line: string) => `limits[0] "month": ${line}`;
    await expect(limiter.charge({ subject: someone(), limits: [bad] })).rejects.toThrow(
      [
        'timeZone: expected an IANA time zone, such as Europe/Berlin, got "Europe/Berln"; did you mean Europe/Berlin?',
        'anchorDay: expected a day from 1 (Monday) to 7 for WEEK, got 8',
        'anchorTime: expected a local time as HH:MM, such as 06:30, got "24:00"',
        'anchor: expected one of CALENDAR, SUBJECT, got "SUBJCT"; did you mean SUBJECT?',
        'hardCap: expected a whole number from amount (100) to 1099511627775, got 99',
        'carryOver.maxi: unknown member, expected percent, max; did you mean max?',
        'carryOver.percent: expected a whole number from 1 to 100, got 101',
        'carryOver.max: expected a whole number from 1 to 1099511627775, got 0',
      ]
        .map(place)
        .join('\n'),
    );
    const without = { ...month, every: 'DAY', anchorDay: 3, anchor: 'SUBJECT', scope: 'GLOBAL' } as const;
    await expect(limiter.charge({ subject: someone(), limits: [without] })).rejects.toThrow(
      [
        'anchorDay: has no effect on DAY: remove it',
        'anchor: has no effect on DAY, because a billing anchor is a date: remove it',
        'anchor: has no effect on the scope GLOBAL: remove it',
      ]
        .map(place)
        .join('\n'),
    );
    // Users with different billing anchors can share an address, and each anchor would end its
    // period.
    const ofAddress = { ...month, anchor: 'SUBJECT', scope: 'IP' } as const;
    await expect(limiter.charge({ subject: someone(), limits: [ofAddress] })).rejects.toThrow(
      place('anchor: has no effect on the scope IP: remove it'),
    );
    await limiter.close();
  });
});
