import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type DocumentNode, type ExecutionResult, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import type { RuleInput } from '../../src/rules/policy/parse-policy.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { useTollgate } from '../../src/yoga/use-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';
import { describeDeferredCosts, type OpenHandler } from './deferred-costs.js';
import { describeIncrementalCosts } from './incremental-costs.js';

type Result = ExecutionResult | AsyncIterable<ExecutionResult>;

/**
 * The members of Yoga that the tests use. The tests do not import Yoga's own types, because these
 * redefine the extensions of every GraphQLError of a program.
 */
interface Yoga extends RequestListener {
  graphqlEndpoint: string;
  getEnveloped(context: object): {
    schema: GraphQLSchema;
    parse(text: string): DocumentNode;
    validate(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[];
    contextFactory(): Promise<object>;
    execute(args: object): Promise<Result>;
    subscribe(args: object): Promise<Result>;
  };
}
interface Socket {
  on(event: 'message', listener: (data: unknown) => void): void;
  send(text: string): void;
  close(): void;
}
const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): Yoga };
const { WebSocketServer } = (await import(String('ws'))) as {
  WebSocketServer: new (
    options: object,
  ) => { on(event: 'connection', listener: (socket: Socket, request: IncomingMessage) => void): void };
};

let executed = 0;
const count = <Value>(value: Value): Value => {
  executed++;
  return value;
};
const schema = makeExecutableSchema({
  typeDefs: /* GraphQL */ `
    directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
    type Query { item: Item, items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]) }
    type Mutation { save: Item }
    type Subscription { ticks(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]), silence: Item }
    type Item { name: String, parent: Item }
  `,
  resolvers: {
    Query: {
      item: () => count({ name: 'x' }),
      items: (_: unknown, { first }: { first: number }) =>
        Array.from({ length: first / 2 }, () => count({ name: 'x' })),
    },
    Mutation: { save: () => count({ name: 'x' }) },
    Subscription: {
      silence: {
        // An iterator that waits for external events. It can be ended during the wait.
        subscribe: () => ({
          next: () => new Promise(() => {}),
          return: async () => ({ done: true, value: undefined }),
          [Symbol.asyncIterator]() {
            return this;
          },
        }),
      },
      ticks: {
        async *subscribe() {
          for (let i = 0; i < 2; i++) yield { ticks: [count({ name: `tick ${i}` })] };
        },
      },
    },
  },
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a Yoga server over HTTP, and over WebSockets as its documentation describes. */
async function start(
  options: Partial<TollgateOptions<{ req?: IncomingMessage }>> = {},
  behind: object[] = [],
  { inFront = [], ...ofYoga }: { inFront?: object[]; [option: string]: unknown } = {},
) {
  const tollgate = await createTollgate<{ req?: IncomingMessage }>({
    schema,
    identify: ({ header }) => ({ user: header('x-user') ?? 'ann' }),
    tiers: [
      { name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, answer: 'FULL', isDefault: true },
    ],
    logger: { info() {}, warn() {}, error() {} },
    deadlineMs: PATIENT_MS,
    ...options,
  });
  const yoga = createYoga({
    schema,
    plugins: [...inFront, useTollgate(tollgate), ...behind],
    logging: false,
    ...ofYoga,
  });
  const server = createServer(yoga);
  new WebSocketServer({ server, path: yoga.graphqlEndpoint }).on('connection', (socket, req) => {
    socket.on('message', async (data) => {
      const { id, payload } = JSON.parse(String(data));
      const send = (type: string, sent?: unknown) => socket.send(JSON.stringify({ id, type, payload: sent }));
      const { schema: served, ...enveloped } = yoga.getEnveloped({ req, params: payload });
      let document: DocumentNode;
      try {
        document = enveloped.parse(payload.query);
      } catch (error) {
        return send('error', [error]);
      }
      const errors = enveloped.validate(served, document);
      if (errors.length > 0) return send('error', errors);
      const { operationName, variables: variableValues } = payload;
      const contextValue = await enveloped.contextFactory();
      const args = { schema: served, document, operationName, variableValues, contextValue };
      const isSubscription = getOperationAST(document, operationName)?.operation === 'subscription';
      const result = await (isSubscription ? enveloped.subscribe(args) : enveloped.execute(args));
      // Serializes errors like graphql-ws, which closes the connection if an error has no `toJSON`.
      const written = ({ errors: failed, ...rest }: ExecutionResult) => ({
        ...rest,
        ...(failed && { errors: failed.map((error) => error.toJSON()) }),
      });
      if (Symbol.asyncIterator in result) for await (const event of result) send('next', written(event));
      else send('next', written(result));
      send('complete');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await tollgate.close();
  });
  return { tollgate, yoga, url: `http://127.0.0.1:${port}/graphql`, socketUrl: `ws://127.0.0.1:${port}/graphql` };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
type Answers = any[];

/** Returns the responses to one operation over a WebSocket. */
async function askBySocket(
  url: string,
  payload: { query: string; variables?: unknown; operationName?: string },
): Promise<Answers> {
  const { WebSocket: Client } = (await import(String('ws'))) as {
    WebSocket: new (
      url: string,
      options: object,
    ) => Socket & { on(event: string, listener: (data: unknown) => void): void };
  };
  const socket = new Client(url, { headers: { 'x-user': 'bob' } });
  closers.push(() => socket.close());
  return new Promise((resolve, reject) => {
    const answers: Answers = [];
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload })));
    socket.on('message', (data) => {
      const { type, payload: sent } = JSON.parse(String(data));
      if (type === 'next') answers.push(sent);
      else resolve(type === 'error' ? [{ errors: sent }] : answers);
    });
  });
}

describe('GraphQL Yoga over HTTP', () => {
  it('an operation that Yoga or another plugin rejects after its admission costs the fee', async () => {
    const noNames = {
      onValidate({ addValidationRule }: { addValidationRule(rule: unknown): void }) {
        addValidationRule((context: { reportError(error: GraphQLError): void }) => ({
          Field(node: { name: { value: string } }) {
            if (node.name.value === 'parent') context.reportError(new GraphQLError('no parents'));
          },
        }));
      },
    };
    const { url, tollgate } = await start({}, [noNames]);
    const byGet = () => fetch(`${url}?query=${encodeURIComponent('mutation { save { name } }')}`);
    const before = executed;
    const rejected = await byGet();
    expect(rejected.status).toBe(405);
    expect(rejected.headers.get('allow')).toBe('POST');
    expect(rejected.headers.get('x-ratelimit-cost')).toBe('1');
    const { errors, extensions } = (await rejected.json()) as Answers[0];
    expect(errors[0].message).toMatch(/mutation/);
    expect(extensions).toEqual({ cost: expect.objectContaining({ fee: 1 }) });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ item { parent { name } } }' }),
    });
    const byRule = (await response.json()) as Answers[0];
    expect(byRule.errors[0].message).toBe('no parents');
    expect(response.headers.get('x-ratelimit-cost')).toBe('1');
    expect(byRule.extensions.cost).toMatchObject({ fee: 1 });
    expect((await tollgate.quota({ user: 'ann' })).map(({ remaining }) => remaining)).toEqual([98]);
    expect(executed).toBe(before);
  });

  it('a rejection costs the fee once, whether it happens before Tollgate or in a later plugin that throws', async () => {
    const throwing = (text: string) => ({
      onParams({ params }: { params: { query?: string } }) {
        if (params.query === text) throw new GraphQLError(`refused: ${text}`, { extensions: { code: 'NOT_FOUND' } });
      },
    });
    const SLOTS = 2;
    const { url, tollgate } = await start(
      {
        rules: [
          {
            name: 'slots',
            scope: 'USER',
            field: '*',
            measure: 'REQUESTS',
            limits: [{ algorithm: 'CONCURRENCY', capacity: SLOTS, leaseMs: 60_000 }],
          },
        ] as RuleInput[],
      },
      [throwing('{ late: item { name } }')],
      {
        batching: { limit: 3 },
        inFront: [
          throwing('{ early: item { name } }'),
          {
            onExecutionResult({ result }: { result: ExecutionResult }) {
              if (result.data?.['broken']) throw new GraphQLError('broken when it had run');
            },
          },
        ],
      },
    );
    const send = (body: string) =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const left = async () => (await tollgate.quota({ user: 'ann' })).map(({ remaining }) => remaining);
    const one = (query: string) => ({ query });
    let expected = 100;
    for (const [body, status, message] of [
      ['{ no json', 400, /JSON/],
      [JSON.stringify(Array(4).fill(one('{ item { name } }'))), 413, /limited to 3/],
      [JSON.stringify(one('{ early: item { name } }')), 200, /refused: { early/],
      [JSON.stringify(one('{ late: item { name } }')), 200, /refused: { late/],
      [JSON.stringify({ ...one('{ item { name } }'), surprise: 1 }), 400, /surprise/],
    ] as const) {
      const response = await send(body);
      const { errors, extensions } = (await response.json()) as Answers[0];
      expect(errors[0].message).toMatch(message);
      expect([response.status, response.headers.get('x-ratelimit-cost'), extensions]).toEqual([
        status,
        '1',
        { cost: expect.objectContaining({ fee: 1 }) },
      ]);
      expect(await left()).toEqual([--expected, SLOTS]);
    }
    const batch = ['{ early: item { name } }', '{ item { name } }', '{ late: item { name } }'];
    const response = await send(JSON.stringify(batch.map(one)));
    const answers = (await response.json()) as Answers;
    expect(answers.map(({ extensions }) => extensions.cost.fee ?? extensions.cost.actualQueryCost)).toEqual([1, 1, 1]);
    expect(response.headers.get('x-ratelimit-cost')).toBe('3');
    expect(await left()).toEqual([expected - 3, SLOTS]);
    // The executed operation is charged its estimate, without an additional fee.
    expect(await (await send(JSON.stringify(one('{ broken: items(first: 10) { name } }')))).text()).toContain(
      'broken when',
    );
    await until('the slot is free', async () => (await left())[1] === SLOTS);
    expect(await left()).toEqual([expected - 13, SLOTS]);
  });

  it('the headers of a batch contain the total cost, the remaining tokens and the longest wait', async () => {
    const { url } = await start({}, [], { batching: true });
    async function ask(...queries: string[]) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(queries.map((query) => ({ query }))),
      });
      return { status: response.status, headers: response.headers, answers: (await response.json()) as Answers };
    }
    const { status, headers, answers } = await ask('{ items(first: 40) { name } }', '{ item { name } }', '{ nothing }');
    expect(status).toBe(200);
    expect(answers.map(({ extensions }) => extensions.cost.actualQueryCost)).toEqual([20, 1, 0]);
    expect(answers.map(({ extensions }) => Object.keys(extensions))).toEqual([['cost'], ['cost'], ['cost']]);
    expect(headers.get('x-ratelimit-cost')).toBe('22');
    expect(headers.get('ratelimit')).toMatch(/"tier:free";r=/);
    expect(headers.get('cache-control')).toBe('no-store');
    const denied = await ask('{ items(first: 98) { name } }', '{ items(first: 90) { name } }');
    expect(denied.status).toBe(429);
    const waits = denied.answers.map(({ errors }) => Math.ceil(errors[0].extensions.retryAfterMs / 1000));
    expect(waits[0]).toBeGreaterThan(waits[1]!);
    expect(denied.headers.get('retry-after')).toBe(String(waits[0]));
    const some = await ask('{ items(first: 98) { name } }', '{ item { name } }');
    expect(some.status).toBe(200);
  });

  it('the first event of a subscription contains its cost, and the headers contain the remaining tokens', async () => {
    const { url } = await start();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user': 'bob', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { ticks(first: 30) { name } }' }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-ratelimit-cost')).toBe('30');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('70');
    expect(response.headers.get('cache-control')).toContain('no-store');
    const events = (await response.text()).match(/(?<=^data: ).+/gm)!.map((text) => JSON.parse(text));
    expect(events.map(({ data }) => data.ticks[0].name)).toEqual(['tick 0', 'tick 1']);
    expect(events[0].extensions.cost).toMatchObject({
      requestedQueryCost: 30,
      actualQueryCost: null,
      throttleStatus: { currentlyAvailable: 70 },
    });
    expect(events.map(({ extensions }) => Object.keys(extensions ?? {}))).toEqual([['cost'], []]);
  });

  it.each([
    ['no plugin for persisted queries', []],
    [
      'a plugin after Tollgate that looks up the hash too late',
      [
        {
          onParams({ params }: { params: { query?: string; extensions?: { persistedQuery?: unknown } } }) {
            if (params.extensions?.persistedQuery) throw new Error(`no hash of ${JSON.stringify(params.query)}`);
          },
        },
      ],
    ],
  ])('the hash of a persisted query gets an error that makes the client send the text, with %s', async (_, behind) => {
    const { tollgate, url } = await start({}, behind);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user': 'bob' },
      body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } } }),
    });
    expect(response.status).toBe(200);
    const { errors, extensions } = (await response.json()) as Answers[0];
    expect(errors).toEqual([{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
    expect(extensions.cost.fee).toBe(1);
    expect(await left(tollgate)).toBe(99);
  });
});

