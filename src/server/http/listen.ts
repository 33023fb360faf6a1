import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

interface ListenOptions {
  handler: RequestListener;
  host: string;
  port: number;
  /** How long a request may take to arrive, headers and body. @default 30000 */
  requestTimeoutMs?: number;
  /** How long its headers may take. @default 10000 */
  headersTimeoutMs?: number;
  /** How long a connection may be silent in the middle of a request or an answer. @default 120000 */
  idleTimeoutMs?: number;
}

/** All headers of a request together, and with them the query string of a GET. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Between one look at requests that take too long and the next. */
const CHECK_INTERVAL_MS = 1000;

export interface Listening {
  port: number;
  /** True from the moment that the server is about to stop. */
  readonly draining: boolean;
  /** Takes no more connections, lets every request in flight end, then resolves; after `timeoutMs` it cuts what is left. */
  stop(timeoutMs: number): Promise<void>;
}

/** Beyond the keep-alive timeout, for a request that was sent at its last moment. */
const KEEP_ALIVE_SLACK_MS = 250;

/**
 * Serves HTTP and stops without cutting a request. `server.close()` would close idle connections at once, and a request
 * that a client has just put on one would be reset. Here each connection is answered once more, with
 * `Connection: close`, which answers under way get too, and idle ones are kept for as long as the `Keep-Alive` header of their last answer has promised.
 */
export async function listen({
  handler,
  host,
  port,
  requestTimeoutMs = 30_000,
  headersTimeoutMs = 10_000,
  idleTimeoutMs = 120_000,
}: ListenOptions): Promise<Listening> {
  let draining = false;
  const sockets = new Set<Socket>();
  // The last of each connection: those before it on the same one must not close it.
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
  server.setTimeout(idleTimeoutMs);
  server.on('connection', (socket) => {
    // Read once, Node keeps it: a request on a connection that its client resets later still has a caller who pays.
    // One that was reset before it was accepted has no address, and nothing is read from it.
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
      // Not http.Server's own close(): see above.
      NetServer.prototype.close.call(server);
      const startedMs = performance.now();
      const idleMs = server.keepAliveTimeout + KEEP_ALIVE_SLACK_MS;
      while (sockets.size > 0 && performance.now() - startedMs < timeoutMs) {
        if (performance.now() - startedMs > idleMs) server.closeIdleConnections();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      server.closeAllConnections();
      await closed;
    },
    get draining() {
      return draining;
    },
  };
}
