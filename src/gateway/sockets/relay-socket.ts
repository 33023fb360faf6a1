import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { WebSocket } from 'ws';
import { ERRORS, requestError } from '../../model/errors.js';
import type { Subject } from '../../model/subject.js';
import type { EndReason } from '../../protection/slots/open-subscriptions.js';
import { isObject } from '../../runtime/is-object.js';
import { timerMs } from '../../runtime/schedule.js';
import type { GatewayOptions } from '../create-gateway.js';
import { headersForUpstream } from '../headers-for-upstream.js';
import type { CircuitBreaker } from '../upstream/circuit-breaker.js';
import type { UpstreamFailure } from '../upstream/upstream-failure.js';
import { createSender, type Sender } from './create-sender.js';
import { openUpstreamSocket, type UpstreamSocket } from './open-upstream-socket.js';
import { runSocketOperation } from './run-socket-operation.js';
import { withoutOwnKeys } from './without-own-keys.js';

export interface RelayedSocketOptions extends GatewayOptions {
  /** URL of the API for WebSockets: ws or wss. */
  socketUrl: string;
  breaker: CircuitBreaker;
  /** Maximum number of operations of one socket that run at the same time. */
  maxSocketOperations: number;
  /** Maximum size of a message of the API, in bytes. */
  maxReadBytes: number;
  onError(error: unknown): void;
}

interface RelayedSocket {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly subject: Subject;
  readonly caller: string;
}

/** Close code and reason of a socket, for example one that violates the protocol. */
type Violation = readonly [code: number, reason: string];

const NOT_TEXT: Violation = [4400, 'Invalid message received: binary'];
/** Maximum time in milliseconds until a client sends `connection_init`. */
const INIT_TIMEOUT_MS = 3000;
/** Number of messages to the client that wait, above which nothing more is read from it. */
const MAX_WAITING = 32;
/** Maximum time in milliseconds to send the last errors and to close a socket. */
const CLOSE_MS = 1000;
/** Codes with which an API may close the socket of the client: bad request, bad credentials. */
const PASSED_CODES = new Set([4400, 4401, 4403]);
const TRY_AGAIN_LATER = 1013;
const STOPPED: Violation = [1001, 'The server stops'];
/** An administrator has ended the connection. The stock client of graphql-ws does not reconnect. */
const ENDED: Violation = [1008, `ENDED_BY_ADMINISTRATOR: ${ERRORS.ENDED_BY_ADMINISTRATOR.message}`];

/**
 * Relays a WebSocket of a client to one WebSocket of the API. Each operation is priced and limited.
 * A denied one gets an `error` message, and the socket goes on.
 */
