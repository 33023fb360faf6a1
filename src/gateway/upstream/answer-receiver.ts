import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

interface AnswerHead {
  status: number;
  headers: IncomingHttpHeaders;
}

/** What is told while an answer comes; after `onEnd` nothing is. */
interface AnswerEvents {
  onHead(head: AnswerHead): void;
  /** @param error why it is not whole, or has not begun; undefined: it was received whole */
  onEnd(error: Error | undefined): void;
}

/** Beyond so many bytes an answer is likely to be passed on to a reader who is slower than the upstream. */
const SMALL_BYTES = 64 * 1024;

/**
 * Where an answer has waited so long for its reader, its connection is not used again. The upstream may have sent all of it long before, and
 * counts the connection as idle since then: if it closes it just as the next request is sent, that request fails, and may have run all the same.
 * Node closes an idle connection after 5 s, and undici uses one again for 3 s.
 */
const STALE_MS = 1000;

/**
 * Takes one answer from a connection, piece by piece, as its reader asks for it. Not `pool.request`: its stream keeps 64 KiB for each
 * reader who takes nothing, beside what the socket keeps, and has to be made for every request.
 */
export class AnswerReceiver implements Dispatcher.DispatchHandler, AsyncIterableIterator<Buffer> {
  /** Set by the connection that takes the request. */
  closeConnection: (() => void) | undefined;
  readonly #now: () => number;
  readonly #events: AnswerEvents;
  /** When it began to wait for its reader. */
  #pausedMs: number | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #stopped: Error | undefined;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #ended: { error: Error | undefined } | undefined;
  #reader: { resolve(result: IteratorResult<Buffer>): void; reject(error: Error): void } | undefined;

  constructor(now: () => number, events: AnswerEvents) {
    this.#now = now;
    this.#events = events;
  }

  /** Gives the answer up, wherever it is. Does nothing once it has ended. */
  stop(reason: Error): void {
    this.#stopped ??= reason;
    this.#pieces = [];
    this.#controller?.abort(reason);
  }

  next(): Promise<IteratorResult<Buffer>> {
    const piece = this.#pieces.shift();
    if (piece) return Promise.resolve({ done: false, value: piece });
    if (this.#ended) {
      const { error } = this.#ended;
      return error ? Promise.reject(error) : Promise.resolve({ done: true, value: undefined });
    }
    return new Promise((resolve, reject) => {
      // First: what a paused connection holds comes while it is resumed.
      this.#reader = { resolve, reject };
      this.#controller?.resume();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped) controller.abort(this.#stopped);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) this.#events.onHead({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    // Where the parser was paused it begins with an empty one: to pause at that would be to stand still.
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) reader.resolve({ done: false, value: piece });
    else this.#pieces.push(piece);
    // Small answers come in one piece or two: pausing the parser between them costs more than it spares.
    if (!reader || this.#bytes > SMALL_BYTES) {
      this.#pausedMs ??= this.#now();
      controller.pause();
    }
  }

  onResponseEnd(): void {
    if (this.#pausedMs !== undefined && this.#now() - this.#pausedMs > STALE_MS) this.closeConnection?.();
    this.#end(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(this.#stopped ?? error);
  }

  #end(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = { error };
    const reader = this.#reader;
    this.#reader = undefined;
    if (error) reader?.reject(error);
    else reader?.resolve({ done: true, value: undefined });
    this.#events.onEnd(error);
  }
}
