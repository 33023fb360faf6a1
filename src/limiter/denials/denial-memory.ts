import { type ChargedCaller, isSameCaller } from '../../model/subject.js';
import { withGetters } from '../../runtime/with-getters.js';
import type { Limit } from '../algorithms/algorithm.js';
import { type CheckedRequest, changes, type EngineResult } from '../charge/charge-request.js';
import type { Watch } from '../redis/deadlines.js';
import { keysFor } from '../redis/keys.js';
import { DENIAL_MEMORY, type DenialMemoryOptions } from './denial-memory-option.js';
import {
  foretell,
  foretellDenial,
  isNews,
  type KnownDenial,
  NONE,
  partitionsToWatch,
  type Watched,
} from './known-denial.js';
import {
  canRemember,
  canRememberAdmission,
  type FoundDenial,
  foundBy,
  hasRoomLeft,
  isStillRefused,
} from './project-denial.js';
import { answer, fail, openQuestion, type Question, type Sent, tellsOthers, waitForAnswer } from './question.js';

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
 *
 * Where replies are read too late to be remembered, those that come while one asks wait for what it finds: see `Question`.
 */
export interface DenialMemory {
  /** False: nothing is ever remembered. */
  readonly isOn: boolean;
  /** What Redis would find now, for an answer, or the question to wait for, or to ask; undefined: it has to be asked. */
  find(request: CheckedRequest): EngineResult | Question | undefined;
  /**
   * The denial that `find` would give, before it is known whether the request goes to Redis: nothing is changed, as `find`
   * takes what has room for charged. 'ASK': `find` would give a question. Undefined: it has room, or nothing is known.
   */
  recall(request: CheckedRequest): EngineResult | 'ASK' | undefined;
  /** What `recall` gave was the answer, to be counted as one. */
  answeredRecalled(): void;
  /** What Redis would have found, once the charge that asks it has its reply; undefined: it has to be asked. */
  waitFor(question: Question, request: CheckedRequest, watch: Watch): Promise<EngineResult | undefined>;
  /** Whether one of these limits is known to refuse its cost to this caller, whatever it is charged with. */
  refuses(request: CheckedRequest): boolean;
  /** Whether this caller was denied of late, with these limits: a next charge may well be denied too. */
  hasDenied(request: CheckedRequest): boolean;
  /** The moment a charge is sent, to be passed on with what became of it. */
  sending(): Sent;
  /** @param question the one that was asked with it */
  learned(request: CheckedRequest, result: EngineResult, isLook: boolean, sent: Sent, question?: Question): void;
  /** Whether it was charged is not known. */
  failed(request: CheckedRequest, error: unknown, question?: Question): void;
  /** The counters of a request change, or may have changed: all of them, or those that a settlement to `actual` corrects. */
  touched(request: CheckedRequest, actual?: Readonly<Record<string, number>>): void;
  /** The counters of a request were emptied, whatever it costs. */
  emptied(request: CheckedRequest): void;
  /**
   * On a Cluster: what was pending there is taken back, as another slot has refused. That gives room where it was, and makes
   * void what was refused there meanwhile; what was only told of these counters may be as late as all that is remembered.
   */
  cancelled(request: CheckedRequest): void;
  readonly totals: Readonly<DenialMemoryTotals>;
}

interface Entry extends KnownDenial {
  readonly key: string;
  /** Nothing that was sent before this is to be believed. */
  touchedTurn: number;
  /** One charge is on its way to ask whether it still holds. */
  question: Question | undefined;
  /** The last reply left no room, and was read so late that what it says is too old before the next is there. */
  isLate: boolean;
  bytes: number;
}

const BYTES_PER_ENTRY = 700;
const BYTES_PER_LIMIT = 40;

/** Many callers may be denied by a limit that they share: the first of them are enough to know it. */
const MAX_COMPARED = 8;

/** From this part of its age on one charge asks Redis, while the others are still answered. */
const ASKS_AT = 0.75;

