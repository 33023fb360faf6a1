import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Receipt } from '../../../src/limiter/charge/decision.js';
import {
  createLimiter,
  createProtectionLimiter,
  type MonitoredLimiter,
  type ProtectionLimiter,
} from '../../../src/limiter/create-limiter.js';
import type { AddCount, CountExchange } from '../../../src/limiter/exchange/count-exchange.js';
import { createRegionExchange, type RegionExchange } from '../../../src/limiter/exchange/region-exchange.js';
import { asUser, deniedTo, restrict } from '../../helpers/acl-user.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { startRedisServer, type TestServer, uniqueName } from '../../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';

const NAMES = ['ap', 'eu', 'us'] as const;
type Name = (typeof NAMES)[number];
const SHARES: Record<string, number> = { eu: 40, us: 30, ap: 30 };
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
// Each history waits for the delay between regions. `HISTORIES` runs more of them.
const RUNS = Number(process.env['HISTORIES'] ?? 15);
const WINDOW_MS = 10_000;
const DELAY = { kind: 'delay', ms: 80 } as const;
/** Interval so long that only the tests exchange counts. */
const EXCHANGE_MS = 100_000_000;

let servers: TestServer[];
/** Ways of the other regions to the Redis of a region. */
let cross: Record<Name, TcpProxy>;
/** Way of each region to its own Redis, for the exchange only. */
let near: Record<Name, TcpProxy>;
let nowMs = 1_800_000_000_000;

interface Region {
  name: Name;
  limiter: ProtectionLimiter;
  exchange: RegionExchange;
  counts: CountExchange;
}
let regions: Region[];

const urlOf = (name: Name) => servers[NAMES.indexOf(name)]!.url;
const of = (name: Name) => regions.find((region) => region.name === name)!;

function open(
  name: Name,
  shares = SHARES,
  urlAs: typeof asUser = (url) => url,
  addAs: (add: AddCount) => AddCount = (add) => add,
): Region {
  const others = NAMES.filter((other) => other !== name && other in shares);
  const region = {
    name,
    shares,
    redis: Object.fromEntries(others.map((other) => [other, urlAs(cross[other].url, 'regions')])),
  };
  const common = { deadlineMs: PATIENT_MS, now: () => nowMs };
  const exchange = createRegionExchange({
    region: { ...region, exchangeMs: EXCHANGE_MS },
    redis: urlAs(near[name].url),
    ...common,
  });
  let counts: CountExchange | undefined;
  const observed: typeof exchange = {
    ...exchange,
    openCounts(add) {
      counts = exchange.openCounts(addAs(add));
      return counts;
    },
  };
  const limiter = createProtectionLimiter({ redis: urlAs(urlOf(name)), region, ...common }, { exchange: observed });
  return { name, limiter, exchange, counts: counts! };
}

beforeAll(async () => {
  servers = await Promise.all(NAMES.map(() => startRedisServer()));
  const proxiesTo = async () => {
    const proxies = await Promise.all(servers.map(({ url }) => startTcpProxy(url)));
    return Object.fromEntries(NAMES.map((name, i) => [name, proxies[i]!])) as Record<Name, TcpProxy>;
  };
  [cross, near] = await Promise.all([proxiesTo(), proxiesTo()]);
  regions = NAMES.map((name) => open(name));
  await Promise.all(regions.map(({ limiter }) => limiter.opened));
});
afterAll(async () => {
  await healAll();
  await Promise.all(regions.map(({ limiter }) => limiter.close()));
  await Promise.all([...Object.values(cross), ...Object.values(near)].map((proxy) => proxy.close()));
  await Promise.all(servers.map((server) => server.stop()));
});

/** Ends the time of the instance that reads for a region, so that another one takes its place. */
const freeLead = (name: Name) => remove(name, `tg:{region:${name}}:leader`);

