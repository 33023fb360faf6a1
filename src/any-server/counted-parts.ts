import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import { chargeWhenReported } from '../protection/charge-when-reported.js';
import type { MergedResult, ResponsePart } from '../protection/incremental/create-merge.js';
import { markOutstanding } from '../protection/incremental/mark-outstanding.js';
import { PartStream } from '../protection/incremental/part-stream.js';
import type { ProtectedOperation } from '../protection/protected-operation.js';
import type { Protection } from '../protection/protection.js';

/**
 * Incremental result: that of `experimentalExecuteIncrementally` and `legacyExecuteIncrementally` of
 * graphql 17, or all parts in one iterable.
 */
export type IncrementalResult =
  | { readonly initialResult: object; readonly subsequentResults: AsyncIterable<object> }
  | AsyncIterable<object>;

interface CountedOperation<Context extends object> {
  protection: Protection<Context>;
  operation: ProtectedOperation<Context>;
  document: DocumentNode;
  schema: GraphQLSchema;
  /** Variables as the client sent them. */
  variables: Readonly<Record<string, unknown>> | undefined;
}

interface Counting {
  /** Resolves when slots may be freed. */
  workEnded: Promise<void>;
  /** Calls `settle`, unless the operation is settled already. */
  settleOnce(settle: () => Promise<Answer>): Promise<Answer>;
}

/** Settles an operation by the parts of its result, and returns the parts to send. */
export function countedParts<Context extends object>(
  { protection, operation, schema, document, variables }: CountedOperation<Context>,
  result: IncrementalResult,
  { workEnded, settleOnce }: Counting,
): PartStream {
  async function settle(merged: MergedResult): Promise<Answer> {
    const definition = getOperationAST(document, operation.priced?.operationName)!;
    // Sets absent positions of the data to null.
    const outstanding = markOutstanding(merged, { schema, document, operation: definition, variables });
    const parts = operation.finish({
      data: merged.data.data,
      errors: merged.errors,
      document,
      isIncremental: true,
      outstanding,
      whenAnswered: (done) => void workEnded.then(done),
    });
    const sent = operation.settlementSent();
    if (sent) await sent;
    return answerOf({}, parts);
  }

  const stream = new PartStream({
    ...partsIn(result),
    firstExtensions: answerOf({}, operation.partsOfCharge()).body.extensions,
    settle: async (merged) => (await settleOnce(() => settle(merged))).body.extensions,
    onError: (error) => protection.onError(error),
  });
  if (operation.reportedCost) chargeWhenReported(protection, operation.priced!, operation.reportedCost);
  const leave = () => void stream.return().catch(() => {});
  if (operation.whenClientGone(leave)) leave();
  return stream;
}

/** Returns hooks for graphql 17, and a promise that resolves when all work of the execution has ended. */
export function watchWork() {
  let asyncWorkFinished = () => {};
  const ended = new Promise<void>((resolve) => {
    asyncWorkFinished = resolve;
  });
  return { hooks: { asyncWorkFinished }, ended };
}

/** Returns the first part of a result, if it is known already, and the iterator of the other parts. */
function partsIn(result: IncrementalResult): { first?: ResponsePart; source: AsyncIterator<ResponsePart> } {
  if (Symbol.asyncIterator in result) return { source: result[Symbol.asyncIterator]() as AsyncIterator<ResponsePart> };
  const { initialResult, subsequentResults } = result;
  const source = subsequentResults[Symbol.asyncIterator]() as AsyncIterator<ResponsePart>;
  return { first: initialResult as ResponsePart, source };
}
