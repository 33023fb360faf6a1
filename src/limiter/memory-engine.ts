import { admits, correct, emptyAtMs, rebase, refresh, take, takeDenied } from './algorithms.js';
import { adoptRate } from './bucket.js';
import { MAX_LIMITS } from './compile-limit.js';
import { type Counter, copyCounter, createCounter, NO_ENTRIES, NO_PARTS, type StoredCounter } from './counter.js';
import {
  type Anomalies,
  type ChargeRecord,
  changes,
  type Demand,
  MAX_AHEAD_MS,
  type Reading,
  selectCharged,
  stampMsOf,
} from './engine.js';
import { listEmptyAtMs, listRetryAtMs } from './entry-list.js';
import { isSameCounter, type Limit, SHAPE } from './limit.js';
import { createPartitions, type Partition } from './partitions.js';
import { strictEmptyAtMs, strictRetryAtMs } from './windows.js';

export interface MemoryEngineOptions {
  /** Epoch milliseconds, whole. */
  clock: () => number;
  /** Users, tenants, addresses ... kept at most; the least recently used are forgotten. @default 100_000 */
  maxPartitions?: number;
}

export interface MemoryEngine {
  /** Takes every cost, or none. With `readOnly` it only looks. */
  charge(demand: Demand, chargeId: string, readOnly: boolean): Reading;
  settle(charge: ChargeRecord, actual: Readonly<Record<string, number>>): void;
  /** Empties the counters of these limits. */
  reset(demand: Demand): void;
  readonly anomalies: Anomalies;
}

/** The same decisions as the scripts in `lua/`, for one process: read all, decide, write all. */
export function createMemoryEngine({ clock, maxPartitions = 100_000 }: MemoryEngineOptions): MemoryEngine {
  const partitions = createPartitions(maxPartitions);
  const anomalies: Anomalies = { repaired: 0, rebased: 0 };

  // Reused by every call: one place per limit.
  const states: Counter[] = [];
  const places: (Partition | undefined)[] = [];
  const stored: (StoredCounter | undefined)[] = [];
  const roomy: boolean[] = [];
  const moved: boolean[] = [];

  /** Finds the partitions of a demand and the one time that holds for all of them. */
  function readTime({ subject, limits }: Demand, time: number, readOnly: boolean): number {
    let now = time;
    let rebased: Partition[] | undefined;
    for (let i = 0; i < limits.length; i++) {
      if (i > 0 && sharesPartition(limits[i - 1]!, limits[i]!)) {
        places[i] = places[i - 1];
        continue;
      }
      let partition = partitions.find(subject, limits[i]!);
      if (partition !== undefined && partition.seenAt > now) {
        if (partition.seenAt - time <= MAX_AHEAD_MS) now = partition.seenAt;
        else if (readOnly) partition = rebasePartition(copyOf(partition), time);
        else {
          rebased ??= [];
          rebased.push(rebasePartition(partition, time));
        }
      }
      places[i] = partition;
    }
    for (const partition of rebased ?? []) {
      anomalies.rebased++;
      partition.seenAt = now;
      if (isEmpty(partition, now)) forget(partition);
    }
    return now;
  }

  /** Loads the counter of the limit at `i`, brought up to `now`, into `states[i]`. */
  function load(i: number, limit: Limit, now: number): Counter {
    let state = states[i];
    if (state === undefined) {
      state = createCounter(limit);
      states[i] = state;
    }
    const counter = findCounter(places[i], limit, i);
    stored[i] = counter;
    if (counter === undefined) {
      reset(state, limit, now);
      return state;
    }
    copyCounter(counter, state);
    refresh(limit, state, now);
    // A full bucket is as good as none: its rate is that of the limit.
    if (limit.shape === SHAPE.BUCKET && state.used + state.extra === 0) reset(state, limit, now);
    return state;
  }

  function store(i: number, limit: Limit, subject: Demand['subject'], now: number): void {
    const state = states[i]!;
    const emptyAt = emptyAtMs(limit, state);
    const partition = places[i] ?? partitions.open(subject, limit);
    places[i] = partition;
    partition.seenAt = now;
    const counter = stored[i];
    if (counter !== undefined) {
      copyCounter(state, counter);
      if (counter.limit !== limit) counter.limit = limit;
      counter.emptyAtMs = emptyAt;
    } else if (emptyAt > now) {
      if (partition.counters.length > 0) sweep(partition, now);
      const added = createCounter(limit);
      copyCounter(state, added);
      added.emptyAtMs = emptyAt;
      partition.counters.push(added);
    }
    if (emptyAt <= now && isEmpty(partition, now)) forget(partition);
  }

  /** A partition without live counters is as good as none. */
  function forget(partition: Partition): void {
    partitions.remove(partition);
    for (let i = 0; i < places.length; i++) {
      if (places[i] !== partition) continue;
      places[i] = undefined;
      stored[i] = undefined;
    }
  }

  /** Writes are rare enough here (a counter is new) to look at every counter. */
  function sweep(partition: Partition, now: number): void {
    partition.counters = partition.counters.filter((one) => one.emptyAtMs > now || stored.includes(one));
    while (partition.counters.length >= MAX_LIMITS) evict(partition);
  }

  function evict(partition: Partition): void {
    let first: StoredCounter | undefined;
    for (const counter of partition.counters) {
      if (stored.includes(counter)) continue;
      if (
        first === undefined ||
        counter.emptyAtMs < first.emptyAtMs ||
        (counter.emptyAtMs === first.emptyAtMs && counter.limit.identity.recordId < first.limit.identity.recordId)
      ) {
        first = counter;
      }
    }
    partition.counters.splice(first === undefined ? 0 : partition.counters.indexOf(first), 1);
  }

  return {
    anomalies,

    charge(demand, chargeId, readOnly) {
      const { limits, costs, subject } = demand;
      const time = clock();
      const now = readTime(demand, time, readOnly);
      let admitted = true;
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        const cost = costs[i]!;
        const state = load(i, limit, now);
        moved[i] = limit.shape === SHAPE.BUCKET && adoptRate(state, limit) && cost > 0 && stored[i] !== undefined;
        const room = cost === 0 || admits(limit, state, now, cost);
        roomy[i] = room;
        if (!room && !limit.shadow) admitted = false;
      }
      const numbers: number[] = [];
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        const cost = costs[i]!;
        const state = states[i]!;
        const room = roomy[i]!;
        if (!readOnly && cost > 0) {
          if (admitted ? room : limit.countDenied && !limit.shadow) {
            if (admitted) take(limit, state, now, cost, chargeId);
            else takeDenied(limit, state, now, cost, chargeId);
            store(i, limit, subject, now);
          } else if (moved[i]) {
            // The rate was edited: from here on it refills at the new one, or the wait told below would not hold.
            store(i, limit, subject, now);
          }
        }
        report(numbers, limit, state, cost, room);
      }
      return { admitted, clock: time, now, numbers, times: undefined };
    },

    settle(charge, actual) {
      const changed = selectCharged(charge, (i) => changes(charge.demand, i, actual));
      const { demand, chargeId } = changed;
      const { limits, costs, subject } = demand;
      const now = readTime(demand, clock(), false);
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        const state = load(i, limit, now);
        correct(limit, state, stampMsOf(changed, i), chargeId, costs[i]!, actual[limit.id]!);
        store(i, limit, subject, now);
      }
    },

    reset(demand) {
      const now = readTime(demand, clock(), false);
      demand.limits.forEach(({ identity }, i) => {
        const partition = places[i];
        if (partition === undefined) return;
        partition.counters = partition.counters.filter(({ limit }) => !isSameCounter(limit.identity, identity));
        partition.seenAt = now;
        if (isEmpty(partition, now)) forget(partition);
      });
    },
  };
}

