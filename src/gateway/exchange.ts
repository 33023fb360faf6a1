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
  /** How long the upstream may take until its answer can be passed on, and a reader to take some of it. */
  timeoutMs: number;
  budget: ReadBudget;
  /** Prices answers that are not read. */
  byteRate: ByteRate;
  /** Errors tell nothing of the schema. */
  production: boolean;
  onFailure(failure: UpstreamFailure): void;
}

/** One request on its way through the gateway. A class, as every request makes one. */
export class Exchange<Options extends ForwardOptions = ForwardOptions> {
  readonly options: Options;
  readonly request: Request;
  /** Of what is held of answers, until this one is written. */
  readonly share: ReadShare;
  /** Set once they are known, as `caller`: before, nothing of it is forwarded. */
  subject!: Subject;
  caller = '';
  readonly #clientGone = new AbortController();
  #isOver = false;
  #over: Promise<void> | undefined;
  #markOver: (() => void) | undefined;

  /** To be made before anything is waited for: a caller who has gone meanwhile closes nothing any more. */
  constructor(options: Options, request: Request, response: Response) {
    this.options = options;
    this.request = request;
    this.share = options.budget.open();
    response.on('close', () => this.#close(response.writableFinished));
  }

  get clientGone(): AbortSignal {
    return this.#clientGone.signal;
  }

  /** Resolves when the answer is out, or its reader has gone. */
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
