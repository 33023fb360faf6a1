import type { ExecutionResult } from 'graphql';
import type { Answer } from '../protection/answer/answer-of.js';
import { joinBatchHeaders } from '../protection/answer/join-batch-headers.js';

/** One result, or the parts of one. */
export type YogaResult = ExecutionResult | AsyncIterable<ExecutionResult>;

/** Whether a result still is the rejection or denial that Tollgate made: others may mask its message or add extensions. */
export function isSameRefusal(result: YogaResult | undefined, refusal: ExecutionResult): boolean {
  if (result === refusal) return true;
  if (result === undefined || !isRefusal(result)) return false;
  const statusOf = ({ extensions }: ExecutionResult) => (extensions?.['http'] as Partial<Answer> | undefined)?.status;
  const codeOf = ({ errors }: ExecutionResult) => errors?.[0]?.extensions?.['code'];
  return statusOf(result) === statusOf(refusal) && codeOf(result) === codeOf(refusal);
}

/** Whether it was answered with errors before anything of it ran. */
export function isRefusal(result: YogaResult): result is ExecutionResult {
  return !(Symbol.asyncIterator in result) && (result.data ?? undefined) === undefined && !!result.errors?.length;
}

/** Whether its answer is Tollgate's: each says its headers. */
export function isAnswered({ extensions }: ExecutionResult): boolean {
  return (extensions as { http?: Partial<Answer> } | undefined)?.http?.headers !== undefined;
}

/** Yoga makes status and headers of what the list itself has as `extensions`, which is not sent. */
export function sayOfBatch(results: readonly YogaResult[]): void {
  Object.assign(results, { extensions: { http: httpOfBatch(results as readonly ExecutionResult[]) } });
}

/** Yoga makes status and headers of `extensions.http`. */
export function extensionsOf(answer: Answer): Record<string, unknown> {
  return { ...answer.body.extensions, http: httpOfAnswer(answer) };
}

export const httpOfAnswer = ({ status, headers }: Answer) => ({ status, headers });

/** The status that all of its answers have, else 200. */
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
