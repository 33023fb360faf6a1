import type { CostExtension } from '../protection/answer/cost-extension.js';
import type { GraphqlResult } from './read-answer.js';

/**
 * The text of an answer with what it has cost: but for that, every byte is the upstream's, numbers of any length included. Where the
 * answer has extensions of its own it is written anew.
 */
export function withCost(
  text: string,
  result: Pick<GraphqlResult, 'extensions'>,
  cost: CostExtension | undefined,
): string {
  if (cost === undefined) return text;
  if ('extensions' in result) {
    // Not `result` itself: parts of it may have been put together with others.
    const read = JSON.parse(text) as GraphqlResult;
    return JSON.stringify({ ...read, extensions: { ...read.extensions, cost } });
  }
  return `${text.slice(0, text.lastIndexOf('}'))},"extensions":${JSON.stringify({ cost })}}`;
}

/** The same of bytes, which stay as they are: to make a text of them and bytes of that again takes longer than to price them. */
export function bytesWithCost(
  bytes: Buffer,
  result: Pick<GraphqlResult, 'extensions'>,
  cost: CostExtension | undefined,
): Buffer {
  if (cost === undefined) return bytes;
  if ('extensions' in result) return Buffer.from(withCost(bytes.toString(), result, cost));
  const added = `,"extensions":${JSON.stringify({ cost })}}`;
  const end = bytes.lastIndexOf(CLOSING_BRACE);
  const all = Buffer.allocUnsafe(end + Buffer.byteLength(added));
  bytes.copy(all, 0, 0, end);
  all.write(added, end);
  return all;
}

const CLOSING_BRACE = 0x7d;
