import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { ApolloServer, type ApolloServerOptions } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import { answerRejected } from '../../src/any-server/answer-rejected.js';
import { type GraphqlEndpoint, markPaid } from '../../src/http/handle-graphql.js';
import type { Subject } from '../../src/model/subject.js';
import type { BatchPlace } from '../../src/protection/batch-place.js';
import type { TierInput } from '../../src/rules/policy/parse-policy.js';
import { createApp, type HandlerEndpoint } from '../../src/server/http/create-app.js';
import { listen } from '../../src/server/http/listen.js';
import { createServerMetrics } from '../../src/server/http/server-metrics.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { PATIENT_MS } from './patient.js';
import { uniqueName } from './servers.js';

const DIRECTIVES = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');

/**
 * A schema with a list whose size is an argument, a list whose size is assumed, a field with a
 * weight, and a field that fails.
 */
const SHOP = /* GraphQL */ `
  type Query {
    item: Item
    items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"])
    search(text: String!): [Item!]! @cost(weight: "5") @listSize(assumedSize: 2)
    fails: Item
  }
  type Mutation { save: Item }
  type Item { name: String, parent: Item }
`;
const item = () => ({ name: 'x' });
const SHOP_RESOLVERS: Resolvers = {
  Query: {
    item,
    // Returns half of the requested items.
    items: (_, { first }) => Array.from({ length: Math.ceil(first / 2) }, item),
    search: () => [item()],
    fails: () => {
      throw new GraphQLError('no');
    },
  },
  Mutation: { save: item },
  Item: { parent: () => null },
};

// biome-ignore lint/suspicious/noExplicitAny: the resolvers of a test have the types of its schema.
export type Resolvers = Record<string, Record<string, GraphQLFieldResolver<any, any>>>;

export interface ProtectedApiOptions
  extends Partial<Omit<TollgateOptions<ApiContext>, 'schema' | 'tiers'>>,
    Partial<Pick<TollgateOptions<ApiContext>, 'tiers'>> {
  /**
   * A schema, or its text, to which the cost directives are added. @default a small shop: see
   * SHOP above
   */
  schema?: GraphQLSchema | string;
  /** Resolvers for a schema given as text. */
  resolvers?: Resolvers;
  /** Members of the one tier. Without them it has 100 tokens and no refill while a test runs. */
  tier?: Partial<TierInput>;
  /** Maximum number of operations in a batch. @default 0, none */
  maxBatchSize?: number;
  /** Origins of the pages that may read responses. @default none */
  corsOrigins?: readonly string[];
  /**
   * Returns the subject of a request. `named` is undefined if the request names no user. @default
   * the named user, or the one user of this API
   */
  subjectOf?: (named: string | undefined) => Subject;
  /** Further options of Apollo Server. Its plugins come before Tollgate's. */
  apollo?: Pick<
    ApolloServerOptions<ApiContext>,
    'allowBatchedHttpRequests' | 'formatError' | 'plugins' | 'validationRules'
  >;
  /** Adapter in front of the API. @default Apollo Server with the plugin */
  adapter?: OpenApiAdapter;
}

/** The API that an adapter protects. */
export interface AdaptedApi {
  schema: GraphQLSchema;
  tollgate: Tollgate<ApiContext>;
  senderOf(request: IncomingMessage): Subject;
  maxBatchSize: number;
}

export interface ApiAdapter {
  server?: ApolloServer<ApiContext>;
  /** Members of an endpoint, without those that are the same for every adapter. */
  endpoint: Omit<GraphqlEndpoint<ApiContext>, keyof CommonEndpoint> | Omit<HandlerEndpoint, keyof CommonEndpoint>;
  close(): Promise<void>;
}

type CommonEndpoint = Pick<HandlerEndpoint, 'path' | 'corsOrigins' | 'reject'>;
export type OpenApiAdapter = (behind: AdaptedApi) => Promise<ApiAdapter>;

export interface ApiContext {
  subject: Subject;
  /** Signal that is aborted when the client disconnects before its response. */
  clientGone?: AbortSignal;
  /** Position of the operation in its batch. */
  batchPlace?: BatchPlace;
  payment?: { isPaid: boolean };
}

export interface Request {
  variables?: unknown;
  operationName?: unknown;
  extensions?: unknown;
  headers?: Record<string, string>;
  /** User of the request. @default the one user of this API */
  as?: string;
}

/** One response, with the parts that tests check. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
  body: any;
  /** `data` of the body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
  data: any;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[] | undefined;
  /** `extensions.cost`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
  cost: any;
}

export interface ProtectedApi {
  /** Posts a query, or other JSON, such as a batch. */
  ask(query: string | object, request?: Request): Promise<ApiAnswer>;
  /** Returns the remaining tokens in the bucket of a user. @default the one user of this API */
  left(user?: string): Promise<number>;
  /**
   * Returns the amount that a user has used of a rule, or of a tier (`tier:` and its name). Returns
   * undefined if the rule does not limit the user.
   */
  used(rule: string, user?: string): Promise<number | undefined>;
  /** Returns the number of calls of the resolvers of this schema. */
  resolved(): number;
  /** Returns the number of clients that disconnected before their response. */
  departed(): number;
  /** Logged warnings. */
  warnings: string[];
  url: string;
  port: number;
  schema: GraphQLSchema;
  tollgate: Tollgate<ApiContext>;
  /** The Apollo Server. Undefined with another adapter. */
  server: ApolloServer<ApiContext> | undefined;
  /** User of the requests that name no user. */
  user: string;
  /**
   * Closes the API. It is called at the end of the test that created it. An API that is created in
   * `beforeAll` must be closed explicitly.
   */
  close(): Promise<void>;
}

