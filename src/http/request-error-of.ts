import { GraphQLError } from 'graphql';
import { requestError } from '../model/errors.js';
import { httpOfErrors } from '../protection/answer/http-of-errors.js';

/**
 * Returns the error that a request is answered with, of what its handler threw: an error that names its status, or that of a body
 * parser, which has one as a member. Undefined for a failure of the server.
 */
export function requestErrorOf(error: unknown): GraphQLError | undefined {
  if (error instanceof GraphQLError) return httpOfErrors([error]).status === undefined ? undefined : error;
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  if (error.status < 400 || error.status >= 500) return undefined;
  if (error.status === 413) return requestError('PAYLOAD_TOO_LARGE', 'send less');
  if (error.status === 415) return requestError('UNSUPPORTED_MEDIA_TYPE', error.message);
  return requestError('BAD_REQUEST', error.message);
}
