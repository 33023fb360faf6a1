/**
 * The resolvers of one operation that have not ended. An error may answer an operation while others of its resolvers run
 * on, and what they return is executed further, unseen.
 */
export class RunningResolvers {
  #running = 0;
  #done: (() => void) | undefined;

  /** For Apollo, which asks it with each field, and calls back when that is resolved. */
  readonly listener = { willResolveField: () => this.begin() };

  /** @returns to be called when what has begun has ended */
  begin(): () => void {
    this.#running++;
    return this.#ended;
  }

  get isIdle(): boolean {
    return this.#running === 0;
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

  /** What a resolver has returned is executed before the next turn: by then the fields below it have begun. */
  #look(): void {
    setImmediate(() => {
      const done = this.#done;
      if (this.#running > 0 || done === undefined) return;
      this.#done = undefined;
      done();
    });
  }
}
