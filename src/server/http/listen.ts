import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Answers an upgrade request, such as the handshake of a WebSocket. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface ListenOptions {
  handler: RequestListener;
  /** Answers the handshakes of WebSockets. @default they are answered like other requests */
  upgrade?: UpgradeHandler | undefined;
  host: string;
  port: number;
  /** Maximum time in milliseconds for a request to arrive, headers and body. @default 30000 */
  requestTimeoutMs?: number;
  /** Maximum time in milliseconds for the headers of a request to arrive. @default 10000 */
  headersTimeoutMs?: number;
  /**
   * Maximum time in milliseconds without data on a connection during a request or a response.
   * @default 120000
   */
  idleTimeoutMs?: number;
}

/** Maximum size of all headers of a request, including the query string of a GET. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Interval between checks for requests that take too long. */
const CHECK_INTERVAL_MS = 1000;

export interface Listening {
  port: number;
  /** Whether the server has begun to stop. */
  readonly draining: boolean;
  /**
   * Accepts no more connections, waits for all requests in flight, and resolves. After `timeoutMs`
   * it closes the remaining connections.
   */
  stop(timeoutMs: number): Promise<void>;
}

/**
 * Time in milliseconds added to the keep-alive timeout, for a request that a client sends just
 * before the timeout.
 */
const KEEP_ALIVE_SLACK_MS = 250;

/**
 * Serves HTTP, and stops without interrupting a request. `server.close()` would close idle
 * connections immediately, and so reset a request that a client has just sent. Here each connection
 * may still receive one response, with `Connection: close`. Responses in flight also have this
 * header. Idle connections stay open for the time in the `Keep-Alive` header of their last
 * response.
 */
export async function listen({
  handler,
  upgrade,
  host,
  port,
  requestTimeoutMs = 30_000,
  headersTimeoutMs = 10_000,
  idleTimeoutMs = 120_000,
}: ListenOptions): Promise<Listening> {
  let draining = false;
  const sockets = new Set<Socket>();
  // Last response of each connection. Only this response may close the connection.
  const answers = new Map<Socket, ServerResponse>();
  const limits = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, requestTimeoutMs),
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const server: Server = createServer(limits, (request, response) => {
    const { socket } = request;
    const before = answers.get(socket);
    if (draining) {
      if (before?.headersSent === false) before.removeHeader('connection');
      response.setHeader('connection', 'close');
    }
    answers.set(socket, response);
    response.once('close', () => {
      if (answers.get(socket) === response) answers.delete(socket);
    });
    handler(request, response);
  });
  if (upgrade) {
    server.on('upgrade', (request, socket, head) => {
      if (request.headers.upgrade?.toLowerCase() === 'websocket') upgrade(request, socket, head);
      else serveWithoutUpgrade(server, request, socket, head);
    });
  }
  server.setTimeout(idleTimeoutMs);
  server.on('connection', (socket) => {
    // Reading the address makes Node cache it. If the client later resets the connection, the fee
    // can still be charged to this address. A connection that was reset before it was accepted has
    // no address, so no request is read from it.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');

  return {
    port: address.port,
    async stop(timeoutMs) {
      draining = true;
      for (const answer of answers.values()) {
        if (!answer.headersSent) answer.setHeader('connection', 'close');
      }
      const closed = new Promise<void>((resolve) => server.once('close', resolve));
      // Do not call http.Server's own close(): see the comment of `listen`.
      NetServer.prototype.close.call(server);
      const startedMs = performance.now();
      const idleMs = server.keepAliveTimeout + KEEP_ALIVE_SLACK_MS;
      while (sockets.size > 0 && performance.now() - startedMs < timeoutMs) {
        if (performance.now() - startedMs > idleMs) server.closeIdleConnections();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      server.closeAllConnections();
      // The call above does not close WebSockets.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    get draining() {
      return draining;
    },
  };
}

/**
 * Serves a request for another upgrade, such as `h2c`, as if it asked for none (RFC 9110, 7.8). With
 * a listener for upgrades, Node would not serve it. The request is read again without the header.
 */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.toLowerCase() === 'upgrade') continue;
    const value = rawHeaders[i + 1]!;
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutUpgrade(connection: string): string {
  return connection
    .split(',')
    .filter((name) => name.trim().toLowerCase() !== 'upgrade')
    .join(',');
}
