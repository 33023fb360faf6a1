import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';
import type { Watch } from '../redis/deadlines.js';
import { foretell, isNews, type KnownDenial, partitionsToWatch, type Watched } from './known-denial.js';
import { canRemember, canRememberAdmission } from './project-denial.js';

/** Moment at which a charge is sent. */
export interface Sent {
  readonly turn: number;
  readonly atMs: number;
}

/**
 * One charge that checks in Redis whether a caller is still denied, and the requests that wait for
 * the reply. These requests have the same caller and limits, and are decided from the result of the
 * charge. An overloaded process reads replies too late to remember them. Without questions, every
 * charge of a flood would therefore call Redis.
 *
 * The result is valid for a waiting request only if Redis decided after the request arrived, or
 * shortly before. A request therefore waits only if the charge was sent recently. A change in this
 * process that may make room ends the question for later requests, which open another one.
 */
export interface Question extends KnownDenial {
  readonly sent: Sent;
  /**
   * Whether a charge that answers the question is in flight to Redis. If so, other requests wait
   * for it.
   */
  isAsked: boolean;
  /** Deadline of the charge that asks. */
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

export function openQuestion(sent: Sent, { partitions, denying, isWatched }: Watched): Question {
  return { sent, partitions, denying, isWatched, found: undefined, isAsked: false, watch: undefined, waiting: [] };
}

export function isQuestion(found: EngineResult | Question): found is Question {
  return 'waiting' in found;
}

/**
 * Resolves to the result that Redis would have returned; undefined if the request has to be sent to
 * Redis. Rejects if the charge that asks the question rejects.
 */
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

/**
 * Decides the waiting requests, in the order of arrival, from the state that the question stores.
 * Returns the number of denials.
 */
export function answer(question: Question): number {
  let denied = 0;
  for (const { request, cameAtMs, watch, resolve } of question.waiting) {
    // Redis decided at some moment after the call was sent. Its result is therefore valid for the
    // arrival of this request, or for a later time. A request that was denied here in the meantime
    // will not be sent to Redis, and takes no tokens from later requests.
    const result = watch.isDenied ? undefined : foretell(question, request, cameAtMs);
    if (result !== undefined) denied++;
    resolve(result);
  }
  return denied;
}

/** Ends the wait of the waiting requests after the charge that asks has failed. */
export function fail(question: Question, error: unknown): void {
  for (const { resolve, reject } of question.waiting) {
    // The caller of the charge no longer waits for it, so the failure of the charge does not
    // indicate a failure of Redis.
    if (question.watch?.isDenied) resolve(undefined);
    else reject(error);
  }
}

/** Returns whether the results of the waiting requests can be derived from this reply. */
export function answersOthers(question: Question, request: CheckedRequest, result: EngineResult): boolean {
  if (result.admitted) return canRememberAdmission(request, result);
  // If other limits deny than before, this process may have missed its own refund while the call
  // was in flight.
  return canRemember(request, result) && !isNews(question, partitionsToWatch(request, result));
}
