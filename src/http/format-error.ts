import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { ErrorCode } from '../model/errors.js';
import { httpOfErrors } from '../protection/answer/http-of-errors.js';

/** Returns an error as it is sent: named, with a message of bounded length, and in production without details. */
export function formatError(
  formatted: GraphQLFormattedError,
  { error, production }: { error?: unknown; production: boolean },
): GraphQLFormattedError {
  const named = nameMistake(cutMessage(formatted), error);
  return production ? hideDetails(named) : named;
}

/**
 * Apollo Server gives some mistakes of the client the status of one, and no code: `INTERNAL_SERVER_ERROR` would take them for failures
 * of ours, and hide what they are. What has a path comes from a resolver, and stays as it is.
 */
function nameMistake(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  if (!(error instanceof GraphQLError) || error.path !== undefined || error.extensions['code'] !== undefined)
    return formatted;
  const { status = 500 } = httpOfErrors([error]);
  if (status < 400 || status >= 500) return formatted;
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
