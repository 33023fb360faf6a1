import { describe, expect, test } from 'vitest';
import { createCheckedRequest } from '../../src/limiter/charge/checked-request.js';
import { createChargeReader } from '../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';

const window = { algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 1000 } as const;
const KINDS: Omit<LimitCharge, 'id' | 'cost'>[] = [
  { scope: 'USER', ...window },
  { scope: 'TENANT', algorithm: 'SLIDING_WINDOW_LOG', amount: 10, windowMs: 1000 },
  { scope: 'USER', ...window, mode: 'SHADOW' },
  { scope: 'IP', algorithm: 'LEAKY_BUCKET', capacity: 10, refillAmount: 1, refillPeriodMs: 1000 },
];
const LIMITS = Array.from({ length: 12 }, (_, i): LimitCharge => ({ id: `limit ${i}`, cost: i, ...KINDS[i % 4]! }));

/** More sets of limits than the reader caches, each in one of two orders. */
const SETS = Array.from({ length: 2500 }, (_, number) => {
  const some = LIMITS.filter((_, i) => (number >> i) % 2 === 1);
  return number % 3 === 0 ? some.toReversed() : some;
});

describe('checked request of a charge', () => {
  test('a checked request contains the requested limits in order, whatever was requested before', () => {
    const { read } = createChargeReader();
    const subject = { user: 'ada', tenant: 'acme', ip: '10.0.0.1' };
    for (const sets of [SETS, SETS.toReversed(), SETS]) {
      for (const charges of sets) {
        const checked = read(subject, charges);
        expect(checked.limits.map(({ id }) => id)).toEqual(charges.map(({ id }) => id));
        expect(checked.costs).toEqual(charges.map(({ cost }) => cost));
        expect(checked).toEqual(createCheckedRequest(subject, checked.limits, checked.costs));
      }
    }
  });

  test('a checked request leaves out the limits whose scope the current subject lacks', () => {
    const { read } = createChargeReader();
    for (let i = 0; i < 2; i++) {
      expect(read({ user: 'ada', tenant: 'acme' }, LIMITS).limits).toHaveLength(9);
      expect(read({ user: 'ada' }, LIMITS).limits).toHaveLength(6);
      expect(read({ user: 'ada', ip: '10.0.0.1' }, LIMITS).costs).toEqual([0, 2, 3, 4, 6, 7, 8, 10, 11]);
      expect(read({ tenant: 'acme' }, LIMITS).limits).toHaveLength(3);
    }
  });

  test('an empty subject is rejected for a limit of scope IP, and accepted for a limit of scope API_KEY', () => {
    const { read } = createChargeReader();
    const everybody = { id: 'all', scope: 'GLOBAL', cost: 1, ...window } as const;
    const address = { id: 'address', scope: 'IP', cost: 1, ...window } as const;
    const missingCaller = /^subject: expected one of user, .* because limits\[1\] "address" has the scope IP$/;
    for (const subject of [{}, { ip: undefined } as unknown as { ip: string }]) {
      expect(() => read(subject, [everybody, address])).toThrow(missingCaller);
      expect(read(subject, [everybody, { ...address, scope: 'API_KEY' }]).limits).toHaveLength(1);
    }
  });

  test('a request that contains the same counter twice is rejected every time', () => {
    const { read } = createChargeReader();
    const twice = [LIMITS[0]!, { ...LIMITS[0]!, amount: 5 }];
    for (let i = 0; i < 2; i++) {
      expect(() => read({ user: 'ada' }, twice)).toThrow(/each counter once/);
      expect(read({ user: 'ada' }, [LIMITS[0]!]).limits).toHaveLength(1);
    }
  });

  test('copies of a prepared limit produce equal requests, each with its own validated cost', () => {
    const { read, prepare } = createChargeReader();
    const subject = { user: 'ada', tenant: 'acme', ip: '10.0.0.1' };
    const prepared = LIMITS.map(prepare);
    const written = read(
      subject,
      LIMITS.map((limit, i) => ({ ...limit, cost: 7 + i })),
    );
    const copied = read(
      subject,
      prepared.map((limit, i) => ({ ...limit, cost: 7 + i })),
    );
    expect(copied).toEqual(written);
    expect(copied.limits.every((limit, i) => limit === written.limits[i])).toBe(true);
    expect(() => read(subject, [{ ...prepared[0]!, cost: -1 }])).toThrow(/"limit 0": cost: expected/);
    expect(() => read(subject, [prepared[0]!, LIMITS[0]!])).toThrow(/each counter once/);
    expect(() => prepare({ ...LIMITS[0]!, amount: 0 })).toThrow(/"limit 0": amount: expected/);
  });
});
