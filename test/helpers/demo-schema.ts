import type { GraphQLSchema } from 'graphql';
import { createDemoSchema as createSchema } from '../../packages/platform/src/create-demo-schema.js';
import { costTypeDefs } from '../../src/cost/schema/cost-type-defs.js';
import { rateLimitResolvers, rateLimitTypeDefs } from '../../src/protection/answer/rate-limit-numbers.js';

/** Returns the schema of the sample API, with the parts that Tollgate adds. */
export function createDemoSchema(): GraphQLSchema {
  return createSchema({ costTypeDefs, rateLimitTypeDefs, rateLimitResolvers });
}
