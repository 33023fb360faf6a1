import type { RequestListener, ServerResponse } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import fastify from 'fastify';
import { type ExecutionResult, execute, GraphQLError } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import mercurius from 'mercurius';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { answerRejected } from '../../src/any-server/answer-rejected.js';
import type { Protect } from '../../src/any-server/protect.js';
import { createByteRate } from '../../src/gateway/byte-rate.js';
import { createGateway, type GatewayContext, type GatewayOptions } from '../../src/gateway/create-gateway.js';
import { createReadBudget } from '../../src/gateway/upstream/read-budget.js';
import { createUpstream } from '../../src/gateway/upstream/upstream.js';
import { protectHandler } from '../../src/graphql-http/protect-handler.js';
import { markPaid } from '../../src/http/handle-graphql.js';
import type { RejectRequest } from '../../src/http/reject-request.js';
import { protectMercurius } from '../../src/mercurius/protect-mercurius.js';
import { createApp } from '../../src/server/http/create-app.js';
import { createServerMetrics } from '../../src/server/http/server-metrics.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { useTollgate } from '../../src/yoga/use-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { type AdapterContext, describeAdapter } from './contract.js';
import { RUN_IN_UPSTREAM, serveExecutor } from './serve.js';

describeAdapter('Apollo Server', async ({ tollgate, schema }) => {
  const server = new ApolloServer<AdapterContext>({
    schema,
    documentStore: tollgate.documentStore,
    persistedQueries: { cache: tollgate.persistedTexts },
    plugins: [tollgate.plugin({ onAnswered: markPaid })],
    stopOnTerminationSignals: false,
  });
  await server.start();
  const listener = createApp({
    endpoints: [
      {
        path: '/graphql',
        server,
        maxBatchSize: 0,
        reject: (req, errors) =>
          answerRejected(tollgate.protect, { rejection: errors, headers: req.headers, contextValue: { req } }),
        context: async ({ req, res }) => {
          return { req, clientGone: goneSignalOf(res) };
        },
      },
    ],
    metrics: await createServerMetrics(new Registry()),
    notReadyBecause: () => undefined,
    onError: () => {},
  });
  return { listener, close: () => server.stop() };
});

describeAdapter('tollgate.protect behind node:http', async ({ tollgate, schema }) => {
  return {
    async listener(req, res) {
      const signal = goneSignalOf(res);
      let text = '';
      for await (const chunk of req) text += chunk;
      const search = new URL(req.url!, 'http://localhost').searchParams;
      const byGet = { documentId: search.get('documentId'), variables: JSON.parse(search.get('variables') ?? '{}') };
      const given = req.method === 'GET' ? byGet : JSON.parse(text);
      const { query, documentId = given.doc_id, extensions, operationName, variables } = given;
      const contextValue = { req };
      const { headers } = req;
      const request = await tollgate.protect({
        query,
        documentId,
        extensions,
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

describeAdapter('GraphQL Yoga', async ({ tollgate, schema }) => {
  // Imported without its types, which would redefine the extensions of every GraphQLError.
  const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): RequestListener };
  return { listener: createYoga({ schema, plugins: [useTollgate(tollgate)], logging: false }) };
});

describeAdapter('graphql-http', async ({ tollgate, schema }) => ({
  listener: createHandler(protectHandler(tollgate, { schema })),
}));

describeAdapter(
  'Mercurius',
  async ({ tollgate, schema }) => {
    const app = fastify();
    app.register(mercurius, { schema });
    app.register(protectMercurius, { tollgate });
    await app.ready();
    return { listener: app.routing, close: () => app.close() };
  },
  { lacks: { prepared: 'no hook of Mercurius can pass a parsed document to it' } },
);

describeAdapter(
  'tollgate gateway',
  async ({ tollgate, schema }) => {
    const executor = await serveExecutor(schema);
    const upstream = createUpstream({ url: `${executor.url}/`, timeoutMs: PATIENT_MS, maxRequests: 16 });
    const reject: RejectRequest = (_request, errors) =>
      answerRejected(tollgate.protect, { rejection: errors, contextValue: {} });
    const options: GatewayOptions = {
      upstream,
      subscriptions: upstream,
      heartbeatMs: 12_000,
      reject,
      protect: () => tollgate.protect as unknown as Protect<GatewayContext>,
      identify: async () => ({}),
      callerKey: () => '',
      addressOf: () => '127.0.0.1',
      protocolOf: () => 'http' as const,
      headers: {},
      timeoutMs: PATIENT_MS,
      byteRate: createByteRate(undefined),
      budget: createReadBudget({ maxBytes: 1e6, maxBytesEach: 1e6 }),
      maxBatchSize: 0,
      production: false,
      onFailure: () => {},
    };
    const listener = createApp({
      endpoints: [{ path: '/graphql', reject, handle: (onAnswer) => createGateway(options, onAnswer) }],
      metrics: await createServerMetrics(new Registry()),
      notReadyBecause: () => undefined,
      onError: () => {},
    });
    return {
      listener,
      async close() {
        await upstream.close();
        await executor.close();
      },
    };
  },
  { lacks: { resolvers: RUN_IN_UPSTREAM } },
);

it('GraphQL Yoga keeps the status and headers of errors, and a rejected operation costs at most the fee', async () => {
  interface Yoga {
    fetch(url: string, init?: RequestInit): Promise<globalThis.Response>;
  }
  const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): Yoga };
  const http = { status: 409, headers: { 'retry-after': '7' } };
  const schema = makeExecutableSchema({
    typeDefs: 'type Query { item: Int, busy: Int } type Mutation { save: Int }',
    resolvers: {
      Query: {
        item: () => 1,
        busy: () => {
          throw new GraphQLError('busy', { extensions: { http } });
        },
      },
    },
  });
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'ann' }),
    logger: { info() {}, warn() {}, error() {} },
  });
  const protecting = useTollgate(tollgate);
  for (const plugins of [[], [protecting]]) {
    const yoga = createYoga({ schema, plugins, logging: false });
    const mutation = await yoga.fetch('http://yoga/graphql?query=mutation{save}');
    expect(mutation.status).toBe(405);
    expect(mutation.headers.get('allow')).toBe('POST');
    const busy = await yoga.fetch('http://yoga/graphql?query={busy}', { headers: { accept: 'application/json' } });
    expect(busy.headers.get('retry-after')).toBe('7');
    expect(((await busy.json()) as ExecutionResult).errors).toHaveLength(1);
  }
  const [bucket] = await tollgate.quota({ user: 'ann' });
  // The executed fields cost one token, and the rejected mutation costs the fee of one token.
  expect(bucket!.remaining).toBeGreaterThanOrEqual(bucket!.limit - 2);
  await tollgate.close();
});

function goneSignalOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}
