import type { WebSocket } from 'ws';
import { withTimeout } from '../../runtime/with-timeout.js';

/** Sends messages one after the other, so that a slow reader has at most one in its buffer. */
export interface Sender {
  /** Resolves when the message has left this process, or the socket has closed. */
  send(text: string): Promise<void>;
  /** Resolves when the messages that wait now have left this process. */
  idle(): Promise<void>;
  /** Number of messages that wait. */
  readonly waiting: number;
}

/**
 * Creates the sender of a socket.
 * @param stallMs time in milliseconds after which a socket that accepts no data is closed
 */
export function createSender(socket: WebSocket, stallMs: number): Sender {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function write(text: string): Promise<void> {
    if (socket.readyState !== socket.OPEN) return;
    const written = new Promise<void>((resolve) => socket.send(text, () => resolve()));
    await withTimeout(written, stallMs, () => socket.terminate());
  }

  return {
    send(text) {
      waiting++;
      last = last.then(() => write(text)).then(() => void waiting--);
      return last;
    },
    idle: () => last,
    get waiting() {
      return waiting;
    },
  };
}