async function remove(name: Name, key: string): Promise<void> {
  const client = new Redis(urlOf(name));
  await client.del(key);
  client.disconnect();
}

async function healAll(): Promise<void> {
  await Promise.all(NAMES.flatMap((name) => [cross[name].set(DELAY), near[name].set({ kind: 'pass' })]));
}

const KINDS = {
  FIXED_WINDOW: (amount) => ({ algorithm: 'FIXED_WINDOW', amount, windowMs: WINDOW_MS }),
  STRICT: (amount) => ({ algorithm: 'SLIDING_WINDOW_COUNTER', strict: true, amount, windowMs: WINDOW_MS }),
  LOG: (amount) => ({ algorithm: 'SLIDING_WINDOW_LOG', amount, windowMs: WINDOW_MS }),
  BUCKET: (amount) => ({
    algorithm: 'TOKEN_BUCKET',
    capacity: amount,
    refillAmount: amount,
    refillPeriodMs: WINDOW_MS,
  }),
} as const satisfies Record<string, (amount: number) => Pick<LimitCharge, 'algorithm'> & Partial<LimitCharge>>;
type Kind = keyof typeof KINDS;

const watched = (id: string, kind: Kind, amount: number, cost: number): LimitCharge => ({
  ...KINDS[kind](amount),
  id,
  scope: 'TENANT',
  regionMode: 'WATCH',
  cost,
});
const subject = { tenant: 'acme' };

/** Resolves to the amount that each region counts as used. */
function usedIn(only: readonly Region[], limit: LimitCharge): Promise<number[]> {
  return Promise.all(
    only.map(async ({ limiter }) => (await limiter.peek({ subject, limits: [{ ...limit, cost: 0 }] }))[0]!.used),
  );
}

/** Publishes all counts and adds them in all regions, after any fault. */
async function exchangeAll(only: readonly Region[] = regions): Promise<void> {
  await healAll();
  for (const one of ['publish', 'read'] as const) {
    for (const { counts } of only) {
      await until('the exchange works again', () =>
        counts[one]().then(
          (unread) => (unread ?? []).length === 0,
          () => false,
        ),
      );
    }
  }
}

/** An admitted operation. `cost` is the actual one after its settlement. */
interface Admitted {
  region: number;
  atMs: number;
  cost: number;
  isPublished: boolean;
  seenBy: Set<number>;
}

/** Whether a limit counts two operations against the same amount. */
function isTogether(kind: Kind, fromMs: number, toMs: number): boolean {
  if (kind === 'FIXED_WINDOW') return Math.floor(fromMs / WINDOW_MS) === Math.floor(toMs / WINDOW_MS);
  return kind === 'BUCKET' || toMs - fromMs < WINDOW_MS;
}

/**
 * Expects that the last admitted operation keeps the bound: the limit, and what other regions had
 * admitted and its region could not know.
 */
function expectWithinBound(kind: Kind, amount: number, admitted: readonly Admitted[]): void {
  const last = admitted.at(-1)!;
  const unseen = (one: Admitted) => one.region !== last.region && !one.seenBy.has(last.region);
  let sum = 0;
  let unknown = 0;
  for (const one of admitted.toReversed()) {
    if (!isTogether(kind, one.atMs, last.atMs)) break;
    sum += one.cost;
    if (unseen(one)) unknown += one.cost;
    const refilled = kind === 'BUCKET' ? ((last.atMs - one.atMs) * amount) / WINDOW_MS : 0;
    expect(sum, `${kind} of ${amount}`).toBeLessThanOrEqual(amount + refilled + unknown);
    expect(sum, `${kind} of ${amount}`).toBeLessThanOrEqual(NAMES.length * (amount + refilled));
  }
}

const inAnyRegion = <Step extends string>(kind: Step) =>
  fc.record({ kind: fc.constant(kind), region: fc.nat(NAMES.length - 1) });
