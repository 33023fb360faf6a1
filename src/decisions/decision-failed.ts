import { GraphQLError } from 'graphql';
import { httpOfErrors } from '../protection/answer/http-of-errors.js';

/** Creates the error of a failure without a known cause. Status 503: the request may be repeated. */
export function decisionFailed(): GraphQLError {
  const http = { status: 503, headers: new Map([['retry-after', '1']]) };
  return new GraphQLError('The decision failed', { extensions: { code: 'INTERNAL_SERVER_ERROR', http } });
}

/** Returns whether the server caused an error, so that its caller pays no fee. */
export function isServerFailure(error: GraphQLError): boolean {
  return (httpOfErrors([error]).status ?? 0) >= 500;
}
