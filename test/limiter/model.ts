import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { ChargeSubject } from '../../src/model/subject.js';
import { periodAt } from './period-at.js';

/**
 * A limiter that implements the definitions of the algorithms literally, to check the engines. It
 * is slow: it searches for waits, resets and admissible costs instead of using formulas. It
 * supports whole numbers only. Buckets use BigInt.
 */
export interface Model {
  charge(subject: ChargeSubject, limits: readonly LimitCharge[], clock: number): ModelDecision;
  settle(receipt: ModelReceipt, actual: Readonly<Record<string, number>>, clock: number): void;
  /** Makes the concurrency slots of a charge end `leaseMs` from now. */
  renew(receipt: ModelReceipt, clock: number): void;
  peek(subject: ChargeSubject, limits: readonly LimitCharge[], clock: number): ModelState[];
  /** Returns the decision that `charge` would make. */
  preview(subject: ChargeSubject, limits: readonly LimitCharge[], clock: number): ModelDecision;
  reset(subject: ChargeSubject, limits: readonly LimitCharge[], clock: number): void;
}

export interface ModelState {
  id: string;
  limit: number;
  used: number;
  remaining: number;
  resetAtMs: number;
  retryAfterMs: number;
  violated: boolean;
  shadow: boolean;
  wouldDeny: boolean;
  overage?: number;
  carriedOver?: number;
  windowMs?: number;
}

export interface ModelDecision {
  admitted: boolean;
  delayMs?: number;
  limits: ModelState[];
  deniedBy?: string;
  retryAfterMs?: number;
  maxAdmissibleCost?: number;
  code?: string;
  receipt?: ModelReceipt;
}

interface ModelReceipt {
  subject: ChargeSubject;
  charged: LimitCharge[];
  stamp: number;
  charge: symbol;
}

interface Bucket {
  taken: bigint;
  debt: bigint;
  at: number;
  amount: bigint;
  period: bigint;
}

/** A period of a calendar window: what was used in it, and what was carried into it. */
interface Period {
  start: number;
  end: number;
  used: number;
  carried: number;
}

interface Counter {
  bucket: Bucket | undefined;
  period: Period | undefined;
  /** For windows and strict parts: the count by index. */
  counts: Map<number, number>;
  /** For logs and concurrency limits: the entries. */
  entries: { endsAt: number; cost: number; charge: symbol }[];
  /**
   * For concurrency limits: the mean hold time in milliseconds, or 0 if unknown. `heldAt` is the
   * time at which the counter was last written.
   */
  meanHold: number;
  heldAt: number;
  limit: LimitCharge;
}

/** The counters that Redis stores under one key. */
interface Partition {
  seenAt: number;
  counters: Map<string, Counter>;
}

const SCOPES = ['USER_AND_IP', 'USER', 'API_KEY', 'IP', 'TENANT', 'GLOBAL'];
const PARTS = 10;
const AHEAD = 5000;
const MAX_DELAY_MS = 2 ** 31 - 1;
const HOLDS_KEPT_MS = 600_000;
const MIN_SLOT_WAIT_MS = 50;

