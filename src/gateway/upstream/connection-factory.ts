import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';
import type { AnswerReceiver } from './answer-receiver.js';
import { BOUNDED_READS } from './bounded-reads.js';
import { awaitHead } from './skip-interim.js';

/** A request, with the receiver of its response. */
export interface UpstreamDispatch extends Dispatcher.DispatchOptions {
  receiver: AnswerReceiver;
}

/**
 * A connection to the upstream that can be closed at the end of a response. With undici alone, this
 * must be decided before a request is sent.
 */
class Connection extends Client {
  #socket: Socket | undefined;

  constructor(origin: URL, options: Client.Options, connect: buildConnector.connector) {
    super(origin, {
      ...options,
      connect: (where, done) =>
        connect(where, (...result) => {
          this.#socket = result[1] ?? undefined;
          if (this.#socket) awaitHead(this.#socket);
          done(...result);
        }),
    });
  }

  override dispatch(options: UpstreamDispatch, handler: Dispatcher.DispatchHandler): boolean {
    options.receiver.closeConnection = () => this.#socket?.destroy();
    // The connection is idle, because it has one request at a time. So its next bytes are a head.
    if (this.#socket) awaitHead(this.#socket);
    return super.dispatch(options, handler);
  }
}

/** Returns the function that creates the connections of a pool. */
export function connectionFactory(timeoutMs: number): (origin: URL, options: object) => Connection {
  const connect = buildConnector({ timeout: timeoutMs, ...BOUNDED_READS });
  return (origin, options) => new Connection(origin, options, connect);
}
