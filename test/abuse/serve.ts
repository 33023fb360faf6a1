import { GraphQLError, parse } from 'graphql';
import { expect, inject, type TestContext } from 'vitest';
import { createReference } from '../cost/reference/reference-cost.js';
import { createGatewayAdapter } from '../helpers/gateway-adapter.js';
import { type ProtectedApi, type ProtectedApiOptions, protectedApi } from '../helpers/testkit.js';

/** Stores of the counters. Tests that need only the limiter run on each of them. */
export const STACKS = [
  { stack: 'in memory', redis: () => undefined },
  { stack: 'on Redis', redis: () => inject('redisUrl') as string | undefined },
] as const;

/**
 * Servers that every attack runs against: Apollo Server with each store of the counters, and the
 * gateway with counters in memory.
 */
export const TARGETS = [
  ...STACKS.map(({ stack, redis }) => ({ behind: `Apollo Server, ${stack}`, redis, gateway: false })),
  { behind: 'the gateway', redis: () => undefined, gateway: true },
] as const;

const TYPES = /* GraphQL */ `
  type Query {
    item: Item
    items(first: Int = 10): [Item!]! @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)
    plain(first: Int): [Item!]! @listSize(slicingArguments: ["first"], assumedSize: 7, requireOneSlicingArgument: false)
    either(first: Int, last: Int): [Item!]! @listSize(slicingArguments: ["first", "last"], requireOneSlicingArgument: true)
    paged(page: Page): [Item!]! @listSize(slicingArguments: ["page.size"], assumedSize: 9, requireOneSlicingArgument: false)
    found: [Found!]! @listSize(assumedSize: 5)
    shelf: [Found!]! @listSize(assumedSize: 4)
    node: Node
    fails: Item
    rejects: Item!
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

/** A request of a test: a body as JSON, or any raw request. */
export interface Attempt {
  query?: string | undefined;
  variables?: unknown;
  operationName?: unknown;
  extensions?: unknown;
  headers?: Record<string, string>;
  /** Raw request. It replaces the members above, except `headers`. */
  raw?: RequestInit & { search?: string };
}

export interface AbuseAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
  body: any;
}

export interface AbuseApi
  extends Pick<
    ProtectedApi,
    'url' | 'port' | 'schema' | 'tollgate' | 'user' | 'resolved' | 'departed' | 'left' | 'close'
  > {
  /**
   * Returns the number of requests that have reached the API behind the gateway; 0 without a
   * gateway.
   */
  forwarded(): number;
  /** Returns the number of decided operations. */
  decided(): number;
  /** Returns the number of resolvers of the field `slow` that wait for their release. */
  waiting(): number;
  /** Releases all waiting resolvers of `slow`. */
  release(): void;
  /**
   * Sends a request and checks its response. The status must be below 500. The response of a batch
   * is not checked further. The requested cost of an executed operation must equal the price of the
   * brute-force reference, but at least 1. A denied or rejected operation must run no resolver,
   * must not reach the API behind the gateway, and must take only its fee from the bucket.
   */
  attempt(attempt: Attempt, user?: string): Promise<AbuseAnswer>;
  /**
   * Sends a request that may run in parallel with others. Their charges and runs cannot be
   * separated, so only the status is checked.
   */
  attemptConcurrently(attempt: Attempt, user?: string): Promise<AbuseAnswer>;
}

export interface AbuseOptions extends Omit<ProtectedApiOptions, 'schema' | 'resolvers' | 'tier' | 'adapter'> {
  capacity?: number;
  /** Whether to use the gateway instead of Apollo Server with the plugin. */
  gateway?: boolean;
}

/**
 * Serves an API that is designed for attacks, on a free loopback port. It runs behind the HTTP
 * layer of the platform with the plugin, or behind the gateway.
 */
export async function serveAbuseApi({
  capacity = 1_000_000,
  gateway = false,
  ...options
}: AbuseOptions): Promise<AbuseApi> {
  const adapter = gateway ? createGatewayAdapter() : undefined;
  let decided = 0;
  const item = () => ({ __typename: 'Item', id: '1', name: 'x' });
  // The value of `kind` is the name of another type.
  const book = () => ({ __typename: 'Book', id: '2', title: 'y', kind: 'Item' });
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
    // The error is asynchronous, because graphql-js responds to it without waiting for the sibling
    // fields. After a synchronous error, graphql-js waits for them.
    rejects: async () => {
      throw new GraphQLError('no');
    },
    fails: () => {
      throw new GraphQLError('no');
    },
  };
  const plainFields = ['item', 'node', 'constructor', 'toString', 'hasOwnProperty', 'f0', 'f1', 'f2', 'f3', 'f4'];
  const api = await protectedApi({
    schema: TYPES,
    resolvers: {
      Query: { ...Query, ...Object.fromEntries(plainFields.map((name) => [name, item])) },
      Mutation: { login: item },
      Item: { parent: item, children: () => some(2), weighty: item },
      Book: { pages: () => some(3), weighty: item },
    },
    onDecision: () => {
      decided++;
    },
    tier: { capacity, refillPeriodMs: 1_000_000 },
    subjectOf: (named) => (named === undefined ? { ip: '127.0.0.1' } : { user: named }),
    ...(adapter && { adapter: adapter.open }),
    ...options,
  });
  const forwarded = () => adapter?.forwarded() ?? 0;
  const { url, schema, user, resolved, left } = api;

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
    ...api,
    forwarded,
    decided: () => decided,
    waiting: () => waiting.length,
    release,
    async attempt(attempt, whose = user) {
      const before = { resolved: resolved(), forwarded: forwarded(), left: await left(whose) };
      const answer = await send(attempt, whose);
      expect(answer.status).toBeGreaterThanOrEqual(200);
      expect(answer.status).toBeLessThan(500);
      if (Array.isArray(answer.body)) return answer;
      const cost = answer.body?.extensions?.cost;
      if (answer.body?.data === undefined) {
        expect(resolved(), 'resolvers run by an operation that is rejected or denied').toBe(before.resolved);
        expect(forwarded(), 'requests forwarded for an operation that is rejected or denied').toBe(before.forwarded);
        expect(before.left - (await left(whose)), 'tokens taken for an operation that is rejected or denied').toBe(
          cost?.fee ?? 0,
        );
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
      await api.close();
    },
  };
}

/** Records the number of cases that a test has tried, for the report of the suite. */
export function countCases({ task }: Pick<TestContext, 'task'>, cases: number): void {
  task.meta.cases = cases;
}

declare module 'vitest' {
  interface TaskMeta {
    cases?: number;
  }
}