export function createModel(): Model {
  let partitions = new Map<string, Partition>();

  /**
   * Returns the time of the decision, which is the same for all affected partitions. If the time of
   * a partition is more than 5 s ahead of the clock, the partition is moved to the clock.
   */
  function agree(subject: ChargeSubject, limits: readonly LimitCharge[], clock: number): number {
    let now = clock;
    const moved: string[] = [];
    for (const key of new Set(limits.map((limit) => partitionKey(subject, limit)))) {
      const partition = partitions.get(key);
      if (!partition) continue;
      if (partition.seenAt > clock + AHEAD) {
        for (const counter of partition.counters.values()) move(counter, partition.seenAt, clock);
        moved.push(key);
      } else {
        now = Math.max(now, partition.seenAt);
      }
    }
    for (const key of moved) wrote(key, now);
    return now;
  }

  /** Ends a write to a partition: removes its empty counters, and the partition if it is empty. */
  function wrote(key: string, now: number): void {
    const partition = partitions.get(key)!;
    partition.seenAt = now;
    for (const [id, counter] of partition.counters) if (isEmpty(counter, now)) partition.counters.delete(id);
    if ([...partition.counters.values()].every((counter) => isEmpty(counter, now))) partitions.delete(key);
  }

  function counterOf(subject: ChargeSubject, limit: LimitCharge): Counter | undefined {
    return partitions.get(partitionKey(subject, limit))?.counters.get(counterKey(limit));
  }

  function put(subject: ChargeSubject, limit: LimitCharge, counter: Counter, now: number): void {
    const key = partitionKey(subject, limit);
    const partition = partitions.get(key) ?? { seenAt: now, counters: new Map() };
    partitions.set(key, partition);
    partition.counters.set(counterKey(limit), counter);
    counter.heldAt = now;
    partition.seenAt = now;
  }

  function decide(
    subject: ChargeSubject,
    limits: readonly LimitCharge[],
    clock: number,
    write: boolean,
  ): ModelDecision {
    const now = agree(subject, limits, clock);
    const enforced = limits.filter((limit) => limit.mode !== 'SHADOW');
    const impossible = enforced.filter((limit) => limit.cost > capacityOf(limit));
    const counters = limits.map((limit) => present(counterOf(subject, limit), limit, now));
    const edited = limits.map((limit) => {
      const bucket = counterOf(subject, limit)?.bucket;
      if (!bucket || isEmpty(counterOf(subject, limit)!, now)) return false;
      return bucket.amount !== BigInt(limit.refillAmount!) || bucket.period !== BigInt(limit.refillPeriodMs!);
    });
    const room = limits.map((limit, i) => limit.cost === 0 || fits(counters[i]!, limit, now, limit.cost));
    const admitted = limits.every((limit, i) => room[i] || limit.mode === 'SHADOW');
    const before = counters.map((counter) => structuredCloneCounter(counter));
    const charge = Symbol();
    const touched = new Set<string>();
    if (write && impossible.length === 0) {
      limits.forEach((limit, i) => {
        const counter = counters[i]!;
        if (limit.cost === 0) return;
        if (admitted && room[i]) take(counter, limit, now, limit.cost, charge);
        else if (!admitted && limit.countDenied && limit.mode !== 'SHADOW') {
          if (limit.algorithm === 'CONCURRENCY') return;
          if (counter.bucket) owe(counter.bucket, limit, limit.cost);
          else take(counter, limit, now, limit.cost, charge);
        } else if (!edited[i]) return;
        put(subject, limit, counter, now);
        touched.add(partitionKey(subject, limit));
      });
      for (const key of touched) wrote(key, now);
    }
    const states = limits.map((limit, i) => describe(counters[i]!, limit, now, clock, room[i]!));
    if (admitted) {
      const delays = limits.map((limit, i) =>
        limit.cost === 0 || limit.mode === 'SHADOW' ? 0 : delayOf(before[i]!, counters[i]!, limit, now),
      );
      const charged = limits.filter((limit, i) => room[i] || limit.mode !== 'SHADOW');
      return {
        admitted,
        delayMs: Math.max(0, ...delays),
        limits: states,
        receipt: { subject, charged, stamp: now, charge },
      };
    }
    const denying =
      impossible.length > 0 ? impossible : enforced.filter((limit) => states[limits.indexOf(limit)]!.violated);
    const binding = [...denying].sort(
      (a, b) => (a.rank ?? 0) - (b.rank ?? 0) || SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope),
    )[0]!;
    const at = limits.indexOf(binding);
    const denial = {
      admitted,
      limits: states,
      deniedBy: binding.id,
      maxAdmissibleCost: largest(
        0,
        capacityOf(binding),
        (cost) => cost === 0 || fits(counters[at]!, binding, now, cost),
      ),
    };
    if (impossible.length > 0) return { ...denial, code: 'COST_EXCEEDS_CAPACITY' };
    return {
      ...denial,
      code: 'THROTTLED',
      retryAfterMs: Math.max(...states.filter((s) => s.violated).map((s) => s.retryAfterMs)),
    };
  }

  /**
   * Runs `look` and then undoes all its changes, including repairs of partitions with a wrong time.
   */
  function withoutTrace<T>(look: () => T): T {
    const saved = partitions;
    partitions = new Map(
      [...saved].map(([key, { seenAt, counters }]) => [
        key,
        { seenAt, counters: new Map([...counters].map(([id, counter]) => [id, structuredCloneCounter(counter)])) },
      ]),
    );
    try {
      return look();
    } finally {
      partitions = saved;
    }
  }

  function charge(subject: ChargeSubject, limits: readonly LimitCharge[], clock: number): ModelDecision {
    const tooMuch = limits.some((limit) => limit.mode !== 'SHADOW' && limit.cost > capacityOf(limit));
    return tooMuch ? withoutTrace(() => decide(subject, limits, clock, false)) : decide(subject, limits, clock, true);
  }

  return {
    charge,
    preview: (subject, limits, clock) => withoutTrace(() => charge(subject, limits, clock)),
    peek: (subject, limits, clock) => withoutTrace(() => decide(subject, limits, clock, false).limits),
    settle({ subject, charged, stamp, charge }, actual, clock) {
      const changed = charged.filter((limit) => {
        const spent = actual[limit.id];
        return spent !== undefined && (spent !== limit.cost || limit.algorithm === 'CONCURRENCY');
      });
      const now = agree(subject, changed, clock);
      for (const limit of changed) {
        const counter = refreshed(counterOf(subject, limit), limit, now);
        correct(counter, limit, now, stamp, charge, actual[limit.id]!);
        put(subject, limit, counter, now);
      }
      for (const key of new Set(changed.map((limit) => partitionKey(subject, limit)))) wrote(key, now);
    },
    renew({ subject, charged, charge }, clock) {
      const slots = charged.filter(({ algorithm }) => algorithm === 'CONCURRENCY');
      const now = agree(subject, slots, clock);
      for (const limit of slots) {
        const counter = refreshed(counterOf(subject, limit), limit, now);
        counter.entries = counter.entries.filter((entry) => entry.charge !== charge);
        take(counter, limit, now, limit.cost, charge);
        put(subject, limit, counter, now);
      }
      for (const key of new Set(slots.map((limit) => partitionKey(subject, limit)))) wrote(key, now);
    },
    reset(subject, limits, clock) {
      const now = agree(subject, limits, clock);
      for (const limit of limits) partitions.get(partitionKey(subject, limit))?.counters.delete(counterKey(limit));
      for (const key of new Set(limits.map((limit) => partitionKey(subject, limit)))) {
        if (partitions.has(key)) wrote(key, now);
      }
    },
  };
}

