import type { Response } from 'express';
import { withTimeout } from '../runtime/with-timeout.js';

/** A response before it is written. */
export interface Outgoing {
  status: number;
  headers: Iterable<readonly [name: string, value: string | string[]]>;
  body: string | ByteText | Buffer | AsyncIterable<string | Buffer>;
}

/**
 * Bytes as a string with one character per byte. Node writes a string body and the headers in one
 * system call, but a buffer in a second one.
 */
export class ByteText {
  readonly latin1: string;

  constructor(latin1: string) {
    this.latin1 = latin1;
  }

  /** Decodes the bytes as UTF-8. */
  toString(): string {
    return Buffer.from(this.latin1, 'latin1').toString();
  }
}

/**
 * Writes a response. If the body consists of pieces, each piece is written when the previous one
 * has left this process. So at most one piece is buffered for a slow reader. Rejects if the body
 * fails.
 *
 * @param stallMs time in milliseconds without progress after which the connection of a reader is
 * closed, for a body in pieces.
 * @default no limit
 */
export async function writeAnswer(
  response: Response,
  { status, headers, body }: Outgoing,
  stallMs?: number,
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
  const write = createPieceWriter(response, stallMs);
  for await (const piece of body) {
    // The client has disconnected, so do not generate the rest of the body.
    if (!(await write(piece))) return;
  }
  response.end();
}

/**
 * Returns a function that writes a piece. It resolves to true when the piece has left this process,
 * and to false if the client has disconnected.
 */
function createPieceWriter(
  response: Response,
  stallMs: number | undefined,
): (piece: string | Buffer) => Promise<boolean> {
  let written: ((isWritten: boolean) => void) | undefined;
  response.once('close', () => written?.(false));
  return (piece) => {
    const leaving = new Promise<boolean>((resolve) => {
      written = resolve;
      if (response.destroyed) resolve(false);
      else response.write(piece, (error) => resolve(!error));
    });
    if (stallMs === undefined) return leaving;
    return withTimeout(leaving, stallMs, () => {
      response.destroy();
      return false;
    });
  };
}
