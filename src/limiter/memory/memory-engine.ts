import { type LimitState, MAX_AHEAD_MS, MAX_LIMITS } from '../../model/limit.js';
import type { ChargeSubject } from '../../model/subject.js';
import { COUNTER_OPTIONS } from '../../options/counter-options.js';
import { isSameCounter, type Limit, SHAPE } from '../algorithms/algorithm.js';
import { type Counter, copyCounter, NO_ENTRIES, NO_PARTS } from '../algorithms/counter.js';
import {
  type Anomalies,
  type ChargeRecord,
  type CheckedRequest,
  type EngineResult,
  selectChanged,
  stampMsOf,
} from '../charge/charge-request.js';
import type { OneLimitCharge } from '../charge/receipt.js';
import { secondNumber, tryFastCharge } from './fast-path.js';
import { createPartitions, keep, type Partition } from './partitions.js';
import { copyOf, isEmpty, rebasePartition } from './rebase-partition.js';
import { createStoredCounter, type StoredCounter } from './stored-counter.js';

interface MemoryEngineOptions {
  /** Epoch milliseconds, whole. */
  clock: () => number;
  /** Users, tenants, addresses ... kept at most; the least used are forgotten. @default 100_000 */
  maxPartitions?: number;
  /** Called when a counter is forgotten, to make room, of which something was used. */
  onForgotten?: () => void;
}

export interface MemoryEngine {
  /** Takes every cost, or none. With `readOnly` it only looks, and says besides what a charge would have reported. */
  charge(request: CheckedRequest, chargeId: string, readOnly: boolean): EngineResult;
  /** A charge of one limit, where that is simple; undefined: nothing was done, and `charge` is to be asked. */
  chargeOne(subject: ChargeSubject, limit: Limit, cost: number): OneLimitCharge | undefined;
  settle(charge: ChargeRecord, actual: Readonly<Record<string, number>>): void;
  /** Empties the counters of these limits. */
  reset(request: CheckedRequest): void;
  readonly anomalies: Anomalies;
}

/** What a call knows of one of its limits. */
interface Place {
  /** Brought up to now; what is written is copied to `stored`. */
  readonly state: Counter;
  partition: Partition | undefined;
  /** Where in its partition it is, or would be next to the one before. */
  index: number;
  stored: StoredCounter | undefined;
  hasRoom: boolean;
  /** Its rate was edited since it was written. */
  hasMoved: boolean;
}

/** Numbers of a counter that is about to be charged, and of its partition. */
const REMEMBERED = 6;

