import type { ExecutionResult } from 'graphql';
import type { UpstreamEvents } from '../subscriptions/read-upstream-events.js';
import type { ExactNumbers } from '../upstream/exact-numbers.js';

/** A result of the API for one operation of a socket. */
export interface SocketResult {
  readonly result: ExecutionResult;
  /** Numbers of the message that JavaScript would write differently. */
  readonly exact: ExactNumbers | undefined;
  /** Size of the message in bytes. */
  readonly bytes: number;
}

/** Results of one operation that its client has not received yet. */
export interface ResultQueue extends UpstreamEvents {
  push(result: SocketResult): void;
  /** Ends the results after those in the queue. @param error error that the reader then receives */
  end(error?: unknown): void;
  /** Ends the results at once. Drops those in the queue. */
  fail(error: unknown): void;
  /** Size of the results in the queue, in bytes. */
  readonly bytes: number;
}

interface ResultQueueOptions {
  /** Called when a result has left the queue. */
  onTaken(bytes: number): void;
  /** Called when the reader stops before the end. */
  onReturn(): void;
}

type Step = IteratorResult<ExecutionResult, undefined>;
const DONE: Step = { done: true, value: undefined };

/** Creates the queue of one operation. Its reader awaits each result before it asks for the next. */
export function createResultQueue({ onTaken, onReturn }: ResultQueueOptions): ResultQueue {
  const queued: SocketResult[] = [];
  let bytes = 0;
  let exact: ExactNumbers | undefined;
  let ended: { error: unknown } | undefined;
  let reader: { resolve(step: Step): void; reject(error: unknown): void } | undefined;

  function take(taken: SocketResult): Step {
    bytes -= taken.bytes;
    ({ exact } = taken);
    onTaken(taken.bytes);
    return { done: false, value: taken.result };
  }

  function finish(error?: unknown): void {
    if (ended) return;
    ended = { error };
    const waiting = reader;
    reader = undefined;
    if (error === undefined) waiting?.resolve(DONE);
    else waiting?.reject(error);
  }

  function drop(): void {
    for (const dropped of queued.splice(0)) take(dropped);
  }

  return {
    push(result) {
      if (ended) return onTaken(result.bytes);
      bytes += result.bytes;
      const waiting = reader;
      reader = undefined;
      if (waiting) waiting.resolve(take(result));
      else queued.push(result);
    },
    end: finish,
    fail(error) {
      drop();
      finish(error);
    },
    async next() {
      const first = queued.shift();
      if (first) return take(first);
      if (ended?.error !== undefined) throw ended.error;
      if (ended) return DONE;
      return new Promise((resolve, reject) => {
        reader = { resolve, reject };
      });
    },
    async return() {
      if (!ended) onReturn();
      drop();
      finish(undefined);
      return DONE;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    write(event) {
      const json = JSON.stringify(event);
      return exact === undefined ? json : exact.restore(json);
    },
    get bytes() {
      return bytes;
    },
  };
}
