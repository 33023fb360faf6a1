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
  isStillDenied,
} from './project-denial.js';
import { answer, answersOthers, fail, openQuestion, type Question, type Sent, waitForAnswer } from './question.js';

/** Counters and size of the denial memory. */
export interface DenialMemoryTotals {
  /** Number of denials that were returned without a call to Redis. */
  answered: number;
  /** Number of remembered callers, counted separately for each set of limits. */
  kept: number;
  bytes: number;
}

/**
 * Maximum number of remembered denials that are searched for a denying limit. A shared limit may
 * have denied many callers, and a few of these denials are enough.
 */
const MAX_COMPARED = 8;

/**
 * Fraction of the maximum age after which one charge is sent to Redis, while the others are still
 * denied from memory.
 */
const ASKS_AT = 0.75;

/**
 * Remembers which callers Redis has denied, and the state that Redis reported. The time at which a
 * bucket or a window has room again can be computed from this state. Only a refund, a reset or an
 * edit makes room earlier. Such a change by this process removes the denial. Such a change by
 * another instance is noticed within `maxAgeMs`, when one charge is sent to Redis.
 *
 * A first denial is only recorded, so that callers who are never denied cost nothing. From the
 * second denial on, the result of Redis is stored, unless a later charge or refund may have changed
 * it.
 *
 * When there is room again, one charge is sent to Redis. Requests that arrive in the meantime are
 * decided from the state that this charge will leave. Redis would decide the same, because it would
 * execute this charge before them. Otherwise every request of a flood would call Redis during the
 * round trip of this charge.
 *
 * If replies are read too late to be remembered, requests wait for the result of a charge that is
 * already in flight: see `Question`.
 */
export class DenialMemory {
  /** Whether the denial memory is enabled. */
  readonly isOn: boolean;
  readonly #maxAgeMs: number;
  readonly #clock: Clock;
  readonly #entries: DenialEntries;
  readonly #keys = new CallerKeys();
  #turn = 0;
  #answered = 0;

  /** @param clock monotonic milliseconds, or the injected time that is also passed to Redis */
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

  /**
   * Returns the result that Redis would return now, or the `Question` that the request has to ask
   * or to wait for. Returns undefined if the request has to be sent to Redis.
   */
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
   * Returns the denial that `find` would return, while it is undecided whether the request will be
   * sent to Redis. Unlike `find`, it does not assume that a request with room is charged. Returns
   * 'ASK' if `find` would return a question. Returns undefined if the request has room, or if
   * nothing is known.
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

  /** Counts a result of `recall` that was returned to a caller. */
  answeredRecalled(): void {
    this.#answered++;
  }

