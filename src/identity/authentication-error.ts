import type { GraphQLError } from 'graphql';
import { ERRORS, errorOf } from '../model/errors.js';

/** Creates the error for a credential that is not valid. */
export function authenticationError(reason: string): GraphQLError {
  return errorOf('UNAUTHENTICATED', `${ERRORS.UNAUTHENTICATED.message}: ${reason}`);
}

/**
 * Creates the error for a credential that cannot be checked now. The credential may be valid, so
 * its holder must not be charged as another caller.
 */
export function identityUnavailable(reason: string, cause: unknown): GraphQLError {
  const headers = new Map([['retry-after', '1']]);
  return errorOf('IDENTITY_UNAVAILABLE', `${ERRORS.IDENTITY_UNAVAILABLE.message}: ${reason}`, {
    headers,
    originalError: cause instanceof Error ? cause : null,
  });
}
