import type { OpenStream } from '../model/open-stream.js';
import { CLOSE_CODES, CLOSE_REASONS } from '../protection/connections/close-codes.js';
import type { Connections } from '../protection/connections/create-connections.js';
import type { EndReason } from '../protection/slots/open-subscriptions.js';
import { createLimitedConnection } from '../rules/matching/limited-connection.js';
import type { Timings } from '../runtime/timings.js';
import type { BoundedReader } from './bounded-events.js';
import type { SocketSettings } from './socket-options.js';

/** The part of a WebSocket that the connection uses. */
export interface Socket {
  readonly bufferedAmount?: number;
  close(code: number, reason: string): void;
}

/** The HTTP request of a handshake. */
export interface HandshakeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: { readonly destroyed: boolean; once(event: 'close', listener: () => void): unknown };
}

/** Interval at which a full buffer is looked at again, in milliseconds. */
const DRAIN_MS = 20;

/** One WebSocket, from its handshake to its end. */
export class SocketConnection implements BoundedReader {
  readonly limited = createLimitedConnection();
  /** Request by which callers are identified: that of the handshake, with the mapped headers. */
  request: HandshakeRequest;
  #socket: Socket | undefined;
  readonly #slots: (() => void)[] = [];
  /** Entry in the list of open connections. */
  #stream: OpenStream | undefined;
  readonly #streams = new Set<{ return?(): unknown }>();
  /** Number of operations that run, subscriptions included. */
  #running = 0;
  #isClosed = false;
  /** Code with which the WebSocket closes, if it ended before it was opened. */
  #ended: { code: number; reason: string } | undefined;
  #draining: Promise<void> | undefined;
  #wake = () => {};
  #stopIdleTimer = () => {};
  #stopChecks = () => {};
  readonly #settings: SocketSettings;
  readonly #timings: Timings;

  constructor(request: HandshakeRequest, settings: SocketSettings, timings: Timings) {
    this.request = request;
    this.#settings = settings;
    this.#timings = timings;
    request.socket.once('close', () => this.#closed());
    if (request.socket.destroyed) this.#closed();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Attaches the WebSocket, once the handshake is complete. */
  open(socket: Socket): void {
    this.#socket = socket;
    if (this.#ended) socket.close(this.#ended.code, this.#ended.reason);
    else this.#startIdleTimer();
  }

  /** Takes slots until the connection closes. Returns the denial if there is none. */
  async takeSlots(
    connections: Connections,
    request: Omit<Parameters<Connections['open']>[0], 'end' | 'stream'>,
  ): Promise<Extract<Awaited<ReturnType<Connections['open']>>, { admitted: false }> | undefined> {
    const end = (reason: EndReason) => {
      if (reason === 'STOP') this.end(CLOSE_CODES.RESTART, CLOSE_REASONS.STOPPED);
      else this.end(CLOSE_CODES.ENDED, CLOSE_REASONS.ENDED);
    };
    const opened = await connections.open({ ...request, stream: this.#stream, end });
    if (!opened.admitted) return opened;
    this.#stream = opened.stream;
    // The client may have left in the meantime.
    if (this.#isClosed) opened.close();
    else this.#slots.push(opened.close);
    return undefined;
  }

  /** Runs `check` at the end of each interval, until the connection closes. */
  checkEvery(nextMs: () => number, check: () => Promise<void>): void {
    if (this.#isClosed) return;
    this.#stopChecks = this.#timings.schedule(() => {
      void check().then(() => this.checkEvery(nextMs, check));
    }, nextMs());
  }

  /** Counts an operation. Returns the function to call when it has ended. */
  begin(): () => void {
    this.#running++;
    this.#stopIdleTimer();
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      this.#running--;
      if (this.#running === 0) this.#startIdleTimer();
    };
  }

  /** Ends a subscription when the connection closes. Returns the function to call when it has ended. */
  hold(stream: { return?(): unknown }): () => void {
    const ended = this.begin();
    this.#streams.add(stream);
    if (this.#isClosed) void stream.return?.();
    return () => {
      this.#streams.delete(stream);
      ended();
    };
  }

  /** Closes the WebSocket, and ends its subscriptions at once. */
  end(code: number, reason: string): void {
    this.#ended ??= { code, reason };
    this.#socket?.close(code, reason);
    this.#endStreams();
  }

  isOver(): boolean {
    return !this.#isClosed && (this.#socket?.bufferedAmount ?? 0) > this.#settings.maxBufferedBytes;
  }

  drained(): Promise<void> {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  /** A WebSocket has no event for a drained buffer, so the buffer is looked at in intervals. */
  async #drain(): Promise<void> {
    while (this.isOver()) {
      await new Promise<void>((resolve) => {
        const cancel = this.#timings.schedule(resolve, DRAIN_MS);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
  }

  #startIdleTimer(): void {
    const { idleTimeoutMs } = this.#settings;
    if (idleTimeoutMs === 0 || this.#isClosed || this.#socket === undefined) return;
    this.#stopIdleTimer();
    this.#stopIdleTimer = this.#timings.schedule(() => {
      if (this.#running === 0) this.end(CLOSE_CODES.IDLE, 'Idle');
    }, idleTimeoutMs);
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wake();
    this.#stopIdleTimer();
    this.#stopChecks();
    for (const free of this.#slots.splice(0)) free();
    this.#endStreams();
  }

  #endStreams(): void {
    for (const stream of [...this.#streams]) void stream.return?.();
  }
}
