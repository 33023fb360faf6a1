import fc from 'fast-check';
import type { Cluster, Redis } from 'ioredis';
import { expect } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { Decision, PeekedDecision, Receipt } from '../../src/limiter/charge/decision.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Scope } from '../../src/model/subject.js';
import { PATIENT } from '../helpers/patient.js';
import { uniqueName } from '../helpers/servers.js';
import { capacityOf, createModel, type ModelDecision } from './model.js';

/** Kind of the histories. */
interface Kind {
  /** Scopes of the limits. */
  scopes: readonly Scope[];
  /**
   * Whether the counters of one charge may be in several hash slots. Each hash slot then has its own
   * time, and a denial reports only the limits of some of them.
   * @default false
   */
  isAcrossSlots?: boolean;
}

interface HistoriesOptions extends Kind {
  client: Redis | Cluster;
  runs: number;
  seed: number;
}

const START = 1_700_000_000_123;

/**
 * Amounts and windows are small, so that limits fill up and windows end. Some rates do not divide
 * evenly.
 */
const amounts = fc.integer({ min: 1, max: 12 });
const windows = fc.constantFrom(7, 100, 1000, 3333, 60_000);
const commonOf = ({ scopes, isAcrossSlots }: Kind) =>
  fc.record(
    {
      scope: fc.constantFrom(...scopes),
      mode: fc.constantFrom('ENFORCE', 'ENFORCE', 'ENFORCE', 'SHADOW'),
      // A denial is counted only by the hash slots that were asked.
      countDenied: isAcrossSlots ? fc.constant(false) : fc.boolean(),
      rank: fc.integer({ min: 0, max: 2 }),
    },
    { requiredKeys: ['scope'] },
  );
const bucketParameters = fc.record(
  {
    capacity: amounts,
    refillAmount: fc.integer({ min: 1, max: 7 }),
    refillPeriodMs: fc.constantFrom(1, 3, 1000, 7777),
    maxDebt: fc.integer({ min: 0, max: 9 }),
    maxDelayMs: fc.constantFrom(0, 10, 1000, 5000),
  },
  { requiredKeys: ['capacity', 'refillAmount', 'refillPeriodMs'] },
);
const parameters = fc.oneof(
  fc.tuple(fc.constantFrom('TOKEN_BUCKET', 'LEAKY_BUCKET'), bucketParameters),
  fc.tuple(fc.constantFrom('FIXED_WINDOW', 'SLIDING_WINDOW_LOG'), fc.record({ amount: amounts, windowMs: windows })),
  fc.tuple(
    fc.constant('SLIDING_WINDOW_COUNTER'),
    fc.record({ amount: amounts, windowMs: windows, strict: fc.boolean() }, { requiredKeys: ['amount', 'windowMs'] }),
  ),
  fc.tuple(
    fc.constant('CALENDAR_WINDOW'),
    fc
      .record({
        amount: amounts,
        overage: fc.integer({ min: 0, max: 4 }),
        // The histories start at 22:13:20 UTC on Tuesday, 14 November 2023.
        schedule: fc.constantFrom(
          { every: 'HOUR', anchorTime: '00:14' },
          { every: 'HOUR', anchorTime: '00:15' },
          { every: 'DAY', anchorTime: '22:14' },
          { every: 'DAY', anchorTime: '03:59', timeZone: 'Asia/Kathmandu' },
          { every: 'DAY', anchorTime: '04:00', timeZone: 'Asia/Kathmandu' },
          { every: 'WEEK', anchorTime: '22:14', anchorDay: 2 },
          { every: 'MONTH', anchorTime: '17:15', anchorDay: 14, timeZone: 'America/New_York' },
        ),
        carryOver: fc.option(fc.record({ percent: fc.integer({ min: 1, max: 100 }), max: amounts })),
      })
      .map(({ amount, overage, schedule, carryOver }) => ({
        amount,
        ...(overage > 0 && { hardCap: amount + overage }),
        ...schedule,
        ...(carryOver !== null && { carryOver }),
      })),
  ),
  fc.tuple(fc.constant('CONCURRENCY'), fc.record({ capacity: amounts, leaseMs: windows })),
);
/**
 * Rules with common members and one to three variants of their parameters. In production, edits and
 * tiers create such variants.
 */
const ruleOf = (kind: Kind) =>
  fc.record({ common: commonOf(kind), variants: fc.array(parameters, { minLength: 1, maxLength: 3 }) });
