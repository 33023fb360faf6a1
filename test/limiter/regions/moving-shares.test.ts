import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProtectionLimiter, type ProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import { createRegionExchange, type RegionExchange } from '../../../src/limiter/exchange/region-exchange.js';
import { startRedisServer, type TestServer, uniqueName } from '../../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';

const NAMES = ['ap', 'eu', 'us'] as const;
type Name = (typeof NAMES)[number];
const SHARES: Record<Name, number> = { eu: 40, us: 30, ap: 30 };
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env['HISTORIES'] ?? 200);
const WINDOW_MS = 10_000;
const DEADLINE_MS = 5000;
/** Interval of the exchanges, and time after which a reduced share is used by no instance. */
const EXCHANGE_MS = 60_000;
const ADOPTED_AFTER_MS = 3 * EXCHANGE_MS + DEADLINE_MS + 1000;

let servers: TestServer[];
/** Proxies between regions: `cross.eu` is the way of the other regions to the Redis of `eu`. */
let cross: Record<Name, TcpProxy>;
let nowMs = 1_800_000_000_000;
/** Changes in the connections between regions, as each region reported them. */
let changes: string[] = [];

interface Region {
  name: Name;
  limiter: ProtectionLimiter;
  exchange: RegionExchange;
}
let regions: Region[];

const urlOf = (name: Name) => servers[NAMES.indexOf(name)]!.url;

function open(name: Name, shares: Record<string, number> = SHARES): Region {
  const others = NAMES.filter((other) => other !== name && other in shares);
  const region = {
    name,
    shares,
    floor: 5,
    exchangeMs: EXCHANGE_MS,
    redis: Object.fromEntries(others.map((other) => [other, cross[other].url])),
  };
  const common = { redis: urlOf(name), deadlineMs: DEADLINE_MS, now: () => nowMs };
  const onRegionChanged = (other: string, isReachable: boolean) => {
    changes.push(`${name}: ${other} ${isReachable ? 'replies' : 'does not reply'}`);
  };
  const exchange = createRegionExchange({ region, ...common, onRegionChanged });
  return { name, exchange, limiter: createProtectionLimiter({ ...common, region }, { exchange }) };
}

beforeAll(async () => {
  servers = await Promise.all(NAMES.map(() => startRedisServer()));
  const proxies = await Promise.all(servers.map(({ url }) => startTcpProxy(url)));
  cross = Object.fromEntries(NAMES.map((name, i) => [name, proxies[i]!])) as typeof cross;
  regions = NAMES.map((name) => open(name));
  await Promise.all(regions.map(({ limiter }) => limiter.opened));
});
afterAll(async () => {
  await Promise.all(regions.map(({ limiter }) => limiter.close()));
  await Promise.all(Object.values(cross).map((proxy) => proxy.close()));
  await Promise.all(servers.map((server) => server.stop()));
});

const of = (name: Name) => regions.find((region) => region.name === name)!;

async function flush(name: Name, key?: string): Promise<void> {
  const client = new Redis(urlOf(name));
  await (key === undefined ? client.flushall() : client.del(key));
  client.disconnect();
}

/** Exchanges the ledgers of all regions once, and lets the time pass that a gift needs. */
async function round(only: readonly Region[] = regions): Promise<void> {
  for (const { exchange } of only) await exchange.exchange();
  nowMs += ADOPTED_AFTER_MS;
  for (const { exchange } of only) await exchange.exchange();
}

const window = (id: string, amount = 100) =>
  ({ id, scope: 'GLOBAL', algorithm: 'FIXED_WINDOW', amount, windowMs: WINDOW_MS, regionMode: 'SPLIT' }) as const;