  /**
   * Resolves to the result that Redis would have returned, once the charge that asks the question
   * has a reply. Resolves to undefined if the request has to be sent to Redis.
   */
  waitFor(question: Question, request: CheckedRequest, watch: Watch): Promise<EngineResult | undefined> {
    return waitForAnswer(question, request, this.#clock(), watch);
  }

  /**
   * Returns whether one of these limits is known to deny its cost to this caller, regardless of the
   * other limits of the charge.
   */
  denies({ subject, limits, costs }: CheckedRequest): boolean {
    if (this.#entries.size === 0) return false;
    const partitionOf = keysFor(subject);
    return limits.some((limit, i) => !limit.shadow && this.#isDenied(limit, costs[i]!, partitionOf(limit)));
  }

  /**
   * Returns whether this caller was denied recently with these limits, so that the next charge is
   * likely to be denied too.
   */
  hasDenied(request: CheckedRequest): boolean {
    return this.#entries.size > 0 && this.#entries.has(this.#keys.keyOf(request));
  }

  /** Returns the moment at which a charge is sent, to be passed to `learned` with the reply. */
  sending(): Sent {
    return { turn: ++this.#turn, atMs: this.#clock() };
  }

  /**
   * Handles the reply of Redis to a charge or a peek, and decides the requests that wait for it.
   * @param isLook whether the call only peeked: for `peek`, or because the request can never be
   * admitted
   * @param sent result of `sending` at the time of the call
   * @param question the question that the charge asked, if any
   */
  learned(request: CheckedRequest, result: EngineResult, isLook: boolean, sent: Sent, question?: Question): void {
    if (question === undefined) {
      this.#keep(request, result, isLook, sent);
      return;
    }
    this.#close(question, request);
    if (answersOthers(question, request, result)) question.found = foundBy(request, result, isLook, sent.atMs);
    this.#keep(request, result, isLook, sent);
    this.#answered += answer(question);
  }

  /** Handles a failed call. It is unknown whether Redis made the charge. */
  failed(request: CheckedRequest, error: unknown, question?: Question): void {
    this.touched(request);
    if (question === undefined) return;
    this.#close(question, request);
    fail(question, error);
  }

  /**
   * Invalidates denials of counters that a request changes or may have changed: those with a cost
   * other than zero or, with `actual`, those that a settlement to it corrects.
   */
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

  /** Invalidates denials of counters that were reset, regardless of the costs of the request. */
  emptied(request: CheckedRequest): void {
    this.touched({ ...request, costs: request.costs.map(() => 1) });
  }

  /**
   * Invalidates denials on a Cluster, when a pending charge is refunded because another hash slot
   * denied. The refund makes room for requests that its counters denied in the meantime. Denials by
   * other counters are kept, although they then contain outdated states of the refunded counters.
   */
  cancelled({ subject, limits, costs }: CheckedRequest): void {
    if (this.#entries.size === 0) return;
    const partitionOf = keysFor(subject);
    for (let i = 0; i < limits.length; i++) {
      if (costs[i] === 0) continue;
      const partition = partitionOf(limits[i]!);
      for (const entry of this.#entries.watching(partition) ?? []) {
        if (entry.denying.has(partition)) this.#forgetFound(entry);
      }
    }
  }

  #entryOf(request: CheckedRequest): DenialEntry | undefined {
    return this.#entries.size === 0 ? undefined : this.#entries.get(this.#keys.keyOf(request));
  }

  /**
   * Returns whether a result may be used. If an injected clock was set back to a time before the
   * call, the age of the result is unknown, and the result may not be used.
   */
  #isFresh(sentAtMs: number, nowMs: number): boolean {
    return nowMs >= sentAtMs && nowMs - sentAtMs <= this.#maxAgeMs;
  }

  #forgetStale(entry: DenialEntry, nowMs: number): void {
    if (entry.question && !this.#isFresh(entry.question.sent.atMs, nowMs)) entry.question = undefined;
    if (entry.found && !this.#isFresh(entry.found.sentAtMs, nowMs)) entry.found = undefined;
  }

  /**
   * Returns whether one charge should be sent to Redis, although the denial may still be returned.
   */
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

  /**
   * Returns whether a limit is known to deny a cost. Denials of other sets of limits that contain
   * it count as well.
   */
  #isDenied(limit: Limit, cost: number, partition: string): boolean {
    let left = MAX_COMPARED;
    for (const { found } of this.#entries.watching(partition) ?? []) {
      if (left-- === 0) return false;
      if (found === undefined) continue;
      const nowMs = this.#clock();
      if (this.#isFresh(found.sentAtMs, nowMs) && isStillDenied(found, limit, cost, nowMs)) return true;
    }
    return false;
  }

  #forgetFound(entry: DenialEntry): void {
    entry.found = undefined;
    // Later requests must not wait for the charge of this question, because it was sent before the
    // change.
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

  /**
   * Stores the state after an admitted charge, if the next charges of a previously denied caller
   * will find this state.
   */
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
    // The call was sent before a change that may have made room.
    if (sent.turn < known.touchedTurn) return;
    // Limits deny now that did not deny before, and earlier changes of their counters were not
    // watched.
    if (isNews(known, watched)) {
      this.#forgetFound(known);
      this.#entries.watch(known, watched);
      return;
    }
    known.found = foundBy(request, result, isLook, sent.atMs);
    this.#entries.renew(known);
  }

  /** Forgets an assumed admission that was in fact a denial. */
  #forgetAssumed(request: CheckedRequest): void {
    const known = this.#entryOf(request);
    if (known?.found?.assumed !== undefined) this.#forgetFound(known);
  }
}
