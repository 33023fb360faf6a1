import type { Clock } from '../../runtime/clock.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { type CheckedRequest, changes, type EngineResult } from '../charge/checked-request.js';
import type { Watch } from '../redis/deadlines.js';
import { keysFor } from '../redis/keys-for.js';
import { CallerKeys } from './caller-keys.js';
import { DenialEntries, type DenialEntry } from './denial-entries.js';
import { DENIAL_MEMORY, type DenialMemoryOptions } from './denial-memory-option.js';
import { foretell, foretellDenial, isNews, partitionsToWatch } from './known-denial.js';
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

/** Many callers may be denied by a limit that they share: the first of them are enough to know it. */
const MAX_COMPARED = 8;

/** From this part of its age on one charge asks Redis, while the others are still answered. */
const ASKS_AT = 0.75;

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
export class DenialMemory {
  /** False: nothing is ever remembered. */
  readonly isOn: boolean;
  readonly #maxAgeMs: number;
  readonly #clock: Clock;
  readonly #entries: DenialEntries;
  readonly #keys = new CallerKeys();
  #turn = 0;
  #answered = 0;

  /** @param clock monotonic milliseconds, or the injected time that Redis is given too */
  constructor(
    { maxAgeMs = DENIAL_MEMORY.maxAgeMs.default, maxBytes = DENIAL_MEMORY.maxBytes.default }: DenialMemoryOptions,
    clock: Clock,
  ) {
    this.isOn = maxAgeMs > 0;
    this.#maxAgeMs = maxAgeMs;
    this.#clock = clock;
    this.#entries = new DenialEntries(maxBytes);
  }