function partitionKey({ user, tenant, apiKey, ip }: ChargeSubject, limit: LimitCharge): string {
  const own = isList(limit) ? counterKey(limit) : '';
  const root = tenant ?? user ?? apiKey ?? ip;
  const principal = user ?? apiKey ?? ip;
  const id = {
    USER: principal,
    USER_AND_IP: JSON.stringify([principal, ip]),
    API_KEY: apiKey,
    IP: ip,
    TENANT: tenant,
    GLOBAL: counterKey(limit),
  }[limit.scope];
  const shared = limit.scope === 'IP' || limit.scope === 'GLOBAL';
  return JSON.stringify([limit.scope, shared ? '' : root, id, own]);
}

function counterKey({ id, algorithm, windowMs, strict, every, carryOver }: LimitCharge): string {
  if (algorithm === 'CALENDAR_WINDOW') return JSON.stringify([id, algorithm, every, carryOver !== undefined]);
  return JSON.stringify([id, algorithm, algorithm.includes('WINDOW') ? windowMs : 0, strict ?? false]);
}

const isList = ({ algorithm }: LimitCharge) => algorithm === 'SLIDING_WINDOW_LOG' || algorithm === 'CONCURRENCY';
const isBucket = ({ algorithm }: LimitCharge) => algorithm === 'TOKEN_BUCKET' || algorithm === 'LEAKY_BUCKET';
const isCalendar = ({ algorithm }: LimitCharge) => algorithm === 'CALENDAR_WINDOW';
const hardCapOf = (limit: LimitCharge) => limit.hardCap ?? limit.amount!;
export const capacityOf = (limit: LimitCharge) =>
  isCalendar(limit) ? hardCapOf(limit) + carriedOf(limit, limit.amount!) : (limit.capacity ?? limit.amount!);
