import type { ExecutionResult } from 'graphql';
import type { Answer } from '../protection/answer/answer-of.js';
import type { AdmittedRequest } from './admitted-request.js';

/**
 * Ends an operation whose result is incremental or whose result is the events of a subscription.
 * The charge stays at the estimate; events are charged in addition. Concurrency slots are freed
 * after the last part or event. Returns these parts or events, the first of which reports the cost
 * in its `extensions`. `answer` has the same extensions, and the headers to send.
 */
export function settledWhenOver(request: AdmittedRequest, result: AsyncIterable<ExecutionResult>) {
  if (request.isSubscription) return { parts: request.events(result), answer: request.finish({}) };
  let over = () => {};
  const whenOver = new Promise<void>((resolve) => (over = resolve));
  const answer = request.finish({}, { whenOver });
  return { parts: passedOn(result, { over, answer }), answer };
}

/**
 * Forwards all parts, and adds the extensions of `answer` to the first. Calls `over` after the last
 * part, or when the reader stops. The result is not a generator. A generator would not notice that
 * the reader has stopped until the next part arrives, and would never notice it before the first
 * request for a part.
 */
function passedOn(
  parts: AsyncIterable<ExecutionResult>,
  { over, answer }: { over(): void; answer: Promise<Answer> },
): AsyncIterableIterator<ExecutionResult> {
  let isFirst = true;
  const iterator = parts[Symbol.asyncIterator]();
  return {
    async next() {
      try {
        const part = await iterator.next();
        if (part.done) over();
        if (part.done || !isFirst) return part;
        isFirst = false;
        const { extensions } = (await answer).body;
        if (!extensions) return part;
        return { done: false, value: { ...part.value, extensions: { ...part.value.extensions, ...extensions } } };
      } catch (error) {
        over();
        throw error;
      }
    },
    async return(value) {
      over();
      return (await iterator.return?.(value)) ?? { done: true, value };
    },
    async throw(error) {
      over();
      if (iterator.throw) return iterator.throw(error);
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