function sharesPartition(a: Limit, b: Limit): boolean {
  return a.scope === b.scope && a.scope !== 'GLOBAL' && a.shape !== SHAPE.LIST && b.shape !== SHAPE.LIST;
}

function isEmpty(partition: Partition, now: number): boolean {
  return partition.counters.every((counter) => counter.emptyAtMs <= now);
}

/** For looking at what a rebase would give. */
function copyOf(partition: Partition): Partition {
  const counters = partition.counters.map((counter) => {
    const copied = createCounter(counter.limit);
    copyCounter(counter, copied);
    return copied;
  });
  return { ...partition, counters };
}

function rebasePartition(partition: Partition, time: number): Partition {
  for (const counter of partition.counters) {
    rebase(counter.limit, counter, partition.seenAt, time);
    counter.emptyAtMs = emptyAtMs(counter.limit, counter);
  }
  partition.seenAt = time;
  return partition;
}

function findCounter(partition: Partition | undefined, limit: Limit, hint: number): StoredCounter | undefined {
  if (partition === undefined) return undefined;
  const { counters } = partition;
  const { identity } = limit;
  // Mostly they are asked for in the order in which they came.
  const guess = counters[hint];
  if (guess !== undefined && isSameCounter(guess.limit.identity, identity)) return guess;
  for (let i = 0; i < counters.length; i++) {
    if (isSameCounter(counters[i]!.limit.identity, identity)) return counters[i];
  }
  return undefined;
}

function reset(state: Counter, limit: Limit, now: number): void {
  state.at = now;
  state.used = 0;
  state.extra = 0;
  state.refillAmount = limit.refillAmount;
  state.refillPeriodMs = limit.refillPeriodMs;
  state.parts = NO_PARTS;
  state.entries = NO_ENTRIES;
  if (limit.shape !== SHAPE.BUCKET) refresh(limit, state, now);
}

/** Appends what `describeLimit` reads. */
function report(numbers: number[], limit: Limit, state: Counter, cost: number, room: boolean): void {
  numbers.push(room ? state.used : -1 - state.used);
  switch (limit.shape) {
    case SHAPE.BUCKET:
    case SHAPE.SLIDING:
      numbers.push(state.extra);
      break;
    case SHAPE.STRICT:
      numbers.push(strictEmptyAtMs(limit, state), room ? 0 : strictRetryAtMs(limit, state, cost));
      break;
    case SHAPE.LIST:
      numbers.push(listEmptyAtMs(state), room ? 0 : listRetryAtMs(limit, state, cost));
  }
}
