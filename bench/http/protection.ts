import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import type { BenchSubject } from '../decision/workload.js';

/** Context of the sample API's resolvers, with the caller. */
export interface BenchContext extends ReturnType<typeof createDemoContext> {
  subject: BenchSubject;
}

/** A protection between the sample API and its callers. */
export interface Protection {
  plugins: ApolloServerPlugin<BenchContext>[];
  close(): Promise<unknown>;
}

export type CreateProtection = (schema: GraphQLSchema, redisUrl: string) => Promise<Protection>;

/** Provides no protection, to measure the cost of the API alone. */
export const unprotected: CreateProtection = async () => ({ plugins: [], close: async () => {} });
