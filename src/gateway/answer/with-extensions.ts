import { ByteText } from '../../http/write-answer.js';
import type { AddedExtensions } from '../../protection/answer/answer-of.js';
import { findInexactNumbers } from '../upstream/exact-numbers.js';
import type { GraphqlResult } from '../upstream/read-answer.js';

/**
 * Adds the cost, and a warning if there is one, to the text of a response. All other bytes stay those
 * of the upstream, including numbers of any length. A response that already has extensions is
 * serialized again, with its numbers written as the upstream wrote them.
 */
export function withExtensions(
  text: string,
  result: Pick<GraphqlResult, 'extensions'>,
  added: AddedExtensions | undefined,
): string {
  if (added === undefined) return text;
  if ('extensions' in result) {
    // Do not use `result` itself: its parts may have been merged with other parts.
    const exact = findInexactNumbers(text);
    const read = JSON.parse(exact?.text ?? text) as GraphqlResult;
    const written = JSON.stringify({ ...read, extensions: { ...read.extensions, ...added } });
    return exact ? exact.restore(written) : written;
  }
  return `${text.slice(0, text.lastIndexOf('}'))},"extensions":${JSON.stringify(added)}}`;
}

/**
 * Adds extensions to the bytes of a response without decoding them. Decoding and encoding would take
 * longer than pricing the response.
 */
export function bytesWithExtensions(
  bytes: Buffer,
  result: Pick<GraphqlResult, 'extensions'>,
  added: AddedExtensions | undefined,
): Buffer | ByteText {
  if (added === undefined) return bytes;
  if ('extensions' in result) return Buffer.from(withExtensions(bytes.toString(), result, added));
  const written = `,"extensions":${JSON.stringify(added)}}`;
  const end = bytes.lastIndexOf(CLOSING_BRACE);
  if (end <= TEXT_BYTES && !NOT_ASCII.test(written)) return new ByteText(bytes.toString('latin1', 0, end) + written);
  const all = Buffer.allocUnsafe(end + Buffer.byteLength(written));
  bytes.copy(all, 0, 0, end);
  all.write(written, end);
  return all;
}

const CLOSING_BRACE = 0x7d;
/**
 * Size above which the response stays a buffer. A longer text would occupy much of the heap while a
 * slow reader receives it.
 */
const TEXT_BYTES = 16 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range includes the control characters.
const NOT_ASCII = /[^\x00-\x7f]/;
