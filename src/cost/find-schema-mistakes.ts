import { isSchema } from 'graphql';
import { describeValue } from '../options/describe-value.js';

/**
 * Returns a list with one message if a value that was passed as a schema is not a GraphQLSchema.
 * The message includes what to pass instead. Returns an empty list for a GraphQLSchema.
 */
export function findSchemaMistakes(value: unknown, place: string): string[] {
  let isOne = false;
  try {
    isOne = isSchema(value);
  } catch {
    // Outside production, `isSchema` throws for a schema from another copy of the package.
  }
  return isOne ? [] : [`${place}: expected a GraphQLSchema, got ${whatCame(value)}`];
}

const OF_ANOTHER_COPY =
  'one of another copy of the package graphql: keep only one of the copies that "npm ls graphql" lists. If it lists only one, Vitest or a bundler ' +
  'loads both of its builds: resolve graphql to graphql/index.js (docs/troubleshooting.md)';
const MAKE = 'makeExecutableSchema({ typeDefs, resolvers }) of @graphql-tools/schema';

function whatCame(value: unknown): string {
  if (typeof value === 'string') {
    return `a string: pass ${MAKE}, or buildSchema(text) of graphql if it needs no resolvers`;
  }
  if (typeof value !== 'object' || value === null) {
    return `${describeValue(value)}: pass the schema that your server runs, such as ${MAKE}`;
  }
  const { kind, typeDefs, constructor: maker, then } = value as Record<string, unknown>;
  if (kind === 'Document') return `a parsed document: pass ${MAKE}, or buildASTSchema(document) of graphql`;
  if (typeDefs !== undefined) return `type definitions: pass ${MAKE}`;
  if (Array.isArray(value)) return `a list: pass ${MAKE}, which takes a list of typeDefs`;
  if (typeof then === 'function') return 'a Promise: await it';
  if ((maker as { name?: unknown } | undefined)?.name === 'GraphQLSchema') {
    return OF_ANOTHER_COPY;
  }
  return `${describeValue(value)}: pass the schema that your server runs, such as ${MAKE}`;
}
