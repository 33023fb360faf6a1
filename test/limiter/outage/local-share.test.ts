import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createShares } from '../../../src/limiter/algorithms/create-shares.js';
import { createCheckedRequest } from '../../../src/limiter/charge/checked-request.js';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { toLimitStates } from '../../../src/limiter/charge/to-limit-states.js';
import { createMemoryEngine } from '../../../src/limiter/memory/memory-engine.js';
import type { LimitState } from '../../../src/model/limit-parameters.js';

const START_MS = 1_700_000_000_000;
const WINDOW_MS = 10_000;
const WHOLE = 100;

const window = { id: 'one', scope: 'USER', amount: WHOLE, windowMs: WINDOW_MS } as const;
const LIMITS: Record<string, Omit<LimitCharge, 'cost'>> = {
  TOKEN_BUCKET: {
    id: 'one',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: WHOLE,
    refillAmount: WHOLE,
    refillPeriodMs: WINDOW_MS,
  },
  FIXED_WINDOW: { ...window, algorithm: 'FIXED_WINDOW' },
  SLIDING_WINDOW_COUNTER: { ...window, algorithm: 'SLIDING_WINDOW_COUNTER' },
  'strict SLIDING_WINDOW_COUNTER': { ...window, algorithm: 'SLIDING_WINDOW_COUNTER', strict: true },
  SLIDING_WINDOW_LOG: { ...window, algorithm: 'SLIDING_WINDOW_LOG' },
};

/**
 * Starts one of several instances. Each instance has its own memory engine, which decides by its
 * share of the limit during an outage of Redis.
 */
function startInstance(clock: { now: number }, instances: number) {
  const memory = createMemoryEngine({ clock: () => clock.now });
  const divide = createShares();
  const read = createChargeReader().read;
  let charges = 0;
  return {
    charge(limit: Omit<LimitCharge, 'cost'>, cost: number): { admitted: boolean; state: LimitState } {
      const whole = read({ user: 'u' }, [{ ...limit, cost }]);
      const share = createCheckedRequest(
        whole.subject,
        whole.limits.map((one) => divide(one, instances)),
        whole.costs,
      );
      const result = memory.charge(share, String(charges++).padStart(6), share.impossible);
      return { admitted: result.admitted, state: toLimitStates(share, result)[0]! };
    },
  };
}

describe.each(Object.entries(LIMITS))('share of a %s during an outage', (_, limit) => {
  test('the shares of all instances together admit no more than the whole limit and its refill', () => {
    const clock = { now: START_MS };
    const fleet = Array.from({ length: 7 }, () => startInstance(clock, 7));
    let admitted = 0;
    const WINDOWS = 5;
    for (let step = 0; step < WINDOWS * 100; step++) {
      clock.now += WINDOW_MS / 100;
      for (const one of fleet) for (let i = 0; i < 5; i++) if (one.charge(limit, 1).admitted) admitted++;
    }
    expect(admitted).toBeLessThanOrEqual(WHOLE + WHOLE * WINDOWS);
    expect(admitted).toBeGreaterThan((WHOLE * WINDOWS) / 2);
  });

  test('an unused share admits an operation that fits the whole limit, and then goes into debt', () => {
    const clock = { now: START_MS };
    const one = startInstance(clock, 4);
    expect(one.charge(limit, 80)).toMatchObject({ admitted: true, state: { limit: WHOLE, remaining: 0 } });
    let next = 0;
    for (let waitedMs = 0; next === 0; waitedMs += WINDOW_MS / 10) {
      if (one.charge(limit, 1).admitted) next = waitedMs;
      clock.now += WINDOW_MS / 10;
    }
    // The operation spent 80 of a share of 25, so the share admits nothing for more than two
    // windows.
    expect(next).toBeGreaterThanOrEqual(2 * WINDOW_MS);
    expect(next).toBeLessThanOrEqual(4.5 * WINDOW_MS);
    expect(one.charge(limit, 80)).toMatchObject({ admitted: false, state: { violated: true } });
  });

  test('a share in debt admits no more in the long run than its part of the rate', () => {
    const clock = { now: START_MS };
    const one = startInstance(clock, 4);
    let admitted = 0;
    for (let step = 0; step < 40 * 50; step++) {
      clock.now += WINDOW_MS / 50;
      if (one.charge(limit, 90).admitted) admitted += 90;
    }
    expect(admitted).toBeLessThanOrEqual(90 + 40 * (WHOLE / 4));
    expect(admitted).toBeGreaterThanOrEqual(3 * 90);
  });

  test('a share reports the wait of a denied operation, exactly unless the counter is strict', () => {
    // If the debt of a strict share is not repaid when its part leaves the window, the rest counts
    // in the newest part. Therefore, the reported wait is only an estimate.
    const isExact = limit.strict !== true;
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 150 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: WHOLE }), fc.integer({ min: 0, max: 2 * WINDOW_MS })), {
          maxLength: 6,
        }),
        fc.integer({ min: 1, max: WHOLE }),
        (instances, history, cost) => {
          const clock = { now: START_MS };
          const replay = (until: number) => {
            clock.now = START_MS;
            const one = startInstance(clock, instances);
            for (const [spent, waitMs] of history) {
              one.charge(limit, spent);
              clock.now += waitMs;
            }
            clock.now += until;
            return one.charge(limit, cost);
          };
          const { admitted, state } = replay(0);
          if (admitted) return;
          expect(state.retryAfterMs).toBeGreaterThan(0);
          if (!isExact) return;
          expect(replay(state.retryAfterMs - 1).admitted).toBe(false);
          expect(replay(state.retryAfterMs).admitted).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a share denies permanently only an operation that does not fit the whole limit', () => {
    const one = startInstance({ now: START_MS }, 1000);
    expect(one.charge(limit, WHOLE + 1)).toMatchObject({ admitted: false, state: { retryAfterMs: 0 } });
    expect(one.charge(limit, WHOLE)).toMatchObject({ admitted: true });
  });
});

