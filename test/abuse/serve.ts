import { ApolloServer } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { Registry } from 'prom-client';
import { expect, inject, type TestContext } from 'vitest';
import { createTollgate, type TollgateOptions } from '../../src/create-tollgate.js';
import type { Subject } from '../../src/model/subject.js';
import type { BatchPlace } from '../../src/protection/batch.js';
import { createApp } from '../../src/server/http/create-app.js';
import { listen } from '../../src/server/http/listen.js';
import { createServerMetrics } from '../../src/server/server-metrics.js';
import { createReference } from '../cost/reference/reference-cost.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { uniqueName } from '../helpers/servers.js';

/** Where the counters are: the suite is run on each. */
export const STACKS = [
  { stack: 'in memory', redis: () => undefined },
  { stack: 'on Redis', redis: () => inject('redisUrl') as string | undefined },
] as const;

const TYPES = /* GraphQL */ `
  directive @cost(weight: String!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!],
    requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
  type Query {
    item: Item
    items(first: Int = 10): [Item!]! @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)
    plain(first: Int): [Item!]! @listSize(slicingArguments: ["first"], assumedSize: 7, requireOneSlicingArgument: false)
    either(first: Int, last: Int): [Item!]! @listSize(slicingArguments: ["first", "last"])
    paged(page: Page): [Item!]! @listSize(slicingArguments: ["page.size"], assumedSize: 9, requireOneSlicingArgument: false)
    found: [Found!]! @listSize(assumedSize: 5)
    shelf: [Found!]! @listSize(assumedSize: 4)
    node: Node
    fails: Item
    refuses: Item!
    slow: Item
    constructor: Item
    toString: Item
    hasOwnProperty(valueOf: Int): Item
    f0: Item f1: Item f2: Item f3: Item f4: Item
  }
  input Page { size: Int, next: Page }
  type Mutation { login(password: String!): Item }
  interface Node { id: ID, weighty: Item }
  type Item implements Node { id: ID, name: String, parent: Item, children(first: Int = 3): [Item!]! @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false), weighty: Item }
  type Book implements Node @cost(weight: "4") { id: ID, title: String, kind: String!, pages: [Item!]! @listSize(assumedSize: 6), weighty: Item @cost(weight: "50") }
  union Found = Item | Book
`;

/** What a test sends: a body as JSON, or any request at all. */
export interface Attempt {
  query?: string | undefined;
  variables?: unknown;
  operationName?: unknown;
  extensions?: unknown;
  headers?: Record<string, string>;
  /** Instead of all above. */
  raw?: RequestInit & { search?: string };
}

export interface AbuseAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever was asked for.
  body: any;
}

interface AbuseContext {
  subject: Subject;
  clientGone: AbortSignal;
  batchPlace?: BatchPlace;
}

export interface AbuseApi {
  url: string;
  port: number;
  schema: GraphQLSchema;
  tollgate: Awaited<ReturnType<typeof createTollgate<AbuseContext>>>;
  user: string;
  /** How many resolvers that return objects have run. */
  resolved(): number;
  /** How many operations were decided. */
  decided(): number;
  /** How many clients have left before their answer. */
  departed(): number;
  /** How many resolvers of the field `slow` are waiting to be released. */
  waiting(): number;
  /** Lets all resolvers of `slow` that are waiting go on. */
  release(): void;
  /** Tokens left in the bucket of a user. */
  left(user?: string): Promise<number>;
  /**
   * Sends a request and checks what holds of every answer: it is 2xx or 4xx; no operation is priced below what brute
   * force finds; one that was refused has run no resolver and has moved no counter but the fee's.
   */
  attempt(attempt: Attempt, user?: string): Promise<AbuseAnswer>;
  /** Sends a request beside others: what it took and ran cannot be told from theirs, so only the status is checked. */
  attemptConcurrently(attempt: Attempt, user?: string): Promise<AbuseAnswer>;
  close(): Promise<void>;
}

export interface AbuseOptions extends Partial<Omit<TollgateOptions<AbuseContext>, 'schema'>> {
  capacity?: number;
  maxBatchSize?: number;
}

