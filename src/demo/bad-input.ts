import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../errors.js';

/** An argument that no resolver can work with: names the argument, what was expected, and what came. */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' satisfies ErrorCode } });
}
