import { chmodSync, statSync, unlinkSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { StartError } from '../../runtime/start-error.js';

interface DecisionListenerOptions {
  handler: RequestListener;
  /** A TCP address, or the path of a unix socket. */
  at: { host: string; port: number } | { path: string };
  requestTimeoutMs: number;
}

export interface DecisionListener {
  /** Port; undefined for a unix socket. */
  readonly port: number | undefined;
  /** Accepts no more connections, and closes the open ones after `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 64 * 1024;
/** Maximum time in milliseconds for the first byte of a connection, and for the headers of HTTP/1.1. */
const HEADERS_MS = 10_000;
/** Interval in milliseconds between checks for requests that take too long. */
const CHECK_INTERVAL_MS = 1000;
/** Maximum memory of one HTTP/2 session, in megabytes. */
const MAX_SESSION_MB = 64;

/**
 * Serves HTTP/1.1 and HTTP/2 without TLS (h2c) at one address. The first bytes of a connection
 * determine the protocol: every HTTP/2 connection begins with `PRI`.
 */
export async function listenForDecisions({
  handler,
  at,
  requestTimeoutMs,
}: DecisionListenerOptions): Promise<DecisionListener> {
  const http1 = createHttpServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(HEADERS_MS, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, requestTimeoutMs),
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: 60_000,
    },
    handler,
  );
  // Node starts the checks of both timeouts at this event. This server never listens itself.
  http1.emit('listening');
  const http2 = createHttp2Server(
    { maxSessionMemory: MAX_SESSION_MB, settings: { maxConcurrentStreams: 1000 } },
    handler as unknown as Parameters<typeof createHttp2Server>[1],
  );
  http2.on('sessionError', () => {});
  const sessions = new Set<ServerHttp2Session>();
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const sockets = new Set<Socket>();
  /** Sockets that do not carry HTTP/2. */
  const plain = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    plain.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      plain.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    const timer = setTimeout(() => socket.destroy(), HEADERS_MS).unref();
    const begin = () => {
      const first: Buffer | null = socket.read();
      if (first === null) {
        socket.once('readable', begin);
        return;
      }
      clearTimeout(timer);
      socket.unshift(first);
      const isHttp2 = first.subarray(0, 3).toString('latin1') === 'PRI';
      if (isHttp2) plain.delete(socket);
      (isHttp2 ? http2 : http1).emit('connection', socket);
    };
    socket.once('readable', begin);
    socket.once('close', () => clearTimeout(timer));
  });
  await listenAt(server, at);
  const address = server.address();

  return {
    port: typeof address === 'object' && address !== null ? address.port : undefined,
    async stop(timeoutMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Ends the checks of the timeouts. Requests in flight continue.
      http1.close();
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, timeoutMs);
      // A client that keeps its connection open would otherwise delay the stop.
      for (const socket of plain) if (!isBusy(socket)) socket.end();
      // The streams in flight continue.
      for (const session of sessions) session.close();
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Returns whether the socket has a request whose response is not complete. */
function isBusy(socket: Socket): boolean {
  return (socket as Socket & { _httpMessage?: unknown })._httpMessage != null;
}

async function listenAt(server: Server, at: DecisionListenerOptions['at']): Promise<void> {
  try {
    await listenOnce(server, at);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!isTaken || !('path' in at) || !(await isAbandoned(at.path))) throw cannotListen(at, error);
    unlinkSync(at.path);
    await listenOnce(server, at);
  }
  // Only processes of the same user and group may connect.
  if ('path' in at) chmodSync(at.path, 0o660);
}

function listenOnce(server: Server, at: DecisionListenerOptions['at']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Returns whether a socket file is left over from a process that was killed. */
function isAbandoned(path: string): Promise<boolean> {
  if (!statSync(path).isSocket()) return Promise.resolve(false);
  return new Promise((resolve) => {
    const trial = connect(path, () => {
      trial.destroy();
      resolve(false);
    });
    trial.once('error', () => resolve(true));
  });
}

function cannotListen(at: DecisionListenerOptions['at'], cause: unknown): StartError {
  const [name, place] =
    'path' in at ? ['TOLLGATE_DECISIONS_SOCKET', at.path] : ['TOLLGATE_DECISIONS_PORT', `${at.host}:${at.port}`];
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StartError(`${name}: cannot listen on ${place}: ${reason}`, { cause });
}
