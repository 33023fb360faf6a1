import type { IncomingMessage } from 'node:http';
import { ApolloServer } from '@apollo/server';
import type { RequestHandler } from 'express';
import { execute, type GraphQLSchema } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import { readBody } from '../../src/gateway/graphql-request.js';
import { protectHandler } from '../../src/graphql-http/protect-handler.js';
import { writeAnswer } from '../../src/http/write-answer.js';
import { createTollgate } from '../../src/index.js';
import { listen } from '../../src/server/http/listen.js';
import { createDemoSchema } from '../../test/helpers/demo-schema.js';
import { subjectOf } from '../decision/workload.js';
import type { BenchContext } from '../http/protection.js';
import { serveApi } from '../http/serve-api.js';
import { serveEndpoint } from '../http/serve-endpoint.js';
import { benchPolicy } from '../http/tollgate.js';

export interface StartedServer {
  url: string;
  close(): Promise<void>;
}

const contextOf = ({ headers }: Pick<IncomingMessage, 'headers'>): BenchContext => ({
  ...createDemoContext(),
  subject: subjectOf(Number(headers['x-caller'])),
});

/** @param postgres URL of the database with the registered documents, if there are any */
export function protect(schema: GraphQLSchema, postgres?: string) {
  return createTollgate<BenchContext>({
    schema,
    // If the subject has a tier, the caller is not looked up in PostgreSQL.
    identify: ({ contextValue: { subject } }) => (postgres === undefined ? subject : { ...subject, tier: 'bench' }),
    ...benchPolicy(),
    // The bench of documents needs no other limit than the bucket of the tier.
    ...(postgres !== undefined && { postgres, usage: false as const, rules: [] }),
  });
}

/** Starts Apollo Server with the plugin, in the HTTP server of the platform. */
export async function startApollo(postgres?: string): Promise<StartedServer> {
  const schema = createDemoSchema();
  const tollgate = await protect(schema, postgres);
  const { documentStore } = tollgate;
  const server = new ApolloServer<BenchContext>({ schema, documentStore, plugins: [tollgate.plugin()] });
  await server.start();
  const { url, stop } = await serveApi(server);
  return {
    url,
    async close() {
      await stop();
      await server.stop();
      await tollgate.close();
    },
  };
}

/** Starts graphql-js with `protect`, in the HTTP server of the platform. */
export async function startProtect(postgres?: string): Promise<StartedServer> {
  const schema = createDemoSchema();
  const tollgate = await protect(schema, postgres);
  const handle =
    (onAnswer: (status: number) => void): RequestHandler =>
    async (request, response) => {
      const gone = new AbortController();
      response.once('close', () => {
        if (!response.writableFinished) gone.abort();
      });
      const { query, documentId, operationName, variables: variableValues } = readBody(request.body);
      const contextValue = contextOf(request);
      const operation = await tollgate.protect({
        query: query as string,
        documentId: documentId as string,
        operationName,
        variables: variableValues as Readonly<Record<string, unknown>> | undefined,
        headers: request.headers,
        contextValue,
        signal: gone.signal,
      });
      const args = {
        schema,
        contextValue,
        operationName,
        variableValues: variableValues as Readonly<Record<string, unknown>> | undefined,
      };
      const { status, headers, body } = operation.admitted
        ? await operation.run((document) => execute({ ...args, document }))
        : operation.answer;
      onAnswer(status);
      await writeAnswer(response, { status, headers: Object.entries(headers), body: JSON.stringify(body) });
    };
  const { url, stop } = await serveEndpoint({ path: '/graphql', handle });
  return {
    url,
    async close() {
      await stop();
      await tollgate.close();
    },
  };
}

/** Starts graphql-http with `protectHandler`, in an HTTP server of Node. */
export async function startGraphqlHttp(): Promise<StartedServer> {
  const schema = createDemoSchema();
  const tollgate = await protect(schema);
  const context = ({ raw }: { raw: IncomingMessage }) => ({ ...contextOf(raw) });
  const handler = createHandler(protectHandler(tollgate, { schema, context }));
  const { port, stop } = await listen({
    handler: (request, response) => void handler(request, response),
    host: '127.0.0.1',
    port: 0,
  });
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    async close() {
      await stop(1000);
      await tollgate.close();
    },
  };
}
