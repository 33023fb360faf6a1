import { requestError } from '../model/errors.js';
import { joinBatchHeaders } from '../protection/answer/join-batch-headers.js';
import { type BatchPlace, createBatch } from '../protection/batch-place.js';
import { ByteText, type Outgoing } from './write-answer.js';

/**
 * Checks the number of operations in a batch.
 * @throws GraphQLError if batches are disabled, or the batch has too many operations or none
 */
export function checkBatchSize({ length }: readonly unknown[], maxBatchSize: number): void {
  if (maxBatchSize === 0) throw requestError('BAD_REQUEST', 'expected one operation, got a batch: batches are off');
  if (length > 0 && length <= maxBatchSize) return;
  throw requestError('BAD_REQUEST', `expected a batch of 1 to ${maxBatchSize} operations, got ${length}`);
}

/**
 * Runs the operations of a batch in parallel, charged as one. Resolves to one response that
 * contains their responses in order. Its status is the common status of all operations, or 200 if
 * they differ.
 */
export async function answerBatch<Operation>(
  operations: readonly Operation[],
  answerOne: (operation: Operation, place: BatchPlace) => Promise<Outgoing>,
): Promise<Outgoing> {
  const places = createBatch(operations.length);
  const answers = await Promise.all(
    operations.map(async (operation, index) => {
      const place = places[index]!;
      try {
        return await answerOne(operation, place);
      } finally {
        // The operations of a batch wait until all of them are priced. An operation that fails
        // before it is priced must not block the others.
        place.leave();
      }
    }),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  // An upstream may send a header twice. Its last value wins.
  const headers = joinBatchHeaders(answers.flatMap((answer) => [...new Map(answer.headers)]));
  // Each `Set-Cookie` line sets a different cookie, so all lines are copied.
  const cookies = answers
    .flatMap((answer) => [...answer.headers])
    .flatMap(([name, value]) => (name === 'set-cookie' ? value : []));
  if (cookies.length > 0) headers.set('set-cookie', cookies);
  headers.set('content-type', JSON_TYPE);
  return {
    status: statuses.size === 1 ? [...statuses][0]! : 200,
    headers,
    body: `[${answers.map(({ body }) => textOf(body)).join(',')}]`,
  };
}

export const JSON_TYPE = 'application/json; charset=utf-8';

function textOf(body: Outgoing['body']): string {
  if (typeof body === 'string') return body;
  return body instanceof ByteText || Buffer.isBuffer(body) ? body.toString() : IN_PARTS;
}

const IN_PARTS = JSON.stringify({
  errors: [{ message: 'Operations of a batch cannot have incremental responses', extensions: { code: 'BAD_REQUEST' } }],
});