/** The platform's HTTP layer and plugin before an API made for attacks, on a free port of loopback. */
export async function serveAbuseApi({
  capacity = 1_000_000,
  maxBatchSize = 0,
  ...options
}: AbuseOptions): Promise<AbuseApi> {
  let resolved = 0;
  let decided = 0;
  let departed = 0;
  const item = () => {
    resolved++;
    return { __typename: 'Item', id: '1', name: 'x' };
  };
  const book = () => {
    resolved++;
    // What it says of itself is not what it is.
    return { __typename: 'Book', id: '2', title: 'y', kind: 'Item' };
  };
  const waiting: (() => void)[] = [];
  const release = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const some = (size: number) => Array.from({ length: Math.min(size, 10) }, item);
  const Query = {
    items: (_: unknown, { first }: { first: number | null }) => some(Math.max(0, first ?? 10)),
    plain: () => some(1),
    either: () => some(1),
    paged: () => some(1),
    found: () => some(2),
    shelf: () => [book(), item(), book()],
    slow: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return item();
    },
    // Later than at once: else execution would wait for what runs beside it.
    refuses: async () => {
      throw new GraphQLError('no');
    },
    fails: () => {
      resolved++;
      throw new GraphQLError('no');
    },
  };
  const plainFields = ['item', 'node', 'constructor', 'toString', 'hasOwnProperty', 'f0', 'f1', 'f2', 'f3', 'f4'];
  const schema = makeExecutableSchema({
    typeDefs: TYPES,
    resolvers: {
      Query: { ...Query, ...Object.fromEntries(plainFields.map((name) => [name, item])) },
      Mutation: { login: item },
      Item: { parent: item, children: () => some(2), weighty: item },
      Book: { pages: () => some(3), weighty: item },
    },
  });
  const user = uniqueName('user');
  const tollgate = await createTollgate<AbuseContext>({
    schema,
    identify: ({ contextValue }) => contextValue.subject,
    abortSignal: ({ clientGone }) => clientGone,
    batchPlace: ({ batchPlace }) => batchPlace,
    onDecision: () => {
      decided++;
    },
    // A period so long that nothing comes back while a test runs.
    tiers: [{ name: 'free', capacity, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: { info() {}, warn() {}, error() {} },
    deadlineMs: PATIENT_MS,
    ...options,
  });
  const subjectOf = (header: string | string[] | undefined): Subject =>
    typeof header === 'string' ? { user: decodeURIComponent(header) } : { ip: '127.0.0.1' };
  const server = new ApolloServer<AbuseContext>({
    schema,
    plugins: [tollgate.plugin()],
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  await server.start();
  const handler = createApp({
    endpoints: [
      {
        path: '/graphql',
        server,
        maxBatchSize,
        chargeFee: (request) => tollgate.chargeFee(subjectOf(request.headers['x-user'])),
        context: async ({ req, res }): Promise<AbuseContext> => {
          const gone = new AbortController();
          res.once('close', () => {
            if (res.writableFinished) return;
            departed++;
            gone.abort();
          });
          return { subject: subjectOf(req.headers['x-user']), clientGone: gone.signal };
        },
      },
    ],
    metrics: createServerMetrics(new Registry()),
    notReadyBecause: () => undefined,
    onError: () => {},
  });
  const listening = await listen({ handler, host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${listening.port}/graphql`;
  const left = async (whose = user) =>
    (await tollgate.quota({ user: whose })).find(({ rule }) => rule.startsWith('tier:'))!.remaining;

  async function send({ raw, headers, ...body }: Attempt, whose: string): Promise<AbuseAnswer> {
    const { search = '', ...init } = raw ?? { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(url + search, {
      ...init,
      headers: {
        'content-type': 'application/json',
        'x-user': encodeURIComponent(whose),
        ...headers,
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  return {
    url,
    port: listening.port,
    schema,
    tollgate,
    user,
    left,
    resolved: () => resolved,
    decided: () => decided,
    departed: () => departed,
    waiting: () => waiting.length,
    release,
    async attempt(attempt, whose = user) {
      const before = { resolved, left: await left(whose) };
      const answer = await send(attempt, whose);
      expect(answer.status).toBeGreaterThanOrEqual(200);
      expect(answer.status).toBeLessThan(500);
      if (Array.isArray(answer.body)) return answer;
      const cost = answer.body?.extensions?.cost;
      if (answer.body?.data === undefined) {
        expect(resolved, 'resolvers run by a refused operation').toBe(before.resolved);
        expect(before.left - (await left(whose)), 'tokens taken for a refused operation').toBe(cost?.fee ?? 0);
      } else if (attempt.query !== undefined && attempt.operationName === undefined) {
        const variables = (attempt.variables ?? {}) as Record<string, unknown>;
        const reference = createReference(
          { schema, document: parse(attempt.query), variables },
          { profile: 'tokens', defaultListSize: 10 },
        );
        expect(cost.requestedQueryCost, attempt.query).toBe(Math.max(1, reference.cost()));
      }
      return answer;
    },
    async attemptConcurrently(attempt, whose = user) {
      const answer = await send(attempt, whose);
      expect(answer.status).toBeGreaterThanOrEqual(200);
      expect(answer.status).toBeLessThan(500);
      return answer;
    },
    async close() {
      release();
      await listening.stop(0);
      await server.stop();
      await tollgate.close();
    },
  };
}

/** Says how many cases a test has tried: the report of the suite shows it. */
export function countCases({ task }: Pick<TestContext, 'task'>, cases: number): void {
  task.meta.cases = cases;
}

declare module 'vitest' {
  interface TaskMeta {
    cases?: number;
  }
}
