import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Answer } from '../protection/answer/answer-of.js';

/**
 * Converts a response to an execution result whose errors are `GraphQLError` objects. WebSocket
 * servers call `toJSON` of each error, and close the connection if that method is missing.
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
