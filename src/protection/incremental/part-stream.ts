import { createMerge, type MergedResult, type ResponsePart } from './create-merge.js';

interface PartStreamOptions {
  /** First part, if it is known already. The source then has only the later parts. */
  first?: ResponsePart;
  source: AsyncIterator<ResponsePart>;
  /** Extensions of the first part. */
  firstExtensions: Record<string, unknown> | undefined;
  /**
   * Settles the operation by the parts that were received. Resolves to the extensions of the last
   * part. Called once, with the last part, or when the reader stops.
   */
  settle(merged: MergedResult): Promise<Record<string, unknown> | undefined>;
  onError(error: unknown): void;
}

type Step = IteratorResult<ResponsePart, undefined>;

const DONE: Step = { done: true, value: undefined };

/**
 * The parts of one incremental response. The last part reports the cost of all parts.
 *
 * It is not a generator. A generator would not notice that the reader has stopped until the next
 * part arrives, and would never notice it before the first request for a part.
 */
export class PartStream implements AsyncIterableIterator<ResponsePart, undefined> {
  readonly #options: PartStreamOptions;
  readonly #merged = createMerge();
  /** Whether the first part was sent. */
  #hasBegun = false;
  #settled: Promise<Record<string, unknown> | undefined> | undefined;

  constructor(options: PartStreamOptions) {
    this.#options = options;
    if (options.first) this.#merged.add(options.first);
  }

  async next(): Promise<Step> {
    const { first, firstExtensions } = this.#options;
    if (first && !this.#hasBegun) {
      this.#hasBegun = true;
      return { done: false, value: withExtensions(first, firstExtensions) };
    }
    let step: IteratorResult<ResponsePart, unknown>;
    try {
      step = await this.#options.source.next();
    } catch (error) {
      void this.#settle();
      throw error;
    }
    if (step.done) {
      void this.#settle();
      return DONE;
    }
    // A part that arrives after the end was not counted, so it is not sent.
    if (this.#settled) return DONE;
    const isLast = this.#merged.add(step.value);
    const extensions = isLast ? await this.#settle() : this.#hasBegun ? undefined : firstExtensions;
    this.#hasBegun = true;
    return { done: false, value: withExtensions(step.value, extensions) };
  }

  async return(): Promise<Step> {
    void this.#settle();
    await this.#options.source.return?.();
    return DONE;
  }

  async throw(error: unknown): Promise<Step> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #settle(): Promise<Record<string, unknown> | undefined> {
    if (this.#settled === undefined) {
      this.#settled = this.#options.settle(this.#merged.result());
      // If no `next` awaits the result, no other code reports the error.
      this.#settled.catch(this.#options.onError);
    }
    return this.#settled;
  }
}

function withExtensions(part: ResponsePart, added: Record<string, unknown> | undefined): ResponsePart {
  return added ? { ...part, extensions: { ...(part['extensions'] as object | undefined), ...added } } : part;
}
