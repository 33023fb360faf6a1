import { clientGoneError } from '../answer/denial-error.js';

/**
 * The resolvers of one operation that have not ended. After an error, the response may be sent
 * while some resolvers still run. graphql-js then continues the execution with their results,
 * although the response does not contain them.
 */
export class RunningResolvers {
  #running = 0;
  #hasBegun = false;
  #isShut = false;
  #done: (() => void) | undefined;

  /**
   * Counts a resolver as running. Returns the function to call when it has ended.
   * @throws if no resolver may begin any more
   */
  begin(): () => void {
    if (this.#isShut) throw clientGoneError();
    this.#hasBegun = true;
    this.#running++;
    return this.#ended;
  }

  /** Whether any resolver has begun. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /**
   * Makes all later resolvers throw, unless one has begun: a half-executed mutation is worse than a
   * complete one.
   */
  shut(): void {
    if (!this.#hasBegun) this.#isShut = true;
  }

  /** Calls `done` once no resolver runs, in a later turn of the event loop. */
  whenEnded(done: () => void): void {
    this.#done = done;
    if (this.#running === 0) this.#look();
  }

  readonly #ended = (): void => {
    this.#running--;
    if (this.#running === 0 && this.#done !== undefined) this.#look();
  };

  /**
   * Checks again in a later turn of the event loop, when the fields below an ended resolver have
   * begun.
   */
  #look(): void {
    setImmediate(() => {
      const done = this.#done;
      if (this.#running > 0 || done === undefined) return;
      this.#done = undefined;
      done();
    });
  }
}
