import { ByteText } from '../../http/write-answer.js';
import type { CostExtension } from '../../protection/answer/cost-extension.js';
import { findInexactNumbers } from '../upstream/exact-numbers.js';
import type { GraphqlResult } from '../upstream/read-answer.js';

/**
 * The text of an answer with what it has cost: but for that, every byte is the upstream's, numbers of any length included. An answer
 * with extensions of its own is written anew, with its numbers as they came.
 */
export function withCost(
  text: string,
  result: Pick<GraphqlResult, 'extensions'>,
  cost: CostExtension | undefined,
): string {
  if (cost === undefined) return text;
  if ('extensions' in result) {
    // Not `result` itself: parts of it may have been put together with others.
    const exact = findInexactNumbers(text);
    const read = JSON.parse(exact?.text ?? text) as GraphqlResult;
    const written = JSON.stringify({ ...read, extensions: { ...read.extensions, cost } });
    return exact ? exact.restore(written) : written;
  }
  return `${text.slice(0, text.lastIndexOf('}'))},"extensions":${JSON.stringify({ cost })}}`;
}

/** The same of bytes, which stay as they are: to decode them and to encode that again takes longer than to price them. */
export function bytesWithCost(
  bytes: Buffer,
  result: Pick<GraphqlResult, 'extensions'>,
  cost: CostExtension | undefined,
): Buffer | ByteText {
  if (cost === undefined) return bytes;
  if ('extensions' in result) return Buffer.from(withCost(bytes.toString(), result, cost));
  const added = `,"extensions":${JSON.stringify({ cost })}}`;
  const end = bytes.lastIndexOf(CLOSING_BRACE);
  if (end <= TEXT_BYTES && !NOT_ASCII.test(added)) return new ByteText(bytes.toString('latin1', 0, end) + added);
  const all = Buffer.allocUnsafe(end + Buffer.byteLength(added));
  bytes.copy(all, 0, 0, end);
  all.write(added, end);
  return all;
}

const CLOSING_BRACE = 0x7d;
/** Beyond so many the text would be a large part of the heap while a slow reader takes it. */
const TEXT_BYTES = 16 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII begins with them.
const NOT_ASCII = /[^\x00-\x7f]/;
