import type { Response } from 'express';
import { timerMs } from '../../runtime/schedule.js';
import { reuse } from '../upstream/small-reads.js';

/** An answer before it is written. */
export interface Outgoing {
  status: number;
  headers: [name: string, value: string | string[]][];
  body: string | ByteText | Buffer | AsyncIterable<Buffer>;
}

/** Bytes as a text in which each is one character: Node writes that together with the headers, and a buffer beside them. */
export class ByteText {
  readonly latin1: string;

  constructor(latin1: string) {
    this.latin1 = latin1;
  }

  /** What the bytes say. */
  toString(): string {
    return Buffer.from(this.latin1, 'latin1').toString();
  }
}

/** @param timeoutMs how long a reader may take nothing of what comes piece by piece */
export async function writeAnswer(
  response: Response,
  { status, headers, body }: Outgoing,
  timeoutMs: number,
): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of headers) response.setHeader(name, value);
  if (body instanceof ByteText) {
    response.setHeader('content-length', body.latin1.length);
    response.end(body.latin1, 'latin1');
    return;
  }
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
    return;
  }
  const write = createPieceWriter(response, timeoutMs);
  try {
    for await (const piece of body) await write(piece);
    response.end();
  } catch {
    // Half of an answer was sent: that it is not whole is told by the connection.
    response.destroy();
  }
}

/**
 * Waits until each piece is out of this process, so that no more than one of them is kept for a slow reader. One who takes nothing
 * for as long as the upstream may be silent is cut off, as they hold one of its places.
 */
function createPieceWriter(response: Response, timeoutMs: number): (piece: Buffer) => Promise<void> {
  let fail: ((error: Error) => void) | undefined;
  response.once('close', () => fail?.(new Error('The client is gone')));
  return (piece) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => response.destroy(), timerMs(timeoutMs));
      const done = (error?: Error | null) => {
        clearTimeout(timer);
        fail = undefined;
        if (error) return reject(error);
        reuse(piece);
        resolve();
      };
      fail = done;
      if (response.destroyed) done(new Error('The client is gone'));
      else response.write(piece, done);
    });
}
