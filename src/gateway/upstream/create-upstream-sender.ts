import type { IncomingHttpHeaders } from 'node:http';
import type { Pool } from 'undici';
import { AnswerReceiver } from './answer-receiver.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { UpstreamDispatch } from './connection-factory.js';
import { isOwnEnd, wasNeverReceived } from './failure-of.js';

interface UpstreamSenderOptions {
  pool: Pool;
  /** Path and query of the API. */
  path: string;
  /** Circuit breaker, notified of the outcome of responses that have begun. */
  breaker: CircuitBreaker;
  now(): number;
}

export interface SentRequest {
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Aborts the request if its caller disconnects or if it takes too long. */
  signal: AbortSignal;
  /**
   * Whether the request is a query, which changes no data. A query is sent a second time if no
   * server received it.
   */
  isQuery: boolean;
}

/**
 * A response that has begun. Read its body to the end, or call `dump`: until then the request
 * counts as in flight.
 */
export interface UpstreamAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /**
   * Body, which can be iterated once. Bytes are read from the upstream only on request, except for
   * the content of two small buffers.
   */
  body: AsyncIterableIterator<Buffer>;
  /**
   * Discards the rest of the response. A short rest is read from the connection, so that the next
   * request can reuse it.
   */
  dump(): void;
}

/**
 * Sends a request, and resolves when its response begins.
 * @param letGo called when a response that has begun is over, whatever its outcome
 */
type UpstreamSender = (request: SentRequest, letGo: () => void) => Promise<UpstreamAnswer>;

/**
 * Maximum bytes and time to read the rest of a discarded response, so that its connection can be
 * reused.
 */
const DUMP_BYTES = 64 * 1024;
const DUMP_MS = 1000;
const ENOUGH = new Error('The rest of the answer is not needed');
/**
 * Statuses with which a proxy in front of an API reports that the API is unavailable or too busy. A
 * 500 is not included: a single operation can cause it.
 */
const AWAY = new Set([502, 503, 504]);

export function createUpstreamSender({ pool, path, breaker, now }: UpstreamSenderOptions): UpstreamSender {
  function send({ body, headers, signal }: SentRequest, letGo: () => void): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      let status: number | undefined;
      let isDumped = false;
      const stop = () => receiver.stop(signal.reason as Error);
      const receiver = new AnswerReceiver(now, {
        onHead(head) {
          status = head.status;
          if (AWAY.has(status)) breaker.failed();
          // The upstream is reachable; the end of the response shows whether it works. Until then
          // this request must not block other requests.
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

      function dump(): void {
        if (isDumped) return;
        isDumped = true;
        void dumpRest(receiver);
      }

      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      const asked: UpstreamDispatch = { path, method: 'POST', headers, body, receiver };
      pool.dispatch(asked, receiver);
    });
  }

  return async (request, letGo) => {
    try {
      return await send(request, letGo);
    } catch (error) {
      // Retry only if no server received the request. In all other cases it may have run.
      if (!request.isQuery || !wasNeverReceived(error)) throw error;
      return send(request, letGo);
    }
  };
}

/**
 * Reads the rest of a discarded response. If it arrives completely, or exceeds `DUMP_BYTES`, the
 * circuit breaker counts a success: the upstream works, even if its response is not GraphQL.
 */
async function dumpRest(receiver: AnswerReceiver): Promise<void> {
  const late = setTimeout(
    () => receiver.stop(new DOMException('The rest of the answer takes too long', 'TimeoutError')),
    DUMP_MS,
  );
  let left = DUMP_BYTES;
  try {
    for await (const piece of receiver) {
      left -= piece.length;
      if (left < 0) receiver.stop(ENOUGH);
    }
  } catch {
    // `onEnd` has received the error.
  } finally {
    clearTimeout(late);
  }
}
