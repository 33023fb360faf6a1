import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chargeBehind } from '../../../src/limiter/charge/charge-receipt.js';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Admission } from '../../../src/limiter/charge/decision.js';
import { countedUntilMs } from '../../../src/limiter/charge/is-leasable.js';
import { createWorld, type Holder } from './world.js';

/** Number of histories. For a longer search: HISTORIES=50000. */
const RUNS = Number(process.env['HISTORIES'] ?? 200);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

const LEASE_MS = 100;
const INSTANCES = 4;
const CAPACITY = 400;
const OF_A_DAY = 4000;
/** Maximum number of tokens in one lease: one sixteenth of the tokens that are still available. */
const MOST_HELD = CAPACITY / 16;
const MS_PER_TOKEN = 5;

/** Boundary of the hours below: 22:14:00 UTC on 14 November 2023. */
const BOUNDARY_MS = 1_700_000_040_000;
const HOUR = { algorithm: 'CALENDAR_WINDOW', amount: CAPACITY, every: 'HOUR', anchorTime: '00:14' } as const;
const CARRY_OVER = { percent: 50, max: 100 };

const LIMITS: Record<string, Omit<LimitCharge, 'cost' | 'id'>> = {
  bucket: { scope: 'USER', algorithm: 'TOKEN_BUCKET', capacity: CAPACITY, refillAmount: 200, refillPeriodMs: 1000 },
  fixed: { scope: 'GLOBAL', algorithm: 'FIXED_WINDOW', amount: CAPACITY, windowMs: 1000 },
  strict: { scope: 'TENANT', algorithm: 'SLIDING_WINDOW_COUNTER', amount: CAPACITY, windowMs: 5000, strict: true },
  sliding: { scope: 'USER', algorithm: 'SLIDING_WINDOW_COUNTER', amount: CAPACITY, windowMs: 2000 },
  hour: { scope: 'USER', ...HOUR },
  carried: { scope: 'TENANT', ...HOUR, carryOver: CARRY_OVER },
  day: { scope: 'IP', algorithm: 'FIXED_WINDOW', amount: OF_A_DAY, windowMs: 86_400_000 },
};
const NAMES = Object.keys(LIMITS);

const charges = [
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      holder: fc.nat(3),
      times: fc.integer({ min: 1, max: 30 }),
      everyMs: fc.constantFrom(0, 0, 1, 4),
      costs: fc.array(fc.constantFrom(0, 1, 1, 2, 5, 12), { minLength: 7, maxLength: 7 }),
      which: fc.constantFrom(1, 2, 4, 8, 16, 32, 64, 3, 15, 48, 127),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), byMs: fc.integer({ min: 1, max: 400 }) }) },
] as const;
const step = fc.oneof(
  ...charges,
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      count: fc.integer({ min: 1, max: 20 }),
      actual: fc.constantFrom(0, 1, 3, 7),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('pause' as const, 'resume' as const, 'kill' as const),
      holder: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reset' as const, 'edit' as const), holder: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('clock' as const), byMs: fc.constantFrom(-7000, -300, 50, 900, 10_000) }),
  },
);
/**
 * Histories of two kinds. The second kind contains only charges and waits. For histories of this
 * kind, the test checks all bounds.
 */