const uses = fc.array(
  fc.record({ rule: fc.nat(9), variant: fc.nat(2), cost: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.nat(14)) }),
  { minLength: 1, maxLength: 6, size: 'max' },
);
const stepOf = ({ isAcrossSlots }: Kind) =>
  fc.oneof(
    {
      weight: 6,
      // The charges of one wave reach Redis in one call.
      arbitrary: fc.record({
        kind: fc.constant('charge' as const),
        isPeeked: fc.boolean(),
        wave: fc.array(fc.record({ who: fc.nat(1), uses }), { minLength: 1, maxLength: isAcrossSlots ? 1 : 4 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('settle' as const),
        // A settlement that is not awaited travels with the next charges, or before the next peek.
        isAwaited: fc.boolean(),
        receipt: fc.nat(20),
        actual: fc.array(fc.option(fc.nat(15)), { minLength: 10, maxLength: 10 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('peek' as const, 'reset' as const), who: fc.nat(1), uses }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('clock' as const),
        // The times of two hash slots can differ if the clock is set back.
        byMs: fc.oneof(
          fc.constantFrom(
            1,
            3,
            50,
            999,
            1000,
            70_000,
            3_600_000,
            ...(isAcrossSlots ? [] : [-1, -400, -5000, -5001, -90_000]),
          ),
          fc.integer({ min: 1, max: 4000 }),
        ),
      }),
    },
  );
const historyOf = (kind: Kind) =>
  fc.record({
    rules: fc.array(ruleOf(kind), { minLength: 1, maxLength: 10, size: 'max' }),
    steps: fc.array(stepOf(kind), { minLength: 1, maxLength: 40, size: 'max' }),
  });
type History = ReturnType<typeof historyOf> extends fc.Arbitrary<infer T> ? T : never;
type Uses = typeof uses extends fc.Arbitrary<infer T> ? T : never;

function limitsOf(rules: History['rules'], chosen: Uses, prefix: string): LimitCharge[] {
  const limits = new Map<number, LimitCharge>();
  for (const { rule: number, variant, cost } of chosen) {
    const index = number % rules.length;
    const { common: level, variants } = rules[index]!;
    const [algorithm, parameters] = variants[variant % variants.length]!;
    // A map, because a request must not contain the same counter twice.
    limits.set(index, { ...level, ...parameters, algorithm, id: `${prefix}-${index}`, cost } as LimitCharge);
  }
  return [...limits.values()];
}

/**
 * Checks that both engines and the model agree on every number in random histories of charges,
 * settlements, peeks and resets. Across hash slots, denials are compared without their numbers.
 */
export async function checkHistories({ client, runs, seed, ...kind }: HistoriesOptions): Promise<void> {
  const { isAcrossSlots = false } = kind;
  const totals = { admitted: 0, denied: 0, settled: 0, reset: 0, rebased: 0 };
  await fc.assert(
    fc.asyncProperty(historyOf(kind), async ({ rules, steps }) => {
      let clock = START;
      let latest = START;
      const now = () => clock;
      const redis = createLimiter({ redis: client, now, ...PATIENT });
      const memory = createLimiter({ now });
      const model = createModel();
      const name = uniqueName('h');
      const subjects = [0, 1].map((n) => ({
        user: `${name}u${n}`,
        tenant: `${name}t`,
        apiKey: `${name}k${n}`,
        ip: `${name}i`,
      }));
      const requestOf = ({ who, uses: chosen }: { who: number; uses: Uses }) => ({
        subject: subjects[who]!,
        limits: limitsOf(rules, chosen, name),
      });
      const receipts: { redis: Receipt; memory: Receipt; model: NonNullable<ModelDecision['receipt']> }[] = [];
      let settlements: Promise<void>[] = [];
      const settled = async () => {
        await Promise.all(settlements);
        settlements = [];
      };
      /**
       * Waits until the nodes have confirmed or refunded the pending charges, which happens after
       * the decision. A later time could be after their deadline. A node processes calls in order.
       */
      const confirmed = () => {
        const all = rules.map((_, rule) => ({ rule, variant: 0, cost: 0 }));
        return Promise.all([0, 1].map((who) => redis.peek(requestOf({ who, uses: all }))));
      };
      for (const current of steps) {
        if (current.kind === 'clock') {
          await settled();
          if (isAcrossSlots) await confirmed();
          clock += current.byMs;
          latest = Math.max(latest, clock);
        } else if (current.kind === 'settle') {
          const chosen = receipts.splice(current.receipt % (receipts.length || 1), 1)[0];
          if (!chosen) continue;
          totals.settled++;
          const spent = current.actual.map((actual, i) => [`${name}-${i}`, actual] as const);
          const actual = Object.fromEntries(spent.filter(([, cost]) => cost !== null)) as Record<string, number>;
          const settling = redis.settle(chosen.redis, actual);
          // A failed history does not wait for it.
          settling.catch(() => {});
          settlements.push(settling);
          // All partitions of a call have one time, as below.
          if (current.isAwaited || isAcrossSlots || clock < latest) await settled();
          await memory.settle(chosen.memory, actual);
          model.settle(chosen.model, actual, clock);
        } else if (current.kind === 'charge') {
          const wave = current.wave.map(requestOf);
          // Charges that can never be admitted come last in the wave.
          wave.sort((a, b) => Number(isImpossible(a)) - Number(isImpossible(b)));
          // All charges of one call are decided at the same time: the latest time that one of
          // their partitions has seen.
          const atOnce = clock < latest ? 1 : wave.length;
          // Peeks in one call do not affect each other.
          const previews = wave.map(({ subject, limits }) => model.preview(subject, limits, clock));
          const peeked: PeekedDecision[] = [];
          const isPeeked = current.isPeeked && !isAcrossSlots;
          for (let i = 0; isPeeked && i < wave.length; i += atOnce) {
            const together = wave.slice(i, i + atOnce).map((request) => redis.peek(request));
            peeked.push(...(await Promise.all(together)).map(({ decision }) => decision));
          }
          for (const [i, { receipt: _receipt, ...expected }] of previews.entries()) {
            if (!isPeeked) break;
            expect((await memory.peek(wave[i]!)).decision).toEqual({ ...expected, degraded: false });
            expect(peeked[i]).toEqual({ ...expected, degraded: false });
          }
          const decided = wave.map(({ subject, limits }) => model.charge(subject, limits, clock));
          const inMemory = await Promise.all(wave.map((request) => memory.charge(request)));
          // The first charge is decided directly after its peek.
          if (isPeeked) expect(withoutReceipt(inMemory[0]!)).toEqual(peeked[0]);
          const onRedis: Decision[] = [];
          for (let i = 0; i < wave.length; i += atOnce) {
            const together = wave.slice(i, i + atOnce).map((request) => redis.charge(request));
            onRedis.push(...(await Promise.all(together)));
          }
          for (const [i, { receipt, ...expected }] of decided.entries()) {
            const fromMemory = inMemory[i]!;
            const fromRedis = onRedis[i]!;
            expect(withoutReceipt(fromMemory)).toEqual({ ...expected, degraded: false });
            if (isAcrossSlots && !expected.admitted)
              expect(fromRedis).toMatchObject({ admitted: false, degraded: false });
            else expect(withoutReceipt(fromRedis)).toEqual({ ...expected, degraded: false });
            totals[expected.admitted ? 'admitted' : 'denied']++;
            if (receipt && fromRedis.admitted && fromMemory.admitted) {
              receipts.push({ redis: fromRedis.receipt, memory: fromMemory.receipt, model: receipt });
            }
          }
        } else {
          const { subject, limits } = requestOf(current);
          if (current.kind === 'peek') {
            const expected = model.peek(subject, limits, clock);
            expect(await memory.peek({ subject, limits })).toEqual(expected);
            expect(await redis.peek({ subject, limits })).toEqual(expected);
            continue;
          }
          if (current.kind === 'reset') {
            totals.reset++;
            model.reset(subject, limits, clock);
            expect(await memory.reset({ subject, limits })).toBe(true);
            expect(await redis.reset({ subject, limits })).toBe(true);
          }
        }
      }
      await settled();
      // The clock is never set back there.
      totals.rebased += isAcrossSlots ? 1 : memory.anomalies.rebased;
      expect(redis.anomalies).toEqual(memory.anomalies);
      await redis.close();
    }),
    { numRuns: runs, seed, endOnFailure: false },
  );
  // The histories are useful only if each of these cases occurs.
  for (const [what, count] of Object.entries(totals)) expect(count, what).toBeGreaterThan(runs / 10);
}

function isImpossible({ limits }: { limits: LimitCharge[] }): boolean {
  return limits.some((limit) => {
    return limit.mode !== 'SHADOW' && limit.cost > capacityOf(limit);
  });
}

function withoutReceipt(decision: Decision): Omit<Decision, 'receipt'> {
  const { receipt, ...rest } = decision as Decision & { receipt?: Receipt };
  return rest;
}