export function relaySocket(options: RelayedSocketOptions, { socket, request, subject, caller }: RelayedSocket) {
  const { maxSocketOperations, heartbeatMs, timeoutMs, onFailure } = options;
  const sender = createSender(socket, timeoutMs);
  const share = options.budget.open();
  share.belongsTo(caller);
  const operations = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  let upstream: UpstreamSocket | undefined;
  let isReady = false;

  const initTimer = setTimeout(() => reject(4408, 'Connection initialization timeout'), timerMs(INIT_TIMEOUT_MS));
  const heart = startHeart(socket, heartbeatMs);

  function close(code: number, reason: string): void {
    // The reason of a close frame has at most 123 bytes.
    socket.close(code, reason.slice(0, 100));
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  }

  /** Closes a socket that violates the protocol. Its sender pays the fee. */
  function reject(code: number, reason: string): void {
    if (socket.readyState !== socket.OPEN) return;
    close(code, reason);
    void options.reject(request, [requestError('BAD_REQUEST', reason)]).catch(options.onError);
  }

  /** Closes the socket when the operations have sent their last messages. */
  function closeWhenOver(code: number, reason: string): void {
    const late = setTimeout(() => close(code, reason), CLOSE_MS);
    void Promise.all(running).then(() => {
      clearTimeout(late);
      close(code, reason);
    });
  }

  function openUpstream(payload: unknown): UpstreamSocket {
    return openUpstreamSocket({
      url: options.socketUrl,
      headers: headersOfHandshake(options, request),
      init: JSON.stringify({ type: 'connection_init', payload: withoutOwnKeys(payload) }),
      timeoutMs,
      maxMessageBytes: options.maxReadBytes,
      share,
      breaker: options.breaker,
      onReady(message) {
        isReady = true;
        void sender.send(message);
      },
      onEnd(failure: UpstreamFailure, code) {
        if (socket.readyState !== socket.OPEN) return;
        if (!isReady) onFailure(failure);
        if (PASSED_CODES.has(code)) closeWhenOver(code, 'The API has closed the connection');
        else closeWhenOver(TRY_AGAIN_LATER, failure.message);
      },
    });
  }

  async function run(id: string, gone: AbortController, payload: unknown, text: string): Promise<void> {
    const exceeded = operations.size > maxSocketOperations ? maxSocketOperations : undefined;
    const { signal } = gone;
    const asked = { id, payload, text, request, subject, upstream: upstream!, gone: signal, exceeded };
    const last = await runSocketOperation(options, { ...asked, send: sender.send });
    operations.delete(id);
    if (!signal.aborted) await sender.send(last);
  }

  /** Starts an operation. Returns the violation of the protocol, if there is one. */
  function subscribe(message: Record<string, unknown>, text: string): Violation | undefined {
    const { id } = message;
    if (typeof id !== 'string' || id === '') return [4400, 'Invalid message received: id'];
    if (!isReady) return [4401, 'Unauthorized'];
    if (operations.has(id)) return [4409, `Subscriber for ${id} already exists`];
    const gone = new AbortController();
    operations.set(id, gone);
    const ran = run(id, gone, message['payload'], text)
      .catch(options.onError)
      .finally(() => running.delete(ran));
    running.add(ran);
    return undefined;
  }

  function receive(text: string): Violation | undefined {
    const message: unknown = JSON.parse(text);
    if (!isObject(message)) return [4400, 'Invalid message received'];
    const { type, payload } = message;
    if (type === 'subscribe') return subscribe(message, text);
    if (type === 'connection_init') {
      if (upstream) return [4429, 'Too many initialization requests'];
      clearTimeout(initTimer);
      upstream = openUpstream(payload);
    } else if (type === 'complete') operations.get(String(message['id']))?.abort();
    else if (type === 'ping') void sender.send('{"type":"pong"}');
    else if (type !== 'pong') return [4400, 'Invalid message received: type'];
    return undefined;
  }

  socket.on('message', (data, isBinary) => {
    heart.beat();
    if (socket.readyState !== socket.OPEN) return;
    try {
      const violation = isBinary ? NOT_TEXT : receive(String(data));
      if (violation) reject(...violation);
    } catch {
      reject(4400, 'Invalid message received: not JSON');
    }
    void paceReader(socket, sender);
  });
  // `ws` closes a socket after an error, such as a message that is too large.
  socket.on('error', () => {});
  socket.on('close', () => {
    clearTimeout(initTimer);
    heart.stop();
    for (const gone of operations.values()) gone.abort();
    upstream?.close();
    share.release();
  });

  return { end: (reason: EndReason) => (reason === 'STOP' ? closeWhenOver(...STOPPED) : close(...ENDED)) };
}

/** Sends pings, and closes a socket that does not answer. */
function startHeart(socket: WebSocket, everyMs: number): { beat(): void; stop(): void } {
  let isAlive = true;
  const beat = () => {
    isAlive = true;
  };
  const timer = setInterval(() => {
    // A paused socket does not read the answers to pings.
    if (!isAlive && !socket.isPaused) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, timerMs(everyMs));
  socket.on('pong', beat);
  return { beat, stop: () => clearInterval(timer) };
}

/** Stops reading from a client that does not read the answers. */
async function paceReader(socket: WebSocket, sender: Sender): Promise<void> {
  if (sender.waiting <= MAX_WAITING || socket.isPaused) return;
  socket.pause();
  while (sender.waiting > MAX_WAITING / 2) await sender.idle();
  socket.resume();
}

/** Returns the headers of the handshake with the API. `ws` adds those of WebSockets. */
function headersOfHandshake(options: RelayedSocketOptions, request: IncomingMessage): Record<string, string> {
  const asked = request as Request;
  const forwarding = { headers: request.headers, protocol: options.protocolOf(asked), accept: '' };
  const headers = headersForUpstream(forwarding, options.addressOf(asked), options.headers);
  for (const name in headers) {
    if (name.startsWith('sec-websocket-') || OF_BODIES.has(name)) delete headers[name];
  }
  return headers;
}

const OF_BODIES = new Set(['content-type', 'accept', 'accept-encoding']);