/** Serves a protected API through the platform's HTTP layer, on a free loopback port. */
export async function protectedApi(options: ProtectedApiOptions = {}): Promise<ProtectedApi> {
  const user = uniqueName('user');
  const {
    schema: given = SHOP,
    resolvers = given === SHOP ? SHOP_RESOLVERS : {},
    tier = {},
    maxBatchSize = 0,
    corsOrigins = [],
    apollo = {},
    subjectOf = (named) => ({ user: named ?? user }),
    adapter = createApolloAdapter(apollo),
    ...rest
  } = options;
  const schema = typeof given === 'string' ? makeExecutableSchema({ typeDefs: [DIRECTIVES, given], resolvers }) : given;
  const runs = countRuns(schema);
  let departed = 0;
  const warnings: string[] = [];
  const tollgate = await createTollgate<ApiContext>({
    schema,
    identify: ({ contextValue }) => contextValue.subject,
    abortSignal: ({ clientGone }) => clientGone,
    batchPlace: ({ batchPlace }) => batchPlace,
    // The period is so long that no token is refilled while a test runs.
    tiers: [
      {
        name: 'free',
        capacity: 100,
        refillAmount: 1,
        refillPeriodMs: 86_400_000,
        answer: 'FULL',
        isDefault: true,
        ...tier,
      },
    ],
    logger: { info() {}, warn: (message: string) => void warnings.push(message), error() {} },
    deadlineMs: PATIENT_MS,
    ...rest,
  });
  const { server, endpoint, close: closeAdapter } = await adapter({ schema, tollgate, senderOf, maxBatchSize });
  const app = createApp({
    endpoints: [
      {
        path: '/graphql',
        corsOrigins,
        reject: (request, errors) =>
          answerRejected(tollgate.protect, {
            rejection: errors,
            headers: request.headers,
            contextValue: { subject: senderOf(request) },
          }),
        ...endpoint,
      },
    ],
    metrics: await createServerMetrics(new Registry()),
    notReadyBecause: () => undefined,
    onError: () => {},
  });
  const handler: RequestListener = (request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) departed++;
    });
    app(request, response);
  };
  const { port, stop } = await listen({ handler, host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${port}/graphql`;

  function senderOf({ headers }: IncomingMessage): Subject {
    const named = headers['x-user'];
    return subjectOf(typeof named === 'string' ? decodeURIComponent(named) : undefined);
  }

  let closed: Promise<void> | undefined;
  async function end(): Promise<void> {
    await stop(0);
    await closeAdapter();
    await tollgate.close();
  }
  const close = () => {
    closed ??= end();
    return closed;
  };
  try {
    onTestFinished(close);
  } catch {
    // There is no current test if a hook creates the API for several tests.
  }

  return {
    async ask(query, { as = user, headers, ...rest } = {}) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': encodeURIComponent(as), ...headers },
        body: JSON.stringify(typeof query === 'string' ? { query, ...rest } : query),
      });
      const text = await response.text();
      const body = text === '' ? undefined : JSON.parse(text);
      const { data, errors, extensions } = body ?? {};
      return { status: response.status, headers: response.headers, body, data, errors, cost: extensions?.cost };
    },
    async left(whose = user) {
      return (await tollgate.quota({ user: whose })).find(({ rule }) => rule.startsWith('tier:'))!.remaining;
    },
    async used(rule, whose = user) {
      return (await tollgate.quota({ user: whose })).find((entry) => entry.rule === rule)?.used;
    },
    resolved: () => runs.count,
    departed: () => departed,
    warnings,
    url,
    port,
    schema,
    tollgate,
    server,
    user,
    close,
  };
}

function createApolloAdapter(apollo: NonNullable<ProtectedApiOptions['apollo']>): OpenApiAdapter {
  return async ({ schema, tollgate, senderOf, maxBatchSize }) => {
    const server = new ApolloServer<ApiContext>({
      schema,
      includeStacktraceInErrorResponses: false,
      stopOnTerminationSignals: false,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      ...apollo,
      plugins: [...(apollo.plugins ?? []), tollgate.plugin({ onAnswered: markPaid })],
    });
    await server.start();
    return {
      server,
      endpoint: {
        server,
        maxBatchSize,
        context: async ({ req, res }): Promise<ApiContext> => {
          const gone = new AbortController();
          res.once('close', () => {
            if (!res.writableFinished) gone.abort();
          });
          return { subject: senderOf(req), clientGone: gone.signal };
        },
      },
      close: () => server.stop(),
    };
  };
}

const counted = new WeakMap<GraphQLSchema, { count: number }>();

/** Counts the calls of the resolvers that the schema has before the server wraps them. */
function countRuns(schema: GraphQLSchema): { count: number } {
  const runs = counted.get(schema) ?? { count: 0 };
  if (counted.has(schema)) return runs;
  counted.set(schema, runs);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve) continue;
      field.resolve = (...args) => {
        runs.count++;
        return resolve(...args);
      };
    }
  }
  return runs;
}
