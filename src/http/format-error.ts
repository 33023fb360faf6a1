import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { ErrorCode } from '../model/errors.js';
import { httpOfErrors } from '../protection/answer/http-of-errors.js';

/**
 * Returns an error in the form that is sent: with a code, a message of bounded length, and no
 * details in production.
 */
export function formatError(
  formatted: GraphQLFormattedError,
  { error, production }: { error?: unknown; production: boolean },
): GraphQLFormattedError {
  const named = nameMistake(cutMessage(formatted), error);
  return production ? hideDetails(named) : named;
}

/**
 * Adds a code to client errors for which Apollo Server sets a 4xx status but no code. Otherwise
 * they would have the code `INTERNAL_SERVER_ERROR` and look like server failures, and their message
 * would be hidden. An error with a path comes from a resolver, and is not changed.
 */
function nameMistake(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  if (!(error instanceof GraphQLError) || error.path !== undefined || error.extensions['code'] !== undefined)
    return formatted;
  const { status = 500 } = httpOfErrors([error]);
  if (status < 400 || status >= 500) return formatted;
  return { ...formatted, extensions: { ...formatted.extensions, code: 'BAD_REQUEST' satisfies ErrorCode } };
}

/**
 * Maximum length of a message in UTF-16 units. A message may quote a value from the request, and
 * this value can be as long as the request.
 */
const MAX_MESSAGE_LETTERS = 2_000;

/** Returns the error with a message of at most 2,000 UTF-16 units, unless a resolver made it. */
export function cutMessage(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { message, path } = formatted;
  if (path !== undefined || message.length <= MAX_MESSAGE_LETTERS) return formatted;
  // JSON text must not contain half a surrogate pair.
  const cut = message.slice(0, MAX_MESSAGE_LETTERS).replace(/[\ud800-\udbff]$/, '');
  return { ...formatted, message: `${cut}...` };
}

/**
 * Returns an error in its production form: without suggestions, and without messages of server
 * failures. Resolver errors that set a code are meant for the caller, and keep their message.
 */
export function hideDetails(formatted: GraphQLFormattedError): GraphQLFormattedError {
  if (formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR') {
    return { ...formatted, message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
  }
  return { ...formatted, message: withoutSuggestions(formatted.message) };
}

const SUGGESTION = 'Did you mean ';

/**
 * Removes suggestions such as `Did you mean "name"?`, because they name parts of the schema. The
 * function does not use a regular expression, because callers control parts of messages. For each
 * match, a regular expression would scan the rest of the message for a question mark.
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