const anyStep = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      region: fc.nat(NAMES.length - 1),
      part: fc.integer({ min: 1, max: 40 }),
      refundedPart: fc.constantFrom(0, 0, 1, 0.5),
      isPublishedFirst: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: inAnyRegion('publish' as const) },
  { weight: 4, arbitrary: inAnyRegion('read' as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(WINDOW_MS) }) },
  { weight: 1, arbitrary: inAnyRegion('partition' as const) },
  { weight: 1, arbitrary: inAnyRegion('lose' as const) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;

/** Runs the exchange of one region, and notes which operations the others may now know. */
async function runExchange(one: 'publish' | 'read', region: number, admitted: readonly Admitted[]) {
  const unread = await regions[region]!.counts[one]().then(
    (names) => names ?? [],
    () => NAMES,
  );
  if (unread === NAMES) return;
  for (const operation of admitted) {
    if (one === 'publish' && operation.region === region) operation.isPublished = true;
    const isRead = one === 'read' && operation.isPublished && !unread.includes(NAMES[operation.region]!);
    if (isRead) operation.seenBy.add(region);
  }
}

async function runHistory(kind: Kind, amount: number, steps: readonly Step[]): Promise<number> {
  const id = uniqueName('watched');
  const admitted: Admitted[] = [];
  for (const step of steps) {
    if (step.kind === 'wait') nowMs += step.ms;
    else if (step.kind === 'partition') {
      await healAll();
      await cross[NAMES[step.region]!].set({ kind: 'refuse' });
    } else if (step.kind === 'lose') {
      await near[NAMES[step.region]!].set({ kind: 'drop-replies', count: 1, seenAs: 'reset' });
    } else if (step.kind !== 'charge') await runExchange(step.kind, step.region, admitted);
    else {
      const { limiter } = regions[step.region]!;
      const cost = Math.max(1, Math.floor((amount * step.part) / 100));
      const decision = await limiter.charge({ subject, limits: [watched(id, kind, amount, cost)] });
      expect(decision.degraded).toBe(false);
      if (!decision.admitted) continue;
      const operation = { region: step.region, atMs: nowMs, cost, isPublished: false, seenBy: new Set<number>() };
      admitted.push(operation);
      expectWithinBound(kind, amount, admitted);
      if (step.refundedPart === 0) continue;
      // A bucket that was refilled in the meantime has no room for a refund.
      if (step.isPublishedFirst && kind !== 'BUCKET') await runExchange('publish', step.region, admitted);
      operation.cost = Math.floor(cost * (1 - step.refundedPart));
      await limiter.settle(decision.receipt as Receipt, { [id]: operation.cost });
    }
  }
  await exchangeAll();
  const used = await usedIn(regions, watched(id, kind, amount, 0));
  const sum = admitted
    .filter(({ atMs }) => isTogether(kind, atMs, nowMs))
    .reduce((all, operation) => all + operation.cost, 0);
  // A strict window counts in parts, which leave it a moment later than their operations. Counts of a
  // bucket that arrive later are refilled later.
  if (kind === 'FIXED_WINDOW' || kind === 'LOG') expect(used).toEqual(used.map(() => sum));
  else if (kind === 'STRICT') expect(used).toEqual(used.map(() => used[0]));
  return admitted.length;
}

describe('three regions with a Redis each that exchange the counts of watched limits', () => {
  beforeEach(async () => {
    nowMs += 100 * WINDOW_MS;
    await exchangeAll();
  });

  it(
    `never admit more than the limit and what a region could not know in ${RUNS} histories with partitions and lost replies (SEED=${seed})`,
    async () => {
      let all = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...(Object.keys(KINDS) as Kind[])),
          fc.integer({ min: 10, max: 400 }),
          fc.array(anyStep, { minLength: 30, maxLength: 60 }),
          async (kind, amount, steps) => {
            nowMs = Math.ceil(nowMs / WINDOW_MS + 10) * WINDOW_MS;
            all += await runHistory(kind, amount, steps);
          },
        ),
        { numRuns: RUNS, seed, endOnFailure: true },
      );
      expect(all).toBeGreaterThan(RUNS);
    },
    RUNS * 10_000,
  );

  it('a caller of one region is served by its Redis alone while the others cannot be reached', async () => {
    await Promise.all([cross.ap.set({ kind: 'refuse' }), cross.us.set({ kind: 'refuse' })]);
    const id = uniqueName('alone');
    const decision = await of('eu').limiter.charge({ subject, limits: [watched(id, 'FIXED_WINDOW', 10, 10)] });
    expect(decision).toMatchObject({ admitted: true, degraded: false });
    await of('eu').counts.read();
    expect(await usedIn([of('eu')], watched(id, 'FIXED_WINDOW', 10, 0))).toEqual([10]);
  });

  it('a caller who has used the limit in one region is denied in all others after one exchange', async () => {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const id = uniqueName('moves');
      const charge = (name: Name) => of(name).limiter.charge({ subject, limits: [watched(id, kind, 10, 10)] });
      expect((await charge('eu')).admitted).toBe(true);
      await exchangeAll();
      expect((await charge('us')).admitted).toBe(false);
      expect((await charge('ap')).admitted).toBe(false);
    }
  });

  it('a bucket that was spent in all regions at once refills at its own rate, not at that of three buckets', async () => {
    const id = uniqueName('bursts');
    const charge = (name: Name, cost: number) =>
      of(name).limiter.charge({ subject, limits: [watched(id, 'BUCKET', 10, cost)] });
    for (const name of NAMES) expect((await charge(name, 10)).admitted).toBe(true);
    await exchangeAll();
    expect(await usedIn(regions, watched(id, 'BUCKET', 10, 0))).toEqual([30, 30, 30]);
    // The two excess capacities take two periods to refill.
    nowMs += 2 * WINDOW_MS;
    for (const name of NAMES) expect((await charge(name, 1)).admitted).toBe(false);
    nowMs += WINDOW_MS / 10;
    expect((await charge('us', 1)).admitted).toBe(true);
  });

  it('a batch whose reply was lost is counted once', async () => {
    const id = uniqueName('lost');
    const limit = watched(id, 'FIXED_WINDOW', 10, 3);
    await of('us').limiter.charge({ subject, limits: [limit] });
    await near.us.set({ kind: 'drop-replies', count: 1, seenAs: 'reset' });
    await of('us')
      .counts.publish()
      .catch(() => {});
    await exchangeAll();
    await exchangeAll();
    expect(await usedIn(regions, limit)).toEqual([3, 3, 3]);
  });

  it('a region that was cut off for several windows adds only what counts in the present one', async () => {
    const id = uniqueName('healed');
    const limit = watched(id, 'FIXED_WINDOW', 10, 4);
    await cross.eu.set({ kind: 'refuse' });
    for (let i = 0; i < 3; i++) {
      nowMs += WINDOW_MS;
      await of('eu').limiter.charge({ subject, limits: [limit] });
      await of('eu').counts.publish();
      await of('us').counts.read();
    }
    expect(await usedIn([of('us')], limit)).toEqual([0]);
    await exchangeAll();
    expect(await usedIn(regions, limit)).toEqual([4, 4, 4]);
  });

  it('a calendar window counts what other regions report in its period, and nothing of the period before', async () => {
    const id = uniqueName('calendar');
    const calendar = { algorithm: 'CALENDAR_WINDOW', every: 'HOUR', amount: 10 } as const;
    const limit = (cost: number): LimitCharge => ({ ...calendar, id, scope: 'TENANT', regionMode: 'WATCH', cost });
    const charge = async (name: Name, cost: number) =>
      (await of(name).limiter.charge({ subject, limits: [limit(cost)] })).admitted;
    const hourMs = 3_600_000;
    nowMs = Math.ceil(nowMs / hourMs) * hourMs + hourMs - 1000;
    expect(await charge('eu', 6)).toBe(true);
    await exchangeAll();
    expect(await usedIn(regions, limit(0))).toEqual([6, 6, 6]);
    expect(await charge('us', 5)).toBe(false);
    // The other regions read these counts only in the next hour.
    expect(await charge('eu', 4)).toBe(true);
    nowMs += 1000;
    expect(await charge('eu', 3)).toBe(true);
    await exchangeAll();
    expect(await usedIn(regions, limit(0))).toEqual([3, 3, 3]);
    expect(await charge('us', 8)).toBe(false);
    expect(await charge('ap', 7)).toBe(true);
  });

  it('the counts that a crashed instance was reading are added by the next one, and at most twice', async () => {
    let confirm: (confirmed: boolean) => void = () => {};
    const confirmed = new Promise<boolean>((resolve) => {
      confirm = resolve;
    });
    // The instance has added a count, and does not know it yet.
    const crashing = open('us', SHARES, undefined, (add) => (count) => add(count).then(() => confirmed));
    await crashing.limiter.opened;
    await freeLead('us');
    const limit = watched(uniqueName('crash'), 'FIXED_WINDOW', 10, 3);
    await of('eu').limiter.charge({ subject, limits: [limit] });
    await of('eu').counts.publish();
    const reading = crashing.counts.read();
    await until('the instance has added the counts', async () => (await usedIn([of('us')], limit))[0] === 3);
    await freeLead('us');
    await exchangeAll();
    expect(await usedIn(regions, limit)).toEqual([3, 3, 6]);
    await exchangeAll();
    expect(await usedIn(regions, limit)).toEqual([3, 3, 6]);
    confirm(false);
    await reading;
    await crashing.limiter.close();
  });

  it('regions exchange shares and counts with Redis users that have only the documented rights', async () => {
    const admins = NAMES.map((name) => new Redis(urlOf(name)));
    for (const [i, admin] of admins.entries()) {
      await restrict(admin, 'tollgate');
      await restrict(admin, 'regions');
      await admin.del(`tg:{region:${NAMES[i]}}:leader`, `tg:{region:${NAMES[i]}}:ledger`);
    }
    const asUsers = NAMES.map((name) => open(name, SHARES, asUser));
    await Promise.all(asUsers.map(({ limiter }) => limiter.opened));
    const limit = watched(uniqueName('users'), 'FIXED_WINDOW', 10, 3);
    expect(await asUsers[0]!.limiter.charge({ subject, limits: [limit] })).toMatchObject({ degraded: false });
    await exchangeAll(asUsers);
    expect(await usedIn(asUsers, limit)).toEqual([3, 3, 3]);
    await until('each region has read the shares of the others', async () => {
      for (const { exchange } of asUsers) await exchange.exchange();
      nowMs += EXCHANGE_MS / 2;
      return asUsers.every(({ exchange, name }) => exchange.state().percent === SHARES[name]);
    });
    await Promise.all(asUsers.map(({ limiter }) => limiter.close()));
    for (const [i, admin] of admins.entries()) {
      expect(await deniedTo(admin)).toEqual([]);
      await admin.del(`tg:{region:${NAMES[i]}}:leader`);
      admin.disconnect();
    }
  });

  it('a region is added and removed under load, and all regions then count the same', async () => {
    const id = uniqueName('joins');
    const limit = watched(id, 'FIXED_WINDOW', 100, 1);
    const two = { eu: 50, us: 50 };
    /** Charges in turn until all regions deny, with an exchange after every ten charges of each. */
    async function load(only: readonly Region[]): Promise<number> {
      nowMs = Math.ceil(nowMs / WINDOW_MS + 1) * WINDOW_MS;
      let sum = 0;
      for (;;) {
        const before = sum;
        for (const { limiter } of only) {
          for (let i = 0; i < 10; i++) sum += Number((await limiter.charge({ subject, limits: [limit] })).admitted);
        }
        if (sum === before) return sum;
        await exchangeAll(only);
      }
    }
    const pair = [open('eu', two), open('us', two)];
    const restarted = [of('eu'), of('us')];
    for (const { only, most } of [
      { only: pair, most: 120 },
      // The instances that read for the old regions do not read the new one yet.
      { only: [...pair, of('ap')], most: 220 },
      { only: regions, most: 140 },
      { only: restarted, most: 120 },
      { only: pair, most: 120 },
    ]) {
      // Other instances read the counts after a restart.
      for (const name of NAMES) await freeLead(name);
      const sum = await load(only);
      expect(sum).toBeGreaterThanOrEqual(100);
      expect(sum).toBeLessThanOrEqual(most);
      const used = await usedIn(only, limit);
      if (most !== 220) expect(used).toEqual(used.map(() => sum));
    }
    await Promise.all(pair.map(({ limiter }) => limiter.close()));
  });
});

