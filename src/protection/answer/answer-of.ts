import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { type AnswerParts, type CostExtension, costExtension, UNREGISTERED_NOTE } from './cost-extension.js';
import { type AnyError, httpOfErrors, withoutHttp } from './http-of-errors.js';
import { setQuotaHeaders } from './quota-headers.js';

/** An HTTP response to send to the client. */
export interface Answer {
  status: number;
  /** Header values by lower-case name. */
  headers: Record<string, string>;
  /** Body, to be sent as JSON. */
  body: {
    data?: unknown;
    errors?: readonly GraphQLFormattedError[];
    extensions?: Record<string, unknown> & { cost?: CostExtension };
  };
  /**
   * Whether the caller paid the fee of a rejected request. If false, the caller has too few tokens
   * for the fee, and the response is the denial of the fee. Absent if no fee was due or no caller
   * could be charged.
   */
  feePaid?: boolean;
}

interface AnsweredResult extends Omit<ExecutionResult, 'errors'> {
  errors?: readonly AnyError[] | undefined;
}

/**
 * Returns the HTTP response for a GraphQL result. It includes the cost if `parts` is given. Errors
 * may set the HTTP status and headers through `extensions.http`.
 */
export function answerOf(result: AnsweredResult, parts: AnswerParts | undefined): Answer {
  const { data, extensions } = result;
  // Some servers send `"errors": null` if there are none.
  const errors = result.errors ?? [];
  const { status = 200, headers } = httpOfErrors(errors);
  if (parts) setQuotaHeaders(headers, parts);
  const body: Answer['body'] = {};
  if (errors.length > 0) body.errors = errors.map(withoutHttp);
  if (data !== undefined) body.data = data;
  const cost = parts && costExtension(parts);
  if (extensions) body.extensions = cost ? { ...extensions, cost } : { ...extensions };
  else if (cost) body.extensions = { cost };
  if (parts?.isUnregistered) body.extensions = { ...body.extensions, document: UNREGISTERED_NOTE };
  return { status, headers: Object.fromEntries(headers), body };
}

/** Extensions that Tollgate adds to a result. */
export interface AddedExtensions {
  cost?: CostExtension;
  document?: typeof UNREGISTERED_NOTE;
}

/** Returns those extensions of a response that Tollgate has added; undefined if there are none. */
export function addedExtensions({ extensions }: Answer['body']): AddedExtensions | undefined {
  const cost = extensions?.cost;
  if (extensions?.['document'] !== UNREGISTERED_NOTE) return cost && { cost };
  return { ...(cost && { cost }), document: UNREGISTERED_NOTE };
}
