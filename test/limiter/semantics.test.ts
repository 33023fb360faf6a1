import { describe, expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Admission, Decision } from '../../src/limiter/charge/decision.js';
import { ENGINES, someone } from './engines.js';

const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 10,
  refillAmount: 1,
  refillPeriodMs: 1000,
  cost: 1,
};
const fixed: LimitCharge = {
  id: 'fixed',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 10,
  windowMs: 60_000,
  cost: 1,
};
const sliding: LimitCharge = { ...fixed, id: 'sliding', algorithm: 'SLIDING_WINDOW_COUNTER' };
const strict: LimitCharge = { ...sliding, id: 'strict', strict: true };
const log: LimitCharge = { ...fixed, id: 'log', algorithm: 'SLIDING_WINDOW_LOG' };
const leaky: LimitCharge = { ...bucket, id: 'leaky', algorithm: 'LEAKY_BUCKET' };
const places: LimitCharge = {
  id: 'places',
  scope: 'USER',
  algorithm: 'CONCURRENCY',
  capacity: 10,
  leaseMs: 60_000,
  cost: 1,
};
const ALL = [bucket, leaky, fixed, sliding, strict, log, places];

function admission(decision: Decision): Admission {
  if (!decision.admitted) throw new Error(`denied by ${decision.deniedBy}`);
  return decision;
}

