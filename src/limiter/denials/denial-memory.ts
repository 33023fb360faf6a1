import type { Limit } from '../algorithms/algorithm.js';
import { type CheckedRequest, changes, type EngineResult } from '../charge-request.js';
import { keysFor } from '../redis/keys.js';
import {
  canRemember,
  canRememberAdmission,
  type FoundDenial,
  isStillRefused,
  projectAdmission,
  projectDenial,
} from './project-denial.js';

export interface DenialMemoryOptions {
  /** How late what another instance gives back may be noticed, milliseconds. 0: nothing is remembered. @default 500 */
  maxAgeMs?: number;
  /** What is kept at most, in bytes of the heap, estimated. @default 4194304 */
  maxBytes?: number;
}

/** How much the memory has done and holds. */
export interface DenialMemoryTotals {
  /** Denials that were answered without a call to Redis. */
  answered: number;
  /** Callers, by the limits that they are asked for. */
  kept: number;
  bytes: number;
}

/**
 * Which callers Redis has denied, and what it found: until there is room again it would say the same, as a bucket or a window
 * that refuses gets room earlier only from a refund, a reset or an edit. Whatever passes here that may give room back makes it
 * forget; what another instance does it learns within `maxAgeMs`, when one charge is sent to ask.
 *
 * A first denial is only noted, so that those who are never denied pay for nothing: what Redis finds is kept from the next one
 * on, if nothing that was charged or refunded since may have changed it.
 *
 * Where there is room again, one charge goes to Redis, and those that come meanwhile find what it leaves. They would in Redis too,
 * as it is before them there: a caller who floods would else ask as often as fits into a round trip, for each token.
 */
export interface DenialMemory {
  /** False: nothing is ever remembered. */
  readonly isOn: boolean;
  /** What Redis would find now, for an answer; undefined: it has to be asked. */
  find(request: CheckedRequest): EngineResult | undefined;
  /** Whether one of these limits is known to refuse its cost to this caller, whatever it is charged with. */
  refuses(request: CheckedRequest): boolean;
  /** The moment a charge is sent, to be passed on with what became of it. */
  sending(): Sent;
  learned(request: CheckedRequest, result: EngineResult, isLook: boolean, sent: Sent): void;
  /** The counters of a request change, or may have changed: all of them, or those that a settlement to `actual` corrects. */
  touched(request: CheckedRequest, actual?: Readonly<Record<string, number>>): void;
  /**
   * On a Cluster: what was pending there is taken back, as another slot has refused. That gives room where it was, and makes
   * void what was refused there meanwhile; what was only told of these counters may be as late as all that is remembered.
   */
  cancelled(request: CheckedRequest): void;
  readonly totals: Readonly<DenialMemoryTotals>;
}

export interface Sent {
  readonly turn: number;
  readonly atMs: number;
}

interface Entry {
  readonly key: string;
  /** The partitions whose changes make it void: that of the caller, and those of the limits that refused. */
  partitions: readonly string[];
  /** Those of the limits that refused. */
  refusing: ReadonlySet<string>;
  /** Nothing that was sent before this is to be believed. */
  touchedTurn: number;
  found: FoundDenial | undefined;
  /** One charge is on its way to ask whether it still holds. */
  isAsking: boolean;
  bytes: number;
}

const DEFAULT_MAX_AGE_MS = 500;
const BYTES_PER_ENTRY = 700;
const BYTES_PER_LIMIT = 40;

/** Many callers may be denied by a limit that they share: the first of them are enough to know it. */
const MAX_COMPARED = 8;

/** From this part of its age on one charge asks Redis, while the others are still answered. */
const ASKS_AT = 0.75;

