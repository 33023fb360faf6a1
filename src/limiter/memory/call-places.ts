import { MAX_AHEAD_MS, MAX_LIMITS } from '../../model/limit-parameters.js';
import { type ChargeSubject, sharedByAll } from '../../model/subject.js';
import { type Counter, copyCounter, NO_ENTRIES, NO_PARTS } from '../algorithms/counter.js';
import { isSameCounter, type Limit, SHAPE } from '../algorithms/limit-algorithm.js';
import type { Anomalies, CheckedRequest } from '../charge/checked-request.js';
import { createPartitions, keep, type Partition, type Partitions } from './partitions.js';
import { copyOf, isEmpty, rebasePartition } from './rebase-partition.js';
import { createStoredCounter, type StoredCounter } from './stored-counter.js';

/** One limit of the current call, with its counter. */
interface Place {
  /** Counter, updated to the time of the call. `store` copies it to `stored`. */
  readonly state: Counter;
  partition: Partition | undefined;
  /**
   * Index of the counter in its partition. If the counter does not exist, this is the index after
   * the counter of the previous limit.
   */
  index: number;
  stored: StoredCounter | undefined;
  hasRoom: boolean;
  /** Whether the charge has to store the counter, because the rate of the limit was edited. */
  hasMoved: boolean;
}

/**
 * Places of the current call, one per limit, in the partitions of the engine. Every call reuses
 * them.
 */
export class CallPlaces {
  readonly partitions: Partitions;
  readonly #places: Place[] = [];
  #count = 0;
  readonly #anomalies: Anomalies;
  readonly #onForgotten: () => void;

  constructor(maxPartitions: number, anomalies: Anomalies, onForgotten: () => void) {
    this.#anomalies = anomalies;
    this.#onForgotten = onForgotten;
    this.partitions = createPartitions({
      maxPartitions,
      isInUse: (partition) => this.#isPlace(partition),
      onForgotten: () => this.#noteForgotten(),
    });
  }

  /** Returns the place of the limit at this index. Call `readTime` first. */
  at(i: number): Place {
    return this.#places[i]!;
  }

  /** Finds the partitions of a request and returns the time that applies to all of them. */
  readTime({ subject, limits }: CheckedRequest, time: number, readOnly: boolean): number {
    let now = time;
    this.#count = limits.length;
    let rebased: Partition[] | undefined;
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      const place = this.#open(i, limit);
      if (i > 0 && sharesPartition(limits[i - 1]!, limit)) {
        place.partition = this.#places[i - 1]!.partition;
        continue;
      }
      let partition = this.partitions.find(subject, limit);
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
    if (rebased !== undefined) this.#finishRebase(rebased, now);
    return now;
  }

  /**
   * Returns the stored counter of a limit. Most calls use the counters in the order in which they
   * were added, with the limits that wrote them last.
   */
  findCounter(limit: Limit, i: number): StoredCounter | undefined {
    const place = this.#places[i]!;
    const { partition } = place;
    if (partition === undefined) return undefined;
    const { counters } = partition;
    const before = i > 0 ? this.#places[i - 1]! : undefined;
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

  /** Loads the counter of `limit` and updates it to the time `now`. */
  load(limit: Limit, i: number, now: number): Place {
    const place = this.#places[i]!;
    const { state, partition } = place;
    const counter = this.findCounter(limit, i);
    place.stored = counter;
    // A counter that was empty at the last write counts as missing, as in Redis, where a write
    // drops empty counters. The stored refill rate of a bucket is lost with it.
    if (counter === undefined || counter.emptyAtMs <= partition!.seenAt) {
      empty(state, limit, now);
      return place;
    }
    copyCounter(counter, state);
    limit.algorithm.refresh(limit, state, now);
    return place;
  }

  store(place: Place, limit: Limit, subject: ChargeSubject, now: number): void {
    const { state, stored } = place;
    const emptyAt = limit.algorithm.emptyAtMs(limit, state);
    const partition = place.partition ?? this.partitions.open(subject, limit, now);
    partition.seenAt = now;
    if (stored !== undefined) {
      copyCounter(state, stored);
      if (stored.limit !== limit) stored.limit = limit;
      stored.emptyAtMs = emptyAt;
    } else if (emptyAt > now) {
      place.partition = partition;
      if (partition.counters.length > 0) this.#sweep(partition, now);
      const added = createStoredCounter(limit);
      copyCounter(state, added);
      added.emptyAtMs = emptyAt;
      keep(partition, [...partition.counters, added]);
    }
    if (emptyAt <= now) this.forgetIfEmpty(partition, now);
  }

  /** Removes a partition without live counters: it equals a missing one. */
  forgetIfEmpty(partition: Partition, now: number): void {
    if (!isEmpty(partition, now)) return;
    this.partitions.remove(partition);
    for (const place of this.#places) {
      if (place.partition !== partition) continue;
      place.partition = undefined;
      place.stored = undefined;
    }
  }

  #open(i: number, limit: Limit): Place {
    let place = this.#places[i];
    if (place === undefined) {
      const state = createStoredCounter(limit);
      place = { state, partition: undefined, index: 0, stored: undefined, hasRoom: false, hasMoved: false };
      this.#places[i] = place;
    }
    return place;
  }

  #isPlace(partition: Partition): boolean {
    for (let i = 0; i < this.#count; i++) if (this.#places[i]!.partition === partition) return true;
    return false;
  }

  #noteForgotten(): void {
    this.#anomalies.forgotten++;
    this.#onForgotten();
  }

  #finishRebase(rebased: readonly Partition[], now: number): void {
    for (const partition of rebased) {
      this.#anomalies.rebased++;
      partition.seenAt = now;
      this.forgetIfEmpty(partition, now);
    }
  }

  /**
   * Drops empty counters and makes room for one. It checks every counter: new counters are rare
   * enough.
   */
  #sweep(partition: Partition, now: number): void {
    keep(
      partition,
      partition.counters.filter((one) => one.emptyAtMs > now || this.#isInUse(one)),
    );
    while (partition.counters.length >= MAX_LIMITS) {
      this.#evict(partition);
      this.#noteForgotten();
    }
  }

  #isInUse(counter: StoredCounter): boolean {
    return this.#places.some(({ stored }) => stored === counter);
  }

  #evict(partition: Partition): void {
    let first: StoredCounter | undefined;
    for (const counter of partition.counters) {
      if (this.#isInUse(counter)) continue;
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
}

function sharesPartition(a: Limit, b: Limit): boolean {
  return a.scope === b.scope && !sharedByAll(a.scope) && a.shape !== SHAPE.LIST && b.shape !== SHAPE.LIST;
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