describe.each(ENGINES)('decisions with the $name engine', ({ start }) => {
  test('a denied charge changes no counter when one of k limits is used up, for every k up to 8 and every position', async () => {
    const { limiter } = start();
    for (let k = 1; k <= 8; k++) {
      for (let full = 0; full < k; full++) {
        const subject = someone();
        const limits = Array.from({ length: k }, (_, i) => ({ ...ALL[(i + full) % ALL.length]!, id: `limit ${i}` }));
        admission(await limiter.charge({ subject, limits: [{ ...limits[full]!, cost: 10 }] }));
        const before = await limiter.peek({ subject, limits });
        const denied = await limiter.charge({ subject, limits });
        expect(denied).toMatchObject({ admitted: false, deniedBy: `limit ${full}` });
        expect(await limiter.peek({ subject, limits })).toEqual(before);
      }
    }
    await limiter.close();
  });

  test.each(
    ALL.filter((limit) => limit !== places),
  )('a denied charge is admitted after exactly retryAfterMs and not a millisecond before: $id', async (limit) => {
    const { limiter, clock } = start();
    for (const startsAfterMs of [0, 1, 7777, 29_999, 59_999]) {
      clock.now = 1_700_000_040_000 + startsAfterMs;
      const subject = someone();
      admission(await limiter.charge({ subject, limits: [{ ...limit, cost: 4 }] }));
      clock.now += 12_345;
      admission(await limiter.charge({ subject, limits: [{ ...limit, cost: 6 }] }));
      const wanted = [{ ...limit, cost: 5 }];
      const denied = await limiter.charge({ subject, limits: wanted });
      if (denied.admitted || !denied.retryAfterMs) throw new Error('expected a denial with a wait');
      clock.now += denied.retryAfterMs - 1;
      expect(await limiter.charge({ subject, limits: wanted })).toMatchObject({ admitted: false, retryAfterMs: 1 });
      clock.now += 1;
      expect(await limiter.charge({ subject, limits: wanted })).toMatchObject({ admitted: true });
    }
    await limiter.close();
  });

  test('a denial by a concurrency limit reports when the first slot expires, and a settlement frees a slot', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const limits = [{ ...places, capacity: 2 }];
    const first = admission(await limiter.charge({ subject, limits }));
    clock.now += 1000;
    admission(await limiter.charge({ subject, limits }));
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false, retryAfterMs: 59_000 });
    await limiter.settle(first.receipt, { places: 1 });
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true });
    clock.now += 59_000;
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 2 }]);
    clock.now += 1000;
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 0 }]);
    await limiter.close();
  });

  test('a cost of exactly the remaining amount is admitted, and a cost of one more is denied', async () => {
    const { limiter } = start();
    for (const limit of ALL) {
      const subject = someone();
      admission(await limiter.charge({ subject, limits: [{ ...limit, cost: 3 }] }));
      const denied = await limiter.charge({ subject, limits: [{ ...limit, cost: 8 }] });
      expect(denied, limit.id).toMatchObject({ admitted: false, code: 'THROTTLED', maxAdmissibleCost: 7 });
      const rest = await limiter.charge({ subject, limits: [{ ...limit, cost: 7 }] });
      expect(rest.limits, limit.id).toMatchObject([{ used: 10, remaining: 0 }]);
    }
    await limiter.close();
  });

  test('a cost above the capacity is denied without a retry time, and nothing is charged or counted', async () => {
    const { limiter } = start();
    const subject = someone();
    const limits = [
      { ...fixed, countDenied: true },
      { ...bucket, cost: 11 },
    ];
    const denied = await limiter.charge({ subject, limits });
    expect(denied).toMatchObject({ code: 'COST_EXCEEDS_CAPACITY', deniedBy: 'bucket', maxAdmissibleCost: 10 });
    expect(denied).not.toHaveProperty('retryAfterMs');
    expect(await limiter.peek({ subject, limits: [fixed] })).toMatchObject([{ used: 0 }]);
    await limiter.close();
  });

  test('a zero cost is never denied, not even in debt', async () => {
    const { limiter } = start();
    const subject = someone();
    for (const limit of ALL) {
      const { receipt } = admission(await limiter.charge({ subject, limits: [{ ...limit, cost: 10 }] }));
      if (limit !== places) await limiter.settle(receipt, { [limit.id]: 15 });
    }
    const free = await limiter.charge({ subject, limits: ALL.map((limit) => ({ ...limit, cost: 0 })) });
    expect(free).toMatchObject({ admitted: true, delayMs: 0 });
    expect(free.limits.every((state) => state.remaining === 0 && state.retryAfterMs === 0)).toBe(true);
    await limiter.close();
  });

  test('a denial names the narrowest denying limit: by rank, then by scope, then by the order in the request', async () => {
    const { limiter } = start();
    const subject = someone();
    const full = (id: string, scope: LimitCharge['scope'], rank: number): LimitCharge => ({
      ...fixed,
      id,
      scope,
      rank,
    });
    const limits = [full('wide', 'USER', 2), full('tenant', 'TENANT', 1), full('ip', 'IP', 1), full('ip 2', 'IP', 1)];
    for (const limit of limits) admission(await limiter.charge({ subject, limits: [{ ...limit, cost: 10 }] }));
    for (const expected of ['ip', 'ip 2', 'tenant', 'wide']) {
      expect(await limiter.charge({ subject, limits })).toMatchObject({ deniedBy: expected });
      limits.splice(
        limits.findIndex(({ id }) => id === expected),
        1,
      );
    }
    await limiter.close();
  });

  test('a shadow limit reports operations that it would deny, charges only operations that it would admit, and denies none', async () => {
    const { limiter } = start();
    const subject = someone();
    const shadow: LimitCharge = { ...sliding, mode: 'SHADOW', amount: 2, cost: 1 };
    const limits = [shadow, { ...bucket, cost: 4 }];
    const wouldDeny = async () => (await limiter.charge({ subject, limits })).limits.map((state) => state.wouldDeny);
    expect(await wouldDeny()).toEqual([false, false]);
    expect(await wouldDeny()).toEqual([false, false]);
    // The bucket has 2 tokens left, so it denies. The full shadow limit reports that it would have
    // denied too.
    const denied = await limiter.charge({ subject, limits });
    expect(denied).toMatchObject({
      admitted: false,
      deniedBy: 'bucket',
      limits: [{ wouldDeny: true, violated: false }, {}],
    });
    const cheap = await limiter.charge({ subject, limits: [shadow, bucket] });
    expect(cheap).toMatchObject({ admitted: true, limits: [{ used: 2, wouldDeny: true, shadow: true }, { used: 9 }] });
    await limiter.close();
  });

  test('denied operations count only in limits with countDenied', async () => {
    const { limiter } = start();
    const subject = someone();
    const limits = [{ ...bucket, cost: 10 }, { ...fixed, countDenied: true }, sliding];
    admission(await limiter.charge({ subject, limits }));
    for (let i = 0; i < 3; i++) expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false });
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 10 }, { used: 4 }, { used: 1 }]);
    await limiter.close();
  });

  test('a denial reports numbers that include the denial when a limit counts denied operations', async () => {
    const { limiter } = start();
    const subject = someone();
    const limits = [
      { ...bucket, cost: 10 },
      { ...fixed, countDenied: true },
    ];
    admission(await limiter.charge({ subject, limits }));
    const denied = await limiter.charge({ subject, limits });
    expect(denied).toMatchObject({ admitted: false, limits: [{ used: 10 }, { used: 2 }] });
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 10 }, { used: 2 }]);
    await limiter.close();
  });

  test('maxDelayMs lets a leaky bucket admit more than its capacity, and does not bound the delays within its capacity', async () => {
    const { limiter } = start();
    for (const [maxDelayMs, admitted] of [
      [4_000, 10],
      [15_000, 16],
    ] as const) {
      const subject = someone();
      const limits = [{ ...leaky, maxDelayMs }];
      for (let i = 0; i < admitted; i++) {
        expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true, delayMs: i * 1000 });
      }
      expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false, retryAfterMs: 1000 });
    }
    await limiter.close();
  });

  test('a delayed charge reserves tokens, reports a delay of up to maxDelayMs, and is refunded by a settlement to 0', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const limits = [{ ...bucket, cost: 10, maxDelayMs: 10_000 }];
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true, delayMs: 0 });
    const waiting = admission(await limiter.charge({ subject, limits }));
    expect(waiting).toMatchObject({ delayMs: 10_000, limits: [{ used: 20, remaining: 0 }] });
    // A third operation would have to wait for 20 s. After 10 s, its delay would be 10 s, which
    // maxDelayMs allows.
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false, retryAfterMs: 10_000 });
    await limiter.settle(waiting.receipt, { bucket: 0 });
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 10 }]);
    clock.now += 5000;
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true, delayMs: 5000 });
    await limiter.close();
  });

  test('a charge is denied instead of delayed when another limit is used up', async () => {
    const { limiter } = start();
    const subject = someone();
    const limits = [
      { ...bucket, cost: 10, maxDelayMs: 10_000 },
      { ...fixed, cost: 10 },
    ];
    admission(await limiter.charge({ subject, limits }));
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false, deniedBy: 'fixed' });
    expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 10 }, { used: 10 }]);
    await limiter.close();
  });

  test('a leaky bucket delays each operation until the earlier operations have drained', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const delays: number[] = [];
    for (let i = 0; i < 10; i++) delays.push(admission(await limiter.charge({ subject, limits: [leaky] })).delayMs);
    expect(delays).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000]);
    expect(await limiter.charge({ subject, limits: [leaky] })).toMatchObject({ admitted: false, retryAfterMs: 1000 });
    clock.now += 9500;
    expect(await limiter.charge({ subject, limits: [leaky] })).toMatchObject({ admitted: true, delayMs: 500 });
    await limiter.close();
  });

  test('a counter stands still while its stored time is up to 5 s ahead of the clock, and is set to the clock beyond that', async () => {
    const { limiter, clock } = start();
    const subject = someone();
    const limits = [{ ...bucket, cost: 10 }];
    admission(await limiter.charge({ subject, limits }));
    clock.now -= 5000;
    // The wait is counted from the current time of the clock: 5 s until the clock reaches the
    // stored time, and 10 s of refill.
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false, retryAfterMs: 15_000 });
    expect(limiter.anomalies.rebased).toBe(0);
    clock.now -= 3_600_000;
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false, retryAfterMs: 10_000 });
    expect(limiter.anomalies.rebased).toBe(1);
    clock.now += 10_000;
    expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true });
    await limiter.close();
  });

  test('every caller has a separate counter, whatever their name contains', async () => {
    const { limiter } = start();
    const names = [
      '',
      'null',
      'anonymous',
      'a:b',
      'a',
      'b',
      'a}b',
      '{a',
      'a\0',
      'a\r\nb',
      '*',
      '\ud800',
      '\ud801',
      'é',
      'e\u0301',
    ];
    const tenant = someone().tenant;
    const subjects = [
      ...names.map((user) => ({ tenant, user })),
      ...names.map((apiKey) => ({ tenant, apiKey })),
      ...names.map((ip) => ({ tenant, ip })),
      { tenant, user: 'x'.repeat(1_000_000) },
    ];
    for (const subject of subjects) {
      expect(
        (await limiter.charge({ subject, limits: [bucket] })).limits[0]?.used,
        JSON.stringify(subject).slice(0, 80),
      ).toBe(1);
    }
    await limiter.close();
  });

  test('a charge leaves out the limits whose scope the subject lacks', async () => {
    const { limiter } = start();
    const { user } = someone();
    const limits = (['TENANT', 'API_KEY', 'IP', 'USER'] as const).map((scope) => ({ ...bucket, scope, id: scope }));
    const decision = await limiter.charge({ subject: { user }, limits });
    expect(decision.limits.map(({ id }) => id)).toEqual(['USER']);
    await limiter.close();
  });
});
