import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type GraphQLSchema, graphql } from 'graphql';
import { afterAll } from 'vitest';
import type { GatewaySettings } from '../../src/gateway/gateway-settings.js';
import type { RefreshOutcome } from '../../src/gateway/schema/open-upstream-schema.js';
import { MAX_FILL_MS } from '../../src/model/limit-parameters.js';
import { loadConfig } from '../../src/server/config/config.js';
import { startGateway } from '../../src/server/start-gateway.js';
import type { StartServerOptions } from '../../src/server/start-server-options.js';
import { copyEmbeddedDatabase } from '../helpers/embedded-folder.js';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { parseSamples, type Samples } from '../helpers/samples.js';
import { freePort } from '../helpers/servers.js';

/** A request as it reached the upstream. */
export interface Reached extends Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method' | 'url'> {
  body: string;
}

export interface UpstreamServer {
  url: string;
  /** Received requests, without introspection. */
  reached: Reached[];
  /** Body of the last request, introspection included. */
  lastBody: string;
  /** Handler that replaces the response. @default the server executes the request */
  behave: RequestListener | undefined;
  /** Returns the number of open connections to the upstream. */
  connections(): Promise<number>;
  /** Makes the upstream unavailable from now on. */
  stop(): Promise<void>;
  /** Makes the upstream available again, at the same address. */
  start(): Promise<void>;
}

export const TYPES = /* GraphQL */ `
  type Query { item: Item, items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]), echo(value: String): String, any: Any }
  type Mutation { save: Item }
  type Subscription { saved: Item, listed(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]), any: Any }
  type Item { name: String }
  union Any = Cheap | Expensive
  type Cheap { list(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]) }
  type Expensive @cost(weight: "50") { one: [Item!]! @listSize(assumedSize: 1) }
  directive @cost(weight: String!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
`;

const schema: GraphQLSchema = makeExecutableSchema({
  typeDefs: TYPES,
  resolvers: {
    Query: {
      item: () => ({ name: 'x' }),
      // Returns half of the requested items.
      items: (_: unknown, { first }: { first: number }) =>
        Array.from({ length: Math.ceil(first / 2) }, () => ({ name: 'x' })),
      echo: (_: unknown, { value }: { value: string }) => value,
      any: () => ({ __typename: 'Cheap', list: [{ name: 'y' }] }),
    },
    Mutation: { save: () => ({ name: 'x' }) },
  },
});

/**
 * Serves a GraphQL API without Tollgate, on `node:http`, and records the requests that reach it.
 */
export async function serveUpstream(): Promise<UpstreamServer> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    upstream.lastBody = body;
    const { headers, rawHeaders, method, url } = request;
    if (!body.includes('__schema')) upstream.reached.push({ headers, rawHeaders, method, url, body });
    if (upstream.behave) return upstream.behave(request, response);
    const { query, variables, operationName } = JSON.parse(body);
    const answer = await graphql({ schema, source: query, variableValues: variables, operationName });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  // The port is no ephemeral port. The system might give an ephemeral port to a connection while the
  // upstream is stopped.
  const port = await freePort();
  const start = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await start();
  const stop = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  afterAll(stop);
  const upstream: UpstreamServer = {
    url: `http://127.0.0.1:${port}/graphql`,
    reached: [],
    lastBody: '',
    behave: undefined,
    connections: () => promisify(server.getConnections.bind(server))(),
    stop,
    start,
  };
  return upstream;
}

export interface OpenGateway {
  url: string;
  adminUrl: string;
  log: string[];
  /** Sends an operation by POST. */
  ask(body: string | Record<string, unknown> | unknown[], headers?: Record<string, string>): Promise<GatewayAnswer>;
  /** Sends an operation to the admin API. Resolves to its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
  admin(query: string): Promise<any>;
  refreshSchema(): Promise<RefreshOutcome>;
  metrics(): Promise<Samples>;
  /** Stops the clock of the circuit breaker, so that no request becomes a probe of an open circuit. */
  freezeCircuit(): void;
  /** Lets the clock of the circuit breaker follow the real time again. */
  thawCircuit(): void;
  /** Stops the gateway before the end of the test. */
  stop(): Promise<void>;
  /** Returns the remaining tokens of the caller at an address. @default the loopback */
  left(ip?: string): Promise<number>;
}

export interface GatewayAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
  body: any;
}

/**
 * Opens a gateway in this process, on an embedded database, in front of an upstream whose schema
 * has prices.
 */
export async function openGateway(
  upstream: string,
  settings: Partial<GatewaySettings> = {},
  env: Record<string, string> = {},
  capacity = 1000,
  rules: StartServerOptions['rules'] = [],
): Promise<OpenGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-gateway-'));
  await copyEmbeddedDatabase(join(folder, 'data', 'postgres'));
  const schemaFile = join(folder, 'schema.graphql');
  writeFileSync(schemaFile, TYPES);
  const log: string[] = [];
  const write = (first: unknown, second?: string) => void log.push(second ?? String(first));
  const config = loadConfig({
    env: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN, TOLLGATE_DATA_DIR: join(folder, 'data'), ...env },
  });
  // The bucket refills one token a day, or more often if it would otherwise take longer to fill
  // than the maximum fill time.
  const refillPeriodMs = Math.min(86_400_000, Math.floor(MAX_FILL_MS / capacity));
  let frozenAtMs: number | undefined;
  const server = await startGateway({
    circuitClock: () => frozenAtMs ?? performance.now(),
    config: { ...config, port: 0, demo: false },
    gateway: {
      upstream,
      schemaFile,
      schemaPollMs: 0,
      observe: false,
      ownAuthorization: undefined,
      upstreamTimeoutMs: 30_000,
      maxUpstreamRequests: 256,
      maxUpstreamSubscriptions: 256,
      maxSocketOperations: 100,
      heartbeatMs: 12_000,
      allowedHeaders: undefined,
      deniedHeaders: [],
      maxReadBytes: 2 ** 20,
      maxHeldBytes: 8 * 2 ** 20,
      ...settings,
    },
    logger: { info: write, warn: write, error: write },
    rules,
    tiers: [{ name: 'free', capacity, refillAmount: 1, refillPeriodMs, answer: 'FULL', isDefault: true }],
  });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= server.stop();
    return stopping;
  };
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${server.port}/graphql`;
  return {
    url,
    adminUrl: `http://127.0.0.1:${server.port}/admin/graphql`,
    log,
    stop,
    async ask(body, headers = {}) {
      const asked = typeof body === 'string' ? { query: body } : body;
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close', ...headers },
        body: JSON.stringify(asked),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
    },
    async admin(query) {
      const response = await fetch(`http://127.0.0.1:${server.port}/admin/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close', authorization: `Bearer ${ADMIN_TOKEN}` },
        body: JSON.stringify({ query }),
      });
      const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
    async metrics() {
      return parseSamples(await (await fetch(new URL('/metrics', url), { headers: { connection: 'close' } })).text());
    },
    freezeCircuit() {
      frozenAtMs = performance.now();
    },
    thawCircuit() {
      frozenAtMs = undefined;
    },
    refreshSchema: () => server.refreshSchema('asked to'),
    async left(ip = '127.0.0.1') {
      const quota = await server.tollgate.quota({ ip });
      return quota.find(({ rule }) => rule.startsWith('tier:'))!.remaining;
    },
  };
}