/** Returns the part of an unused amount that the next period gets. */
const carriedOf = ({ carryOver }: LimitCharge, unused: number) =>
  carryOver === undefined ? 0 : Math.min(carryOver.max, Number((BigInt(unused) * BigInt(carryOver.percent)) / 100n));
/** Hours after a period for which a counter with a carry-over is stored. It then equals a missing one. */
const KEPT_HOURS = { HOUR: 26, DAY: 3 * 24, WEEK: 9 * 24, MONTH: 33 * 24, QUARTER: 94 * 24, YEAR: 368 * 24 };
const keptMs = ({ every, carryOver }: LimitCharge) => (carryOver === undefined ? 0 : KEPT_HOURS[every!] * 3_600_000);
const partMs = (limit: LimitCharge) => Math.ceil(limit.windowMs! / PARTS);
const indexAt = (limit: LimitCharge, time: number) =>
  Math.floor(time / (limit.strict ? partMs(limit) : limit.windowMs!));

function structuredCloneCounter(counter: Counter): Counter {
  return {
    bucket: counter.bucket && { ...counter.bucket },
    period: counter.period && { ...counter.period },
    counts: new Map(counter.counts),
    entries: counter.entries.map((entry) => ({ ...entry })),
    meanHold: counter.meanHold,
    heldAt: counter.heldAt,
    limit: counter.limit,
  };
}

/**
 * Returns a copy of the counter at time `now`. The refill until then uses the rate that was stored.
 */
function refreshed(stored: Counter | undefined, limit: LimitCharge, now: number): Counter {
  const empty: Counter = {
    bucket: isBucket(limit)
      ? { taken: 0n, debt: 0n, at: now, amount: BigInt(limit.refillAmount!), period: BigInt(limit.refillPeriodMs!) }
      : undefined,
    period: isCalendar(limit) ? periodFrom(undefined, limit, now) : undefined,
    counts: new Map(),
    entries: [],
    meanHold: 0,
    heldAt: now,
    limit,
  };
  if (!stored) return empty;
  const counter = structuredCloneCounter(stored);
  if (counter.bucket) {
    advance(counter.bucket, now);
  }
  if (counter.period) {
    // An edit of the most that can be carried over changes what was carried over by the difference.
    counter.period.carried += carriedOf(limit, limit.amount!) - carriedOf(stored.limit, stored.limit.amount!);
    counter.period = periodFrom(isEmpty(stored, now) ? undefined : counter.period, limit, now);
  }
  counter.limit = limit;
  if (isList(limit) && usedAt(counter, limit, now) === 0 && !remembersHolds(counter, now)) counter.meanHold = 0;
  return counter;
}

/**
 * Returns the period of a calendar window at a time. A period that is not over ends at its own end or
 * at the end of the limit's period, whichever comes first. The amount of a period is used before the
 * rest of what was carried into it is lost.
 */
function periodFrom(stored: Period | undefined, limit: LimitCharge, now: number): Period {
  const { start, end } = periodAt(limit, now);
  if (stored && stored.end > now) return { ...stored, end: Math.min(stored.end, end) };
  const isNext = stored !== undefined && stored.end >= start;
  const ownUsed = isNext ? Math.min(limit.amount!, Math.max(0, stored.used - stored.carried)) : 0;
  return { start: isNext ? stored.end : start, end, used: 0, carried: carriedOf(limit, limit.amount! - ownUsed) };
}

function remembersHolds({ meanHold, heldAt, limit }: Counter, time: number): boolean {
  return meanHold > 0 && time < heldAt + Math.min(limit.leaseMs!, HOLDS_KEPT_MS);
}

/** Returns a copy of the counter at time `now`, converted to the rate of `limit`. */
function present(stored: Counter | undefined, limit: LimitCharge, now: number): Counter {
  const counter = refreshed(stored, limit, now);
  const { bucket } = counter;
  if (bucket) {
    const period = BigInt(limit.refillPeriodMs!);
    bucket.taken = divideUp(bucket.taken * period, bucket.period);
    bucket.debt = divideUp(bucket.debt * period, bucket.period);
    bucket.amount = BigInt(limit.refillAmount!);
    bucket.period = period;
  }
  return counter;
}

