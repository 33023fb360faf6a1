import type { Request, Response } from 'express';
import type { Subject } from '../model/subject.js';
import type { ByteRate } from './byte-rate.js';
import type { Forwarding, HeaderRules } from './headers-for-upstream.js';
import type { ReadBudget, ReadShare } from './upstream/read-budget.js';
import type { Upstream } from './upstream/upstream.js';
import type { UpstreamFailure } from './upstream/upstream-failure.js';

export interface ForwardOptions {
  upstream: Upstream;
  addressOf(request: Request): string | undefined;
  protocolOf(request: Request): Forwarding['protocol'];
  headers: HeaderRules;
  /**
   * Timeout in milliseconds for the upstream until its answer can be passed on, and for a reader
   * that takes nothing.
   */
  timeoutMs: number;
  budget: ReadBudget;
  /** Prices answers that are not read. */
  byteRate: ByteRate;
  /** Whether errors hide details of the schema. */
  production: boolean;
  onFailure(failure: UpstreamFailure): void;
}

/** One request on its way through the gateway. It is a class because every request creates one. */
export class Exchange<Options extends ForwardOptions = ForwardOptions> {
  readonly options: Options;
  readonly request: Request;
  /** Share of the budget of held answer bytes, until this answer is written. */
  readonly share: ReadShare;
  /** Set, like `caller`, once the caller is identified. Before that, nothing is forwarded. */
  subject!: Subject;
  caller = '';
  readonly #clientGone = new AbortController();
  #isOver = false;
  #over: Promise<void> | undefined;
  #markOver: (() => void) | undefined;

  /**
   * Create it before anything is awaited: otherwise the close event of a caller who disconnects in
   * the meantime is missed.
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

  /** Resolves when the answer is sent, or its reader has disconnected. */
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
