import type { GraphQLResponse } from '@apollo/server';
import type { BoundLimit } from '../rules/matching/ruleset.js';

type AnswerInParts = Extract<GraphQLResponse['body'], { kind: 'incremental' }>;

/**
 * Calls `done` when the last part of an answer has been handed on, or when nobody asks for more of them. It may be called
 * twice. What was not asked for at all (a client that left before the second part) is told by the signal alone.
 */
export function whenAnswered(body: AnswerInParts, gone: AbortSignal | undefined, done: () => void): void {
  const parts = body.subsequentResults as AsyncIterable<never>;
  body.subsequentResults = (async function* () {
    try {
      yield* parts;
    } finally {
      done();
    }
  })();
  if (gone?.aborted) done();
  else gone?.addEventListener('abort', done, { once: true });
}

/** The places that a running operation took: free again when it has ended, whatever else of its charge stands. */
export function endedLeases(limits: readonly BoundLimit[]): Record<string, number> | undefined {
  let leases: Record<string, number> | undefined;
  for (const { id, parameters } of limits) {
    if (parameters.algorithm !== 'CONCURRENCY') continue;
    leases ??= {};
    leases[id] = 0;
  }
  return leases;
}
