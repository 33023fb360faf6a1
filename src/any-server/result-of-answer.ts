import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Answer } from '../protection/answer/answer-of.js';

/**
 * Converts an answer to the result of an execution, with errors of graphql-js. WebSocket servers
 * call `toJSON` of each error, and close the connection if it is missing.
 */
export function resultOfAnswer({ body: { errors = [], data, extensions } }: Answer): ExecutionResult {
  return {
    ...(errors.length > 0 && {
      errors: errors.map((error) => new GraphQLError(error.message, { extensions: error.extensions ?? null })),
    }),
    ...(data !== undefined && { data: data as ExecutionResult['data'] & object }),
    ...(extensions && { extensions }),
  };
}
