import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApolloServer } from '@apollo/server';
import express, { type RequestHandler } from 'express';
import { type ExecutionResult, type GraphQLSchema, getOperationAST, parse, subscribe } from 'graphql';
import { useServer as serveOperations } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { createSecureApp } from '../../../http/create-secure-app.js';
import { type GraphqlEndpoint, handleGraphql } from '../../../http/handle-graphql.js';
import { listen } from '../../http/listen.js';

type ContextOf = (request: IncomingMessage) => object | Promise<object>;

/**
 * Serves an API without limits as the upstream of the gateway in the same process. It listens on a
 * free port of the loopback. Subscriptions are served as server-sent events and over WebSockets.
 */
export async function serveSample(
  schema: GraphQLSchema,
  context: ContextOf,
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
    sendEvents(schema, context),
    handleGraphql(endpoint, () => {}),
  );
  const sockets = new WebSocketServer({ noServer: true });
  serveOperations({ schema, context: ({ extra }) => context(extra.request) }, sockets);
  const server = await listen({
    handler: app,
    host: '127.0.0.1',
    port: 0,
    upgrade(request, socket, head) {
      sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}${endpoint.path}`,
    async close() {
      // Do not wait for requests: the gateway, which is the only client, has already stopped.
      await server.stop(0);
      await api.stop();
    },
  };
}

/** Returns a handler that answers subscriptions with server-sent events. The gateway has checked their documents. */
function sendEvents(schema: GraphQLSchema, context: ContextOf): RequestHandler {
  return async (request, response, next) => {
    const { query, variables, operationName } = request.body ?? {};
    if (typeof query !== 'string' || !request.accepts('text/event-stream')) return next();
    const document = parse(query);
    if (getOperationAST(document, operationName)?.operation !== 'subscription') return next();
    const contextValue = await context(request);
    const events = await subscribe({ schema, document, operationName, variableValues: variables, contextValue });
    if (!(Symbol.asyncIterator in events)) return void response.json(events);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    response.once('close', () => void events.return());
    await pipeline(Readable.from(textsOf(events)), response).catch(() => {});
  };
}

async function* textsOf(events: AsyncIterable<ExecutionResult>): AsyncGenerator<string> {
  for await (const event of events) yield `event: next\ndata: ${JSON.stringify(event)}\n\n`;
  yield 'event: complete\ndata:\n\n';
}