test('a share of slots is at least one', () => {
  const clock = { now: START_MS };
  const one = startInstance(clock, 8);
  const places = { id: 'one', scope: 'USER', algorithm: 'CONCURRENCY', capacity: 3, leaseMs: 1000 } as const;
  expect(one.charge(places, 1)).toMatchObject({ admitted: true, state: { limit: 3, remaining: 0 } });
  expect(one.charge(places, 1)).toMatchObject({ admitted: false, state: { retryAfterMs: 1000 } });
});

describe('share of a CALENDAR_WINDOW during an outage', () => {
  const limit: Omit<LimitCharge, 'cost'> = {
    id: 'one',
    scope: 'USER',
    algorithm: 'CALENDAR_WINDOW',
    amount: 90,
    hardCap: 100,
    every: 'HOUR',
  };
  const HOUR_MS = 3_600_000;
  const FULL_HOUR_MS = Math.ceil(START_MS / HOUR_MS) * HOUR_MS;

  test('the shares of all instances together admit no more than the hard cap in each period', () => {
    const clock = { now: FULL_HOUR_MS };
    const fleet = Array.from({ length: 7 }, () => startInstance(clock, 7));
    for (let hour = 0; hour < 3; hour++) {
      let admitted = 0;
      for (let minute = 0; minute < 60; minute++) {
        for (const one of fleet) if (one.charge(limit, 1).admitted) admitted++;
        clock.now += 60_000;
      }
      expect(admitted).toBe(7 * Math.floor(100 / 7));
    }
  });

  test('a share repays an operation above it in the periods that follow, and reports when it has room again', () => {
    const clock = { now: FULL_HOUR_MS };
    const one = startInstance(clock, 4);
    expect(one.charge(limit, 80)).toMatchObject({ admitted: true, state: { limit: 100, remaining: 0 } });
    const { admitted, state } = one.charge(limit, 1);
    expect(admitted).toBe(false);
    // The share is 25, so 80 are repaid after three periods, and 5 of the next share are used.
    expect(state.retryAfterMs).toBe(3 * HOUR_MS);
    clock.now += 3 * HOUR_MS - 1;
    expect(one.charge(limit, 1).admitted).toBe(false);
    clock.now += 1;
    expect(one.charge(limit, 1)).toMatchObject({ admitted: true, state: { remaining: 19 } });
  });
});
