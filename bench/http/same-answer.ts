import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import { subjectOf } from '../decision/workload.js';
import { OPERATIONS } from './operations.js';
import type { BenchContext, CreateProtection } from './protection.js';
import { tollgateInMemory } from './tollgate.js';

/**
 * Adds the recorded headers and extensions of one response of Tollgate to every response. It
 * measures only the cost of the longer responses.
 */
export const sameAnswer: CreateProtection = async (schema, redisUrl) => {
  const { extensions, headers } = await oneAnswer(schema, redisUrl);
  const plugin: ApolloServerPlugin<BenchContext> = {
    async requestDidStart() {
      return {
        async willSendResponse({ response }) {
          if (response.body.kind !== 'single') return;
          response.body.singleResult.extensions = { ...extensions };
          for (const [name, value] of headers) response.http.headers.set(name, value);
        },
      };
    },
  };
  return { plugins: [plugin], close: async () => {} };
};

async function oneAnswer(schema: GraphQLSchema, redisUrl: string) {
  const { plugins, close } = await tollgateInMemory(schema, redisUrl);
  const server = new ApolloServer<BenchContext>({ schema, plugins });
  const { query, variables } = OPERATIONS.typical;
  const contextValue = { ...createDemoContext(), subject: subjectOf(0) };
  const { body, http } = await server.executeOperation({ query, variables: variables(0) }, { contextValue });
  await server.stop();
  await close();
  if (body.kind !== 'single' || !body.singleResult.extensions)
    throw new Error(`the response has no extensions: ${JSON.stringify(body)}`);
  return { extensions: body.singleResult.extensions, headers: [...http.headers] };
}
