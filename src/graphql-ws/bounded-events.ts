import type { ExecutionResult } from 'graphql';
import { ERRORS, errorOf } from '../model/errors.js';
import type { EventPolicy } from '../model/rule.js';

/** The client of a subscription, as far as the bound of its buffer needs it. */
export interface BoundedReader {
  /** Whether more bytes wait for the client than the maximum. */
  isOver(): boolean;
  /** Resolves when fewer bytes wait, or when the connection has closed. */
  drained(): Promise<void>;
}

interface BoundedOptions {
  policy: EventPolicy;
  reader: BoundedReader;
  onDropped(): void;
  /** Called once, when no further event is read. */
  onEnd(): void;
}

type Step = IteratorResult<ExecutionResult, undefined>;

/** Maximum number of events that wait for the client of one subscription. */
const MAX_WAITING = 16;

const DONE: Step = { done: true, value: undefined };

/**
 * The events of a source, bounded by what the client reads. With `PAUSE`, an event is read from the
 * source only when the client can take it. With the other policies, events are read when they
 * arrive, so that the source does not buffer them. Those that exceed the bound are dropped, or end
 * the events with an error. They have not been charged.
 */
export class BoundedEvents implements AsyncIterableIterator<ExecutionResult, undefined> {
  readonly #source: AsyncIterator<ExecutionResult>;
  readonly #options: BoundedOptions;
  readonly #waiting: ExecutionResult[] = [];
  /** Ends the pending `next`. */
  #take: (() => void) | undefined;
  #isReading = false;
  #failure: { error: unknown } | undefined;
  #hasEnded = false;

  constructor(events: AsyncIterable<ExecutionResult>, options: BoundedOptions) {
    this.#source = events[Symbol.asyncIterator]();
    this.#options = options;
  }

  async next(): Promise<Step> {
    if (this.#options.policy === 'PAUSE') return this.#nextWhenDrained();
    if (!this.#isReading) void this.#readAll();
    while (this.#waiting.length === 0 && !this.#hasEnded) await new Promise<void>((resolve) => (this.#take = resolve));
    const value = this.#waiting.shift();
    if (value !== undefined) return { done: false, value };
    if (this.#failure === undefined) return DONE;
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }

  async return(): Promise<Step> {
    this.#waiting.length = 0;
    this.#end();
    // The `return` of a source may wait for an event.
    Promise.resolve(this.#source.return?.()).catch(() => {});
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #nextWhenDrained(): Promise<Step> {
    const { reader } = this.#options;
    if (reader.isOver()) await reader.drained();
    if (this.#hasEnded) return DONE;
    try {
      const step = await this.#source.next();
      if (!step.done) return step;
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#end();
    return DONE;
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    const { policy, reader, onDropped } = this.#options;
    try {
      while (!this.#hasEnded) {
        const step = await this.#source.next();
        if (step.done || this.#hasEnded) break;
        if (this.#waiting.length < MAX_WAITING && !reader.isOver()) {
          this.#waiting.push(step.value);
          this.#take?.();
        } else if (policy === 'COMPLETE') {
          this.#failure = { error: slowReaderError() };
          break;
        } else onDropped();
      }
    } catch (error) {
      this.#failure = { error };
    }
    const isOpen = !this.#hasEnded;
    this.#end();
    if (isOpen) Promise.resolve(this.#source.return?.()).catch(() => {});
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#take?.();
    this.#options.onEnd();
  }
}

function slowReaderError() {
  const { message } = ERRORS.SUBSCRIPTION_ENDED;
  return errorOf('SUBSCRIPTION_ENDED', `${message}, because the client reads its events too slowly`);
}
