import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { WebSocket } from 'ws';
import { requestError } from '../../model/errors.js';
import type { OpenStream } from '../../model/open-stream.js';
import type { Subject } from '../../model/subject.js';
import { CLOSE_CODES, CLOSE_REASONS, cutReason } from '../../protection/connections/close-codes.js';
import type { Connections } from '../../protection/connections/create-connections.js';
import type { EndReason } from '../../protection/slots/open-subscriptions.js';
import { isObject } from '../../runtime/is-object.js';
import { timerMs } from '../../runtime/schedule.js';
import type { GatewayOptions } from '../create-gateway.js';
import type { SocketCredential } from '../gateway-settings.js';
import { depthMistake } from '../graphql-request.js';
import { headersForUpstream } from '../headers-for-upstream.js';
import type { CircuitBreaker } from '../upstream/circuit-breaker.js';
import type { UpstreamFailure } from '../upstream/upstream-failure.js';
import { createIdleBudget } from './create-idle-budget.js';
import { createSender, type Sender } from './create-sender.js';
import { createSocketCaller } from './create-socket-caller.js';
import { createSocketOperations, type Violation } from './create-socket-operations.js';
import { withoutKeys } from './headers-of-payload.js';
import { openUpstreamSocket, type UpstreamSocket } from './open-upstream-socket.js';
import { withoutOwnKeys } from './without-own-keys.js';

export interface RelayedSocketOptions extends GatewayOptions {
  /** URL of the API for WebSockets: ws or wss. */
  socketUrl: string;
  breaker: CircuitBreaker;
  /** Maximum number of operations of one socket that run at the same time. */
  maxSocketOperations: number;
  /** Maximum size of a message of the API, in bytes. */
  maxReadBytes: number;
  connections: Connections;
  /** Members of the payload of `connection_init` that identify the caller. */
  socketCredentials: readonly SocketCredential[];
  onError(error: unknown): void;
}

interface RelayedSocket {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly subject: Subject;
  readonly caller: string;
  /** Entry in the list of open streams. */
  readonly stream: OpenStream;
  /** Frees what the socket occupies of the limits of the gateway. */
  letGo(): void;
}

const TOO_MANY: Violation = [1008, 'Too many messages that are no operations'];
const NOT_TEXT: Violation = [4400, 'Invalid message received: binary'];
/** Maximum time in milliseconds until a client sends `connection_init`. */
const INIT_TIMEOUT_MS = 3000;
/** Number of messages to the client that wait, above which nothing more is read from it. */
const MAX_WAITING = 32;
/** Maximum time in milliseconds to send the last errors and to close a socket. */
const CLOSE_MS = 1000;
/** Codes with which an API may close the socket of the client: bad request, bad credentials. */
const PASSED_CODES = new Set([4400, 4401, 4403]);
const STOPPED: Violation = [1001, CLOSE_REASONS.STOPPED];
const ENDED: Violation = [CLOSE_CODES.ENDED, CLOSE_REASONS.ENDED];

/**
 * Relays a WebSocket of a client to one WebSocket of the API. Each operation is priced and limited.
 * A denied one gets an `error` message, and the socket goes on.
 */
export function relaySocket(options: RelayedSocketOptions, { socket, request, ...handshake }: RelayedSocket) {
  const { heartbeatMs, timeoutMs, onFailure } = options;
  const sender = createSender(socket, timeoutMs);
  const share = options.budget.open();
  share.belongsTo(handshake.caller);
  const { close, closeWhenOver } = createClosing(socket, () => operations.over());
  const end = (reason: EndReason) => (reason === 'STOP' ? closeWhenOver(...STOPPED) : close(...ENDED));
  const known = createSocketCaller(options, {
    ...handshake,
    request,
    end,
    expire: (reason) => close(CLOSE_CODES.FORBIDDEN, reason),
  });
  let upstream: UpstreamSocket | undefined;
  let isInitialized = false;
  let isReady = false;
  const operations = createSocketOperations({
    options,
    known,
    upstream: () => (isReady ? upstream : undefined),
    send: sender.send,
  });

  const initTimer = setTimeout(() => reject(4408, 'Connection initialization timeout'), timerMs(INIT_TIMEOUT_MS));
  const idle = createIdleBudget();
  const heart = startHeart(socket, heartbeatMs, idle.renew);

  /** Closes a socket that violates the protocol. Its sender pays the fee. */
  function reject(code: number, reason: string): void {
    if (socket.readyState !== socket.OPEN) return;
    close(code, reason);
    void options.reject(known.request, [requestError('BAD_REQUEST', reason)]).catch(options.onError);
  }

  /** Identifies the caller, and opens the socket of the API. */
  async function initialize(payload: unknown): Promise<void> {
    const mistake = await known.identify(payload);
    if (mistake) return close(...mistake);
    if (socket.readyState !== socket.OPEN) return;
    share.belongsTo(known.caller);
    upstream = openUpstream(withoutKeys(options.socketCredentials, payload));
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
        else closeWhenOver(CLOSE_CODES.TRY_LATER, failure.message);
      },
    });
  }

  function receive(text: string): Violation | undefined {
    const message: unknown = JSON.parse(text);
    if (!isObject(message)) return [4400, 'Invalid message received'];
    const { type, payload } = message;
    if (type === 'subscribe') return operations.subscribe(message, text);
    if (type === 'connection_init') {
      if (isInitialized) return [4429, 'Too many initialization requests'];
      isInitialized = true;
      clearTimeout(initTimer);
      const mistake = depthMistake('connectionParams', payload);
      if (mistake !== undefined) return [4400, mistake];
      initialize(payload).catch(options.onError);
      return undefined;
    }
    if (type === 'complete' && operations.complete(message['id'])) return undefined;
    if (!idle.take(text.length)) return TOO_MANY;
    if (type === 'ping') void sender.send('{"type":"pong"}');
    else if (type !== 'pong' && type !== 'complete') return [4400, 'Invalid message received: type'];
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
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (!error.code?.startsWith('WS_ERR_')) return;
    void options.reject(known.request, [requestError('BAD_REQUEST', error.message)]).catch(options.onError);
  });
  // `ws` answers pings itself. If the client does not read, the pongs accumulate in memory, so the
  // idle budget counts pings too.
  socket.on('ping', (data) => {
    if (!idle.take(data.length)) reject(...TOO_MANY);
  });
  socket.on('close', () => {
    clearTimeout(initTimer);
    heart.stop();
    operations.abortAll();
    upstream?.close();
    share.release();
    known.close();
  });

  return { end };
}

function createClosing(socket: WebSocket, over: () => Promise<unknown>) {
  function close(code: number, reason: string): void {
    socket.close(code, cutReason(reason));
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  }

  return {
    close,
    /** Closes the socket when the operations have sent their last messages. */
    closeWhenOver(code: number, reason: string): void {
      const late = setTimeout(() => close(code, reason), CLOSE_MS);
      void over().then(() => {
        clearTimeout(late);
        close(code, reason);
      });
    },
  };
}

/** Sends pings, and closes a socket that does not answer. */
function startHeart(socket: WebSocket, everyMs: number, onBeat: () => void): { beat(): void; stop(): void } {
  let isAlive = true;
  const beat = () => {
    isAlive = true;
  };
  const timer = setInterval(() => {
    onBeat();
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
