interface CircuitBreakerOptions {
  /** Failures one after the other that open it. @default 5 */
  failures?: number;
  /** For so long nothing is asked, and then one request in as much time, until one tells that the upstream is back. @default 2000 */
  openMs?: number;
  now(): number;
}

/**
 * Keeps requests from an upstream that is away, so that their callers are told at once.
 *
 * Why not the breaker of the limiter (src/limiter/fallback/breaker.ts): it has a call of its own to ask with, and asks on a timer.
 * Nothing that is safe can be asked of any API, so here a request of a caller tries. It can be abandoned, or be slow for reasons of
 * its own, and the others are told how long to wait.
 */
export interface CircuitBreaker {
  /** Milliseconds until it is worth asking again; 0: go on. */
  waitMs(): number;
  /** `open`: nothing is asked. `trying`: one request tells whether the upstream is back; all others wait for it. */
  readonly state: 'closed' | 'trying' | 'open';
  /** A request goes on: tell the breaker what became of it. */
  began(): void;
  succeeded(): void;
  failed(): void;
  /** It neither worked nor failed, or not yet: its caller went, it took too long, or its answer has only begun. Slow operations of one caller must not close the API to all others. */
  abandoned(): void;
}

export function createCircuitBreaker({ failures = 5, openMs = 2000, now }: CircuitBreakerOptions): CircuitBreaker {
  let inRow = 0;
  /** While open: from when on the next one may go ahead. */
  let nextAtMs = 0;
  let isTrying = false;
  return {
    waitMs() {
      if (inRow < failures) return 0;
      return Math.max(0, nextAtMs - now());
    },
    began() {
      if (inRow < failures) return;
      // One goes ahead, and the others learn from it. Not for as long as it takes: it may be one that is slow for reasons of its own.
      isTrying = true;
      nextAtMs = now() + openMs;
    },
    succeeded() {
      inRow = 0;
      isTrying = false;
    },
    failed() {
      inRow++;
      isTrying = false;
      if (inRow >= failures) nextAtMs = now() + openMs;
    },
    abandoned() {
      if (!isTrying) return;
      isTrying = false;
      nextAtMs = now();
    },
    get state() {
      if (inRow < failures) return 'closed';
      return isTrying || nextAtMs <= now() ? 'trying' : 'open';
    },
  };
}