it('a watched limit has the effect of a split one if regions exchange no counts, and for slots', async () => {
  const region = { name: 'eu', shares: { eu: 40, us: 60 }, tierMode: 'WATCH' } as const;
  const shown = async (options: Parameters<typeof createLimiter>[0], limit: Omit<LimitCharge, 'id' | 'scope'>) => {
    const limiter = createLimiter(options);
    await limiter.opened;
    const [state] = await limiter.peek({ subject: {}, limits: [{ ...limit, id: 'shown', scope: 'GLOBAL' }] });
    await limiter.close();
    return state!.limit;
  };
  const slots = { algorithm: 'CONCURRENCY', capacity: 10, leaseMs: 1000, cost: 0 } as const;
  const window = { ...KINDS.FIXED_WINDOW(10), cost: 0 };
  expect(await shown({ region }, window)).toBe(4);
  expect(await shown({ region }, slots)).toBe(4);
  const exchanged = { redis: urlOf('eu'), region: { ...region, redis: { us: cross.us.url } } };
  expect(await shown(exchanged, window)).toBe(10);
  expect(await shown(exchanged, slots)).toBe(4);
});

it('leased operations of a watched limit count in the other region, which admits only what they leave', async () => {
  const limit: LimitCharge = {
    id: uniqueName('leased'),
    scope: 'GLOBAL',
    algorithm: 'FIXED_WINDOW',
    amount: 3000,
    windowMs: 86_400_000_000,
    precision: 'LEASED',
    regionMode: 'WATCH',
    cost: 1,
  };
  const shares = { one: 50, two: 50 };
  const [one, two] = (['one', 'two'] as const).map((name) => {
    const other = name === 'one' ? { two: urlOf('us') } : { one: urlOf('eu') };
    const redis = urlOf(name === 'one' ? 'eu' : 'us');
    const region = { name, shares, redis: other, exchangeMs: 200 };
    return createLimiter({ redis, region, leases: { lengthMs: 1000 }, deadlineMs: PATIENT_MS });
  }) as [MonitoredLimiter, MonitoredLimiter];
  const admits = async (limiter: MonitoredLimiter) => (await limiter.charge({ subject: {}, limits: [limit] })).admitted;
  for (let i = 0; i < 1000; i++) expect(await admits(one)).toBe(true);
  expect(one.leases().decisions).toBeGreaterThan(0);
  // Tokens that the first region holds are not published, because they are not spent.
  await until('the other region counts the operations', async () => {
    const [state] = await two.peek({ subject: {}, limits: [{ ...limit, cost: 0 }] });
    return state!.used === 1000;
  });
  let admitted = 0;
  while (await admits(two)) admitted++;
  expect(admitted).toBeGreaterThan(1900);
  expect(admitted).toBeLessThanOrEqual(2000);
  await Promise.all([one.close(), two.close()]);
});