const steps = fc.oneof(
  { weight: 5, arbitrary: fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(...charges), { minLength: 5, maxLength: 40, size: 'max' }) },
);
const history = fc.record({
  steps,
  latencies: fc.array(fc.constantFrom(0, 1, 1, 2, 30, 150), { minLength: 1, maxLength: 20 }),
  /** Time from the start to the boundary of the hour. */
  untilBoundaryMs: fc.constantFrom(20, 150, 400, 1500),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/**
 * Tokens that a limit admitted, with the time by the clock of the world and by the clock of the
 * server.
 */
interface Spent {
  atMs: number;
  serverMs: number;
  tokens: number;
}

interface Played {
  spent: Record<string, Spent[]>;
  /** Maximum by which the available and the leased tokens of the bucket exceed its capacity. */
  excess: number;
  /**
   * Difference between the final count of the limit `day` in the engine and the cost of the
   * operations.
   */
  miscounted: number;
  leased: number;
  denied: number;
}

async function play({ steps, latencies, untilBoundaryMs }: History, precision: 'EXACT' | 'LEASED'): Promise<Played> {
  let message = 0;
  const world = createWorld({
    count: INSTANCES,
    leaseMs: LEASE_MS,
    after: 3,
    latencyMs: () => latencies[message++ % latencies.length]!,
    startsAtMs: BOUNDARY_MS - untilBoundaryMs,
    onEvent: lookAtBucket,
  });
  const { read } = createChargeReader();
  const subject = { user: 'u', tenant: 't', ip: 'i' };
  const chargesOf = (names: readonly string[], costs: readonly number[]) =>
    names.map((id, i): LimitCharge => ({ ...LIMITS[id]!, id, precision, cost: costs[i] ?? 0 }));
  const bucket = read(subject, chargesOf(['bucket'], []));
  const played: Played = {
    spent: Object.fromEntries(NAMES.map((name) => [name, []])),
    excess: 0,
    miscounted: 0,
    leased: 0,
    denied: 0,
  };
  const open: { holder: Holder; decision: Admission; costs: Record<string, number> }[] = [];
  let serverStepMs = 0;
  let edited = false;
  let day = 0;

  function lookAtBucket(): void {
    let sum = world.look(bucket)[0]!.remaining - CAPACITY;
    for (const holder of world.holders) if (!holder.isDead) sum += holder.held('bucket');
    played.excess = Math.max(played.excess, sum);
  }

  /**
   * Records an admission. Leased tokens are spent when the operation arrives. The other tokens are
   * spent when the server charges them. That time may be later, and is measured by the clock of the
   * server.
   */
  function note({ receipt }: Admission, costs: Record<string, number>, askedMs: number): void {
    const all = chargeBehind(receipt);
    const leased = all.leases === undefined ? [] : all.request.limits.map(({ id }) => id);
    const { clock } = (all.unleased?.receipt ?? all).result;
    for (const [id, tokens] of Object.entries(costs)) {
      const serverMs = leased.includes(id) ? askedMs : clock;
      played.spent[id]!.push({ atMs: serverMs - serverStepMs, serverMs, tokens });
    }
  }

  function charge(holder: Holder, costs: readonly number[], which: number): void {
    const names = NAMES.filter((_, i) => (which & (1 << i)) !== 0);
    const charges = chargesOf(names, costs).map((one) => {
      // An edit halves all limits except `day`.
      if (!edited || one.id === 'day') return one;
      return { ...one, ...(one.capacity ? { capacity: CAPACITY / 2 } : { amount: CAPACITY / 2 }) };
    });
    const before = played.denied;
    const askedMs = world.serverNow();
    const request = read(subject, charges);
    const [limit] = request.limits;
    const one = request.limits.length === 1 ? holder.chargeOne(subject, limit!, request.costs[0]!) : undefined;
    void Promise.resolve(one ?? holder.charge(request)).then((decision) => {
      if (!decision.admitted) {
        played.denied = before + 1;
        expect(decision.limits.some(({ violated }) => violated)).toBe(true);
        return;
      }
      if (decision.approximate) played.leased++;
      const paid = Object.fromEntries(charges.map(({ id, cost }) => [id, cost]));
      note(decision, paid, askedMs);
      day += paid['day'] ?? 0;
      open.push({ holder, decision, costs: paid });
    });
  }

  async function make(current: History['steps'][number]): Promise<void> {
    switch (current.kind) {
      case 'charge': {
        const holder = world.holders[current.holder]!;
        for (let i = 0; i < current.times && !holder.isDead && !holder.isPaused; i++) {
          charge(holder, current.costs, current.which);
          if (current.everyMs > 0) await world.advance(current.everyMs);
        }
        return;
      }
      case 'wait':
        return world.advance(current.byMs);
      case 'settle':
        for (const { holder, decision, costs } of open.splice(0, current.count)) {
          if (holder.isDead || holder.isPaused) continue;
          // The settled cost never exceeds the estimate. A settlement to a higher cost is never
          // denied, so it could exceed the bounds.
          const actual = Object.fromEntries(
            Object.entries(costs).map(([id, cost]) => [id, Math.min(cost, current.actual)]),
          );
          void holder.settle(chargeBehind(decision.receipt), actual);
          day -= (costs['day'] ?? 0) - (actual['day'] ?? 0);
        }
        return;
      case 'clock':
        serverStepMs += current.byMs;
        return world.stepServerClock(current.byMs);
      case 'reset': {
        const holder = world.holders[current.holder]!;
        if (holder.isDead || holder.isPaused) return;
        void holder.reset(read(subject, chargesOf(NAMES, [])));
        return;
      }
      case 'edit':
        edited = !edited;
        return;
      default:
        world.holders[current.holder]![current.kind]();
    }
  }

  for (const current of steps) {
    await make(current);
    await world.advance(0);
  }
  await world.settleDown();
  for (const holder of world.holders) if (!holder.isDead) expect(holder.held()).toBe(0);
  played.miscounted = world.look(read(subject, chargesOf(['day'], [])))[0]!.used - day;
  for (const spent of Object.values(played.spent)) spent.sort((a, b) => a.atMs - b.atMs);
  return played;
}

/** Returns the maximum, over all intervals, of the tokens spent minus the tokens refilled. */
function mostOf(spent: readonly Spent[], msPerToken: number): number {
  let mostMs = 0;
  // Amounts are counted as refill time, because sums of whole numbers are exact.
  let sumMs = 0;
  let beforeMs = 0;
  for (const { atMs, tokens } of spent) {
    // The largest sum of an interval that ends at `atMs`.
    sumMs = Math.max(0, sumMs - (atMs - beforeMs)) + tokens * msPerToken;
    beforeMs = atMs;
    mostMs = Math.max(mostMs, sumMs);
  }
  return mostMs / msPerToken;
}

/** Returns the maximum number of tokens spent in one window of the server's clock. */
function mostOfWindows(spent: readonly Spent[], windowMs: number): number {
  const sums = new Map<number, number>();
  for (const { serverMs, tokens } of spent) {
    const index = Math.floor(serverMs / windowMs);
    sums.set(index, (sums.get(index) ?? 0) + tokens);
  }
  return Math.max(0, ...sums.values());
}

/** Returns the numbers of tokens spent before and after the boundary of the hour, by the server's clock. */
function spentByHour(spent: readonly Spent[]): [before: number, after: number] {
  const sums: [number, number] = [0, 0];
  for (const { serverMs, tokens } of spent) sums[serverMs < BOUNDARY_MS ? 0 : 1] += tokens;
  return sums;
}

/**
 * Expects that no hour exceeds its amount, and that the second hour carries over no more than the
 * first one left.
 */
function expectHoursKept(spent: Played['spent']): [before: number, after: number] {
  const hours = spentByHour(spent['hour']!);
  for (const sum of hours) expect(sum).toBeLessThanOrEqual(CAPACITY);
  const [first, second] = spentByHour(spent['carried']!);
  // Before its first use, a counter has the largest amount that can be carried over.
  expect(first).toBeLessThanOrEqual(CAPACITY + CARRY_OVER.max);
  const unused = CAPACITY - Math.max(0, first - CARRY_OVER.max);
  const carried = Math.min(CARRY_OVER.max, Math.floor((unused * CARRY_OVER.percent) / 100));
  expect(second).toBeLessThanOrEqual(CAPACITY + carried);
  return hours;
}

/** Returns the maximum number of tokens spent in any interval of the window's length. */
function mostOfTrueWindows(spent: readonly Spent[], windowMs: number): number {
  let most = 0;
  spent.forEach(({ atMs: startMs }, first) => {
    let sum = 0;
    for (let i = first; i < spent.length && spent[i]!.atMs < startMs + windowMs; i++) sum += spent[i]!.tokens;
    most = Math.max(most, sum);
  });
  return most;
}

const has = ({ steps }: History, ...kinds: string[]) => steps.some(({ kind }) => kinds.includes(kind));

describe(`four instances, some of which are killed or paused, in ${RUNS} histories (SEED=${seed})`, () => {
  test(
    'instances with leases never hold or admit more than the limit plus the maximum of their leases',
    async () => {
      const all = { leased: 0, denied: 0, whole: 0, strict: 0, crossed: 0 };
      await fc.assert(
        fc.asyncProperty(history, async (one) => {
          const { spent, excess, miscounted, leased, denied } = await play(one, 'LEASED');
          all.leased += leased;
          all.denied += denied;
          const mostExcess = INSTANCES * MOST_HELD;
          // Levels are rounded to whole tokens, and times to whole milliseconds. So the sum may be
          // one token too high.
          expect(excess).toBeLessThanOrEqual(mostExcess + 1);
          if (!has(one, 'clock', 'reset', 'kill')) {
            expect(miscounted).toBe(0);
            all.whole++;
          }
          if (has(one, 'clock', 'reset', 'settle')) return;
          all.strict++;
          expect(mostOf(spent['bucket']!, MS_PER_TOKEN)).toBeLessThanOrEqual(CAPACITY + mostExcess + 1);
          expect(mostOfWindows(spent['fixed']!, 1000)).toBeLessThanOrEqual(CAPACITY);
          expect(mostOfTrueWindows(spent['strict']!, 5000)).toBeLessThanOrEqual(CAPACITY);
          expect(mostOfWindows(spent['day']!, 86_400_000)).toBeLessThanOrEqual(OF_A_DAY);
          if (expectHoursKept(spent).every((sum) => sum > 0)) all.crossed++;
        }),
        { numRuns: RUNS, seed, endOnFailure: true },
      );
      expect(all.leased).toBeGreaterThan(RUNS);
      expect(all.denied).toBeGreaterThan(RUNS / 10);
      expect(all.whole).toBeGreaterThan(RUNS / 20);
      expect(all.strict).toBeGreaterThan(RUNS / 50);
      expect(all.crossed).toBeGreaterThan(RUNS / 200);
    },
    20 * RUNS + 60_000,
  );

  test(
    'instances with exact limits lease nothing and never exceed a limit',
    async () => {
      await fc.assert(
        fc.asyncProperty(history, async (one) => {
          const { spent, excess, leased } = await play(one, 'EXACT');
          expect(leased).toBe(0);
          expect(excess).toBeLessThanOrEqual(0);
          if (has(one, 'clock', 'reset', 'settle')) return;
          expect(mostOf(spent['bucket']!, MS_PER_TOKEN)).toBeLessThanOrEqual(CAPACITY);
          expect(mostOfWindows(spent['fixed']!, 1000)).toBeLessThanOrEqual(CAPACITY);
          expect(mostOfTrueWindows(spent['strict']!, 5000)).toBeLessThanOrEqual(CAPACITY);
          expectHoursKept(spent);
        }),
        { numRuns: Math.ceil(RUNS / 2), seed, endOnFailure: true },
      );
    },
    20 * RUNS + 60_000,
  );
});

test('leased tokens of a window are spent in that window and not in the next one', async () => {
  const startsAtMs = BOUNDARY_MS - 20_000;
  const world = createWorld({ count: 1, leaseMs: LEASE_MS, after: 3, latencyMs: () => 1, startsAtMs });
  const [holder] = world.holders;
  const { read } = createChargeReader();
  for (const id of ['fixed', 'strict', 'sliding', 'hour']) {
    const request = read({ user: 'u', tenant: 't' }, [{ ...LIMITS[id]!, id, precision: 'LEASED', cost: 1 }]);
    // Advances to 30 ms before the end of the window or part.
    await world.advance(countedUntilMs(request.limits[0]!, world.serverNow()) - world.serverNow() - 30);
    for (let i = 0; i < 20; i++) {
      void holder!.charge(request);
      await world.advance(1);
    }
    expect(holder!.held(id)).toBeGreaterThan(0);
    await world.advance(10);
    expect(holder!.held(id)).toBe(0);
  }
});

test('denied operations do not make an instance lease tokens', async () => {
  const world = createWorld({ count: 1, leaseMs: LEASE_MS, after: 3, latencyMs: () => 1 });
  const holder = world.holders[0]!;
  const { read } = createChargeReader();
  const few: LimitCharge = {
    id: 'few',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: 4,
    refillAmount: 1,
    refillPeriodMs: 3_600_000,
    cost: 1,
  };
  const request = read({ user: 'u', ip: 'i' }, [few, { ...LIMITS['day']!, id: 'day', precision: 'LEASED', cost: 1 }]);
  let admitted = 0;
  for (let i = 0; i < 10 * LEASE_MS; i++) {
    void holder.charge(request).then((decision) => {
      if (decision.admitted) admitted++;
    });
    await world.advance(1);
  }
  expect(admitted).toBe(4);
  // The holder leases at most four times the number of operations that it has admitted.
  expect(holder.leaseTotals.taken).toBeLessThanOrEqual(16);
});

test('one charge takes all leases that an operation needs in one hash slot', async () => {
  let messages = 0;
  const latencyMs = () => {
    messages++;
    return 0;
  };
  const world = createWorld({ count: 1, leaseMs: LEASE_MS, after: 3, latencyMs });
  const holder = world.holders[0]!;
  const { read } = createChargeReader();
  const asked = ['bucket', 'sliding', 'strict'].map((id) => ({
    ...LIMITS[id]!,
    id,
    precision: 'LEASED' as const,
    cost: 1,
  }));
  const request = read({ user: 'u', tenant: 't' }, asked);
  let exact = 0;
  for (; holder.leaseTotals.decisions === 0; exact++) {
    void holder.charge(request);
    await world.advance(0);
  }
  expect(holder.held()).toBeGreaterThan(3);
  // The last operation needed no call. Each of the others needed one call, and one more call took
  // all leases. A call and its reply are two messages.
  expect(messages).toBe(2 * (exact - 1) + 2);
});

test('leases of steady callers are renewed at the same moments, in one charge for each caller', async () => {
  const askedAtMs = new Set<number>();
  let messages = 0;
  const latencyMs = () => {
    askedAtMs.add(world.nowMs());
    messages++;
    return 0;
  };
  const world = createWorld({ count: 1, leaseMs: LEASE_MS, after: 3, latencyMs });
  const holder = world.holders[0]!;
  const { read } = createChargeReader();
  const leased = (['USER', 'TENANT'] as const).map((scope) => ({
    ...LIMITS['bucket']!,
    id: scope,
    scope,
    capacity: 100_000,
    precision: 'LEASED' as const,
    cost: 1,
  }));
  const requests = Array.from({ length: 20 }, (_, index) => read({ user: `u${index}`, tenant: `t${index}` }, leased));
  // Each caller sends an operation every 5 ms, with four callers in the same millisecond.
  const play = async (forMs: number) => {
    for (let tick = 0; tick < forMs; tick++) {
      for (let index = tick % 5; index < requests.length; index += 5) void holder.charge(requests[index]!);
      await world.advance(1);
    }
  };
  await play(5 * LEASE_MS);
  askedAtMs.clear();
  messages = 0;
  const { decisions } = holder.leaseTotals;
  await play(10 * LEASE_MS);
  expect(holder.leaseTotals.decisions - decisions).toBe((10 * LEASE_MS * requests.length) / 5);
  // The holder renews at four moments per lease length, so at 40 moments in total. With separate
  // moments for each caller there would be a hundred.
  expect(askedAtMs.size).toBeLessThanOrEqual(40);
  // Each caller needs two calls per lease length, so 20 in total. A call and its reply are two
  // messages.
  expect(messages / 2 / requests.length).toBeLessThanOrEqual(20);
});

test('leases of 600 callers are not all renewed at the same moment', async () => {
  const askedAt = new Map<number, number>();
  const world = createWorld({
    count: 1,
    leaseMs: LEASE_MS,
    after: 3,
    latencyMs() {
      askedAt.set(world.nowMs(), (askedAt.get(world.nowMs()) ?? 0) + 1);
      return 1;
    },
  });
  const holder = world.holders[0]!;
  const { read } = createChargeReader();
  const requests = Array.from({ length: 600 }, (_, index) =>
    read({ user: `u${index}` }, [
      { ...LIMITS['bucket']!, id: 'bucket', capacity: 100_000, precision: 'LEASED', cost: 1 },
    ]),
  );
  const play = async (forMs: number) => {
    for (let tick = 0; tick < forMs; tick++) {
      for (let index = tick % 5; index < requests.length; index += 5) void holder.charge(requests[index]!);
      await world.advance(1);
    }
  };
  await play(2 * LEASE_MS);
  askedAt.clear();
  await play(2 * LEASE_MS);
  // At most 256 leases are renewed together. Operations in the same millisecond, from a fifth of
  // the callers, may renew 120 more.
  expect(Math.max(...askedAt.values())).toBeLessThanOrEqual(256 + 120);
  expect(holder.leaseTotals.lost).toBe(0);
});

test('no lease is renewed for a caller that sends no more operations', async () => {
  const world = createWorld({ count: 1, leaseMs: LEASE_MS, after: 3, latencyMs: () => 1 });
  const holder = world.holders[0]!;
  const { read } = createChargeReader();
  const request = read({ user: 'u' }, [{ ...LIMITS['bucket']!, id: 'bucket', precision: 'LEASED', cost: 1 }]);
  for (let tick = 0; tick < 3 * LEASE_MS; tick++) {
    void holder.charge(request);
    await world.advance(1);
  }
  await world.advance(LEASE_MS / 4);
  const { taken } = holder.leaseTotals;
  expect(taken).toBeGreaterThan(0);
  await world.advance(3 * LEASE_MS);
  expect(holder.leaseTotals.taken).toBe(taken);
  expect(holder.held()).toBe(0);
});
