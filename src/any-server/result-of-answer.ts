import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Answer } from '../protection/answer/answer-of.js';

/**
 * An answer as the result of an execution, with errors as graphql-js makes them: servers of WebSockets ask each for its `toJSON`, and end the
 * connection where it has none.
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
