import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Receipt } from '../../../src/limiter/charge/decision.js';
import { createProtectionLimiter, type ProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT } from '../../helpers/patient.js';
import { redisDatabase, uniqueName } from '../../helpers/servers.js';

/** Number of histories. For a longer search: HISTORIES=5000. */
const RUNS = Number(process.env['HISTORIES'] ?? 60);
const START = 1_700_000_000_000;
/**
 * A separate database, so that instances of other tests are not counted. The number of instances
 * reduces the size of a lease.
 */
const redisUrl = redisDatabase(inject('redisUrl'), 6);

/**
 * Limits of the histories. `few` denies a caller for a second at a time. `window` denies all
 * callers for the rest of its window. `day` never denies.
 */
const LIMITS: Record<string, Omit<LimitCharge, 'cost' | 'id'>> = {
  few: { scope: 'USER', algorithm: 'TOKEN_BUCKET', capacity: 12, refillAmount: 3, refillPeriodMs: 1000 },
  window: { scope: 'TENANT', algorithm: 'FIXED_WINDOW', amount: 220, windowMs: 20_000, precision: 'LEASED' },
  day: { scope: 'TENANT', algorithm: 'FIXED_WINDOW', amount: 100_000, windowMs: 86_400_000, precision: 'LEASED' },
};
const NAMES = Object.keys(LIMITS);

const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      user: fc.nat(1),
      // Number of charges in each wave. The charges of one wave are in flight together.
      waves: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
      which: fc.constantFrom(['few', 'window', 'day'], ['few', 'day'], ['few', 'day'], ['window'], ['window', 'day']),
      cost: fc.constantFrom(1, 1, 2, 5),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      count: fc.integer({ min: 1, max: 10 }),
      actual: fc.constantFrom(0, 1, 3),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), byMs: fc.constantFrom(1, 40, 334, 1000, 1700, 21_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), user: fc.nat(1) }) },
);
const histories = fc.array(step, { minLength: 5, maxLength: 40, size: 'max' });
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

/**
 * Returns for each wave the number of admitted operations and the limits that denied the others.
 */
async function play(
  history: History,
  limiter: ProtectionLimiter,
  clock: { now: number },
  precision: LimitCharge['precision'],
): Promise<unknown[]> {
  const tenant = uniqueName('tenant');
  const subjectOf = (user: number) => ({ user: `${tenant}-${user}`, tenant });
  const limitsOf = (ids: readonly string[], cost: number) =>
    ids.map((id): LimitCharge => {
      const limit = LIMITS[id]!;
      return { ...limit, ...(limit.precision && precision ? { precision } : {}), id, cost };
    });
  let open: { receipt: Receipt; costs: Record<string, number> }[] = [];
  const results: unknown[] = [];
  for (const current of history) {
    switch (current.kind) {
      case 'charge':
        for (const count of current.waves) {
          const subject = subjectOf(current.user);
          const limits = limitsOf(current.which, current.cost);
          const wave = await Promise.all(Array.from({ length: count }, () => limiter.charge({ subject, limits })));
          const deniers = new Set<string | undefined>();
          const costs = Object.fromEntries(limits.map(({ id, cost }) => [id, cost]));
          let admitted = 0;
          for (const decision of wave) {
            expect(decision.degraded).toBe(false);
            if (!decision.admitted) deniers.add(decision.deniedBy);
            else {
              admitted++;
              open.push({ receipt: decision.receipt, costs });
            }
          }
          // While one charge checks with Redis whether `few` has room again, memory denies the
          // other charges by `few`. Only the reply shows that the shared limit `window` is full
          // too.
          if (deniers.has('window')) deniers.delete('few');
          results.push({ of: count, admitted, deniers: [...deniers] });
        }
        break;
      case 'settle':
        for (const { receipt, costs } of open.splice(0, current.count)) {
          const actual = Object.entries(costs).map(([id, cost]) => [id, Math.min(cost, current.actual)]);
          await limiter.settle(receipt, Object.fromEntries(actual));
        }
        break;
      case 'reset':
        await limiter.reset({ subject: subjectOf(current.user), limits: limitsOf(NAMES, 0) });
        // After a reset, a refund is limited to the used amount, which includes leases. Refunds
        // would therefore make the results of the two limiters differ.
        open = [];
        break;
      default:
        clock.now += current.byMs;
    }
  }
  return results;
}

test(
  'callers who are denied repeatedly get the same decisions with leases and denial memory as without',
  async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
    const clock = { now: START };
    const now = () => clock.now;
    const exact = createProtectionLimiter({ redis: redisUrl, now, ...PATIENT });
    const limiter = createProtectionLimiter({
      redis: redisUrl,
      now,
      leases: { lengthMs: 60_000, after: 2 },
      denialMemory: { maxAgeMs: 60_000 },
      ...PATIENT,
    });
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        clock.now += 86_400_000 - (clock.now % 86_400_000);
        const startMs = clock.now;
        const expected = await play(history, exact, clock, 'EXACT');
        clock.now = startMs;
        expect(await play(history, limiter, clock, undefined)).toEqual(expected);
      }),
      { numRuns: RUNS, seed },
    );
    expect(limiter.leases().decisions).toBeGreaterThan(RUNS);
    expect(limiter.rememberedDenials.answered).toBeGreaterThan(RUNS);
    expect(exact.rememberedDenials.answered).toBe(0);
    await Promise.all([limiter.close(), exact.close()]);
  },
  100 * RUNS + 60_000,
);
