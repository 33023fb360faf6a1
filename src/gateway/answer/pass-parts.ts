import type { AddedExtensions } from '../../protection/answer/answer-of.js';
import { createMerge } from '../../protection/incremental/create-merge.js';
import { isObject } from '../../runtime/is-object.js';
import type { Pace } from '../upstream/create-pace.js';
import type { UpstreamAnswer } from '../upstream/create-upstream-sender.js';
import { type GraphqlResult, toResult } from '../upstream/read-answer.js';
import type { ReadShare } from '../upstream/read-budget.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import type { Splitter, Stretch } from './create-splitter.js';
import { mergedResult } from './merged-result.js';
import { withExtensions } from './with-extensions.js';

interface PassingParts {
  answer: UpstreamAnswer;
  splitter: Splitter;
  share: ReadShare;
  /** Pace of the response. Each part counts as progress. */
  pace: Pace;
  /**
   * Called with the merged result before the last part is passed on, or with undefined if the parts
   * do not determine the cost. Called again, with undefined, when the response is over. Only the
   * first call may have an effect. Resolves to the extensions that are added to the response.
   */
  settle(result: GraphqlResult | undefined): Promise<AddedExtensions | undefined>;
}

/**
 * Passes on a response part by part, at the speed of its reader. The gateway adds the cost of all
 * parts to the last part. Resolves when the first part was received.
 * @throws UpstreamFailure if the response is not GraphQL
 */
export async function passParts({
  answer,
  splitter,
  share,
  pace,
  settle,
}: PassingParts): Promise<AsyncIterable<Buffer>> {
  // The read budget bounds the parts.
  const merged = createMerge(Number.POSITIVE_INFINITY);
  const { body } = answer;
  /**
   * Whether payloads are parsed and kept so that their cost can be counted. Becomes false after the
   * last payload, or when the memory budget is used up.
   */
  let isRead = true;
  let isFirst = true;

  async function read(stretch: Stretch): Promise<Buffer> {
    const { bytes, payload } = stretch;
    if (!isRead || payload === undefined) return bytes;
    const part = partOf(payload.text);
    if (part === undefined || (isFirst && toResult(part) === undefined))
      throw new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status: answer.status });
    isFirst = false;
    if (!merged.add(part)) return bytes;
    isRead = false;
    const extensions = await settle(mergedResult(merged));
    return extensions === undefined ? bytes : payload.withText(withExtensions(payload.text, part, extensions));
  }

  async function* stretches(): AsyncGenerator<{ bytes: Buffer; isPayload: boolean }> {
    for await (const piece of pace.of(body)) {
      if (isRead && share.take(piece.length)) {
        for (const stretch of splitter.push(piece)) {
          const isPayload = stretch.payload !== undefined;
          if (isPayload) pace.progressed();
          yield { bytes: await read(stretch), isPayload };
        }
        if (!isRead) yield { bytes: splitter.rest, isPayload: false };
        continue;
      }
      if (isRead) {
        isRead = false;
        await settle(undefined);
        yield { bytes: splitter.rest, isPayload: true };
      }
      yield { bytes: piece, isPayload: true };
    }
    if (isRead) yield { bytes: splitter.rest, isPayload: false };
  }

  const all = stretches();
  const begun: Buffer[] = [];
  for (;;) {
    const next = await all.next();
    if (next.done) throw new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status: answer.status });
    begun.push(next.value.bytes);
    if (next.value.isPayload) break;
  }

  async function* pieces(): AsyncGenerator<Buffer> {
    try {
      yield Buffer.concat(begun.splice(0));
      for await (const { bytes } of all) if (bytes.length > 0) yield bytes;
    } finally {
      // If the response was interrupted or had no last part, it is unknown which fields were
      // executed. After a last part, this call has no effect.
      await settle(undefined);
    }
  }
  return pieces();
}

function partOf(payload: string): Record<string, unknown> | undefined {
  try {
    const part: unknown = JSON.parse(payload);
    return isObject(part) ? part : undefined;
  } catch {
    return undefined;
  }
}
