import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { createDemoLoaders } from './demo-loaders.js';
import { createDemoResolvers, type DemoContext } from './demo-resolvers.js';
import { DEMO_TYPE_DEFS } from './demo-type-defs.js';
import { createNoteBook } from './note-book.js';
import { createSearch } from './search-world.js';
import { loadWorld } from './world.js';

/** What a schema takes from `tollgate` and `tollgate/cost`: this package is loaded by Tollgate, and loads none of it. */
export interface TollgateSchemaParts {
  /** The directives. */
  readonly costTypeDefs: string;
  readonly rateLimitTypeDefs: string;
  readonly rateLimitResolvers: Readonly<
    Record<string, Record<string, (source: unknown, args: unknown, context: object) => unknown>>
  >;
}

/**
 * The sample API: the countries of the world, with `@cost` and `@listSize` on everything that has a price. Its
 * resolvers want a context with the members of {@link createDemoContext}; notes saved live in this schema.
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

/** What one request of the sample API needs: loaders of its own. Spread it into the server's context. */
export function createDemoContext(): DemoContext {
  return { loaders: createDemoLoaders(loadWorld()) };
}
