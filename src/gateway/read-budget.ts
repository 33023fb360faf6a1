/** How many bytes of answers are held at once, by all requests together: those that are read to count them, until they are written. */
export interface ReadBudget {
  /** One request's part of it. */
  open(): ReadShare;
  readonly held: number;
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

export interface ReadBudgetOptions {
  maxBytes: number;
  /** For one answer. One caller has a quarter of all, and at least so many. */
  maxBytesEach: number;
}

export function createReadBudget({ maxBytes, maxBytesEach }: ReadBudgetOptions): ReadBudget {
  const maxBytesOfCaller = Math.max(maxBytes / 4, maxBytesEach);
  let held = 0;
  const heldBy = new Map<string, number>();
  return {
    get held() {
      return held;
    },
    open() {
      let own = 0;
      let caller: string | undefined;

      function add(bytes: number): void {
        own += bytes;
        held += bytes;
        if (caller === undefined || bytes === 0) return;
        const left = (heldBy.get(caller) ?? 0) + bytes;
        if (left > 0) heldBy.set(caller, left);
        else heldBy.delete(caller);
      }

      return {
        belongsTo(name) {
          caller = name;
        },
        take(bytes) {
          const ofCaller = caller === undefined ? 0 : (heldBy.get(caller) ?? 0);
          if (own + bytes > maxBytesEach || held + bytes > maxBytes || ofCaller + bytes > maxBytesOfCaller)
            return false;
          add(bytes);
          return true;
        },
        releaseBytes(bytes) {
          add(-Math.min(bytes, own));
        },
        release() {
          add(-own);
        },
      };
    },
  };
}
