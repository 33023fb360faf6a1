import type { ExecutionResult } from 'graphql';
import { isObject } from '../../runtime/is-object.js';
import type { Splitter } from '../answer/create-splitter.js';
import type { UpstreamAnswer } from '../upstream/create-upstream-sender.js';
import { type ExactNumbers, findInexactNumbers } from '../upstream/exact-numbers.js';
import { toResult } from '../upstream/read-answer.js';
import type { ReadShare } from '../upstream/read-budget.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';

/** Events of the API. The next one is read from the connection when the reader asks for it. */
export interface UpstreamEvents extends AsyncIterableIterator<ExecutionResult> {
  /** Returns the event that was read last as JSON, with its numbers as the API wrote them. */
  write(event: ExecutionResult): string;
}

interface ReadingEvents {
  answer: UpstreamAnswer;
  splitter: Splitter;
  /** Memory for an event that has not arrived completely, and for those of the same piece. */
  share: ReadShare;
  /** Closes the connection to the API. */
  close(): void;
}

/** Reads the events of a subscription from the response of the API. */
export function readUpstreamEvents({ answer, splitter, share, close }: ReadingEvents): UpstreamEvents {
  const { status } = answer;
  let exact: ExactNumbers | undefined;
  let held = 0;

  function invalid(why: string): UpstreamFailure {
    return new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status, why });
  }

  function read(text: string): ExecutionResult | 'HEARTBEAT' {
    exact = findInexactNumbers(text);
    let part: unknown;
    try {
      part = JSON.parse(exact?.text ?? text);
    } catch {
      throw invalid('an event is not JSON');
    }
    if (!isObject(part)) throw invalid('an event is not an object');
    if (Object.keys(part).length === 0) return 'HEARTBEAT';
    // Multipart subscriptions wrap the result. Their errors next to `payload` end the subscription.
    const { payload, errors } = part;
    const isWrapped = isObject(payload) || (payload === null && errors !== undefined);
    const result = toResult(isWrapped ? (payload ?? { errors }) : part);
    if (result === undefined) throw invalid('an event has neither data nor errors');
    return result as ExecutionResult;
  }

  async function* events(): AsyncGenerator<ExecutionResult, undefined> {
    try {
      yield* eventsOfPieces();
      // The API has announced its last event. The connection can be reused when it ends the response.
      answer.dump();
    } catch (error) {
      close();
      throw error;
    }
  }

  async function* eventsOfPieces(): AsyncGenerator<ExecutionResult, undefined> {
    for await (const piece of answer.body) {
      held += piece.length;
      if (!share.take(piece.length)) {
        throw invalid(
          'an event has more than --max-read-bytes, or the responses of its caller use up --max-held-bytes',
        );
      }
      for (const { payload, isEnd } of splitter.push(piece)) {
        if (isEnd) return;
        const event = payload && read(payload.text);
        if (event !== undefined && event !== 'HEARTBEAT') yield event;
      }
      const { length } = splitter.rest;
      share.releaseBytes(held - length);
      held = length;
    }
    // Without its last event or delimiter, a response is incomplete, even if its connection was
    // closed properly: a proxy may have closed it.
    throw new UpstreamFailure('UPSTREAM_UNAVAILABLE', { hasRun: true, status });
  }

  const all = events();
  return {
    next: () => all.next(),
    // `return` of the generator would wait for an event that may never arrive.
    async return() {
      close();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    write: (event) => {
      const json = JSON.stringify(event);
      return exact === undefined ? json : exact.restore(json);
    },
  };
}
