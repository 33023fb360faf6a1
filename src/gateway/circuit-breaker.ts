export interface CircuitBreakerOptions {
  /** Failures one after the other that open it. @default 5 */
  failures?: number;
  /** For so long nothing is asked, and then one request by which it is told whether the upstream is back. @default 2000 */
  openMs?: number;
  now(): number;
}

/** Keeps requests from an upstream that is away, so that their callers are told at once. */
export interface CircuitBreaker {
  /** Milliseconds until it is worth asking again; 0: go on. */
  waitMs(): number;
  /** A request goes on: tell the breaker what became of it. */
  began(): void;
  succeeded(): void;
  failed(): void;
  /** It neither worked nor failed, or not yet: its caller went, it took too long, or its answer has only begun. Slow operations of one caller must not close the API to all others. */
  abandoned(): void;
}

export function createCircuitBreaker({ failures = 5, openMs = 2000, now }: CircuitBreakerOptions): CircuitBreaker {
  let inRow = 0;
  let openUntilMs = 0;
  let isTrying = false;
  return {
    waitMs() {
      if (inRow < failures) return 0;
      const leftMs = openUntilMs - now();
      if (leftMs > 0) return leftMs;
      // One goes ahead; the others learn from it.
      return isTrying ? Math.min(openMs, 1000) : 0;
    },
    began() {
      if (inRow >= failures) isTrying = true;
    },
    succeeded() {
      inRow = 0;
      isTrying = false;
    },
    failed() {
      inRow++;
      isTrying = false;
      if (inRow >= failures) openUntilMs = now() + openMs;
    },
    abandoned() {
      isTrying = false;
    },
  };
}
