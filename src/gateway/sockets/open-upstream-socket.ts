import { WebSocket } from 'ws';
import { timerMs } from '../../runtime/schedule.js';
import type { CircuitBreaker } from '../upstream/circuit-breaker.js';
import type { ReadShare } from '../upstream/read-budget.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { createResultQueue, type ResultQueue, type SocketResult } from './create-result-queue.js';
import { readUpstreamMessage, type UpstreamErrors } from './read-upstream-message.js';
import { SUBPROTOCOL } from './subprotocol.js';

/** A WebSocket to the API. It carries the operations of one client socket. */
export interface UpstreamSocket {
  /** Sends an operation. @param payload its JSON */
  subscribe(payload: string): ResultQueue;
  close(): void;
}

interface UpstreamSocketOptions {
  url: string;
  headers: Record<string, string>;
  /** JSON of the `connection_init` message. */
  init: string;
  /** Maximum time in milliseconds until the API acknowledges the connection. */
  timeoutMs: number;
  /** Maximum size of a message, in bytes. */
  maxMessageBytes: number;
  /** Memory of the results that the client has not received. */
  share: ReadShare;
  breaker: CircuitBreaker;
  /** Called once, when the API has acknowledged the connection. @param message JSON of the message */
  onReady(message: string): void;
  /** Called once, when the connection has ended. The results of its operations have failed. */
  onEnd(failure: UpstreamFailure, code: number): void;
}

/** Size of the results of one operation above which nothing more is read from the socket. */
const MAX_QUEUED_BYTES = 64 * 1024;
const CONNECT_TIMEOUT_MS = 5000;

/** Opens a WebSocket to the API, and sends `connection_init`. */
export function openUpstreamSocket(options: UpstreamSocketOptions): UpstreamSocket {
  const { timeoutMs, share, breaker, onReady, onEnd } = options;
  const queues = new Map<string, ResultQueue>();
  let lastId = 0;
  let isReady = false;
  let failure: UpstreamFailure | undefined;
  breaker.began();
  const socket = new WebSocket(options.url, SUBPROTOCOL, {
    headers: options.headers,
    handshakeTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    maxPayload: options.maxMessageBytes,
    // A small compressed message could become very large.
    perMessageDeflate: false,
  });
  const late = setTimeout(() => fail(new UpstreamFailure('UPSTREAM_TIMEOUT', { hasRun: false })), timerMs(timeoutMs));

  function fail(reason: UpstreamFailure): void {
    failure ??= reason;
    socket.terminate();
  }

  function invalid(why: string): void {
    fail(new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, why }));
  }

  function send(message: string): void {
    if (socket.readyState === socket.OPEN) socket.send(message);
  }

  /** Stops reading while an operation has too many results in its queue. */
  function pace(): void {
    const isFull = [...queues.values()].some(({ bytes }) => bytes > MAX_QUEUED_BYTES);
    if (isFull !== socket.isPaused) socket[isFull ? 'pause' : 'resume']();
  }

  function receiveResult(id: string, result: SocketResult): void {
    const queue = queues.get(id);
    if (!queue) return;
    if (share.take(result.bytes)) queue.push(result);
    else {
      stop(id);
      queue.fail(new UpstreamFailure('UPSTREAM_OVERLOADED', { hasRun: true, retryAfterMs: 1000 }));
    }
    pace();
  }

  function stop(id: string): void {
    queues.delete(id);
    send(JSON.stringify({ id, type: 'complete' }));
    pace();
  }

  function end(id: string, errors?: UpstreamErrors): void {
    queues.get(id)?.end(errors);
    queues.delete(id);
  }

  function receive(text: string): void {
    const message = readUpstreamMessage(text);
    if (message.type === 'next') receiveResult(message.id, message.result);
    else if (message.type === 'error') end(message.id, message.errors);
    else if (message.type === 'complete') end(message.id);
    else if (message.type === 'ping') send('{"type":"pong"}');
    else if (message.type === 'invalid') invalid(message.why);
    else if (message.type === 'connection_ack' && !isReady) {
      isReady = true;
      clearTimeout(late);
      breaker.succeeded();
      onReady(text);
    }
  }

  socket.on('open', () => send(options.init));
  socket.on('message', (data, isBinary) => {
    try {
      if (isBinary) invalid('a message is binary');
      else receive(String(data));
    } catch {
      invalid('a message is not JSON');
    }
  });
  socket.on('error', (cause) => {
    failure ??= failureOfSocket(cause, isReady);
  });
  socket.on('close', (code) => {
    clearTimeout(late);
    const reason = failure ?? new UpstreamFailure('UPSTREAM_UNAVAILABLE', { hasRun: true });
    if (!isReady) breaker[reason.code === 'UPSTREAM_UNAVAILABLE' ? 'failed' : 'abandoned']();
    for (const queue of queues.values()) queue.fail(reason);
    queues.clear();
    onEnd(reason, code);
  });

  return {
    subscribe(payload) {
      const id = String(++lastId);
      const queue = createResultQueue({
        onTaken(bytes) {
          share.releaseBytes(bytes);
          if (socket.isPaused) pace();
        },
        onReturn: () => stop(id),
      });
      if (socket.readyState !== socket.OPEN) {
        queue.fail(failure ?? new UpstreamFailure('UPSTREAM_UNAVAILABLE', { hasRun: false }));
        return queue;
      }
      queues.set(id, queue);
      send(`{"id":"${id}","type":"subscribe","payload":${payload}}`);
      return queue;
    },
    close() {
      clearTimeout(late);
      socket.close(1000);
      // An API that does not answer the close would otherwise keep the connection.
      setTimeout(() => socket.terminate(), 1000).unref();
    },
  };
}

function failureOfSocket(cause: Error, isReady: boolean): UpstreamFailure {
  const code = 'code' in cause ? String(cause.code) : '';
  const isWrong = code.startsWith('WS_ERR') || cause.message.startsWith('Unexpected server response');
  return isWrong
    ? new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, why: cause.message })
    : new UpstreamFailure('UPSTREAM_UNAVAILABLE', { hasRun: isReady, cause });
}
