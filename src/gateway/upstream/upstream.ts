import type { IncomingHttpHeaders } from 'node:http';
import { errors, Pool } from 'undici';
import { AnswerReceiver } from './answer-receiver.js';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.js';
import { connectionFactory, type UpstreamDispatch } from './connection-factory.js';
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

interface UpstreamRequest {
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Ends it: its caller is gone, or it has taken too long. */
  signal: AbortSignal;
  /** Who it is for; undefined: the gateway itself. */
  caller?: string;
  /** It changes nothing: it may be sent once more where it was certainly never received. */
  isQuery: boolean;
}

/** An answer that has begun. Read its body to the end, or call `dump`: until then it takes one of the places. */
export interface UpstreamAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** May be gone through once. The upstream sends no more of it than is asked for, but for what two small buffers hold. */
  body: AsyncIterableIterator<Buffer>;
  /** It will not be read on. A short rest is taken off the connection, so that the next request finds it open. */
  dump(): void;
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
/** What is read of an answer that is not wanted, so that its connection can be used again, and for how long. */
const DUMP_BYTES = 64 * 1024;
const DUMP_MS = 1000;
const ENOUGH = new Error('What is left of the answer is not wanted');
/** A caller has a quarter of the places, and at least so many: with fewer, the bound would be one on batches. */
const LEAST_EACH = 16;
/** What a proxy in front of an API says when the API is away or too busy. A 500 can be made by one operation alone. */
const AWAY = new Set([502, 503, 504]);

export function createUpstream(options: UpstreamOptions): Upstream {
  const { url, timeoutMs, maxRequests, now = () => performance.now(), onBegun } = options;
  const maxRequestsEach = Math.max(Math.ceil(maxRequests / 4), LEAST_EACH);
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
  let running = 0;
  const runningOf = new Map<string, number>();
  const refused = { full: 0, caller: 0, away: 0 };

  function take(caller: string | undefined): () => void {
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
  }

  /** @param letGo called when an answer that has begun is over, whatever became of it */
  async function begin(request: UpstreamRequest, letGo: () => void): Promise<UpstreamAnswer> {
    try {
      return await send(request, letGo);
    } catch (error) {
      // No server received it: the one case in which nothing can have happened.
      if (!request.isQuery || !isRefused(error)) throw error;
      return send(request, letGo);
    }
  }

  function send({ body, headers, signal }: UpstreamRequest, letGo: () => void): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      let status: number | undefined;
      let isDumped = false;
      const stop = () => receiver.stop(signal.reason as Error);
      const receiver = new AnswerReceiver(now, {
        onHead(head) {
          status = head.status;
          if (AWAY.has(status)) breaker.failed();
          // It is there; whether it works is told by how its answer ends. Until then others need not wait for this one.
          else breaker.abandoned();
          resolve({ ...head, body: receiver, dump });
        },
        onEnd(error) {
          signal.removeEventListener('abort', stop);
          if (status === undefined) return reject(error);
          letGo();
          if (AWAY.has(status)) return;
          if (error === undefined || error === ENOUGH) breaker.succeeded();
          else if (!isOwnEnd(error)) breaker.failed();
        },
      });

      /** What is no answer of GraphQL says no less that the upstream is there, if it comes whole or goes on and on. */
      async function dump(): Promise<void> {
        if (isDumped) return;
        isDumped = true;
        const late = setTimeout(
          () => receiver.stop(new DOMException('Its rest takes too long', 'TimeoutError')),
          DUMP_MS,
        );
        let left = DUMP_BYTES;
        try {
          for await (const piece of receiver) {
            left -= piece.length;
            if (left < 0) receiver.stop(ENOUGH);
          }
        } catch {
          // `onEnd` was told.
        } finally {
          clearTimeout(late);
        }
      }

      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      const asked: UpstreamDispatch = { path: pathname + search, method: 'POST', headers, body, receiver };
      pool.dispatch(asked, receiver);
    });
  }

  function refusal(caller?: string): UpstreamFailure | undefined {
    const reason = reasonToRefuse(caller);
    if (reason === undefined) return undefined;
    refused[reason]++;
    const retryAfterMs = reason === 'away' ? breaker.waitMs() : 1000;
    return new UpstreamFailure('UPSTREAM_OVERLOADED', { retryAfterMs, hasRun: false });
  }

  function reasonToRefuse(caller: string | undefined): keyof typeof refused | undefined {
    if (running >= maxRequests) return 'full';
    // One caller who reads slowly, or asks for what takes long, must leave places for the others.
    if (caller !== undefined && (runningOf.get(caller) ?? 0) >= maxRequestsEach) return 'caller';
    return breaker.waitMs() > 0 ? 'away' : undefined;
  }

  return {
    refusal,

    async ask(request) {
      const failure = refusal(request.caller);
      if (failure) throw failure;
      const begunMs = performance.now();
      breaker.began();
      const letGo = take(request.caller);
      try {
        const answer = await begin(request, letGo);
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
      return running;
    },
    get connections() {
      return pool.stats.connected;
    },
    get circuit() {
      return breaker.state;
    },
  };
}

/** What went wrong with the upstream, as its caller is told. */
export function failureOf(error: unknown, signal: AbortSignal): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const hasRun = !isRefused(error);
  if (signal.aborted && signal.reason instanceof UpstreamFailure) return signal.reason;
  const code = codeOf(error);
  if (code !== undefined && /TIMEOUT|ETIMEDOUT/.test(code)) {
    return new UpstreamFailure('UPSTREAM_TIMEOUT', {
      hasRun: hasRun && code !== 'UND_ERR_CONNECT_TIMEOUT',
      cause: error,
    });
  }
  if (error instanceof errors.HTTPParserError || /HEADERS_OVERFLOW|MISMATCH/.test(code ?? '')) {
    return new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, cause: error });
  }
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', { hasRun, cause: error });
}

/** It was let go, or one answer took too long: nothing that says how others would fare. */
function isOwnEnd(error: unknown): boolean {
  return error instanceof UpstreamFailure || /ABORT|TIMEOUT/.test(codeOf(error) ?? (error as Error).name.toUpperCase());
}

const NEVER_RECEIVED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function isRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isRefused);
  // A network can become unreachable while an answer is awaited, too: then the operation may have run.
  const { syscall } = error as { syscall?: unknown };
  return NEVER_RECEIVED.has(codeOf(error) ?? '') && (syscall === 'connect' || syscall === 'getaddrinfo');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
