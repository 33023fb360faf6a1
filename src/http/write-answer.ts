import type { Response } from 'express';
import { withTimeout } from '../runtime/with-timeout.js';

/** An answer before it is written. */
export interface Outgoing {
  status: number;
  headers: Iterable<readonly [name: string, value: string | string[]]>;
  body: string | ByteText | Buffer | AsyncIterable<string | Buffer>;
}

/** Bytes as a text in which each is one character: Node writes that together with the headers, and a buffer in a second write. */
export class ByteText {
  readonly latin1: string;

  constructor(latin1: string) {
    this.latin1 = latin1;
  }

  /** Returns what the bytes say. */
  toString(): string {
    return Buffer.from(this.latin1, 'latin1').toString();
  }
}

/**
 * Writes an answer. Of a body in pieces each is written when the piece before has left this process, so that no more than one of them is
 * kept for a slow reader. Rejects with what the body fails with.
 *
 * @param stallMs how long a reader may take nothing of a body in pieces before the connection is cut. @default for ever
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
    // The reader has gone: the rest of the body need not be made.
    if (!(await write(piece))) return;
  }
  response.end();
}

/** Resolves to whether the piece has left this process. */
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
