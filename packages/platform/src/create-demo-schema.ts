import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { createDemoLoaders } from './demo-loaders.js';
import { createDemoResolvers, type DemoContext } from './demo-resolvers.js';
import { DEMO_TYPE_DEFS } from './demo-type-defs.js';
import { createNoteBook } from './note-book.js';
import { createSearch } from './search-world.js';
import { loadWorld } from './world.js';

/**
 * The parts of `tollgate` and `tollgate/cost` that the schema needs. They are parameters, because
 * Tollgate loads this module. The module must therefore not import Tollgate at run time.
 */
export interface TollgateSchemaParts {
  /** Definitions of the directives. */
  readonly costTypeDefs: string;
  readonly rateLimitTypeDefs: string;
  readonly rateLimitResolvers: Readonly<
    Record<string, Record<string, (source: unknown, args: unknown, context: object) => unknown>>
  >;
}

/**
 * Creates the sample API: the countries of the world, with `@listSize` on all lists and `@cost` on
 * expensive fields. Its resolvers need a context with the members of {@link createDemoContext}.
 * Saved notes are stored in memory, separately for each schema.
 */
export function createDemoSchema({
  costTypeDefs,
  rateLimitTypeDefs,
  rateLimitResolvers,
}: TollgateSchemaParts): GraphQLSchema {
  const world = loadWorld();
  return makeExecutableSchema<DemoContext>({
    typeDefs: [costTypeDefs, DEMO_TYPE_DEFS, rateLimitTypeDefs],
    resolvers: [
      createDemoResolvers({ world, notes: createNoteBook(), search: createSearch(world) }),
      rateLimitResolvers,
    ],
  });
}

/**
 * Creates the context members of one request of the sample API: its own loaders. Spread them into
 * the server's context.
 */
export function createDemoContext(): DemoContext {
  return { loaders: createDemoLoaders(loadWorld()) };
}
