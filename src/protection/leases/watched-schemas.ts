import type { GraphQLSchema } from 'graphql';

/**
 * Those whose fields have all been given a resolver, which says when it begins and ends. What executes such a schema knows of no field any more that it
 * has none: what it was given for these has to be found by the context.
 */
export const watchedSchemas = new WeakSet<GraphQLSchema>();