/** Returns the amount of a window of 100 that each region admits now. */
async function amounts(only: readonly Region[] = regions): Promise<Record<string, number>> {
  const limits = [{ ...window('shown'), cost: 0 }];
  const entries = only.map(async ({ name, limiter }) => {
    const [state] = await limiter.peek({ subject: {}, limits });
    return [name, state!.limit] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
const sumOf = (numbers: Record<string, number>) => Object.values(numbers).reduce((sum, one) => sum + one, 0);

/** Uses a part of a window of 100 in a region. */
async function use(name: Name, cost: number): Promise<void> {
  const limits = [{ ...window(uniqueName('used')), cost }];
  expect((await of(name).limiter.charge({ subject: {}, limits })).admitted).toBe(true);
}

describe('three regions with a Redis each that move their shares', () => {
  beforeEach(async () => {
    await Promise.all(Object.values(cross).map((proxy) => proxy.set({ kind: 'pass' })));
    await Promise.all(NAMES.map((name) => flush(name)));
    nowMs += 100 * WINDOW_MS;
    // The first exchange of a region without a ledger starts with the configured share.
    await until('all regions read each other', async () => {
      await round();
      const shares = await amounts();
      return shares['eu'] === 40 && shares['us'] === 30 && shares['ap'] === 30;
    });
  });

  it('a region with all the demand gets all but the floors of the others, and gives them back when the demand moves', async () => {
    await Promise.all(Object.values(cross).map((proxy) => proxy.set({ kind: 'delay', ms: 20 })));
    for (let i = 0; i < 14; i++) {
      await use('eu', 20);
      await round();
    }
    nowMs += 2 * WINDOW_MS;
    await round();
    expect(await amounts()).toEqual({ eu: 90, us: 5, ap: 5 });
    for (let i = 0; i < 30; i++) {
      await use('us', 5);
      await round();
    }
    nowMs += 2 * WINDOW_MS;
    await round();
    const moved = await amounts();
    expect(moved['us']).toBeGreaterThan(80);
    expect(sumOf(moved)).toBe(100);
  });

  it('a region that is cut off keeps its share and serves its callers, and all shares sum to 100 afterwards', async () => {
    for (let i = 0; i < 3; i++) {
      await use('eu', 20);
      await round();
    }
    const before = await amounts();
    changes = [];
    await cross.ap.set({ kind: 'refuse' });
    for (let i = 0; i < 4; i++) {
      await use('eu', 20);
      await round();
    }
    const during = await amounts();
    expect(changes.sort()).toEqual(['eu: ap does not reply', 'us: ap does not reply']);
    changes = [];
    expect(during['ap']).toBeLessThanOrEqual(before['ap']!);
    expect(sumOf(during)).toBeLessThanOrEqual(100);
    const limits = [{ ...window(uniqueName('alone')), cost: during['ap']! }];
    expect((await of('ap').limiter.charge({ subject: {}, limits })).admitted).toBe(true);
    await cross.ap.set({ kind: 'pass' });
    // Each region connects again after a pause of its own.
    await until('all percents have arrived, and both regions have reported the change', async () => {
      await round();
      nowMs += 2 * WINDOW_MS;
      return changes.length >= 2 && sumOf(await amounts()) === 100;
    });
    expect(changes.sort()).toEqual(['eu: ap replies', 'us: ap replies']);
  });

  it('denied operations do not move shares', async () => {
    const limits = [{ ...window(uniqueName('flood')), cost: 31 }];
    for (let i = 0; i < 20; i++) {
      expect((await of('us').limiter.charge({ subject: {}, limits })).admitted).toBe(false);
      if (i % 5 === 0) await round();
    }
    expect(await amounts()).toEqual(SHARES);
  });

  it('an instance that cannot read the share of its region uses the floor', async () => {
    nowMs += 2 * EXCHANGE_MS + 1;
    expect(await amounts()).toEqual({ eu: 5, us: 5, ap: 5 });
    await round();
    expect(await amounts()).toEqual(SHARES);
  });

  it('a region whose Redis has lost its ledger restores what it has given from the others', async () => {
    for (let i = 0; i < 6; i++) {
      await use('eu', 20);
      await round();
    }
    await flush('us');
    await round();
    const after = await amounts();
    expect(after['us']).toBeLessThan(30);
    expect(sumOf(after)).toBeLessThanOrEqual(100);
  });

  it('regions with other shares use the floor until all regions have them', async () => {
    const two = { eu: 60, us: 40 };
    // The instances of both regions restart, so another one exchanges the shares.
    for (const name of ['eu', 'us'] as const) await flush(name, `tg:{region:${name}}:leader`);
    const changed = [open('eu', two)];
    await round(changed);
    expect(await amounts(changed)).toEqual({ eu: 5 });
    changed.push(open('us', two));
    // A new instance may still be connecting to the other region.
    await expect
      .poll(async () => {
        await round(changed);
        nowMs += 2 * WINDOW_MS;
        return amounts(changed);
      })
      .toEqual(two);
    await Promise.all(changed.map(({ limiter }) => limiter.close()));
  });

  const anyStep = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('charge' as const),
        region: fc.nat(2),
        part: fc.integer({ min: 1, max: 30 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('exchange' as const), region: fc.nat(2) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        ms: fc.oneof(fc.nat(WINDOW_MS), fc.nat(ADOPTED_AFTER_MS)),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('partition' as const), region: fc.nat(2) }) },
  );

  it(`never admit more than the limit in ${RUNS} histories with partitions (SEED=${seed})`, async () => {
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 40, max: 400 }),
        fc.constantFrom('FIXED_WINDOW' as const, 'STRICT' as const, 'TOKEN_BUCKET' as const),
        fc.array(anyStep, { minLength: 40, maxLength: 80 }),
        async (amount, kind, steps) => {
          nowMs += 10 * WINDOW_MS;
          const id = uniqueName('history');
          const bucket = { capacity: amount, refillAmount: amount, refillPeriodMs: WINDOW_MS };
          const limit =
            kind === 'TOKEN_BUCKET'
              ? ({ id, scope: 'GLOBAL', algorithm: kind, ...bucket, regionMode: 'SPLIT' } as const)
              : kind === 'FIXED_WINDOW'
                ? window(id, amount)
                : ({ ...window(id, amount), algorithm: 'SLIDING_WINDOW_COUNTER', strict: true } as const);
          const admitted: { atMs: number; cost: number }[] = [];
          for (const step of steps) {
            if (step.kind === 'wait') nowMs += step.ms;
            else if (step.kind === 'partition') {
              for (const name of NAMES) await cross[name].set({ kind: 'pass' });
              await cross[NAMES[step.region]!].set({ kind: 'refuse' });
            } else if (step.kind === 'exchange') await regions[step.region]!.exchange.exchange();
            else {
              const cost = Math.max(1, Math.floor((amount * step.part) / 100));
              const { limiter } = regions[step.region]!;
              const decision = await limiter.charge({ subject: {}, limits: [{ ...limit, cost }] });
              expect(decision.degraded).toBe(false);
              if (decision.admitted) admitted.push({ atMs: nowMs, cost });
            }
            if (regions.some(({ exchange }) => ![0, -35, -25].includes(exchange.movedPercent(0)))) moved++;
          }
          for (const [i, first] of admitted.entries()) {
            let sum = 0;
            for (const { atMs, cost } of admitted.slice(i)) {
              sum += cost;
              const passedMs = atMs - first.atMs;
              const isWithin =
                kind === 'FIXED_WINDOW'
                  ? Math.floor(atMs / WINDOW_MS) === Math.floor(first.atMs / WINDOW_MS)
                  : passedMs < WINDOW_MS;
              if (kind === 'TOKEN_BUCKET') expect(sum).toBeLessThanOrEqual(amount + (passedMs * amount) / WINDOW_MS);
              else if (isWithin) expect(sum).toBeLessThanOrEqual(amount);
            }
          }
        },
      ),
      { numRuns: RUNS, seed, endOnFailure: true },
    );
    expect(moved).toBeGreaterThan(RUNS);
  });
});
