import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface WaitingRequest {
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/** The requests of one connection that wait. */
export interface RequestQueue {
  readonly socket: Socket;
  readonly waiting: WaitingRequest[];
  /** Whether this queue has stopped reading the socket. */
  isHeld: boolean;
}

interface RequestQueuesOptions {
  /** Requests of one queue; at this number its socket is no longer read. */
  maxWaiting: number;
  /** Requests of all queues; above it, one that is longer than a request takes no more. */
  maxWaitingInAll: number;
}

/** Queues that stop reading their sockets while they are full. */
interface RequestQueues {
  open(socket: Socket): RequestQueue;
  /** Returns false where too many wait: the queue is to be emptied, and its socket closed. */
  add(queue: RequestQueue, request: WaitingRequest): boolean;
  /** Takes the first request of a queue that has one. */
  takeFirst(queue: RequestQueue): WaitingRequest;
  empty(queue: RequestQueue): void;
  /** Requests of all queues. */
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
      // One that does not pipeline has one request here: connections as such are bounded by the system.
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
      // Half empty, so that the next requests arrive before it is empty.
      if (queue.isHeld && queue.waiting.length <= maxWaiting / 2) {
        queue.isHeld = false;
        queue.socket.resume();
      }
      return first;
    },
    empty(queue) {
      waitingInAll -= queue.waiting.length;
      queue.waiting.length = 0;
      // A socket that is closing is read to its end.
      queue.isHeld = false;
    },
    inAll: () => waitingInAll,
  };
}
