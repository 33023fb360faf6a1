/** The requests that may be with an API at once, and what each caller has of them. */
interface UpstreamPlaces {
  /** @returns gives the place back; may be called again */
  take(caller: string | undefined): () => void;
  isFull(): boolean;
  /** One caller who reads slowly, or asks for what takes long, must leave places for the others. */
  isFullFor(caller: string): boolean;
  readonly running: number;
}

/** A caller has a quarter of the places, and at least so many: with fewer, the bound would be one on batches. */
const LEAST_EACH = 16;

export function createUpstreamPlaces(maxRequests: number): UpstreamPlaces {
  const maxRequestsEach = Math.max(Math.ceil(maxRequests / 4), LEAST_EACH);
  let running = 0;
  const runningOf = new Map<string, number>();

  return {
    take(caller) {
      running++;
      if (caller !== undefined) runningOf.set(caller, (runningOf.get(caller) ?? 0) + 1);
      let isLetGo = false;
      return () => {
        if (isLetGo) return;
        isLetGo = true;
        running--;
        if (caller === undefined) return;
        const left = runningOf.get(caller)! - 1;
        if (left > 0) runningOf.set(caller, left);
        else runningOf.delete(caller);
      };
    },
    isFull: () => running >= maxRequests,
    isFullFor: (caller) => (runningOf.get(caller) ?? 0) >= maxRequestsEach,
    get running() {
      return running;
    },
  };
}
