/**
 * Memory budget, in bytes, for the responses that all requests hold at the same time. The gateway
 * holds a response while it computes the cost, and until the response is written.
 */
export interface ReadBudget {
  /** Opens the share of one request. */
  open(): ReadShare;
  readonly held: number;
  readonly maxBytes: number;
  /**
   * Number of responses that the gateway did not hold in memory, by reason. `large`: larger than
   * the maximum of one response. `caller`: the caller's part of the budget is used up. `full`: the
   * budget is used up.
   */
  readonly rejected: Readonly<Record<'large' | 'caller' | 'full', number>>;
}

export interface ReadShare {
  /**
   * Sets the caller when it is identified. A caller who reads slowly must not use the budget of
   * others.
   */
  belongsTo(caller: string): void;
  /** Takes bytes from the budget. Returns false if the budget does not allow them. */
  take(bytes: number): boolean;
  /** Releases a number of bytes. */
  releaseBytes(bytes: number): void;
  /** Releases all bytes of the share. Idempotent. */
  release(): void;
}

interface ReadBudgetOptions {
  maxBytes: number;
  /**
   * Maximum size of one response in bytes. One caller may hold a quarter of the budget, and at
   * least this size.
   */
  maxBytesEach: number;
}

export function createReadBudget(options: ReadBudgetOptions): ReadBudget {
  return new Budget(options);
}

class Budget implements ReadBudget {
  readonly maxBytes: number;
  readonly maxBytesEach: number;
  readonly maxBytesOfCaller: number;
  readonly rejected = { large: 0, caller: 0, full: 0 };
  readonly heldBy = new Map<string, number>();
  held = 0;

  constructor({ maxBytes, maxBytesEach }: ReadBudgetOptions) {
    this.maxBytes = maxBytes;
    this.maxBytesEach = maxBytesEach;
    this.maxBytesOfCaller = Math.max(maxBytes / 4, maxBytesEach);
  }

  open(): ReadShare {
    return new Share(this);
  }
}

/** It is a class, because every request creates one and closures would use more memory. */
class Share implements ReadShare {
  readonly #budget: Budget;
  #own = 0;
  #caller: string | undefined;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  belongsTo(caller: string): void {
    this.#caller = caller;
  }

  take(bytes: number): boolean {
    const { held, heldBy, maxBytes, maxBytesEach, maxBytesOfCaller, rejected } = this.#budget;
    const ofCaller = this.#caller === undefined ? 0 : (heldBy.get(this.#caller) ?? 0);
    if (this.#own + bytes > maxBytesEach) rejected.large++;
    else if (held + bytes > maxBytes) rejected.full++;
    else if (ofCaller + bytes > maxBytesOfCaller) rejected.caller++;
    else {
      this.#add(bytes);
      return true;
    }
    return false;
  }

  releaseBytes(bytes: number): void {
    this.#add(-Math.min(bytes, this.#own));
  }

  release(): void {
    this.#add(-this.#own);
  }

  #add(bytes: number): void {
    if (bytes === 0) return;
    this.#own += bytes;
    this.#budget.held += bytes;
    if (this.#caller === undefined) return;
    const { heldBy } = this.#budget;
    const left = (heldBy.get(this.#caller) ?? 0) + bytes;
    if (left > 0) heldBy.set(this.#caller, left);
    else heldBy.delete(this.#caller);
  }
}
