import type { GraphQLError } from 'graphql';
import { ERRORS, errorOf } from '../model/errors.js';

/** A credential that was given and is not good. */
export function authenticationError(reason: string): GraphQLError {
  return errorOf('UNAUTHENTICATED', `${ERRORS.UNAUTHENTICATED.message}: ${reason}`);
}

/** A credential that may be good: it cannot be checked now, and its holder is not taken for another caller. */
export function identityUnavailable(reason: string, cause: unknown): GraphQLError {
  const headers = new Map([['retry-after', '1']]);
  return errorOf('IDENTITY_UNAVAILABLE', `${ERRORS.IDENTITY_UNAVAILABLE.message}: ${reason}`, {
    headers,
    originalError: cause instanceof Error ? cause : null,
  });
}