function advance(bucket: Bucket, time: number): void {
  let refill = BigInt(Math.max(0, time - bucket.at)) * bucket.amount;
  const paid = refill < bucket.debt ? refill : bucket.debt;
  bucket.debt -= paid;
  refill -= paid;
  bucket.taken = bucket.taken > refill ? bucket.taken - refill : 0n;
  bucket.at = time;
}

function usedAt(counter: Counter, limit: LimitCharge, time: number): number {
  const { counts, entries } = counter;
  if (isList(limit)) return sum(entries.filter((entry) => entry.endsAt > time).map((entry) => entry.cost));
  const index = indexAt(limit, time);
  if (limit.strict) {
    // A part counts in full as long as at least one of its milliseconds lies in the window that
    // ends at `time`.
    const oldest = Math.floor((time - limit.windowMs! + 1) / partMs(limit));
    return sum([...counts].filter(([part]) => part >= oldest).map(([, count]) => count));
  }
  const current = counts.get(index) ?? 0;
  if (limit.algorithm === 'FIXED_WINDOW') return current;
  const overlap = BigInt((index + 1) * limit.windowMs! - time);
  return current + Number(divideUp(BigInt(counts.get(index - 1) ?? 0) * overlap, BigInt(limit.windowMs!)));
}

/**
 * Returns whether `cost` fits at `time` if nothing else happens until then. `time` must not be
 * before the time of the counter.
 */
function fits(counter: Counter, limit: LimitCharge, time: number, cost: number): boolean {
  if (cost > capacityOf(limit)) return false;
  if (counter.period) return counter.period.used + cost <= hardCapOf(limit) + counter.period.carried;
  const waits = limit.algorithm === 'LEAKY_BUCKET' ? bucketAt(counter, time + MAX_DELAY_MS) : undefined;
  if (waits && waits.taken + waits.debt > 0n) return false;
  if (!counter.bucket) return usedAt(counter, limit, time) + cost <= capacityOf(limit);
  const hasRoom = (at: number) => {
    const bucket = bucketAt(counter, at);
    return bucket.taken + bucket.debt + BigInt(cost) * bucket.period <= BigInt(capacityOf(limit)) * bucket.period;
  };
  if (hasRoom(time)) return true;
  const latest = time + (limit.maxDelayMs ?? 0);
  if (latest === time) return false;
  return limit.algorithm === 'LEAKY_BUCKET'
    ? bucketAt(counter, latest).taken + bucketAt(counter, latest).debt === 0n
    : hasRoom(latest);
}

function bucketAt(counter: Counter, time: number): Bucket {
  const bucket = { ...counter.bucket! };
  advance(bucket, time);
  return bucket;
}

function take(counter: Counter, limit: LimitCharge, now: number, cost: number, charge: symbol): void {
  if (counter.period) counter.period.used += cost;
  else if (counter.bucket) counter.bucket.taken += BigInt(cost) * counter.bucket.period;
  else if (isList(limit)) counter.entries.push({ endsAt: now + (limit.leaseMs ?? limit.windowMs!), cost, charge });
  else addTo(counter, indexAt(limit, now), cost);
}

function addTo({ counts }: Counter, index: number, difference: number): void {
  counts.set(index, Math.max(0, (counts.get(index) ?? 0) + difference));
}

function owe(bucket: Bucket, limit: LimitCharge, tokens: number): void {
  const capacity = BigInt(capacityOf(limit)) * bucket.period;
  const cap = BigInt(limit.maxDebt ?? capacityOf(limit)) * bucket.period;
  for (let left = BigInt(tokens) * bucket.period; left > 0n; ) {
    if (bucket.taken < capacity) {
      const room = capacity - bucket.taken;
      const taken = left < room ? left : room;
      bucket.taken += taken;
      left -= taken;
    } else {
      if (bucket.debt < cap) bucket.debt = bucket.debt + left < cap ? bucket.debt + left : cap;
      left = 0n;
    }
  }
}