/** The same decisions as the scripts in `lua/`, for one process: read all, decide, write all. */
export function createMemoryEngine({
  clock,
  maxPartitions = COUNTER_OPTIONS.maxPartitions.default,
  onForgotten = () => {},
}: MemoryEngineOptions): MemoryEngine {
  const anomalies: Anomalies = { repaired: 0, rebased: 0, forgotten: 0 };
  const partitions = createPartitions({ maxPartitions, isInUse: isPlace, onForgotten: noteForgotten });

  // Reused by every call: one per limit.
  const places: Place[] = [];
  /** Those of the call that is made. */
  let placeCount = 0;
  const remembered = new Float64Array(REMEMBERED * MAX_LIMITS);

  function placeAt(i: number, limit: Limit): Place {
    let place = places[i];
    if (place === undefined) {
      place = {
        state: createStoredCounter(limit),
        partition: undefined,
        index: 0,
        stored: undefined,
        hasRoom: false,
        hasMoved: false,
      };
      places[i] = place;
    }
    return place;
  }

  function isPlace(partition: Partition): boolean {
    for (let i = 0; i < placeCount; i++) if (places[i]!.partition === partition) return true;
    return false;
  }

  function noteForgotten(): void {
    anomalies.forgotten++;
    onForgotten();
  }

  /** Finds the partitions of a request and the one time that holds for all of them. */
  function readTime({ subject, limits }: CheckedRequest, time: number, readOnly: boolean): number {
    let now = time;
    placeCount = limits.length;
    let rebased: Partition[] | undefined;
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      const place = placeAt(i, limit);
      if (i > 0 && sharesPartition(limits[i - 1]!, limit)) {
        place.partition = places[i - 1]!.partition;
        continue;
      }
      let partition = partitions.find(subject, limit);
      if (partition !== undefined && partition.seenAt > now) {
        if (partition.seenAt - time <= MAX_AHEAD_MS) now = partition.seenAt;
        else if (readOnly) partition = rebasePartition(copyOf(partition), time);
        else {
          rebased ??= [];
          rebased.push(rebasePartition(partition, time));
        }
      }
      place.partition = partition;
    }
    if (rebased !== undefined) finishRebase(rebased, now);
    return now;
  }

  function finishRebase(rebased: readonly Partition[], now: number): void {
    for (const partition of rebased) {
      anomalies.rebased++;
      partition.seenAt = now;
      if (isEmpty(partition, now)) forget(partition);
    }
  }

  /** Mostly they are asked for in the order in which they came, by the limits that wrote them last. */
  function findCounter(limit: Limit, i: number): StoredCounter | undefined {
    const place = places[i]!;
    const { partition } = place;
    if (partition === undefined) return undefined;
    const { counters } = partition;
    const before = i > 0 ? places[i - 1]! : undefined;
    place.index = before !== undefined && before.partition === partition ? before.index + 1 : 0;
    const next = counters[place.index];
    if (next !== undefined && next.limit === limit) return next;
    const { identity } = limit;
    for (let index = 0; index < counters.length; index++) {
      const counter = counters[index]!;
      if (counter.limit !== limit && !isSameCounter(counter.limit.identity, identity)) continue;
      place.index = index;
      return counter;
    }
    return undefined;
  }

  /** Loads the counter of `limit`, brought up to `now`. */
  function load(limit: Limit, i: number, now: number): void {
    const place = places[i]!;
    const { state, partition } = place;
    const counter = findCounter(limit, i);
    place.stored = counter;
    // As in Redis: a write drops what is empty, and with it the rate at which a bucket was refilled.
    if (counter === undefined || counter.emptyAtMs <= partition!.seenAt) {
      empty(state, limit, now);
      return;
    }
    copyCounter(counter, state);
    limit.algorithm.refresh(limit, state, now);
  }

  /** Takes limit by limit; when one of them is not that simple, what was taken is undone. */
  function tryFastCharges(
    { limits, costs, numberCount }: CheckedRequest,
    time: number,
    now: number,
  ): EngineResult | undefined {
    const states = new Array<LimitState>(limits.length);
    const numbers = new Array<number>(numberCount);
    let offset = 0;
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      const counter = findCounter(limit, i);
      if (counter === undefined) return undo(i);
      const { partition } = places[i]!;
      remember(partition!, counter, i);
      const state = tryFastCharge(limit, partition!, counter, costs[i]!, now);
      if (state === undefined) return undo(i);
      states[i] = state;
      numbers[offset++] = counter.used;
      if (limit.shape !== SHAPE.FIXED) numbers[offset++] = secondNumber(limit, counter);
      if (costs[i] === 0) putBack(i);
    }
    return { admitted: true, clock: time, now, numbers, times: undefined, states };
  }

  function remember({ seenAt }: Partition, counter: StoredCounter, i: number): void {
    const offset = REMEMBERED * i;
    remembered[offset] = counter.used;
    remembered[offset + 1] = counter.debt;
    remembered[offset + 2] = counter.previousCount;
    remembered[offset + 3] = counter.at;
    remembered[offset + 4] = counter.emptyAtMs;
    remembered[offset + 5] = seenAt;
  }

  function putBack(i: number): void {
    const { partition, index } = places[i]!;
    const counter = partition!.counters[index]!;
    const offset = REMEMBERED * i;
    counter.used = remembered[offset]!;
    counter.debt = remembered[offset + 1]!;
    counter.previousCount = remembered[offset + 2]!;
    counter.at = remembered[offset + 3]!;
    counter.emptyAtMs = remembered[offset + 4]!;
    partition!.seenAt = remembered[offset + 5]!;
  }

  /** The last first, as several may be in one partition. */
  function undo(count: number): undefined {
    for (let i = count - 1; i >= 0; i--) putBack(i);
  }

  /** The numbers of limits as they were found. */
  function reportFound({ limits, costs, numberCount }: CheckedRequest): number[] {
    const numbers = new Array<number>(numberCount);
    let offset = 0;
    for (let i = 0; i < limits.length; i++) {
      const { state, hasRoom } = places[i]!;
      limits[i]!.algorithm.report(limits[i]!, state, costs[i]!, hasRoom, numbers, offset);
      offset += limits[i]!.algorithm.numberCount;
    }
    return numbers;
  }

  function store(place: Place, limit: Limit, subject: CheckedRequest['subject'], now: number): void {
    const { state, stored } = place;
    const emptyAt = limit.algorithm.emptyAtMs(limit, state);
    const partition = place.partition ?? partitions.open(subject, limit, now);
    partition.seenAt = now;
    if (stored !== undefined) {
      copyCounter(state, stored);
      if (stored.limit !== limit) stored.limit = limit;
      stored.emptyAtMs = emptyAt;
    } else if (emptyAt > now) {
      place.partition = partition;
      if (partition.counters.length > 0) sweep(partition, now);
      const added = createStoredCounter(limit);
      copyCounter(state, added);
      added.emptyAtMs = emptyAt;
      keep(partition, [...partition.counters, added]);
    }
    if (emptyAt <= now && isEmpty(partition, now)) forget(partition);
  }

  /** A partition without live counters is as good as none. */
  function forget(partition: Partition): void {
    partitions.remove(partition);
    for (const place of places) {
      if (place.partition !== partition) continue;
      place.partition = undefined;
      place.stored = undefined;
    }
  }

  /** Writes are rare enough here (a counter is new) to look at every counter. */
  function sweep(partition: Partition, now: number): void {
    keep(
      partition,
      partition.counters.filter((one) => one.emptyAtMs > now || isInUse(one)),
    );
    while (partition.counters.length >= MAX_LIMITS) {
      evict(partition);
      noteForgotten();
    }
  }

  function isInUse(counter: StoredCounter): boolean {
    return places.some(({ stored }) => stored === counter);
  }

  function evict(partition: Partition): void {
    let first: StoredCounter | undefined;
    for (const counter of partition.counters) {
      if (isInUse(counter)) continue;
      if (
        first === undefined ||
        counter.emptyAtMs < first.emptyAtMs ||
        (counter.emptyAtMs === first.emptyAtMs && counter.limit.identity.recordId < first.limit.identity.recordId)
      ) {
        first = counter;
      }
    }
    keep(
      partition,
      partition.counters.filter((one) => one !== (first ?? partition.counters[0])),
    );
  }

  return {
    anomalies,

    chargeOne(subject, limit, cost) {
      // Nothing to be written, and a wait to be worked out: both are left to the general way.
      if (cost === 0 || limit.mayDelay) return undefined;
      const now = clock();
      const partition = partitions.find(subject, limit);
      const counter = partition?.first;
      if (counter === undefined || partition!.seenAt > now) return undefined;
      const state = tryFastCharge(limit, partition!, counter, cost, now);
      if (state === undefined) return undefined;
      const { used } = counter;
      return { subject, limit, cost, now, used, second: secondNumber(limit, counter), state, receipt: undefined };
    },

    charge(request, chargeId, readOnly) {
      const { limits, costs, subject } = request;
      const time = clock();
      const now = readTime(request, time, readOnly);
      if (!readOnly) {
        const result = tryFastCharges(request, time, now);
        if (result !== undefined) return result;
      }
      let admitted = true;
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        const cost = costs[i]!;
        const place = places[i]!;
        load(limit, i, now);
        const { state } = place;
        const { algorithm } = limit;
        // A full bucket has nothing that refills at another rate.
        const isUsed = state.used + state.debt > 0;
        place.hasMoved = algorithm.adoptRate(limit, state) && cost > 0 && isUsed;
        place.hasRoom = cost === 0 || algorithm.admits(limit, state, now, cost);
        if (!place.hasRoom && !limit.shadow) admitted = false;
      }
      const found = readOnly ? reportFound(request) : undefined;
      const numbers = new Array<number>(request.numberCount);
      let offset = 0;
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        const cost = costs[i]!;
        const place = places[i]!;
        if (cost > 0) {
          if (admitted ? place.hasRoom : limit.countDenied && !limit.shadow) {
            if (admitted) limit.algorithm.take(limit, place.state, now, cost, chargeId);
            else limit.algorithm.takeDenied(limit, place.state, now, cost, chargeId);
            if (!readOnly) store(place, limit, subject, now);
          } else if (place.hasMoved && !readOnly) {
            // The rate was edited: from here on it refills at the new one, or the wait reported below would not hold.
            store(place, limit, subject, now);
          }
        }
        limit.algorithm.report(limit, place.state, cost, place.hasRoom, numbers, offset);
        offset += limit.algorithm.numberCount;
      }
      if (found !== undefined)
        return { admitted, clock: time, now, numbers: found, times: undefined, wouldBe: numbers };
      return { admitted, clock: time, now, numbers, times: undefined, states: undefined };
    },

    settle(charge, actual) {
      const changed = selectChanged(charge, actual);
      const { request, chargeId } = changed;
      const { limits, costs, subject } = request;
      const now = readTime(request, clock(), false);
      for (let i = 0; i < limits.length; i++) load(limits[i]!, i, now);
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        const place = places[i]!;
        limit.algorithm.correct(limit, place.state, stampMsOf(changed, i), chargeId, costs[i]!, actual[limit.id]!);
        store(place, limit, subject, now);
      }
    },

    reset(request) {
      const now = readTime(request, clock(), false);
      request.limits.forEach(({ identity }, i) => {
        const { partition } = places[i]!;
        if (partition === undefined) return;
        keep(
          partition,
          partition.counters.filter(({ limit }) => !isSameCounter(limit.identity, identity)),
        );
        partition.seenAt = now;
        if (isEmpty(partition, now)) forget(partition);
      });
    },
  };
}

function sharesPartition(a: Limit, b: Limit): boolean {
  return a.scope === b.scope && a.scope !== 'GLOBAL' && a.shape !== SHAPE.LIST && b.shape !== SHAPE.LIST;
}

function empty(state: Counter, limit: Limit, now: number): void {
  state.at = now;
  state.used = 0;
  state.debt = 0;
  state.previousCount = 0;
  state.refillAmount = limit.refillAmount;
  state.refillPeriodMs = limit.refillPeriodMs;
  state.parts = NO_PARTS;
  state.entries = NO_ENTRIES;
  limit.algorithm.refresh(limit, state, now);
}
