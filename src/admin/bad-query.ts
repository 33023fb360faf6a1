import { GraphQLError } from 'graphql';
import { ERRORS } from '../errors.js';

/** A query that cannot be answered, whatever is stored. */
export function badQuery(message: string): GraphQLError {
  const { status } = ERRORS.BAD_USER_INPUT;
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status } } });
}