function correct(
  counter: Counter,
  limit: LimitCharge,
  now: number,
  stamp: number,
  charge: symbol,
  actual: number,
): void {
  const { bucket, period } = counter;
  if (period) {
    if (stamp < period.start || stamp >= period.end) return;
    // A refund can exceed what was used only if the clock was set back before the start of the
    // period. At most, it then restores the largest amount that can be carried over.
    const least = period.carried - carriedOf(limit, limit.amount!);
    period.used = Math.max(least, period.used + actual - limit.cost);
    return;
  }
  if (bucket) {
    if (actual > limit.cost) {
      owe(bucket, limit, actual - limit.cost);
      return;
    }
    const back = BigInt(limit.cost - actual) * bucket.period;
    const paid = back < bucket.debt ? back : bucket.debt;
    bucket.debt -= paid;
    bucket.taken = bucket.taken > back - paid ? bucket.taken - (back - paid) : 0n;
  } else if (limit.algorithm === 'SLIDING_WINDOW_LOG' && limit.cost === 0) {
    const endsAt = stamp + limit.windowMs!;
    if (endsAt > now) counter.entries.push({ endsAt, cost: actual, charge });
  } else if (isList(limit)) {
    const cost = limit.algorithm === 'CONCURRENCY' ? 0 : actual;
    const wasHeld = counter.entries.some((entry) => entry.charge === charge && entry.endsAt > now);
    if (limit.algorithm === 'CONCURRENCY' && wasHeld && stamp <= now) {
      const held = Math.min(limit.leaseMs!, Math.max(1, now - stamp));
      counter.meanHold = counter.meanHold === 0 ? held : Math.ceil(0.75 * counter.meanHold + 0.25 * held);
    }
    counter.entries = counter.entries
      .map((entry) => (entry.charge === charge && entry.endsAt > now ? { ...entry, cost } : entry))
      .filter((entry) => entry.cost > 0);
  } else {
    const age = indexAt(limit, now) - indexAt(limit, stamp);
    const oldest = limit.strict
      ? Math.floor((now - limit.windowMs! + 1) / partMs(limit))
      : indexAt(limit, now) - (limit.algorithm === 'FIXED_WINDOW' ? 0 : 1);
    if (age >= 0 && indexAt(limit, stamp) >= oldest) addTo(counter, indexAt(limit, stamp), actual - limit.cost);
  }
}

function isEmpty(counter: Counter, now: number): boolean {
  const { period, limit } = counter;
  // A missing counter has the most that can be carried over.
  if (period) return now >= period.end + keptMs(limit) || used(period, limit) === 0;
  if (counter.bucket) {
    const { taken, debt } = bucketAt(counter, now);
    return taken + debt === 0n;
  }
  return usedAt(counter, counter.limit, now) === 0 && !remembersHolds(counter, now);
}

/** Returns what was used of a period and of the most that can be carried into it. */
function used({ used, carried }: Period, limit: LimitCharge): number {
  return used + carriedOf(limit, limit.amount!) - carried;
}

/** Moves the state that the counter has at the time `from` to the time `to`. */
function move(counter: Counter, from: number, to: number): void {
  const { limit, period } = counter;
  if (period) {
    if (isEmpty(counter, from)) counter.period = { ...period, used: 0, carried: carriedOf(limit, limit.amount!) };
    else if (to < period.start) counter.period = { ...period, start: to, end: period.end + to - period.start };
  } else if (counter.bucket) {
    advance(counter.bucket, from);
    counter.bucket.at = to;
  } else if (isList(limit)) {
    counter.entries = counter.entries
      .filter((entry) => entry.endsAt > from)
      .map((entry) => ({ ...entry, endsAt: entry.endsAt - from + to }));
    counter.meanHold = 0;
  } else {
    const indexes = indexAt(limit, to) - indexAt(limit, from);
    const oldest = limit.strict ? Math.floor((from - limit.windowMs! + 1) / partMs(limit)) : indexAt(limit, from) - 1;
    counter.counts = new Map(
      [...counter.counts].filter(([index]) => index >= oldest).map(([index, count]) => [index + indexes, count]),
    );
  }
}