/** @param clock monotonic milliseconds, or the injected time that Redis is given too */
export function createDenialMemory(
  { maxAgeMs = DENIAL_MEMORY.maxAgeMs.default, maxBytes = DENIAL_MEMORY.maxBytes.default }: DenialMemoryOptions,
  clock: () => number,
): DenialMemory {
  /** The least recently denied first. */
  const entries = new Map<string, Entry>();
  const byPartition = new Map<string, Set<Entry>>();
  const names = new WeakMap<Limit, number>();
  const sets = new WeakMap<CheckedRequest['limits'], string>();
  let nameCount = 0;
  let turn = 0;
  /** Who came last: one charge asks for its key several times, and those who flood come one after the other. */
  let latest: { limits: CheckedRequest['limits']; caller: ChargedCaller; key: string } | undefined;
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
  function keyOf(request: CheckedRequest): string {
    const { subject, limits } = request;
    if (latest !== undefined && latest.limits === limits && isSameCaller(latest.caller, subject)) return latest.key;
    const { user, tenant, apiKey, ip } = subject;
    const key = createKey(request);
    // A copy, as callers of the limiter may change the object that they have passed.
    latest = { limits, caller: { user, tenant, apiKey, ip }, key };
    return key;
  }

  function createKey({ subject, limits }: CheckedRequest): string {
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

  function watch(entry: Entry, { partitions, refusing, isWatched }: Watched): void {
    unwatch(entry);
    entry.partitions = partitions;
    entry.refusing = refusing;
    entry.isWatched = isWatched;
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

  function note(key: string, request: CheckedRequest, watched: Watched, isLate: boolean): void {
    const size = BYTES_PER_ENTRY + BYTES_PER_LIMIT * request.limits.length + 2 * key.length;
    const entry: Entry = {
      key,
      partitions: [],
      refusing: NONE,
      isWatched: [],
      touchedTurn: ++turn,
      found: undefined,
      question: undefined,
      isLate,
      bytes: size,
    };
    entries.set(key, entry);
    bytes += size;
    watch(entry, watched);
    for (const oldest of entries.values()) {
      if (bytes <= maxBytes) break;
      forget(oldest);
    }
  }

  /** A clock that was put back says nothing any more. */
  function isFresh(sentAtMs: number, nowMs: number): boolean {
    return nowMs >= sentAtMs && nowMs - sentAtMs <= maxAgeMs;
  }

  function forgetStale(entry: Entry, nowMs: number): void {
    if (entry.question && !isFresh(entry.question.sent.atMs, nowMs)) entry.question = undefined;
    if (entry.found && !isFresh(entry.found.sentAtMs, nowMs)) entry.found = undefined;
  }

  /** It is time to ask, while it still may be told. */
  const isOld = ({ sentAtMs }: FoundDenial, nowMs: number) => nowMs - sentAtMs > maxAgeMs * ASKS_AT;
  const isLateReply = (sent: Sent) => clock() - sent.atMs > maxAgeMs * (1 - ASKS_AT);

  function open(entry: Entry): Question {
    entry.question = openQuestion({ turn: ++turn, atMs: clock() }, entry);
    return entry.question;
  }

  function close(question: Question, request: CheckedRequest): void {
    const entry = entries.get(keyOf(request));
    if (entry?.question === question) entry.question = undefined;
  }

  /** Denials of one caller under other limits besides tell of this one too. */
  function isRefused(limit: Limit, cost: number, partition: string): boolean {
    let left = MAX_COMPARED;
    for (const { found } of byPartition.get(partition) ?? []) {
      if (left-- === 0) return false;
      if (found === undefined) continue;
      const nowMs = clock();
      if (isFresh(found.sentAtMs, nowMs) && isStillRefused(found, limit, cost, nowMs)) return true;
    }
    return false;
  }

  function forgetFound(entry: Entry): void {
    entry.found = undefined;
    // Those that wait came before this, and Redis was asked before it.
    entry.question = undefined;
    entry.touchedTurn = ++turn;
  }

  /** What an admitted charge has left, where this is what the next ones of a caller who was denied will meet. */
  function keepAdmitted(entry: Entry, request: CheckedRequest, result: EngineResult, sent: Sent): void {
    const isKept = sent.turn >= entry.touchedTurn && canRememberAdmission(request, result);
    touched(request);
    if (isKept) entry.found = foundBy(request, result, false, sent.atMs);
    entry.isLate = isLateReply(sent) && !hasRoomLeft(request, result);
  }

  function keepDenied(request: CheckedRequest, result: EngineResult, isLook: boolean, sent: Sent): void {
    const key = keyOf(request);
    const watched = partitionsToWatch(request, result);
    const known = entries.get(key);
    if (known === undefined) {
      note(key, request, watched, isLateReply(sent));
      return;
    }
    known.isLate = isLateReply(sent);
    // It was looked at before something changed that may have given it room.
    if (sent.turn < known.touchedTurn) return;
    // Others refuse now: what happened to their counters until now was not watched.
    if (isNews(known, watched)) {
      forgetFound(known);
      watch(known, watched);
      return;
    }
    known.found = foundBy(request, result, isLook, sent.atMs);
    entries.delete(key);
    entries.set(key, known);
  }

  /** It was taken to be admitted, and was not. */
  function forgetAssumed(request: CheckedRequest): void {
    const known = entries.size > 0 ? entries.get(keyOf(request)) : undefined;
    if (known?.found?.assumed !== undefined) forgetFound(known);
  }

  function learned(request: CheckedRequest, result: EngineResult, isLook: boolean, sent: Sent): void {
    if (result.admitted) {
      if (isLook || entries.size === 0) return;
      const known = entries.get(keyOf(request));
      if (known) keepAdmitted(known, request, result, sent);
      else touched(request);
      return;
    }
    if (!isLook && request.limits.some(({ countDenied }) => countDenied)) touched(request);
    if (maxAgeMs === 0) return;
    if (canRemember(request, result)) keepDenied(request, result, isLook, sent);
    else if (!isLook) forgetAssumed(request);
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

  return withGetters<DenialMemory, 'totals'>(
    {
      isOn: maxAgeMs > 0,
      touched,

      emptied: (request) => touched({ ...request, costs: request.costs.map(() => 1) }),

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

      find(request) {
        if (entries.size === 0) return undefined;
        const entry = entries.get(keyOf(request));
        if (entry === undefined) return undefined;
        const nowMs = clock();
        forgetStale(entry, nowMs);
        const { found } = entry;
        if (found === undefined) return entry.question ?? (entry.isLate ? open(entry) : undefined);
        const result = foretell(entry, request, nowMs);
        if (result === undefined) return undefined;
        if (isOld(found, nowMs) && entry.question === undefined) return open(entry);
        answered++;
        return result;
      },

      recall(request) {
        if (entries.size === 0) return undefined;
        const entry = entries.get(keyOf(request));
        if (entry === undefined) return undefined;
        const nowMs = clock();
        forgetStale(entry, nowMs);
        if (entry.found === undefined) return entry.question !== undefined || entry.isLate ? 'ASK' : undefined;
        const result = foretellDenial(entry, request, nowMs);
        if (result === undefined) return undefined;
        return isOld(entry.found, nowMs) && entry.question === undefined ? 'ASK' : result;
      },

      answeredRecalled() {
        answered++;
      },

      hasDenied: (request) => entries.size > 0 && entries.has(keyOf(request)),

      waitFor: (question, request, watch) => waitForAnswer(question, request, clock(), watch),

      sending: () => ({ turn: ++turn, atMs: clock() }),

      learned(request, result, isLook, sent, question) {
        if (question === undefined) {
          learned(request, result, isLook, sent);
          return;
        }
        close(question, request);
        if (tellsOthers(question, request, result)) question.found = foundBy(request, result, isLook, sent.atMs);
        learned(request, result, isLook, sent);
        answered += answer(question);
      },

      failed(request, error, question) {
        touched(request);
        if (question === undefined) return;
        close(question, request);
        fail(question, error);
      },
    },
    {
      get totals() {
        return { answered, kept: entries.size, bytes };
      },
    },
  );
}
