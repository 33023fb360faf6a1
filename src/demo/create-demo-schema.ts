import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { costTypeDefs } from '../cost/schema/cost-type-defs.js';
import { rateLimitResolvers, rateLimitTypeDefs } from '../protection/answer/rate-limit-numbers.js';
import { createDemoLoaders } from './demo-loaders.js';
import { createDemoResolvers, type DemoContext } from './demo-resolvers.js';
import { DEMO_TYPE_DEFS } from './demo-type-defs.js';
import { createNoteBook } from './note-book.js';
import { createSearch } from './search-world.js';
import { loadWorld } from './world.js';

/**
 * The sample API: the countries of the world, with `@cost` and `@listSize` on everything that has a price. Its
 * resolvers want a context with the members of {@link createDemoContext}; notes saved live in this schema.
 */
export function createDemoSchema(): GraphQLSchema {
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
