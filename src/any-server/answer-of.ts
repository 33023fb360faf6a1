import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type AnswerParts, type CostExtension, costExtension } from '../protection/answer/cost-extension.js';
import { setQuotaHeaders } from '../protection/answer/quota-headers.js';

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
}

interface HttpOfError {
  status?: number;
  /** Apollo Server has a map of them, and GraphQL Yoga an object. */
  headers?: ReadonlyMap<string, string> | Readonly<Record<string, unknown>>;
}

/** The answer of a result, with what it cost where that is known. The first error that has a status says it. */
export function answerOf(result: ExecutionResult, parts: AnswerParts | undefined, nowMs: number): Answer {
  const { data, extensions } = result;
  // As JSON some servers say that there are none.
  const errors = result.errors ?? [];
  const headers = new Map<string, string>();
  let status: number | undefined;
  for (const { extensions: said } of errors) {
    const http = said?.['http'] as HttpOfError | undefined;
    status ??= http?.status;
    for (const [name, value] of headersOf(http)) headers.set(name, String(value));
  }
  if (parts) setQuotaHeaders(headers, parts, nowMs);
  const body: Answer['body'] = {};
  if (errors.length > 0) body.errors = errors.map(formatted);
  if (data !== undefined) body.data = data;
  const cost = parts && costExtension(parts);
  if (extensions) body.extensions = cost ? { ...extensions, cost } : { ...extensions };
  else if (cost) body.extensions = { cost };
  return { status: status ?? 200, headers: Object.fromEntries(headers), body };
}

function headersOf({ headers }: HttpOfError = {}): Iterable<readonly [string, unknown]> {
  return headers instanceof Map ? headers : Object.entries(headers ?? {});
}

/** What `http` says is in the status and the headers. An error that came over the network is a plain object. */
export function formatted(error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError {
  const shown: GraphQLFormattedError = error instanceof GraphQLError ? error.toJSON() : error;
  if (shown.extensions?.['http'] === undefined) return shown;
  const { http: _http, ...extensions } = shown.extensions;
  return { ...shown, extensions };
}

/** The error of a refusal; and of a mistake of ours, or of `identify`, nothing but that there was one. */
export function toGraphqlError(error: unknown): { shown: GraphQLError; isOurs: boolean } {
  if (error instanceof GraphQLError) {
    const { http } = error.extensions as { http?: HttpOfError };
    return { shown: error, isOurs: http?.status === undefined || http.status >= 500 };
  }
  const extensions = { code: 'INTERNAL_SERVER_ERROR', http: { status: 500 } };
  return { shown: new GraphQLError('Internal server error', { extensions }), isOurs: true };
}