/** @param clock monotonic milliseconds, or the injected time that Redis is given too */
export function createDenialMemory(
  { maxAgeMs = DEFAULT_MAX_AGE_MS, maxBytes = 4 * 2 ** 20 }: DenialMemoryOptions,
  clock: () => number,
): DenialMemory {
  /** The least recently denied first. */
  const entries = new Map<string, Entry>();
  const byPartition = new Map<string, Set<Entry>>();
  const names = new WeakMap<Limit, number>();
  const sets = new WeakMap<CheckedRequest['limits'], string>();
  let nameCount = 0;
  let turn = 0;
  let bytes = 0;
  let answered = 0;

  function nameOf(limit: Limit): number {
    let name = names.get(limit);
    if (name === undefined) {
      name = ++nameCount;
      names.set(limit, name);
    }
    return name;
  }

  /** Whose limits, and which: an edited limit is another one. */
  function keyOf({ subject, limits }: CheckedRequest): string {
    let set = sets.get(limits);
    if (set === undefined) {
      set = limits.map(nameOf).join();
      sets.set(limits, set);
    }
    const partitionOf = keysFor(subject);
    let key = set;
    let before = '';
    for (const limit of limits) {
      if (limit.scope === 'GLOBAL' || limit.scope === before) continue;
      before = limit.scope;
      key += ` ${partitionOf(limit)}`;
    }
    return key;
  }

  function watch(entry: Entry, { partitions, refusing }: Watched): void {
    unwatch(entry);
    entry.partitions = partitions;
    entry.refusing = refusing;
    for (const partition of partitions) {
      const others = byPartition.get(partition);
      if (others) others.add(entry);
      else byPartition.set(partition, new Set([entry]));
    }
  }

  function unwatch(entry: Entry): void {
    for (const partition of entry.partitions) {
      const others = byPartition.get(partition);
      others?.delete(entry);
      if (others?.size === 0) byPartition.delete(partition);
    }
  }

  function forget(entry: Entry): void {
    unwatch(entry);
    entries.delete(entry.key);
    bytes -= entry.bytes;
  }

  function note(key: string, request: CheckedRequest, watched: Watched): Entry {
    const size = BYTES_PER_ENTRY + BYTES_PER_LIMIT * request.limits.length + 2 * key.length;
    const entry: Entry = {
      key,
      partitions: [],
      refusing: NONE,
      touchedTurn: ++turn,
      found: undefined,
      isAsking: false,
      bytes: size,
    };
    entries.set(key, entry);
    bytes += size;
    watch(entry, watched);
    for (const oldest of entries.values()) {
      if (bytes <= maxBytes) break;
      forget(oldest);
    }
    return entry;
  }

  /** The entry that answers a request now, and the answer. */
  function look(request: CheckedRequest): { entry: Entry; ageMs: number; result: EngineResult } | undefined {
    if (entries.size === 0) return undefined;
    const entry = entries.get(keyOf(request));
    if (entry?.found === undefined) return undefined;
    const ageMs = clock() - entry.found.sentAtMs;
    // A clock that was put back says nothing any more.
    if (ageMs < 0 || ageMs > maxAgeMs) {
      entry.found = undefined;
      return undefined;
    }
    const sinceMs = clock() - entry.found.asOfMs;
    const projected = projectDenial(entry.found, request, sinceMs);
    const result = projected && refusesWhereWatched(entry, request, projected) ? projected : undefined;
    if (projected === undefined) {
      // It goes to Redis.
      const left = projectAdmission(entry.found, request, sinceMs);
      if (left) entry.found = { ...entry.found, request, result: left, asOfMs: entry.found.asOfMs + sinceMs };
    }
    return result && { entry, ageMs, result };
  }

  /** Denials of one caller under other limits besides tell of this one too. */
  function isRefused(limit: Limit, cost: number, partition: string): boolean {
    let left = MAX_COMPARED;
    for (const { found } of byPartition.get(partition) ?? []) {
      if (left-- === 0) return false;
      if (found === undefined) continue;
      const ageMs = clock() - found.sentAtMs;
      if (ageMs >= 0 && ageMs <= maxAgeMs && isStillRefused(found, limit, cost, clock() - found.asOfMs)) return true;
    }
    return false;
  }

  function forgetFound(entry: Entry): void {
    entry.found = undefined;
    entry.isAsking = false;
    entry.touchedTurn = ++turn;
  }

  /** What an admitted charge has left, where this is what the next ones of a caller who was denied will meet. */
  function keepAdmitted(entry: Entry, request: CheckedRequest, result: EngineResult, sent: Sent): void {
    if (sent.turn < entry.touchedTurn || !canRememberAdmission(request, result)) {
      touched(request);
      return;
    }
    touched(request);
    entry.found = { request, result, isLook: false, sentAtMs: sent.atMs, asOfMs: sent.atMs };
  }

  function touched(request: CheckedRequest, actual?: Readonly<Record<string, number>>): void {
    if (entries.size === 0) return;
    const partitionOf = keysFor(request.subject);
    for (let i = 0; i < request.limits.length; i++) {
      if (actual === undefined ? request.costs[i] === 0 : !changes(request, i, actual)) continue;
      const watching = byPartition.get(partitionOf(request.limits[i]!));
      if (watching === undefined) continue;
      for (const entry of watching) forgetFound(entry);
    }
  }

  return {
    isOn: maxAgeMs > 0,
    touched,

    cancelled({ subject, limits, costs }) {
      if (entries.size === 0) return;
      const partitionOf = keysFor(subject);
      for (let i = 0; i < limits.length; i++) {
        if (costs[i] === 0) continue;
        const partition = partitionOf(limits[i]!);
        for (const entry of byPartition.get(partition) ?? []) if (entry.refusing.has(partition)) forgetFound(entry);
      }
    },

    refuses({ subject, limits, costs }) {
      if (entries.size === 0) return false;
      const partitionOf = keysFor(subject);
      return limits.some((limit, i) => !limit.shadow && isRefused(limit, costs[i]!, partitionOf(limit)));
    },

    get totals() {
      return { answered, kept: entries.size, bytes };
    },

    find(request) {
      const known = look(request);
      if (known === undefined) return undefined;
      if (known.ageMs > maxAgeMs * ASKS_AT && !known.entry.isAsking) {
        known.entry.isAsking = true;
        return undefined;
      }
      answered++;
      return known.result;
    },

    sending: () => ({ turn: ++turn, atMs: clock() }),

    learned(request, result, isLook, sent) {
      if (result.admitted) {
        if (isLook || entries.size === 0) return;
        const known = entries.get(keyOf(request));
        if (known) keepAdmitted(known, request, result, sent);
        else touched(request);
        return;
      }
      if (!isLook && request.limits.some(({ countDenied }) => countDenied)) touched(request);
      if (maxAgeMs === 0 || !canRemember(request, result)) return;
      const key = keyOf(request);
      const watched = partitionsToWatch(request, result);
      const known = entries.get(key);
      if (known === undefined) {
        note(key, request, watched);
        return;
      }
      known.isAsking = false;
      // It was looked at before something changed that may have given it room.
      if (sent.turn < known.touchedTurn) return;
      // Others refuse now: what happened to their counters until now was not watched.
      if (isNews(known, watched)) {
        known.touchedTurn = ++turn;
        known.found = undefined;
        watch(known, watched);
        return;
      }
      known.found = { request, result, isLook, sentAtMs: sent.atMs, asOfMs: sent.atMs };
      entries.delete(key);
      entries.set(key, known);
    },
  };
}

