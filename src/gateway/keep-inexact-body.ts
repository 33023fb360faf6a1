import type { IncomingMessage } from 'node:http';
import { requestError } from '../model/errors.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import { type ExactNumbers, findInexactNumbers, mayBeInexact } from './upstream/exact-numbers.js';

/** A body with numbers that `JSON.parse` may change, or a marker that the body is not UTF-8. */
type Kept = Buffer | 'NOT_UTF_8';

const kept = createObjectNotes<IncomingMessage, Kept | undefined>();

/**
 * Keeps the bytes of a body if parsing and serializing it could change its numbers. Use it as
 * `verify` of `express.json`.
 */
export function keepInexactBody(request: IncomingMessage, _response: unknown, bytes: Buffer, charset: string): void {
  if (charset !== 'utf-8') kept.set(request, 'NOT_UTF_8');
  else if (mayBeInexact(bytes.toString('latin1'))) kept.set(request, bytes);
}

/**
 * Returns the inexact numbers of a body, and releases its bytes.
 * @throws GraphQLError if the body is not UTF-8, which JSON requires (RFC 8259, 8.1)
 */
export function takeInexactNumbers(request: IncomingMessage): ExactNumbers | undefined {
  const bytes = kept.get(request);
  if (bytes === undefined) return undefined;
  kept.set(request, undefined);
  if (bytes === 'NOT_UTF_8') throw requestError('UNSUPPORTED_MEDIA_TYPE', 'expected charset=utf-8');
  return findForwardable(bytes.toString().replace(/^\ufeff/, ''));
}

/**
 * Finds the inexact numbers of a JSON text.
 * @throws GraphQLError for numbers that are outside the range of doubles, or so long that parsing
 * them is slow
 */
export function findForwardable(json: string): ExactNumbers | undefined {
  const exact = findInexactNumbers(json);
  if (exact?.hasExtreme) {
    throw requestError('BAD_REQUEST', 'variables: expected numbers below 1.8e308, of at most 400 characters');
  }
  return exact;
}
