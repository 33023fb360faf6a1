import { GraphQLError } from 'graphql';
import { ERRORS } from '../errors.js';

/** A credential that was given and is not good. */
export function authenticationError(reason: string): GraphQLError {
  return new GraphQLError(`${ERRORS.UNAUTHENTICATED.message}: ${reason}`, {
    extensions: { code: 'UNAUTHENTICATED', http: { status: ERRORS.UNAUTHENTICATED.status } },
  });
}

/** A credential that may be good: it cannot be checked now, and its holder is not taken for anybody else. */
export function identityUnavailable(reason: string, cause: unknown): GraphQLError {
  const headers = new Map([['retry-after', '1']]);
  return new GraphQLError(`${ERRORS.IDENTITY_UNAVAILABLE.message}: ${reason}`, {
    extensions: { code: 'IDENTITY_UNAVAILABLE', http: { status: ERRORS.IDENTITY_UNAVAILABLE.status, headers } },
    originalError: cause instanceof Error ? cause : null,
  });
}
