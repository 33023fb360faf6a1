/** How many bytes of answers are held at once, by all requests together: those that are read to count them, until they are written. */
export interface ReadBudget {
  /** One request's part of it. */
  open(): ReadShare;
  readonly held: number;
  readonly maxBytes: number;
  /** Answers that were not held, by why: larger than one may be, the caller has what they may have, there is no room at all. */
  readonly refused: Readonly<Record<'large' | 'caller' | 'full', number>>;
}

export interface ReadShare {
  /** Who it is for, once that is known: one who reads slowly must leave room for the others. */
  belongsTo(caller: string): void;
  /** False: there is no room for so many more. */
  take(bytes: number): boolean;
  /** So many are not held any more. */
  releaseBytes(bytes: number): void;
  /** None is held any more; may be called again. */
  release(): void;
}

interface ReadBudgetOptions {
  maxBytes: number;
  /** For one answer. One caller has a quarter of all, and at least so many. */
  maxBytesEach: number;
}

export function createReadBudget(options: ReadBudgetOptions): ReadBudget {
  return new Budget(options);
}

class Budget implements ReadBudget {
  readonly maxBytes: number;
  readonly maxBytesEach: number;
  readonly maxBytesOfCaller: number;
  readonly refused = { large: 0, caller: 0, full: 0 };
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

/** A class, as every request makes one. */
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
    const { held, heldBy, maxBytes, maxBytesEach, maxBytesOfCaller, refused } = this.#budget;
    const ofCaller = this.#caller === undefined ? 0 : (heldBy.get(this.#caller) ?? 0);
    if (this.#own + bytes > maxBytesEach) refused.large++;
    else if (held + bytes > maxBytes) refused.full++;
    else if (ofCaller + bytes > maxBytesOfCaller) refused.caller++;
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