const left = async (tollgate: Tollgate, user = 'bob') =>
  (await tollgate.quota({ user })).find(({ rule }) => rule.startsWith('tier:'))!.remaining;

describe('concurrency slots of subscriptions with GraphQL Yoga', () => {
  const ONE_AT_A_TIME = {
    name: 'one-at-a-time',
    scope: 'USER',
    field: '*',
    measure: 'REQUESTS',
    limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 600_000 }],
  } as const satisfies RuleInput;
  const subscribe = (url: string, query: string, signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user': 'bob', accept: 'text/event-stream' },
      body: JSON.stringify({ query }),
      ...(signal && { signal }),
    });
  const isFree = async (url: string) => {
    const answer = await fetch(`${url}?query={__typename}`, { headers: { 'x-user': 'bob' } });
    await answer.text();
    return answer.status === 200;
  };

  it('a subscription frees its slot at its end, and is charged its estimate', async () => {
    const { tollgate, url } = await start({ rules: [ONE_AT_A_TIME] });
    const ended = await subscribe(url, 'subscription { ticks(first: 30) { name } }');
    expect(await ended.text()).toContain('tick 1');
    await until('the slot is free', () => isFree(url), PATIENT_MS);
    expect(await left(tollgate)).toBeLessThanOrEqual(70);
  });

  it('a subscription frees its slot when its client disconnects before the first event', async () => {
    const { url } = await start({ rules: [ONE_AT_A_TIME] });
    const gone = new AbortController();
    const silent = await subscribe(url, 'subscription { silence { name } }', gone.signal);
    expect(silent.status).toBe(200);
    expect(await isFree(url)).toBe(false);
    gone.abort();
    await until('the slot is free', () => isFree(url), PATIENT_MS);
  });

  it('a subscription over a WebSocket frees its slot when it ends', async () => {
    const { url, socketUrl } = await start({ rules: [ONE_AT_A_TIME] });
    await askBySocket(socketUrl, { query: 'subscription { ticks(first: 2) { name } }' });
    await until('the slot is free', () => isFree(url), PATIENT_MS);
  });
});