  get totals(): Readonly<DenialMemoryTotals> {
    return { answered: this.#answered, kept: this.#entries.size, bytes: this.#entries.bytes };
  }

  /** What Redis would find now, for an answer, or the question to wait for, or to ask; undefined: it has to be asked. */
  find(request: CheckedRequest): EngineResult | Question | undefined {
    const entry = this.#entryOf(request);
    if (entry === undefined) return undefined;
    const nowMs = this.#clock();
    this.#forgetStale(entry, nowMs);
    const { found } = entry;
    if (found === undefined) return entry.question ?? (entry.isLate ? this.#open(entry) : undefined);
    const result = foretell(entry, request, nowMs);
    if (result === undefined) return undefined;
    if (this.#isOld(found, nowMs) && entry.question === undefined) return this.#open(entry);
    this.#answered++;
    return result;
  }

  /**
   * The denial that `find` would give, before it is known whether the request goes to Redis: nothing is changed, as `find`
   * takes what has room for charged. 'ASK': `find` would give a question. Undefined: it has room, or nothing is known.
   */
  recall(request: CheckedRequest): EngineResult | 'ASK' | undefined {
    const entry = this.#entryOf(request);
    if (entry === undefined) return undefined;
    const nowMs = this.#clock();
    this.#forgetStale(entry, nowMs);
    if (entry.found === undefined) return entry.question !== undefined || entry.isLate ? 'ASK' : undefined;
    const result = foretellDenial(entry, request, nowMs);
    if (result === undefined) return undefined;
    return this.#isOld(entry.found, nowMs) && entry.question === undefined ? 'ASK' : result;
  }

  /** What `recall` gave was the answer, to be counted as one. */
  answeredRecalled(): void {
    this.#answered++;
  }

  /** What Redis would have found, once the charge that asks it has its reply; undefined: it has to be asked. */
  waitFor(question: Question, request: CheckedRequest, watch: Watch): Promise<EngineResult | undefined> {
    return waitForAnswer(question, request, this.#clock(), watch);
  }

  /** Whether one of these limits is known to refuse its cost to this caller, whatever it is charged with. */
  refuses({ subject, limits, costs }: CheckedRequest): boolean {
    if (this.#entries.size === 0) return false;
    const partitionOf = keysFor(subject);
    return limits.some((limit, i) => !limit.shadow && this.#isRefused(limit, costs[i]!, partitionOf(limit)));
  }

  /** Whether this caller was denied of late, with these limits: a next charge may well be denied too. */
  hasDenied(request: CheckedRequest): boolean {
    return this.#entries.size > 0 && this.#entries.has(this.#keys.keyOf(request));
  }

  /** The moment a charge is sent, to be passed on with what became of it. */
  sending(): Sent {
    return { turn: ++this.#turn, atMs: this.#clock() };
  }

  /** @param question the one that was asked with it */
  learned(request: CheckedRequest, result: EngineResult, isLook: boolean, sent: Sent, question?: Question): void {
    if (question === undefined) {
      this.#keep(request, result, isLook, sent);
      return;
    }
    this.#close(question, request);
    if (tellsOthers(question, request, result)) question.found = foundBy(request, result, isLook, sent.atMs);
    this.#keep(request, result, isLook, sent);
    this.#answered += answer(question);
  }

  /** Whether it was charged is not known. */
  failed(request: CheckedRequest, error: unknown, question?: Question): void {
    this.touched(request);
    if (question === undefined) return;
    this.#close(question, request);
    fail(question, error);
  }

  /** The counters of a request change, or may have changed: all of them, or those that a settlement to `actual` corrects. */
  touched(request: CheckedRequest, actual?: Readonly<Record<string, number>>): void {
    if (this.#entries.size === 0) return;
    const partitionOf = keysFor(request.subject);
    for (let i = 0; i < request.limits.length; i++) {
      if (actual === undefined ? request.costs[i] === 0 : !changes(request, i, actual)) continue;
      const watching = this.#entries.watching(partitionOf(request.limits[i]!));
      if (watching === undefined) continue;
      for (const entry of watching) this.#forgetFound(entry);
    }
  }

  /** The counters of a request were emptied, whatever it costs. */
  emptied(request: CheckedRequest): void {
    this.touched({ ...request, costs: request.costs.map(() => 1) });
  }

  /**
   * On a Cluster: what was pending there is taken back, as another slot has refused. That gives room where it was, and makes
   * void what was refused there meanwhile; what was only told of these counters may be as late as all that is remembered.
   */
  cancelled({ subject, limits, costs }: CheckedRequest): void {
    if (this.#entries.size === 0) return;
    const partitionOf = keysFor(subject);
    for (let i = 0; i < limits.length; i++) {
      if (costs[i] === 0) continue;
      const partition = partitionOf(limits[i]!);
      for (const entry of this.#entries.watching(partition) ?? []) {
        if (entry.refusing.has(partition)) this.#forgetFound(entry);
      }
    }
  }

  #entryOf(request: CheckedRequest): DenialEntry | undefined {
    return this.#entries.size === 0 ? undefined : this.#entries.get(this.#keys.keyOf(request));
  }

  /** A clock that was put back says nothing any more. */
  #isFresh(sentAtMs: number, nowMs: number): boolean {
    return nowMs >= sentAtMs && nowMs - sentAtMs <= this.#maxAgeMs;
  }

  #forgetStale(entry: DenialEntry, nowMs: number): void {
    if (entry.question && !this.#isFresh(entry.question.sent.atMs, nowMs)) entry.question = undefined;
    if (entry.found && !this.#isFresh(entry.found.sentAtMs, nowMs)) entry.found = undefined;
  }

  /** It is time to ask, while it still may be told. */
  #isOld({ sentAtMs }: FoundDenial, nowMs: number): boolean {
    return nowMs - sentAtMs > this.#maxAgeMs * ASKS_AT;
  }

  #isLateReply(sent: Sent): boolean {
    return this.#clock() - sent.atMs > this.#maxAgeMs * (1 - ASKS_AT);
  }

  #open(entry: DenialEntry): Question {
    entry.question = openQuestion(this.sending(), entry);
    return entry.question;
  }

  #close(question: Question, request: CheckedRequest): void {
    const entry = this.#entries.get(this.#keys.keyOf(request));
    if (entry?.question === question) entry.question = undefined;
  }

  /** Denials of one caller under other limits besides tell of this one too. */
  #isRefused(limit: Limit, cost: number, partition: string): boolean {
    let left = MAX_COMPARED;
    for (const { found } of this.#entries.watching(partition) ?? []) {
      if (left-- === 0) return false;
      if (found === undefined) continue;
      const nowMs = this.#clock();
      if (this.#isFresh(found.sentAtMs, nowMs) && isStillRefused(found, limit, cost, nowMs)) return true;
    }
    return false;
  }

  #forgetFound(entry: DenialEntry): void {
    entry.found = undefined;
    // Those that wait came before this, and Redis was asked before it.
    entry.question = undefined;
    entry.touchedTurn = ++this.#turn;
  }

  #keep(request: CheckedRequest, result: EngineResult, isLook: boolean, sent: Sent): void {
    if (result.admitted) {
      if (isLook || this.#entries.size === 0) return;
      const known = this.#entries.get(this.#keys.keyOf(request));
      if (known) this.#keepAdmitted(known, request, result, sent);
      else this.touched(request);
      return;
    }
    if (!isLook && request.limits.some(({ countDenied }) => countDenied)) this.touched(request);
    if (!this.isOn) return;
    if (canRemember(request, result)) this.#keepDenied(request, result, isLook, sent);
    else if (!isLook) this.#forgetAssumed(request);
  }

  /** What an admitted charge has left, where this is what the next ones of a caller who was denied will meet. */
  #keepAdmitted(entry: DenialEntry, request: CheckedRequest, result: EngineResult, sent: Sent): void {
    const isKept = sent.turn >= entry.touchedTurn && canRememberAdmission(request, result);
    this.touched(request);
    if (isKept) entry.found = foundBy(request, result, false, sent.atMs);
    entry.isLate = this.#isLateReply(sent) && !hasRoomLeft(request, result);
  }

  #keepDenied(request: CheckedRequest, result: EngineResult, isLook: boolean, sent: Sent): void {
    const key = this.#keys.keyOf(request);
    const watched = partitionsToWatch(request, result);
    const known = this.#entries.get(key);
    if (known === undefined) {
      this.#entries.add(key, request.limits.length, watched, this.#isLateReply(sent), ++this.#turn);
      return;
    }
    known.isLate = this.#isLateReply(sent);
    // It was looked at before something changed that may have given it room.
    if (sent.turn < known.touchedTurn) return;
    // Others refuse now: what happened to their counters until now was not watched.
    if (isNews(known, watched)) {
      this.#forgetFound(known);
      this.#entries.watch(known, watched);
      return;
    }
    known.found = foundBy(request, result, isLook, sent.atMs);
    this.#entries.renew(known);
  }

  /** It was taken to be admitted, and was not. */
  #forgetAssumed(request: CheckedRequest): void {
    const known = this.#entryOf(request);
    if (known?.found?.assumed !== undefined) this.#forgetFound(known);
  }
}
