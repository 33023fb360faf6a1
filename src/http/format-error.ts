import type { GraphQLFormattedError } from 'graphql';

/** Suggestions tell strangers the names of a schema: in validation as in variables, where enum values are meant. */
const SUGGESTION = / ?Did you mean [^?]+\?/g;

/**
 * An error as production tells it: without suggestions, and without words about failures that are not the client's. The
 * failures of resolvers that carry a code of their own were meant for him.
 */
export function hideDetails(formatted: GraphQLFormattedError): GraphQLFormattedError {
  if (formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR') {
    return { ...formatted, message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
  }
  return { ...formatted, message: formatted.message.replace(SUGGESTION, '') };
}
