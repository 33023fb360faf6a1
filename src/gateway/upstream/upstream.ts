import { errors, Pool } from 'undici';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.js';
import { connectionFactory } from './connection-factory.js';
import { createUpstreamPlaces } from './create-upstream-places.js';
import { createUpstreamSender, type SentRequest, type UpstreamAnswer } from './create-upstream-sender.js';
import { failureOf } from './failure-of.js';
import { UpstreamFailure } from './upstream-failure.js';

interface UpstreamOptions {
  url: string;
  /** How long it may take to begin its answer, and between two parts of it. */
  timeoutMs: number;
  /** Requests that are with it at once. */
  maxRequests: number;
  now?(): number;
  /** Told how long each answer has taken to begin. */
  onBegun?(afterMs: number): void;
}

interface UpstreamRequest extends SentRequest {
  /** Who it is for; undefined: the gateway itself. */
  caller?: string;
}

/** The API behind the gateway, over a bounded pool of connections. */
export interface Upstream {
  /** @throws UpstreamFailure */
  ask(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Why `ask` would send nothing now, or nothing for this caller; undefined: it would. */
  refusal(caller?: string): UpstreamFailure | undefined;
  /** Answers that are under way. */
  readonly running: number;
  readonly maxRequests: number;
  /** Open to it, whether or not something is under way on them. */
  readonly connections: number;
  readonly circuit: CircuitBreaker['state'];
  /** What was not sent, by why: no place is left, the caller has a quarter of them, the circuit is open. */
  readonly refused: Readonly<Record<'full' | 'caller' | 'away', number>>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
const MAX_HEADER_BYTES = 64 * 1024;

export function createUpstream(options: UpstreamOptions): Upstream {
  const { url, timeoutMs, maxRequests, now = () => performance.now(), onBegun } = options;
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, {
    connections: maxRequests,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    factory: connectionFactory(Math.min(CONNECT_TIMEOUT_MS, timeoutMs)),
  });
  const breaker = createCircuitBreaker({ now });
  const places = createUpstreamPlaces(maxRequests);
  const send = createUpstreamSender({ pool, path: pathname + search, breaker, now });
  const refused = { full: 0, caller: 0, away: 0 };

  function refusal(caller?: string): UpstreamFailure | undefined {
    const reason = reasonToRefuse(caller);
    if (reason === undefined) return undefined;
    refused[reason]++;
    const retryAfterMs = reason === 'away' ? breaker.waitMs() : 1000;
    return new UpstreamFailure('UPSTREAM_OVERLOADED', { retryAfterMs, hasRun: false });
  }

  function reasonToRefuse(caller: string | undefined): keyof typeof refused | undefined {
    if (places.isFull()) return 'full';
    if (caller !== undefined && places.isFullFor(caller)) return 'caller';
    return breaker.waitMs() > 0 ? 'away' : undefined;
  }

  return {
    refusal,

    async ask(request) {
      const failure = refusal(request.caller);
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
        // What cannot be sent at all says nothing of the upstream.
        if (request.signal.aborted || error instanceof errors.InvalidArgumentError) breaker.abandoned();
        else breaker.failed();
        throw failureOf(error, request.signal);
      }
    },
    maxRequests,
    refused,
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
