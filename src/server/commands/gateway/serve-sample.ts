import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloServer } from '@apollo/server';
import express from 'express';
import type { GraphQLSchema } from 'graphql';
import { createSecureApp } from '../../../http/create-secure-app.js';
import { type GraphqlEndpoint, handleGraphql } from '../../../http/graphql-handler.js';

/** Serves an API for the gateway beside it, at the loopback and at a free port, without limits. */
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
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${endpoint.path}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await api.stop();
    },
  };
}
