import type { Request, Response } from 'express';
import type { Subject } from '../model/subject.js';
import type { ByteRate } from './byte-rate.js';
import type { Forwarding, HeaderRules } from './headers-for-upstream.js';
import type { ReadBudget, ReadShare } from './upstream/read-budget.js';
import type { Upstream } from './upstream/upstream.js';
import type { UpstreamFailure } from './upstream/upstream-failure.js';

export interface ForwardOptions {
  upstream: Upstream;
  /** The same API, over the connections of subscriptions. */
  subscriptions: Upstream;
  /** Time in milliseconds without an event after which a subscription sends a heartbeat. */
  heartbeatMs: number;
  addressOf(request: Request): string | undefined;
  protocolOf(request: Request): Forwarding['protocol'];
  headers: HeaderRules;
  /**
   * Timeout in milliseconds for the upstream until its response can be passed on, and for a client
   * that stops reading.
   */
  timeoutMs: number;
  budget: ReadBudget;
  /** Prices responses that are forwarded without being parsed. */
  byteRate: ByteRate;
  /** Whether errors hide details of the schema. */
  production: boolean;
  onFailure(failure: UpstreamFailure): void;
}

/**
 * One request on its way through the gateway. It is a class, because every request creates one and
 * closures would use more memory.
 */
export class Exchange<Options extends ForwardOptions = ForwardOptions> {
  readonly options: Options;
  readonly request: Request;
  /**
   * This request's share of the memory budget for responses. Released when the response is written.
   */
  readonly share: ReadShare;
  /** Set together with `caller` when the caller is identified. Nothing is forwarded earlier. */
  subject!: Subject;
  caller = '';
  readonly #clientGone = new AbortController();
  #isOver = false;
  #over: Promise<void> | undefined;
  #markOver: (() => void) | undefined;

  /**
   * Must be called before the handler awaits anything. Otherwise the close event of a caller who
   * disconnects in the meantime is missed.
   */
  constructor(options: Options, request: Request, response: Response) {
    this.options = options;
    this.request = request;
    this.share = options.budget.open();
    response.on('close', () => this.#close(response.writableFinished));
  }

  get clientGone(): AbortSignal {
    return this.#clientGone.signal;
  }

  /** Resolves when the response is sent, or the client has disconnected. */
  get over(): Promise<void> {
    this.#over ??= this.#isOver
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#markOver = resolve;
        });
    return this.#over;
  }

  #close(isWritten: boolean): void {
    if (!isWritten) this.#clientGone.abort();
    this.share.release();
    this.#isOver = true;
    this.#markOver?.();
  }
}
