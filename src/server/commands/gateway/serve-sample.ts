import type { IncomingMessage } from 'node:http';
import { ApolloServer } from '@apollo/server';
import express from 'express';
import type { GraphQLSchema } from 'graphql';
import { createSecureApp } from '../../../http/create-secure-app.js';
import { type GraphqlEndpoint, handleGraphql } from '../../../http/handle-graphql.js';
import { listen } from '../../http/listen.js';

/**
 * Serves an API without limits as the upstream of the gateway in the same process. It listens on a
 * free port of the loopback.
 */
export async function serveSample(
  schema: GraphQLSchema,
  context: (request: IncomingMessage) => object | Promise<object>,
): Promise<{ url: string; close(): Promise<void> }> {
  const api = new ApolloServer({ schema, introspection: true, stopOnTerminationSignals: false });
  await api.start();
  const endpoint: GraphqlEndpoint<object> = {
    path: '/graphql',
    server: api,
    context: async ({ req }) => context(req),
  };
  const app = createSecureApp();
  app.use(
    endpoint.path,
    express.json(),
    handleGraphql(endpoint, () => {}),
  );
  const server = await listen({ handler: app, host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${server.port}${endpoint.path}`,
    async close() {
      // Do not wait for requests: the gateway, which is the only client, has already stopped.
      await server.stop(0);
      await api.stop();
    },
  };
}
