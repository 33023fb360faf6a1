import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';
import type { Watch } from '../redis/deadlines.js';
import { foretell, isNews, type KnownDenial, partitionsToWatch, type Watched } from './known-denial.js';
import { canRemember, canRememberAdmission } from './project-denial.js';

/** The moment a charge is sent. */
export interface Sent {
  readonly turn: number;
  readonly atMs: number;
}

/**
 * One charge that asks Redis about a caller who was denied last, and those of the same caller and limits that come until its
 * reply: they are told what it has found. Where replies are read later than what they say may be believed, as in a process
 * that has too much to do, nothing would be remembered, and every charge of a flood would ask.
 *
 * Redis has decided either after such a charge had come, or shortly before: only those wait that come while what was sent is
 * not too old. What passes here and may give room ends the question for those that come afterwards, and another is opened.
 */
export interface Question extends KnownDenial {
  readonly sent: Sent;
  /** A charge has taken it to Redis; the others wait. */
  isAsked: boolean;
  /** Of the charge that asks. */
  watch: Watch | undefined;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly request: CheckedRequest;
  readonly cameAtMs: number;
  readonly watch: Watch;
  readonly resolve: (result: EngineResult | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export function openQuestion(sent: Sent, { partitions, refusing, isWatched }: Watched): Question {
  return { sent, partitions, refusing, isWatched, found: undefined, isAsked: false, watch: undefined, waiting: [] };
}

export function isQuestion(found: EngineResult | Question): found is Question {
  return 'waiting' in found;
}

/** Resolves to what Redis would have found; undefined: it has to be asked. Rejects as the charge that asks does. */
export function waitForAnswer(
  question: Question,
  request: CheckedRequest,
  cameAtMs: number,
  watch: Watch,
): Promise<EngineResult | undefined> {
  watch.line = question.watch?.line;
  return new Promise((resolve, reject) => {
    question.waiting.push({ request, cameAtMs, watch, resolve, reject });
  });
}

/** Tells those that wait, as they came, from what is known now; returns how many were denied. */
export function answer(question: Question): number {
  let denied = 0;
  for (const { request, cameAtMs, watch, resolve } of question.waiting) {
    // Redis has decided at some moment since it was sent: as of when this one came, or after that. What was refused here
    // meanwhile will not go to Redis, and takes nothing from those behind it.
    const result = watch.isRefused ? undefined : foretell(question, request, cameAtMs);
    if (result !== undefined) denied++;
    resolve(result);
  }
  return denied;
}

export function fail(question: Question, error: unknown): void {
  for (const { resolve, reject } of question.waiting) {
    // That its own caller waits no longer says nothing about Redis.
    if (question.watch?.isRefused) resolve(undefined);
    else reject(error);
  }
}

/** Whether it can be worked out from a reply what Redis would have replied to those that waited for it. */
export function tellsOthers(question: Question, request: CheckedRequest, result: EngineResult): boolean {
  if (result.admitted) return canRememberAdmission(request, result);
  // Else a refund that passed here while it was under way may have been missed.
  return canRemember(request, result) && !isNews(question, partitionsToWatch(request, result));
}
