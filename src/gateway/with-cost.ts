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
