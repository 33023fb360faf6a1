import type { ExecutionResult } from 'graphql';
import type { Answer } from '../protection/answer/answer-of.js';
import { joinBatchHeaders } from '../protection/answer/join-batch-headers.js';

/** A result, or the parts of an incremental result or the events of a subscription. */
export type YogaResult = ExecutionResult | AsyncIterable<ExecutionResult>;

/**
 * Returns whether a result is still the rejection or denial from Tollgate. Other plugins may mask
 * its message or add extensions.
 */
export function isSameErrorResult(result: YogaResult | undefined, errorResult: ExecutionResult): boolean {
  if (result === errorResult) return true;
  if (result === undefined || !hasOnlyErrors(result)) return false;
  const statusOf = ({ extensions }: ExecutionResult) => (extensions?.['http'] as Partial<Answer> | undefined)?.status;
  const codeOf = ({ errors }: ExecutionResult) => errors?.[0]?.extensions?.['code'];
  return statusOf(result) === statusOf(errorResult) && codeOf(result) === codeOf(errorResult);
}

/** Returns whether a result has errors and no data. */
export function hasOnlyErrors(result: YogaResult): result is ExecutionResult {
  return !(Symbol.asyncIterator in result) && (result.data ?? undefined) === undefined && !!result.errors?.length;
}

/** Returns whether a result is from Tollgate. Such a result always sets headers. */
export function isAnswered({ extensions }: ExecutionResult): boolean {
  return (extensions as { http?: Partial<Answer> } | undefined)?.http?.headers !== undefined;
}

/**
 * Sets the status and headers of a batch. Yoga reads them from a property `extensions` of the list
 * of results, which is not sent to the client.
 */
export function setHttpOfBatch(results: readonly YogaResult[]): void {
  Object.assign(results, { extensions: { http: httpOfBatch(results as readonly ExecutionResult[]) } });
}

/** Returns the extensions of a result. Yoga reads status and headers from `extensions.http`. */
export function extensionsOf(answer: Answer): Record<string, unknown> {
  return { ...answer.body.extensions, http: httpOfAnswer(answer) };
}

export const httpOfAnswer = ({ status, headers }: Answer) => ({ status, headers });

/**
 * Returns the status, if it is the same for all results, or else 200. Also returns the combined
 * headers.
 */
function httpOfBatch(results: readonly ExecutionResult[]): Pick<Answer, 'status' | 'headers'> {
  const all = results.flatMap(({ extensions }) => (extensions?.['http'] as Answer | undefined) ?? []);
  const statuses = new Set(all.map(({ status }) => status));
  const agree = statuses.size === 1 && all.length === results.length;
  const headers = Object.fromEntries(joinBatchHeaders(all.flatMap((each) => Object.entries(each.headers))));
  return { status: agree ? [...statuses][0]! : 200, headers };
}

export function resultOf(answer: Answer): ExecutionResult {
  const { errors, data } = answer.body;
  return {
    ...(errors && { errors: errors as ExecutionResult['errors'] & object }),
    ...(data !== undefined && { data: data as ExecutionResult['data'] & object }),
    extensions: extensionsOf(answer),
  };
}
