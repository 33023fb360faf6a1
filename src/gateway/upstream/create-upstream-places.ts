/** Counts of the requests in flight to an API, in total and by caller. */
interface UpstreamPlaces {
  /**
   * Counts a request as in flight.
   * @returns function that ends the count; idempotent
   */
  take(caller: string | undefined): () => void;
  isFull(): boolean;
  /**
   * Returns whether a caller has its maximum number of requests in flight. A caller who reads
   * slowly, or requests slow operations, must not use the capacity of others.
   */
  isFullFor(caller: string): boolean;
  readonly running: number;
}

/**
 * Lower bound of the maximum per caller, which is otherwise a quarter of the total. A smaller
 * maximum would reject batches.
 */
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