function describe(counter: Counter, limit: LimitCharge, now: number, clock: number, room: boolean): ModelState {
  if (counter.period) return describePeriod(counter.period, limit, now, clock, room);
  const capacity = capacityOf(limit);
  const emptyAt = () => first(now, (time) => isEmpty({ ...counter, limit }, time));
  const used = counter.bucket
    ? Number(divideUp(counter.bucket.taken + counter.bucket.debt, counter.bucket.period))
    : usedAt(counter, limit, now);
  let resetAtMs: number;
  if (isList(limit)) resetAtMs = first(now, (time) => usedAt(counter, limit, time) === 0);
  else if (counter.bucket || limit.strict) resetAtMs = emptyAt();
  else resetAtMs = (indexAt(limit, now) + 1) * limit.windowMs!;
  let retryAfterMs = 0;
  if (!room && limit.cost <= capacity) {
    const retryAt =
      limit.algorithm === 'CONCURRENCY'
        ? slotAt(counter, limit, now)
        : first(now, (time) => fits(counter, limit, time, limit.cost));
    retryAfterMs = retryAt - clock;
  }
  const shadow = limit.mode === 'SHADOW';
  return {
    id: limit.id,
    limit: capacity,
    used,
    remaining: Math.max(0, capacity - used),
    resetAtMs,
    retryAfterMs,
    violated: !room && !shadow,
    shadow,
    wouldDeny: !room && shadow,
  };
}

function describePeriod(period: Period, limit: LimitCharge, now: number, clock: number, room: boolean): ModelState {
  const { start, end } = periodAt(limit, now);
  const ownUsed = period.used - period.carried;
  const shadow = limit.mode === 'SHADOW';
  let retryAfterMs = 0;
  if (!room && limit.cost <= capacityOf(limit)) {
    const next = periodFrom({ ...period, end }, limit, end);
    const fitsNext = limit.cost <= hardCapOf(limit) + next.carried;
    retryAfterMs = (fitsNext ? end : periodAt(limit, end).end) - clock;
  }
  return {
    id: limit.id,
    limit: hardCapOf(limit),
    used: Math.max(0, ownUsed),
    remaining: Math.max(0, hardCapOf(limit) - ownUsed),
    resetAtMs: end,
    retryAfterMs,
    violated: !room && !shadow,
    shadow,
    wouldDeny: !room && shadow,
    overage: Math.max(0, ownUsed - limit.amount!),
    carriedOver: Math.max(0, -ownUsed),
    windowMs: end - start,
  };
}

/**
 * Returns the time at which the first slot is expected to be free. An operation is expected to hold
 * its slot for the mean hold time. If it has already run longer, it is expected to run for that
 * time again.
 */
function slotAt({ entries, meanHold }: Counter, limit: LimitCharge, now: number): number {
  const live = entries.filter(({ endsAt }) => endsAt > now);
  const firstEnd = Math.min(...live.map(({ endsAt }) => endsAt));
  if (meanHold === 0) return firstEnd;
  const waits = live.map(({ endsAt }) => {
    const heldFor = Math.max(0, now - (endsAt - limit.leaseMs!));
    return heldFor < meanHold ? meanHold - heldFor : heldFor;
  });
  return Math.min(firstEnd, now + Math.max(MIN_SLOT_WAIT_MS, Math.min(...waits)));
}

function delayOf(before: Counter, after: Counter, limit: LimitCharge, now: number): number {
  if (!after.bucket) return 0;
  if (limit.algorithm === 'LEAKY_BUCKET') return first(now, (time) => isEmpty(before, time)) - now;
  if (!limit.maxDelayMs) return 0;
  const capacity = BigInt(capacityOf(limit)) * after.bucket.period;
  return first(now, (time) => bucketAt(after, time).taken + bucketAt(after, time).debt <= capacity) - now;
}

/**
 * Returns the first time, from `from` on, at which a condition holds. The condition must not change
 * back later.
 */
function first(from: number, holds: (time: number) => boolean): number {
  if (holds(from)) return from;
  let step = 1;
  while (!holds(from + step)) step *= 2;
  return from + step - largest(0, step - 1, (back) => holds(from + step - back));
}

/**
 * Returns the largest number up to `to` for which a condition holds. The condition must also hold
 * for all smaller numbers from `from` on.
 */
function largest(from: number, to: number, holds: (value: number) => boolean): number {
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (holds(middle)) from = middle;
    else to = middle - 1;
  }
  return from;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
