import { GraphQLError } from 'graphql';
import { requestError } from '../model/errors.js';
import { httpOfErrors } from '../protection/answer/http-of-errors.js';

/**
 * Returns the error to send for an error that a request handler threw. An error that sets a status
 * by `extensions.http` is returned unchanged. An error of the body parser, which has the property
 * `status`, is converted. Returns undefined for any other error, which is a server failure.
 */
export function requestErrorOf(error: unknown): GraphQLError | undefined {
  if (error instanceof GraphQLError) return httpOfErrors([error]).status === undefined ? undefined : error;
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  if (error.status < 400 || error.status >= 500) return undefined;
  if (error.status === 413) return requestError('PAYLOAD_TOO_LARGE', 'send less');
  if (error.status === 415) return requestError('UNSUPPORTED_MEDIA_TYPE', error.message);
  return requestError('BAD_REQUEST', error.message);
}
