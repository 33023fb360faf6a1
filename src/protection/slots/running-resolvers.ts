import { clientGoneError } from '../answer/denial-error.js';

/**
 * The resolvers of one operation that have not ended. An error may answer an operation while others of its resolvers run
 * on, and what they return is executed further, unseen.
 */
export class RunningResolvers {
  #running = 0;
  #hasBegun = false;
  #isShut = false;
  #done: (() => void) | undefined;

  /**
   * Returns the function to call when what has begun has ended.
   * @throws when nothing may begin any more
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

  /** Has resolvers throw that begin from now on, unless one has begun: half of a mutation is worse than all of it. */
  shut(): void {
    if (!this.#hasBegun) this.#isShut = true;
  }

  /** Calls `done` once none runs, not before the next turn of the event loop. */
  whenEnded(done: () => void): void {
    this.#done = done;
    if (this.#running === 0) this.#look();
  }

  readonly #ended = (): void => {
    this.#running--;
    if (this.#running === 0 && this.#done !== undefined) this.#look();
  };

  /** Waits for the next turn: by then the fields below a resolver that has ended have begun. */
  #look(): void {
    setImmediate(() => {
      const done = this.#done;
      if (this.#running > 0 || done === undefined) return;
      this.#done = undefined;
      done();
    });
  }
}
