import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createRequestQueues, type RequestQueue, type WaitingRequest } from './create-request-queues.js';

interface PaceBounds {
  /**
   * Maximum number of requests begun in one turn of the event loop; with a smaller number, each
   * call to Redis contains fewer charges.
   * @default 8
   */
  perTurn?: number | undefined;
  /**
   * Maximum number of requests of one connection that have begun and have no response yet.
   * @default 16
   */
  maxRunning?: number;
  /**
   * Maximum number of waiting requests of one connection; at this number its socket is no longer
   * read.
   * @default 16
   */
  maxWaiting?: number;
  /**
   * Maximum number of waiting requests of all connections; above it, connections that pipeline are
   * closed.
   * @default 10000
   */
  maxWaitingInAll?: number;
}

/** Decides when a request begins. */
export interface RequestPace {
  (request: IncomingMessage, response: ServerResponse, begin: () => void): void;
  /** Returns the number of waiting requests of all connections. */
  waiting(): number;
}

interface Connection {
  readonly queue: RequestQueue;
  running: number;
  isClosed: boolean;
}

/**
 * Begins at most `perTurn` requests in one turn of the event loop, taking connections in turns.
 *
 * In one turn, Node parses the requests of all ready sockets before it reads the Redis replies for
 * earlier requests. Under load it would parse dozens of requests before it reads Redis' reply to
 * the first. Meanwhile a garbage collection would find the objects of these requests alive. V8
 * would then allocate such objects in the old generation from the start, where freeing them takes
 * longer.
 *
 * Requests wait here before they are identified, charged or limited, so any client can fill the
 * queue. A read of 64 KiB contains up to 2,500 pipelined requests. Each connection therefore has
 * its own queue, and a full queue pauses its socket. Connections take turns, so a flood on one of
 * them delays the requests of others by one turn.
 */
export function paceRequests(bounds: PaceBounds = {}): RequestPace {
  const { perTurn = 8, maxRunning = 16, maxWaiting = 16, maxWaitingInAll = 10_000 } = bounds;
  const connections = new Map<Socket, Connection>();
  /** Connections with a request that may begin, in the order of their turns. */
  const ready = new Set<Connection>();
  const queues = createRequestQueues({ maxWaiting, maxWaitingInAll });
  let begun = 0;
  let isTicking = false;

  function tickLater(): void {
    if (isTicking) return;
    isTicking = true;
    setImmediate(tick);
  }

  function tick(): void {
    const next: WaitingRequest[] = [];
    // A connection with further requests moves to the end of the set, so the loop visits it again.
    for (const connection of ready) {
      if (next.length >= perTurn) break;
      next.push(takeFirst(connection));
    }
    begun = next.length;
    isTicking = false;
    if (begun > 0) tickLater();
    // Begin all requests in one callback. The requests then pass through the same steps together,
    // which is faster.
    for (const { begin } of next) begin();
  }

  function takeFirst(connection: Connection): WaitingRequest {
    const first = queues.takeFirst(connection.queue);
    ready.delete(connection);
    run(connection, first.response);
    if (connection.queue.waiting.length > 0 && connection.running < maxRunning) ready.add(connection);
    return first;
  }

  function run(connection: Connection, response: ServerResponse): void {
    connection.running++;
    response.once('close', () => {
      connection.running--;
      if (connection.queue.waiting.length === 0) return;
      ready.add(connection);
      tickLater();
    });
  }

  function wait(connection: Connection, request: WaitingRequest): void {
    if (!queues.add(connection.queue, request)) {
      forget(connection);
      connection.queue.socket.destroy();
      return;
    }
    if (connection.running >= maxRunning) return;
    ready.add(connection);
    tickLater();
  }

  function forget(connection: Connection): void {
    connection.isClosed = true;
    queues.empty(connection.queue);
    ready.delete(connection);
  }

  function open(socket: Socket): Connection {
    const connection: Connection = { queue: queues.open(socket), running: 0, isClosed: false };
    connections.set(socket, connection);
    socket.once('close', () => {
      forget(connection);
      connections.delete(socket);
    });
    return connection;
  }

  function pace({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = connections.get(socket) ?? open(socket);
    // Ignore requests that Node had already read when the connection was closed.
    if (connection.isClosed) return;
    tickLater();
    const isFirst = ready.size === 0 && connection.queue.waiting.length === 0;
    if (begun < perTurn && isFirst && connection.running < maxRunning) {
      begun++;
      run(connection, response);
      begin();
    } else wait(connection, { response, begin });
  }

  return Object.assign(pace, { waiting: queues.inAll });
}
