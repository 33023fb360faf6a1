import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { requestError } from '../model/errors.js';

/**
 * Reads the body of a request and parses it as JSON, for handlers that Express does not call, such
 * as those of HTTP/2. Resolves to the value, its text, and the size of the text in bytes. An empty
 * body is undefined.
 * @throws GraphQLError with status 413 for a body above `maxBytes`, and 415 for an encoded one. A
 * body that is incomplete, or not JSON in UTF-8, has status 400
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ value: unknown; text: string; bytes: number }> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers;
  if (encoding !== 'identity')
    throw requestError('UNSUPPORTED_MEDIA_TYPE', `expected no Content-Encoding, got ${encoding}`);
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      pieces.push(piece);
    }
  } catch (error) {
    if (bytes > maxBytes) throw error;
    throw requestError('BAD_REQUEST', 'the body is incomplete');
  }
  if (bytes === 0) return { value: undefined, text: '', bytes };
  const whole = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  // Decoders differ in the letters that they read from invalid bytes.
  if (!isUtf8(whole)) throw requestError('BAD_REQUEST', 'the body is not UTF-8');
  const text = whole.toString();
  try {
    return { value: JSON.parse(text), text, bytes };
  } catch {
    throw requestError('BAD_REQUEST', 'the body is not JSON');
  }
}

function tooLarge(maxBytes: number) {
  return requestError('PAYLOAD_TOO_LARGE', `expected at most ${maxBytes} bytes`);
}
