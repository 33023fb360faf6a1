import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Receipt } from '../../../src/limiter/charge/decision.js';
import { createLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { startRedisServer, type TestServer, uniqueName } from '../../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';

const NAMES = ['ap', 'eu', 'us'] as const;
type Name = (typeof NAMES)[number];

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env['HISTORIES'] ?? 200);
const WINDOW_MS = 1000;

const SHARES: readonly Record<Name, number>[] = [
  { eu: 40, us: 30, ap: 30 },
  { eu: 98, us: 1, ap: 1 },
  { eu: 33, us: 33, ap: 34 },
];

let servers: TestServer[];
let proxies: TcpProxy[];
/** Limiter of each region, for each of `SHARES`. */
let regions: MonitoredLimiter[][];
/** Time of all limiters and servers. Histories follow each other, so that no counter is reused. */
let nowMs = 1_800_000_000_000;

beforeAll(async () => {
  servers = await Promise.all(NAMES.map(() => startRedisServer()));
  proxies = await Promise.all(servers.map(({ url }) => startTcpProxy(url)));
  regions = SHARES.map((shares) =>
    NAMES.map((name, i) =>
      createLimiter({
        redis: proxies[i]!.url,
        region: { name, shares },
        deadlineMs: PATIENT_MS,
        now: () => nowMs,
        denialMemory: {},
      }),
    ),
  );
  await Promise.all(regions.flat().map(({ opened }) => opened));
});
afterAll(async () => {
  await Promise.all(regions.flat().map((limiter) => limiter.close()));
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await Promise.all(servers.map((server) => server.stop()));
});

const LIMITS = {
  FIXED_WINDOW: (amount) => ({ algorithm: 'FIXED_WINDOW', amount, windowMs: WINDOW_MS }),
  STRICT: (amount) => ({ algorithm: 'SLIDING_WINDOW_COUNTER', strict: true, amount, windowMs: WINDOW_MS }),
  LOG: (amount) => ({ algorithm: 'SLIDING_WINDOW_LOG', amount, windowMs: WINDOW_MS }),
  SLIDING: (amount) => ({ algorithm: 'SLIDING_WINDOW_COUNTER', amount, windowMs: WINDOW_MS }),
  BUCKET: (amount) => ({
    algorithm: 'TOKEN_BUCKET',
    capacity: amount,
    refillAmount: amount,
    refillPeriodMs: WINDOW_MS,
  }),
  CONCURRENCY: (amount) => ({ algorithm: 'CONCURRENCY', capacity: amount, leaseMs: 1_000_000 }),
} as const satisfies Record<string, (amount: number) => Pick<LimitCharge, 'algorithm'> & Partial<LimitCharge>>;
type Kind = keyof typeof LIMITS;

/** An admitted operation. `endMs` is the time at which it released its slot. */
interface Admitted {
  atMs: number;
  cost: number;
  endMs: number;
}

/** Returns the largest amount that the limit may admit in the interval between two operations. */
function mostIn(kind: Kind, amount: number, fromMs: number, toMs: number): number {
  if (kind === 'BUCKET') return amount + ((toMs - fromMs) * amount) / WINDOW_MS;
  if (kind === 'CONCURRENCY') return Number.POSITIVE_INFINITY;
  const isAligned = kind === 'FIXED_WINDOW' || kind === 'SLIDING';
  const windowOf = (timeMs: number) => Math.floor(timeMs / WINDOW_MS);
  const isWithin = isAligned ? windowOf(fromMs) === windowOf(toMs) : toMs - fromMs < WINDOW_MS;
  return isWithin ? amount : Number.POSITIVE_INFINITY;
}

function expectWithinLimit(kind: Kind, amount: number, admitted: readonly Admitted[]): void {
  for (const [i, first] of admitted.entries()) {
    let sum = 0;
    for (const last of admitted.slice(i)) {
      sum += last.cost;
      expect(sum, `${kind} of ${amount}`).toBeLessThanOrEqual(mostIn(kind, amount, first.atMs, last.atMs));
    }
    if (kind !== 'CONCURRENCY') continue;
    const inUse = admitted.filter(({ atMs, endMs }) => atMs <= first.atMs && endMs > first.atMs);
    expect(inUse.reduce((all, { cost }) => all + cost, 0)).toBeLessThanOrEqual(amount);
  }
}

const PROBE = { id: 'probe', scope: 'GLOBAL', algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 1000, cost: 0 } as const;

/** Waits until a limiter reaches its Redis again. */
async function reconnect(limiter: MonitoredLimiter): Promise<void> {
  await until('Redis decides again', async () => {
    // The circuit breaker waits by this clock before it tries again.
    nowMs += 10;
    return !(await limiter.charge({ subject: {}, limits: [PROBE] })).degraded;
  });
}

const anyStep = fc.record({
  region: fc.nat(2),
  cost: fc.integer({ min: 1, max: 4 }),
  afterMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(WINDOW_MS) }),
  ends: fc.boolean(),
  isCut: fc.nat(99).map((one) => one === 0),
});

