import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ERRORS, type ErrorCode } from '../model/errors.js';

/** What a request did wrong before GraphQL was reached. Its message is for the client. */
export class HttpError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    detail?: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail === undefined ? ERRORS[code].message : `${ERRORS[code].message}: ${detail}`);
    this.status = ERRORS[code].status;
  }

  /** Mistakes of the client do, and what a flood of requests would bring about for free. */
  get takesFee(): boolean {
    return this.status < 500 || this.code === 'UPSTREAM_OVERLOADED';
  }
}

/** The same of what a body parser threw, which names a status and a mistake; undefined for a failure of ours. */
export function toHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  if (error.status < 400 || error.status >= 500) return undefined;
  if (error.status === 413) return new HttpError('PAYLOAD_TOO_LARGE', 'send less');
  if (error.status === 415) return new HttpError('UNSUPPORTED_MEDIA_TYPE', error.message);
  return new HttpError('BAD_REQUEST', error.message);
}

/**
 * Apollo Server gives some mistakes of the client the status of one, and no code: `INTERNAL_SERVER_ERROR` would take them for failures
 * of ours, and hide what they are. What has a path comes from a resolver, and stays as it is.
 */
export function nameMistake(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  if (!(error instanceof GraphQLError) || error.path !== undefined || error.extensions['code'] !== undefined)
    return formatted;
  const { http } = error.extensions;
  if (typeof http !== 'object' || http === null || !('status' in http) || typeof http.status !== 'number')
    return formatted;
  if (http.status < 400 || http.status >= 500) return formatted;
  return { ...formatted, extensions: { ...formatted.extensions, code: 'BAD_REQUEST' satisfies ErrorCode } };
}

/** A message names the value that it is about, and a value can be as long as the request that brings it. */
const MAX_MESSAGE_LETTERS = 2_000;

/** Returns the error with a message of at most 2,000 letters, unless a resolver made it. */
export function cutMessage(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { message, path } = formatted;
  if (path !== undefined || message.length <= MAX_MESSAGE_LETTERS) return formatted;
  // Half a surrogate pair is no text that JSON may hold.
  const cut = message.slice(0, MAX_MESSAGE_LETTERS).replace(/[\ud800-\udbff]$/, '');
  return { ...formatted, message: `${cut}...` };
}

/**
 * Returns an error as production answers it: without suggestions, and without words about failures that are not
 * the client's. The failures of resolvers that carry a code of their own were meant for the caller.
 */
export function hideDetails(formatted: GraphQLFormattedError): GraphQLFormattedError {
  if (formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR') {
    return { ...formatted, message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
  }
  return { ...formatted, message: withoutSuggestions(formatted.message) };
}

const SUGGESTION = 'Did you mean ';

/**
 * Removes suggestions, which name parts of the schema, from `Unknown field "nam". Did you mean "name"?`. Callers
 * write parts of messages, and an expression would look for each question mark in all of the rest.
 */
function withoutSuggestions(message: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const at = message.indexOf(SUGGESTION, from);
    const end = at < 0 ? -1 : message.indexOf('?', at + SUGGESTION.length + 1);
    if (end < 0) return kept + message.slice(from);
    const isSpaced = at > from && message[at - 1] === ' ';
    kept += message.slice(from, isSpaced ? at - 1 : at);
    from = end + 1;
  }
}
