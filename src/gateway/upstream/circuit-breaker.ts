interface CircuitBreakerOptions {
  /** Number of consecutive failures that opens the circuit. @default 5 */
  failures?: number;
  /**
   * Time in milliseconds in which no request is sent while the circuit is open. Afterwards one
   * request per `openMs` is sent, until one shows that the upstream is back.
   * @default 2000
   */
  openMs?: number;
  now(): number;
}

/**
 * Keeps requests from an upstream that is unavailable, so that their callers are answered
 * immediately.
 *
 * The circuit breaker of the limiter (src/limiter/fallback/breaker.ts) is not used: it probes on a
 * timer with a call of its own. No probe is safe for an arbitrary API, so here a caller's request
 * is the probe. It can be abandoned, or be slow for reasons of its own. Other callers are informed
 * how long to wait.
 */
export interface CircuitBreaker {
  /** Returns the milliseconds until the next request is allowed; 0 allows it now. */
  waitMs(): number;
  /**
   * State of the circuit. `open`: no request is sent. `trying`: one request tests whether the
   * upstream is back; all others wait for it.
   */
  readonly state: 'closed' | 'trying' | 'open';
  /** Records that a request is sent. Report its outcome to the breaker. */
  began(): void;
  succeeded(): void;
  failed(): void;
  /**
   * Records that a request neither succeeded nor failed, or not yet. Its caller disconnected, it
   * took too long, or its answer has only begun. Slow operations of one caller must not close the
   * API to all others.
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
      // One request is the probe, and the others depend on its outcome. They wait at most `openMs`,
      // because the probe may be slow for reasons of its own.
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