describe('GraphQL Yoga over WebSockets', () => {
  it('queries over WebSockets are charged, return their cost, and get a refund', async () => {
    const { tollgate, socketUrl } = await start();
    const query = 'query Many($n: Int!) { items(first: $n) { name } }';
    const [answer] = await askBySocket(socketUrl, { query, variables: { n: 40 }, operationName: 'Many' });
    expect(answer.data.items).toHaveLength(20);
    expect(answer.extensions.cost).toMatchObject({ requestedQueryCost: 40, actualQueryCost: 20 });
    expect(await left(tollgate)).toBe(80);
  });

  it.each([
    ['a query that costs too much', '{ items(first: 101) { name } }', 'MAX_COST_EXCEEDED'],
    ['a subscription that costs too much', 'subscription { ticks(first: 101) { name } }', 'MAX_COST_EXCEEDED'],
    [
      'a document that is too deep',
      `{ item ${'{ parent '.repeat(40)}{ name }${'}'.repeat(40)} }`,
      'DOCUMENT_LIMIT_EXCEEDED',
    ],
  ])('%s is rejected over WebSockets and runs no resolver', async (_what, query, code) => {
    const { tollgate, socketUrl } = await start();
    const before = executed;
    const [answer, ...more] = await askBySocket(socketUrl, { query });
    expect(more).toEqual([]);
    expect(answer.errors).toMatchObject([{ extensions: { code } }]);
    expect(answer.data ?? null).toBeNull();
    expect(answer.extensions).not.toHaveProperty('http');
    expect(executed).toBe(before);
    expect(await left(tollgate)).toBe(99);
  });

  it('mutations over WebSockets are denied if they exceed the remaining tokens', async () => {
    const { socketUrl } = await start();
    const before = executed;
    const codes: unknown[] = [];
    for (let i = 0; i < 12; i++) {
      const [answer] = await askBySocket(socketUrl, { query: 'mutation { save { name } }' });
      codes.push(answer.errors?.[0].extensions.code);
    }
    // Each mutation costs 11 of the 100 tokens.
    expect(codes).toEqual([...Array(9).fill(undefined), ...Array(3).fill('THROTTLED')]);
    expect(executed).toBe(before + 9);
  });

  it('a subscription over WebSockets is charged its estimate once, and each of its events', async () => {
    const { tollgate, socketUrl } = await start();
    const events = await askBySocket(socketUrl, { query: 'subscription { ticks(first: 30) { name } }' });
    expect(events.map(({ data }) => data.ticks[0].name)).toEqual(['tick 0', 'tick 1']);
    expect(await left(tollgate)).toBe(68);
  });

  it('each syntax error and each invalid operation over WebSockets costs the fee', async () => {
    const { tollgate, socketUrl } = await start();
    let paid = 0;
    for (const query of ['{ item { name }', '{ item { name }', '{ item { nane } }', '{ item { nane } }']) {
      const [answer] = await askBySocket(socketUrl, { query });
      expect(answer.errors[0].message).toMatch(/Syntax Error|Cannot query field/);
      paid++;
      await until('the fee is charged', async () => (await left(tollgate)) === 100 - paid, PATIENT_MS);
    }
    await askBySocket(socketUrl, { query: '{ item { name } }' });
    expect(await left(tollgate)).toBe(100 - paid - 1);
  });

  it('each operation over HTTP is charged once by a server with WebSockets', async () => {
    const { tollgate, url } = await start();
    const ask = (query: string, accept: string) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': 'cid', accept },
        body: JSON.stringify({ query }),
      }).then((response) => response.text());
    await ask('{ items(first: 20) { name } }', 'application/json');
    expect(await left(tollgate, 'cid')).toBe(90);
    expect(await ask('subscription { ticks(first: 30) { name } }', 'text/event-stream')).toContain('tick 1');
    expect(await left(tollgate, 'cid')).toBe(58);
  });
});

const openIncremental: OpenHandler = async ({ tollgate, schema: served }) => ({
  listener: createYoga({ schema: served, plugins: [useTollgate(tollgate)], logging: false }),
});
describeDeferredCosts('GraphQL Yoga', openIncremental);
describeIncrementalCosts('GraphQL Yoga', openIncremental);
