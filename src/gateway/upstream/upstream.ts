import { errors, Pool } from 'undici';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.js';
import { connectionFactory } from './connection-factory.js';
import { createUpstreamPlaces } from './create-upstream-places.js';
import { createUpstreamSender, type SentRequest, type UpstreamAnswer } from './create-upstream-sender.js';
import { failureOf } from './failure-of.js';
import { UpstreamFailure } from './upstream-failure.js';

interface UpstreamOptions {
  url: string;
  /** Timeout in milliseconds for the beginning of a response, and between two parts of it. */
  timeoutMs: number;
  /** Timeout in milliseconds between two parts of a response, or 0 for none. @default timeoutMs */
  idleTimeoutMs?: number;
  /** Maximum number of concurrent requests. */
  maxRequests: number;
  /** Circuit breaker that the connections share with others to this API. @default one of their own */
  breaker?: CircuitBreaker;
  now?(): number;
  /** Called when a response begins, with the time since its request in milliseconds. */
  onBegun?(afterMs: number): void;
}

interface UpstreamRequest extends SentRequest {
  /** Key of the caller; undefined for the gateway itself. */
  caller?: string;
}

/** The API behind the gateway, over a bounded pool of connections. */
export interface Upstream {
  /** Sends a request, and resolves when its response begins. @throws UpstreamFailure */
  ask(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /**
   * Counts a connection to the API that another client opens, such as a WebSocket, as a request in
   * flight. Returns the function that ends the count; idempotent.
   */
  occupy(caller: string): () => void;
  /**
   * Returns the failure with which `ask` would reject a request of this caller now; undefined if it
   * would send the request.
   */
  rejection(caller?: string): UpstreamFailure | undefined;
  /** Number of requests in flight. */
  readonly running: number;
  readonly maxRequests: number;
  /** Number of open connections, in use or idle. */
  readonly connections: number;
  readonly circuit: CircuitBreaker['state'];
  /**
   * Number of requests that were not sent, by reason. `full`: too many requests are in flight.
   * `caller`: too many requests of this caller are in flight. `away`: the circuit is open.
   */
  readonly rejected: Readonly<Record<'full' | 'caller' | 'away', number>>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
const MAX_HEADER_BYTES = 64 * 1024;

export function createUpstream(options: UpstreamOptions): Upstream {
  const { url, timeoutMs, maxRequests, now = () => performance.now(), onBegun } = options;
  const { breaker = createCircuitBreaker({ now }) } = options;
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, {
    connections: maxRequests,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: options.idleTimeoutMs ?? timeoutMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    factory: connectionFactory(Math.min(CONNECT_TIMEOUT_MS, timeoutMs)),
  });
  const places = createUpstreamPlaces(maxRequests);
  const send = createUpstreamSender({ pool, path: pathname + search, breaker, now });
  const rejected = { full: 0, caller: 0, away: 0 };

  function rejection(caller?: string): UpstreamFailure | undefined {
    const reason = reasonToReject(caller);
    if (reason === undefined) return undefined;
    rejected[reason]++;
    const retryAfterMs = reason === 'away' ? breaker.waitMs() : 1000;
    return new UpstreamFailure('UPSTREAM_OVERLOADED', { retryAfterMs, hasRun: false });
  }

  function reasonToReject(caller: string | undefined): keyof typeof rejected | undefined {
    if (places.isFull()) return 'full';
    if (caller !== undefined && places.isFullFor(caller)) return 'caller';
    return breaker.waitMs() > 0 ? 'away' : undefined;
  }

  return {
    rejection,
    occupy: (caller) => places.take(caller),

    async ask(request) {
      const failure = rejection(request.caller);
      if (failure) throw failure;
      const begunMs = performance.now();
      breaker.began();
      const letGo = places.take(request.caller);
      try {
        const answer = await send(request, letGo);
        onBegun?.(performance.now() - begunMs);
        return answer;
      } catch (error) {
        letGo();
        // An aborted or invalid request does not indicate whether the upstream is available.
        if (request.signal.aborted || error instanceof errors.InvalidArgumentError) breaker.abandoned();
        else breaker.failed();
        throw failureOf(error, request.signal);
      }
    },
    maxRequests,
    rejected,
    close: () => pool.destroy(),
    get running() {
      return places.running;
    },
    get connections() {
      return pool.stats.connected;
    },
    get circuit() {
      return breaker.state;
    },
  };
}
