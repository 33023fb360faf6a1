/** How many bytes of answers are held at once, by all requests together: those that are read to count them, until they are written. */
export interface ReadBudget {
  /** One request's part of it. */
  open(): ReadShare;
  readonly held: number;
}

export interface ReadShare {
  /** False: there is no room for so many more. */
  take(bytes: number): boolean;
  /** Gives all back; may be called again. */
  release(): void;
}

export function createReadBudget({ maxBytes, maxBytesEach }: { maxBytes: number; maxBytesEach: number }): ReadBudget {
  let held = 0;
  return {
    get held() {
      return held;
    },
    open() {
      let own = 0;
      return {
        take(bytes) {
          if (own + bytes > maxBytesEach || held + bytes > maxBytes) return false;
          own += bytes;
          held += bytes;
          return true;
        },
        release() {
          held -= own;
          own = 0;
        },
      };
    },
  };
}