/**
 * The caller's own, as what they still may do changes what is told of the limits that did not refuse, and those of the limits
 * that refused. Of what a caller shares with others, and did not refuse, every charge of those others would make it void.
 */
function partitionsToWatch({ subject, limits }: CheckedRequest, result: EngineResult): Watched {
  const partitionOf = keysFor(subject);
  const partitions = new Set<string>();
  const refusing = new Set<string>();
  let offset = 0;
  for (const limit of limits) {
    const refuses = result.numbers[offset]! < 0;
    if (limit.scope === 'USER' || refuses) partitions.add(partitionOf(limit));
    if (refuses) refusing.add(partitionOf(limit));
    offset += limit.algorithm.numberCount;
  }
  return { partitions: [...partitions], refusing };
}

/** What else has no room may have got it from others since: that alone denies no caller. */
function refusesWhereWatched({ partitions }: Watched, { subject, limits }: CheckedRequest, { numbers }: EngineResult) {
  const partitionOf = keysFor(subject);
  let offset = 0;
  for (const limit of limits) {
    if (numbers[offset]! < 0 && !limit.shadow && partitions.includes(partitionOf(limit))) return true;
    offset += limit.algorithm.numberCount;
  }
  return false;
}

type Watched = Pick<Entry, 'partitions' | 'refusing'>;

const NONE: ReadonlySet<string> = new Set();

/** Whether others refuse, or where nothing was heard of what happens to them. */
function isNews(known: Watched, { partitions, refusing }: Watched): boolean {
  for (const partition of refusing) if (!known.refusing.has(partition)) return true;
  return partitions.some((partition) => !known.partitions.includes(partition));
}