it(`three regions with a Redis each never admit more than a split limit in ${RUNS} histories with lost connections (SEED=${seed})`, async () => {
  let all = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...(Object.keys(LIMITS) as Kind[])),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(SHARES.length - 1),
      fc.array(anyStep, { minLength: 20, maxLength: 60 }),
      async (kind, amount, sharesAt, steps) => {
        nowMs += 10 * WINDOW_MS;
        const limit = {
          ...LIMITS[kind](amount),
          id: uniqueName('split'),
          scope: 'GLOBAL',
          regionMode: 'SPLIT',
          onUnavailable: 'CLOSED',
        } as const;
        const admitted: Admitted[] = [];
        for (const { region, cost, afterMs, ends, isCut } of steps) {
          nowMs += afterMs;
          const limiter = regions[sharesAt]![region]!;
          if (isCut) await proxies[region]!.set({ kind: 'cut', at: () => 'reply' });
          const decision = await limiter.charge({ subject: {}, limits: [{ ...limit, cost }] });
          if (isCut) {
            await proxies[region]!.set({ kind: 'pass' });
            await reconnect(limiter);
          }
          if (!decision.admitted) continue;
          const operation = { atMs: nowMs, cost, endMs: Number.POSITIVE_INFINITY };
          admitted.push(operation);
          if (!ends || kind !== 'CONCURRENCY') continue;
          await limiter.release(decision.receipt as Receipt);
          operation.endMs = nowMs;
        }
        all += admitted.length;
        expectWithinLimit(kind, amount, admitted);
      },
    ),
    { numRuns: RUNS, seed, endOnFailure: true },
  );
  expect(all).toBeGreaterThan(RUNS);
});

/** Charges a window of 100 in these regions by turns, until all deny. Resolves to the numbers admitted. */
async function exhaust(limiters: readonly MonitoredLimiter[], id: string): Promise<number[]> {
  const limit = { id, scope: 'GLOBAL', algorithm: 'FIXED_WINDOW', amount: 100, windowMs: WINDOW_MS, cost: 1 } as const;
  const charge = (limiter: MonitoredLimiter) =>
    limiter.charge({ subject: {}, limits: [{ ...limit, regionMode: 'SPLIT', onUnavailable: 'CLOSED' }] });
  return Promise.all(
    limiters.map(async (limiter) => {
      let count = 0;
      while ((await charge(limiter)).admitted) count++;
      return count;
    }),
  );
}

it('each region admits its share while the Redis servers of the others cannot be reached', async () => {
  nowMs += 10 * WINDOW_MS;
  const id = uniqueName('cut-off');
  const [ap, eu, us] = regions[0]!;
  await Promise.all(regions[0]!.map(reconnect));
  await Promise.all([proxies[0]!.set({ kind: 'refuse' }), proxies[2]!.set({ kind: 'refuse' })]);
  expect(await exhaust([eu!], id)).toEqual([40]);
  expect(await exhaust([ap!, us!], id)).toEqual([0, 0]);
  await Promise.all(proxies.map((proxy) => proxy.set({ kind: 'pass' })));
  await Promise.all([ap!, us!].map(reconnect));
  expect(await exhaust([ap!, us!], id)).toEqual([30, 30]);
});

it('a region is added and removed under load without exceeding the limit in any window', async () => {
  const id = uniqueName('moves');
  const open = (name: Name, shares: Record<string, number>) =>
    createLimiter({
      redis: servers[NAMES.indexOf(name)]!.url,
      region: { name, shares },
      deadlineMs: PATIENT_MS,
      now: () => nowMs,
    });
  const two = { eu: 50, us: 50 };
  const three = { eu: 40, us: 30, ap: 30 };
  const windows: number[] = [];
  /** Exhausts the current window with instances that were there before and with new ones. */
  async function loadWindow(...limiters: MonitoredLimiter[]): Promise<void> {
    windows.push((await exhaust(limiters, id)).reduce((sum, count) => sum + count, 0));
  }
  const before = [open('eu', two), open('us', two)] as const;
  const after = [open('eu', three), open('us', three), open('ap', three)] as const;
  nowMs = Math.ceil(nowMs / WINDOW_MS) * WINDOW_MS + 10 * WINDOW_MS;
  await loadWindow(...before);
  // The regions whose shares shrink restart first, one after the other.
  for (const limiters of [
    [before[0], before[1], after[0]],
    [before[1], after[0], after[1]],
    [after[0], after[1]],
    // The new region starts one window after them.
    [after[0], after[1], after[2]],
    // It stops, and the others restart one window later.
    [after[0], after[1]],
    [before[0], before[1]],
  ]) {
    nowMs += WINDOW_MS;
    await loadWindow(...limiters);
  }
  expect(Math.max(...windows)).toBe(100);
  expect([windows[0], windows[3], windows[4], windows[6]]).toEqual([100, 70, 100, 100]);
  await Promise.all([...before, ...after].map((limiter) => limiter.close()));
});
