interface CircuitBreakerOptions {
  /** Number of consecutive failures that opens the circuit. @default 5 */
  failures?: number;
  /**
   * Time in milliseconds for which no request is sent after the circuit opens. Afterwards one
   * request per `openMs` is sent, until one succeeds.
   * @default 2000
   */
  openMs?: number;
  now(): number;
}

/**
 * Stops requests to an unavailable upstream, so that callers receive an error immediately.
 *
 * The circuit breaker of the limiter (src/limiter/fallback/breaker.ts) is not used: it sends its
 * own probes on a timer. No probe is safe for an arbitrary API, so here a caller's request is the
 * probe. It may be abandoned, or may be slow although the upstream works. While it runs, other
 * callers receive an error with `Retry-After`.
 */
export interface CircuitBreaker {
  /** Returns the milliseconds until the next request is allowed; 0 allows it now. */
  waitMs(): number;
  /**
   * State of the circuit. `closed`: all requests are sent. `open`: no request is sent. `trying`:
   * the next request, or the one in flight, tests whether the upstream is available again. All
   * others are rejected until it ends, but at most for `openMs`.
   */
  readonly state: 'closed' | 'trying' | 'open';
  /** Records that a request is sent. The calling code must then report its outcome. */
  began(): void;
  succeeded(): void;
  failed(): void;
  /**
   * Records that the outcome of a request is not known, so that the next request may be sent. The
   * caller disconnected, the request took too long, or the response has begun and may still fail.
   * Slow operations of one caller must not block all other callers.
   */
  abandoned(): void;
}

export function createCircuitBreaker({ failures = 5, openMs = 2000, now }: CircuitBreakerOptions): CircuitBreaker {
  let inRow = 0;
  /** Time from which the next request is allowed, while the circuit is open. */
  let nextAtMs = 0;
  let isTrying = false;
  return {
    waitMs() {
      if (inRow < failures) return 0;
      return Math.max(0, nextAtMs - now());
    },
    began() {
      if (inRow < failures) return;
      // One request is the probe, and the others are rejected until its outcome is known. After
      // `openMs` the next probe is allowed, because this one may be slow although the upstream
      // works.
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
