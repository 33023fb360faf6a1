import type { IncomingHttpHeaders } from 'node:http';
import type { Pool } from 'undici';
import { AnswerReceiver } from './answer-receiver.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { UpstreamDispatch } from './connection-factory.js';
import { isOwnEnd, isRefused } from './failure-of.js';

interface UpstreamSenderOptions {
  pool: Pool;
  /** And query, of the API. */
  path: string;
  /** Told what becomes of answers that have begun. */
  breaker: CircuitBreaker;
  now(): number;
}

export interface SentRequest {
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Ends it: its caller is gone, or it has taken too long. */
  signal: AbortSignal;
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

/** @param letGo called when an answer that has begun is over, whatever became of it */
type UpstreamSender = (request: SentRequest, letGo: () => void) => Promise<UpstreamAnswer>;

/** What is read of an answer that is not wanted, so that its connection can be used again, and for how long. */
const DUMP_BYTES = 64 * 1024;
const DUMP_MS = 1000;
const ENOUGH = new Error('What is left of the answer is not wanted');
/** What a proxy in front of an API says when the API is away or too busy. A 500 can be made by one operation alone. */
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
      // No server received it: the one case in which nothing can have happened.
      if (!request.isQuery || !isRefused(error)) throw error;
      return send(request, letGo);
    }
  };
}

/** What is no answer of GraphQL says no less that the upstream is there, if it comes whole or goes on and on. */
async function dumpRest(receiver: AnswerReceiver): Promise<void> {
  const late = setTimeout(() => receiver.stop(new DOMException('Its rest takes too long', 'TimeoutError')), DUMP_MS);
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
