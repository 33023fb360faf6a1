import type { RequestListener, ServerResponse } from 'node:http';
import { ApolloServer } from '@apollo/server';
import fastify from 'fastify';
import { type ExecutionResult, execute } from 'graphql';
import type { Response } from 'graphql-http';
import { createHandler } from 'graphql-http/lib/use/http';
import mercurius from 'mercurius';
import { Registry } from 'prom-client';
import type { Answer } from '../../src/any-server/answer-of.js';
import type { AdmittedRequest } from '../../src/any-server/protect.js';
import { protectMercurius } from '../../src/mercurius/protect-mercurius.js';
import { createApp } from '../../src/server/http/create-app.js';
import { createServerMetrics } from '../../src/server/server-metrics.js';
import { useTollgate } from '../../src/yoga/use-tollgate.js';
import { type DoorContext, describeDoor } from './contract.js';

describeDoor('Apollo Server', async ({ tollgate, schema }) => {
  const server = new ApolloServer<DoorContext>({
    schema,
    documentStore: tollgate.documentStore,
    plugins: [tollgate.plugin()],
    stopOnTerminationSignals: false,
  });
  await server.start();
  const listener = createApp({
    endpoints: [
      {
        path: '/graphql',
        server,
        maxBatchSize: 0,
        chargeFee: async () => tollgate.chargeFee({ user: 'nobody' }),
        context: async ({ req, res }) => {
          return { req, clientGone: goneSignalOf(res) };
        },
      },
    ],
    metrics: createServerMetrics(new Registry()),
    notReadyBecause: () => undefined,
    onError: () => {},
  });
  return { listener, close: () => server.stop() };
});

describeDoor('tollgate.protect behind node:http', async ({ tollgate, schema }) => {
  return {
    async listener(req, res) {
      const signal = goneSignalOf(res);
      let text = '';
      for await (const chunk of req) text += chunk;
      const { query, operationName, variables } = JSON.parse(text);
      const contextValue = { req };
      const { headers } = req;
      const request = await tollgate.protect({
        query,
        operationName,
        variables,
        headers,
        contextValue,
        signal,
      });
      const answer = request.admitted
        ? await request.run(
            (document) =>
              execute({ schema, document, operationName, contextValue, variableValues: variables }) as never,
          )
        : request.answer;
      res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      res.end(JSON.stringify(answer.body));
    },
  };
});

describeDoor('GraphQL Yoga', async ({ tollgate, schema }) => {
  // Without its types: they say of every GraphQLError of a program what its extensions are.
  const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): RequestListener };
  return { listener: createYoga({ schema, plugins: [useTollgate(tollgate)], logging: false }) };
});

describeDoor('graphql-http', async ({ tollgate, schema }) => {
  const admitted = new WeakMap<object, AdmittedRequest>();
  const responseOf = ({ status, headers, body }: Answer): Response => [
    JSON.stringify(body),
    { status, statusText: '', headers: { 'content-type': 'application/json', ...headers } },
  ];
  const listener = createHandler({
    schema,
    async onSubscribe(req, { query, operationName, variables }) {
      const { headers } = req.raw;
      const contextValue = { req: req.raw };
      const signal = goneSignalOf(req.context.res);
      const request = await tollgate.protect({ query, operationName, variables, headers, contextValue, signal });
      if (!request.admitted) return responseOf(request.answer);
      const args = { schema, document: request.start(), operationName, variableValues: variables, contextValue };
      admitted.set(args, request);
      return args;
    },
    async onOperation(_req, args, result) {
      return responseOf(await admitted.get(args)!.finish(result as ExecutionResult));
    },
  });
  return { listener };
});

describeDoor('Mercurius', async ({ tollgate, schema }) => {
  const app = fastify();
  app.register(mercurius, { schema });
  app.register(protectMercurius, { tollgate });
  await app.ready();
  return { listener: app.routing, close: () => app.close() };
});

function goneSignalOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}
