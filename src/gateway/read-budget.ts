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

export interface ReadBudgetOptions {
  maxBytes: number;
  /** For one answer. One caller has a quarter of all, and at least so many. */
  maxBytesEach: number;
}

export function createReadBudget({ maxBytes, maxBytesEach }: ReadBudgetOptions): ReadBudget {
  const maxBytesOfCaller = Math.max(maxBytes / 4, maxBytesEach);
  let held = 0;
  const heldBy = new Map<string, number>();
  const refused = { large: 0, caller: 0, full: 0 };
  return {
    maxBytes,
    refused,
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
          if (own + bytes > maxBytesEach) refused.large++;
          else if (held + bytes > maxBytes) refused.full++;
          else if (ofCaller + bytes > maxBytesOfCaller) refused.caller++;
          else {
            add(bytes);
            return true;
          }
          return false;
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
