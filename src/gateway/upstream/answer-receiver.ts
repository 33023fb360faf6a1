import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

interface AnswerHead {
  status: number;
  headers: IncomingHttpHeaders;
}

/** Response events. No event follows `onEnd`. */
interface AnswerEvents {
  onHead(head: AnswerHead): void;
  /**
   * @param error reason why the response is incomplete or has not begun; undefined if it was
   * received completely
   */
  onEnd(error: Error | undefined): void;
}

/** Size above which a response is likely to be passed on to a reader slower than the upstream. */
const SMALL_BYTES = 64 * 1024;

/**
 * Time in milliseconds that a response may wait for its reader. After a longer wait, its connection
 * is not reused. The upstream may have sent the whole response long before, and counts the
 * connection as idle since then. If it closes the connection when the next request is sent, that
 * request fails, and it is unknown whether the upstream executed it. A Node server closes an idle
 * connection after 5 s, and undici, the client, reuses it for 3 s.
 */
const STALE_MS = 1000;

/**
 * Receives one response from a connection, piece by piece, when its reader requests it.
 * `pool.request` is not used, because it creates a stream for every request. That stream buffers 64
 * KiB for each stalled reader, in addition to the socket's buffer.
 */
export class AnswerReceiver implements Dispatcher.DispatchHandler, AsyncIterableIterator<Buffer> {
  /** Closes the connection. Set by the connection that sends the request. */
  closeConnection: (() => void) | undefined;
  readonly #now: () => number;
  readonly #events: AnswerEvents;
  /** Time at which the response began to wait for its reader. */
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

  /** Aborts the response in any state. Does nothing once it has ended. */
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
      // Set the reader first: a paused connection delivers its data during `resume`.
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
    // When a paused parser resumes, it first emits an empty piece. Pausing at that piece would
    // block permanently.
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) reader.resolve({ done: false, value: piece });
    else this.#pieces.push(piece);
    // Small responses arrive in one or two pieces: pausing the parser between them costs more than
    // it saves.
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
