import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface WaitingRequest {
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/** The waiting requests of one connection. */
export interface RequestQueue {
  readonly socket: Socket;
  readonly waiting: WaitingRequest[];
  /** Whether this queue has stopped reading the socket. */
  isHeld: boolean;
}

interface RequestQueuesOptions {
  /** Maximum number of requests in one queue; at this number its socket is no longer read. */
  maxWaiting: number;
  /**
   * Maximum number of requests in all queues; above it, a queue with more than one request accepts
   * no more.
   */
  maxWaitingInAll: number;
}

/** Queues that stop reading their sockets while they are full (backpressure). */
interface RequestQueues {
  open(socket: Socket): RequestQueue;
  /**
   * Adds a request. Returns false if too many requests are waiting. The calling code must then
   * empty the queue and close its socket.
   */
  add(queue: RequestQueue, request: WaitingRequest): boolean;
  /** Removes and returns the first request of a queue that has one. */
  takeFirst(queue: RequestQueue): WaitingRequest;
  empty(queue: RequestQueue): void;
  /** Returns the number of requests in all queues. */
  inAll(): number;
}

export function createRequestQueues({ maxWaiting, maxWaitingInAll }: RequestQueuesOptions): RequestQueues {
  let waitingInAll = 0;

  return {
    open(socket) {
      const queue: RequestQueue = { socket, waiting: [], isHeld: false };
      // Node resumes the socket whenever a request's body is read.
      socket.on('resume', () => {
        if (queue.isHeld) socket.pause();
      });
      return queue;
    },
    add(queue, request) {
      queue.waiting.push(request);
      waitingInAll++;
      // A connection without pipelining has at most one waiting request, which is always accepted.
      // The operating system limits the number of connections.
      if (waitingInAll > maxWaitingInAll && queue.waiting.length > 1) return false;
      if (queue.waiting.length >= maxWaiting && !queue.isHeld) {
        queue.isHeld = true;
        queue.socket.pause();
      }
      return true;
    },
    takeFirst(queue) {
      const first = queue.waiting.shift()!;
      waitingInAll--;
      // Resume at half, so that the next requests arrive before the queue is empty.
      if (queue.isHeld && queue.waiting.length <= maxWaiting / 2) {
        queue.isHeld = false;
        queue.socket.resume();
      }
      return first;
    },
    empty(queue) {
      waitingInAll -= queue.waiting.length;
      queue.waiting.length = 0;
      // Node must read a closing socket to its end.
      queue.isHeld = false;
    },
    inAll: () => waitingInAll,
  };
}
