import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { type AnswerParts, type CostExtension, costExtension } from './cost-extension.js';
import { type AnyError, httpOfErrors, withoutHttp } from './http-of-errors.js';
import { setQuotaHeaders } from './quota-headers.js';

/** What to send. */
export interface Answer {
  status: number;
  /** By name in lower case. */
  headers: Record<string, string>;
  /** To be sent as JSON. */
  body: {
    data?: unknown;
    errors?: readonly GraphQLFormattedError[];
    extensions?: Record<string, unknown> & { cost?: CostExtension };
  };
  /**
   * Whether the caller has paid the fee of a rejected request. False: they have too few tokens for it, and the answer says so.
   * Absent where no fee was due, or nobody could be charged.
   */
  feePaid?: boolean;
}

interface AnsweredResult extends Omit<ExecutionResult, 'errors'> {
  errors?: readonly AnyError[] | undefined;
}

/** Returns the answer of a result, with what it cost where that is known. Errors may name its status and headers. */
export function answerOf(result: AnsweredResult, parts: AnswerParts | undefined, nowMs: number): Answer {
  const { data, extensions } = result;
  // Some servers send `"errors": null` where there are none.
  const errors = result.errors ?? [];
  const { status = 200, headers } = httpOfErrors(errors);
  if (parts) setQuotaHeaders(headers, parts, nowMs);
  const body: Answer['body'] = {};
  if (errors.length > 0) body.errors = errors.map(withoutHttp);
  if (data !== undefined) body.data = data;
  const cost = parts && costExtension(parts);
  if (extensions) body.extensions = cost ? { ...extensions, cost } : { ...extensions };
  else if (cost) body.extensions = { cost };
  return { status, headers: Object.fromEntries(headers), body };
}
