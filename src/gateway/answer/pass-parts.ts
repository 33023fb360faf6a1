import type { CostExtension } from '../../protection/answer/cost-extension.js';
import type { Pace } from '../upstream/create-pace.js';
import type { UpstreamAnswer } from '../upstream/create-upstream-sender.js';
import type { GraphqlResult } from '../upstream/read-answer.js';
import type { ReadShare } from '../upstream/read-budget.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { createMerge } from './create-merge.js';
import type { Splitter, Stretch } from './create-splitter.js';
import { withCost } from './with-cost.js';

interface PassingParts {
  answer: UpstreamAnswer;
  splitter: Splitter;
  share: ReadShare;
  /** Each part is progress. */
  pace: Pace;
  /**
   * Called before the last part is passed on, with all of them put together; or with nothing, where they do not tell what they
   * cost. What is said first holds: it is called again when the answer is over. Resolves to what the answer says about that.
   */
  settle(result: GraphqlResult | undefined): Promise<CostExtension | undefined>;
}

/**
 * Passes an answer on part by part, each as it comes and as its reader takes it, and says in the last what all have cost. Resolves
 * when the first has come.
 * @throws UpstreamFailure where that is no answer of GraphQL
 */
export async function passParts({
  answer,
  splitter,
  share,
  pace,
  settle,
}: PassingParts): Promise<AsyncIterable<Buffer>> {
  const merged = createMerge();
  const { body } = answer;
  /** Payloads are looked at, and kept to be counted: until the last has come, or there is no room for more. */
  let isRead = true;

  async function read(stretch: Stretch): Promise<Buffer> {
    const { bytes, payload } = stretch;
    if (!isRead || payload === undefined) return bytes;
    const added = merged.add(payload.text);
    if (added === undefined)
      throw new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status: answer.status });
    if (!added.isLast) return bytes;
    isRead = false;
    const cost = await settle(merged.result());
    return cost === undefined ? bytes : payload.withText(withCost(payload.text, added.part, cost));
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
      // Broken off, or without a last part: what ran is not known.
      await settle(undefined);
    }
  }
  return pieces();
}
