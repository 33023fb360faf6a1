import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import type { BenchSubject } from '../decision/workload.js';

/** What a resolver of the sample API gets, and who is asking. */
export interface BenchContext extends ReturnType<typeof createDemoContext> {
  subject: BenchSubject;
}

/** What stands between the sample API and its callers. */
export interface Protection {
  plugins: ApolloServerPlugin<BenchContext>[];
  close(): Promise<unknown>;
}

export type CreateProtection = (schema: GraphQLSchema, redisUrl: string) => Promise<Protection>;

/** Nothing: what the API costs by itself. */
export const unprotected: CreateProtection = async () => ({ plugins: [], close: async () => {} });
