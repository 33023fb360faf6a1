import type { IncomingMessage } from 'node:http';
import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLResolveInfo,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import { createHandler } from 'graphql-sse';
import { expect, it } from 'vitest';
import { rateLimitResolvers, rateLimitTypeDefs } from '../../src/protection/answer/rate-limit-numbers.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';

// These tests imitate a server of graphql-ws: it parses, validates, creates a context for each
// operation, and calls the `execute` and `subscribe` functions of Tollgate.

let executed = 0;
const schema = makeExecutableSchema({
  typeDefs: [
    rateLimitTypeDefs,
    /* GraphQL */ `
      directive @cost(weight: String!) on FIELD_DEFINITION
      type Query { items(first: Int!): [Node!]!, broken: String }
      type Mutation { save: Int }
      type Subscription { ticks(first: Int!): [Node!]!, silence: Node, forbidden: Node }
      interface Node { id: ID }
      type Heavy implements Node { id: ID, weight: Int @cost(weight: "3") }
      type Light implements Node { id: ID }
    `,
  ],
  resolvers: [
    rateLimitResolvers,
    {
      Node: { __resolveType: ({ type }: { type: string }) => type },
      Query: {
        items: (_: unknown, { first }: { first: number }) => {
          executed++;
          return Array.from({ length: first / 2 }, () => ({ type: 'Light', id: 1 }));
        },
        broken: () => {
          throw new Error('no');
        },
      },
      Subscription: {
        ticks: {
          async *subscribe() {
            executed++;
            yield { ticks: [{ type: 'Heavy', id: 1 }] };
            yield { ticks: [{ type: 'Light', id: 2 }] };
          },
        },
        silence: {
          subscribe: () => ({
            next: () => new Promise(() => {}),
            return: async () => ({ done: true, value: undefined }),
            [Symbol.asyncIterator]() {
              return this;
            },
          }),
        },
        forbidden: {
          subscribe: () => {
            throw new Error('not you');
          },
        },
      },
    },
  ],
});

async function open(served = schema) {
  const tollgate = await createTollgate<{ req: IncomingMessage }>({
    schema: served,
    identify: ({ header }) => ({ user: header('x-user') ?? 'nobody' }),
    tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    rules: [
      {
        name: 'one-at-a-time',
        scope: 'USER',
        field: '*',
        measure: 'REQUESTS',
        limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 600_000 }],
      },
    ],
    logger: { info() {}, warn() {}, error() {} },
  });
  const { execute, subscribe } = tollgate.execution();
  const argsOf = (query: string, variableValues?: Record<string, unknown>) => ({
    schema: served,
    document: parse(query),
    ...(variableValues && { variableValues }),
    contextValue: { req: { headers: { 'x-user': 'ann' } } },
  });
  return {
    tollgate,
    execute,
    argsOf,
    ask: (query: string, variables?: Record<string, unknown>) => execute(argsOf(query, variables)),
    listen: (query: string) => subscribe(argsOf(query)),
  };
}

const left = async (tollgate: Tollgate<never>, rule = 'tier:free') =>
  (await tollgate.quota({ user: 'ann' })).find((entry) => entry.rule === rule)!.remaining;
const slotIsFree = (tollgate: Tollgate<never>) =>
  until('the slot is free', async () => (await left(tollgate, 'one-at-a-time')) === 1, PATIENT_MS);
const costOf = ({ extensions }: ExecutionResult) => extensions?.['cost'] as Record<string, unknown>;

it('a query is charged to the caller of its handshake, gets a refund, and returns only requested fields', async () => {
  const { tollgate, ask } = await open();
  const query = 'query ($n: Int!) { items(first: $n) { id ... on Heavy { weight } } rateLimit { cost remaining } }';
  const answer = await ask(query, { n: 10 });
  expect(answer.data).toEqual({
    items: Array.from({ length: 5 }, () => ({ id: '1' })),
    rateLimit: { cost: 41, remaining: 59 },
  });
  expect(costOf(answer)).toMatchObject({ requestedQueryCost: 41, actualQueryCost: 6 });
  expect(await left(tollgate)).toBe(94);
  const failed = await ask('{ broken }');
  expect(failed.errors?.[0]?.message).toBe('no');
  expect(costOf(failed)).toMatchObject({ requestedQueryCost: 1 });
  await slotIsFree(tollgate);
});

it('tollgate.execution finds the headers and the address of the caller in the context of NestJS', async () => {
  const warnings: unknown[] = [];
  const byAddress = await createTollgate<object>({
    schema,
    // The default bucket would refill before the remaining tokens are read.
    tiers: [{ name: 'free', capacity: 1000, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: { info() {}, warn: (message: unknown) => warnings.push(message), error() {} },
  });
  const askFrom = (remoteAddress: string) => {
    const handshake = { headers: { 'x-user': 'ann' }, socket: { remoteAddress } };
    const contextValue = { req: { connectionParams: {}, subscriptions: {}, extra: { request: handshake } } };
    return { schema, document: parse('{ items(first: 10) { id } }'), contextValue };
  };
  const { execute } = byAddress.execution();
  await execute(askFrom('192.0.2.1'));
  await execute(askFrom('192.0.2.2'));
  expect((await byAddress.quota({ ip: '192.0.2.1' })).map(({ remaining }) => remaining)).toEqual([995]);
  expect((await byAddress.quota({ ip: '192.0.2.2' })).map(({ remaining }) => remaining)).toEqual([995]);
  expect(warnings).toEqual([]);
  await byAddress.close();

  const { tollgate } = await open();
  await tollgate.execution().execute(askFrom('192.0.2.1') as never);
  expect(await left(tollgate)).toBe(95);
});

const MANY_ALIASES = `{ ${Array.from({ length: 300 }, (_, i) => `a${i}: broken`).join(' ')} }`;

it.each([
  ['a long list', '{ items(first: 500) { id } }', 'MAX_COST_EXCEEDED'],
  ['two lists', '{ a: items(first: 60) { id } b: items(first: 60) { id } }', 'MAX_COST_EXCEEDED'],
  ['many aliases', MANY_ALIASES, 'DOCUMENT_LIMIT_EXCEEDED'],
  ['a missing variable', 'query ($n: Int!) { items(first: $n) { id } }', 'BAD_USER_INPUT'],
])('an operation with %s is rejected, pays the fee and runs no resolver', async (_, query, code) => {
  const { tollgate, ask } = await open();
  const before = executed;
  const { data, errors, extensions } = await ask(query);
  expect(data ?? null).toBeNull();
  expect(errors).toHaveLength(1);
  // graphql-ws calls `toJSON` of each error.
  expect(errors![0]).toBeInstanceOf(GraphQLError);
  expect(errors![0]!.extensions).toMatchObject({ code });
  expect(errors![0]!.extensions).not.toHaveProperty('http');
  expect(extensions?.['cost']).toMatchObject({ fee: 1 });
  expect(executed).toBe(before);
  expect(await left(tollgate)).toBe(99);
});

it('an operation that exceeds the remaining tokens is denied', async () => {
  const { ask } = await open();
  await ask('{ items(first: 100) { id } }');
  const { errors } = await ask('{ items(first: 60) { id } }');
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'tier:free', remaining: 50 });
});

it('a subscription is charged its estimate and its events, reports the estimate in its first event, and frees its slot at its end', async () => {
  const { tollgate, listen } = await open();
  const events = (await listen(
    'subscription { ticks(first: 4) { id ... on Heavy { weight } } }',
  )) as AsyncIterable<ExecutionResult>;
  const came: ExecutionResult[] = [];
  for await (const event of events) came.push(event);
  expect(came.map(({ data }) => data)).toEqual([{ ticks: [{ id: '1', weight: null }] }, { ticks: [{ id: '2' }] }]);
  expect(costOf(came[0]!)).toMatchObject({ requestedQueryCost: 16, actualQueryCost: null });
  expect(came[1]!.extensions).toBeUndefined();
  // The events cost 4 and 1 tokens.
  expect(await left(tollgate)).toBe(79);
  await slotIsFree(tollgate);
});

it('a subscription frees its slot if its client ends it before the first event', async () => {
  const { tollgate, listen } = await open();
  const events = (await listen('subscription { silence { id } }')) as AsyncIterableIterator<ExecutionResult>;
  expect(await left(tollgate, 'one-at-a-time')).toBe(0);
  expect((await listen('subscription { silence { id } }')) as ExecutionResult).toMatchObject({
    errors: [{ extensions: { code: 'THROTTLED', deniedBy: 'one-at-a-time' } }],
  });
  void events.next();
  await events.return?.();
  await slotIsFree(tollgate);
});

it('a subscription whose resolver throws returns the error and frees its slot', async () => {
  const { tollgate, listen } = await open();
  const rejected = (await listen('subscription { forbidden { id } }')) as ExecutionResult;
  expect(rejected.errors?.[0]?.message).toBe('not you');
  expect(costOf(rejected)).toMatchObject({ requestedQueryCost: 1 });
  await slotIsFree(tollgate);
});

/** Returns a function that handles a client's operation as a server of graphql-ws does. */
function serverOf({ tollgate }: Awaited<ReturnType<typeof open>>, hooks: object = {}) {
  const options = tollgate.execution({
    schema,
    context: () => ({ req: { headers: { 'x-user': 'ann' } } }),
    onSubscribe: undefined as ((...request: unknown[]) => unknown) | undefined,
    ...hooks,
  });
  return async (query: string, operationName?: string, version = 6) => {
    const payload = { query, operationName };
    const given = version === 6 ? [{}, 'id', payload] : [{}, { id: 'id', type: 'subscribe', payload }];
    const args = (await options.onSubscribe?.(...given)) as ExecutionArgs | undefined;
    if (!args || Array.isArray(args)) return { args, result: undefined };
    const operation = getOperationAST(args.document, args.operationName);
    if (!operation) throw new Error('Unable to identify operation');
    const run = operation.operation === 'subscription' ? options.subscribe : options.execute;
    return { args, result: await run({ ...args, contextValue: options.context() }) };
  };
}

it.each([
  ['cannot be parsed', '{ items(', undefined, 'GRAPHQL_PARSE_FAILED'],
  ['is not valid', '{ nothing }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
  ['is an invalid subscription', 'subscription { nothing }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
  ['is too large to parse', MANY_ALIASES, undefined, 'DOCUMENT_LIMIT_EXCEEDED'],
  ['has an unknown operation name', 'query A { broken }', 'B', 'OPERATION_RESOLUTION_FAILURE'],
])('behind graphql-ws, an operation that %s costs the fee', async (_, query, operationName, code) => {
  const opened = await open();
  const ask = serverOf(opened);
  await ask('query A { broken }');
  await slotIsFree(opened.tollgate);
  for (const version of [5, 6]) {
    const before = await left(opened.tollgate);
    const { errors, extensions } = (await ask(query, operationName, version)).result as ExecutionResult;
    expect(errors?.[0]?.extensions).toMatchObject({ code });
    expect(extensions?.['cost']).toMatchObject({ fee: 1 });
    expect(before - (await left(opened.tollgate))).toBe(1);
  }
});

it('behind graphql-ws, later operations with an equal text share its parsed document', async () => {
  const ask = serverOf(await open());
  const documents: DocumentNode[] = [];
  for (const query of ['{ items(first: 4) { id } }', '{ items(first: 4) { id } }', '{ items(first: 2) { id } }']) {
    const { args, result } = await ask(query);
    expect((result as ExecutionResult).errors).toBeUndefined();
    documents.push(args!.document);
  }
  const { args, result } = await ask('{ items(first: 4) { id } }');
  expect((result as ExecutionResult).data).toMatchObject({ items: [{ id: '1' }, { id: '1' }] });
  expect(args!.document).toBe(documents[1]);
  expect(args!.document).not.toBe(documents[2]);
});

it('behind graphql-ws, the onSubscribe hook of the server runs first, and may reject the operation', async () => {
  const opened = await open();
  const rejection = [new GraphQLError('not you')];
  const asked: unknown[] = [];
  const ask = serverOf(opened, {
    onSubscribe: (...request: unknown[]) => {
      asked.push(request);
      return (request[2] as { query: string }).query === '{ broken }' ? rejection : undefined;
    },
  });
  expect((await ask('{ broken }')).args).toBe(rejection);
  expect(asked).toEqual([[{}, 'id', { query: '{ broken }', operationName: undefined }]]);
  expect(((await ask('{ items(first: 2) { id } }')).result as ExecutionResult).data).toBeDefined();
  expect(opened.tollgate.execution()).not.toHaveProperty('onSubscribe');
});

it.each([
  ['parses by itself', { parse: (text: string) => parse(text, { noLocation: true }) }],
  ['validates by itself', { validate: (...given: Parameters<typeof validate>) => validate(...given) }],
])('behind graphql-ws, a server that %s rejects operations and charges the fee, and admitted ones are charged', async (_, own) => {
  const opened = await open();
  const ask = serverOf(opened, own);
  const rejected: [string, string | undefined, string, string | undefined][] = [
    ['{ items(', undefined, 'Syntax Error', undefined],
    ['{ nothing }', undefined, 'Cannot query field', undefined],
    ['query A { broken }', 'B', 'Unable to identify operation', undefined],
    [MANY_ALIASES, undefined, 'too large', 'DOCUMENT_LIMIT_EXCEEDED'],
    ['{ ...A } fragment A on Query { ...A }', undefined, 'Cannot spread fragment', 'GRAPHQL_VALIDATION_FAILED'],
  ];
  for (const [query, operationName, message, code] of rejected) {
    const before = await left(opened.tollgate);
    const { errors, extensions } = (await ask(query, operationName)).result as ExecutionResult;
    expect(errors?.[0], query).toBeInstanceOf(GraphQLError);
    expect(errors?.[0]?.message, query).toContain(message);
    expect(errors?.[0]?.extensions['code'], query).toBe(code);
    expect(extensions?.['cost']).toMatchObject({ fee: 1 });
    expect(before - (await left(opened.tollgate))).toBe(1);
  }
  expect(costOf((await ask('{ items(first: 10) { id } }')).result as ExecutionResult)).toMatchObject({
    requestedQueryCost: 10,
    actualQueryCost: 5,
  });
  await ask('{ items(first: 80) { id } }');
  await ask('{ items(first: 80) { id } }');
  while ((await left(opened.tollgate)) > 0) await ask('{ nothing }');
  const denied = (await ask('{ nothing }')).result as ExecutionResult;
  expect(denied.errors?.[0]?.extensions).toMatchObject({ code: 'THROTTLED' });
});

it('tollgate.execution rejects an execute function, because Tollgate provides its own', async () => {
  const { tollgate } = await open();
  expect(() => tollgate.execution({ schema, execute: () => ({}), subscribe: undefined })).toThrow(
    'tollgate.execution: expected no execute, because Tollgate provides its own',
  );
});

it('behind graphql-ws, a text that was executed is not parsed again', async () => {
  const { tollgate } = await open();
  const query = '{ items(first: 6) { id } }';
  const options = tollgate.execution<{ onSubscribe?: (...request: unknown[]) => Promise<unknown> }>({});
  const { document } = (await options.onSubscribe?.({}, 'id', { query })) as ExecutionArgs;
  const contextValue = { req: { headers: { 'x-user': 'ann' } } };
  await options.execute({ schema, document, contextValue });
  const again = (await options.onSubscribe?.({}, 'id', { query })) as ExecutionArgs;
  expect(again.document).toBe(document);
});

it('behind graphql-sse, an operation is charged by its request headers, and a rejected one costs the fee', async () => {
  const { tollgate } = await open();
  const handler = createHandler(
    tollgate.execution({ schema, context: (request: { raw: unknown }) => ({ req: request.raw }) }),
  );
  const headers = new Headers({ accept: 'text/event-stream', 'content-type': 'application/json' });
  const raw = { headers: { 'x-user': 'ann' } };
  async function ask(query: string) {
    const [body] = await handler({ method: 'POST', url: '/', headers, body: { query }, raw, context: null });
    let text = '';
    if (typeof body === 'string') text = body;
    else for await (const part of body ?? []) text += part;
    return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!));
  }
  const before = await left(tollgate);
  const [answer] = await ask('{ items(first: 10) { id } }');
  expect(answer).toMatchObject({ data: { items: [{}, {}, {}, {}, {}] }, extensions: { cost: { actualQueryCost: 5 } } });
  const [first, ...events] = await ask('subscription { ticks(first: 4) { id } }');
  expect(first).toMatchObject({ data: { ticks: [{ id: '1' }] }, extensions: { cost: { requestedQueryCost: 4 } } });
  expect(events).toEqual([{ data: { ticks: [{ id: '2' }] } }]);
  // The query costs 5 tokens, the subscription 4, and each of its two events 1.
  expect(before - (await left(tollgate))).toBe(11);
  await slotIsFree(tollgate);
  for (const [query, code] of [
    ['{ items(', 'GRAPHQL_PARSE_FAILED'],
    ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    [MANY_ALIASES, 'DOCUMENT_LIMIT_EXCEEDED'],
  ] as const) {
    const had = await left(tollgate);
    expect(await ask(query)).toMatchObject([{ errors: [{ extensions: { code } }], extensions: { cost: { fee: 1 } } }]);
    expect(had - (await left(tollgate))).toBe(1);
  }
  // The handler itself rejects this request before execution.
  const had = await left(tollgate);
  const url = `/?query=${encodeURIComponent('mutation { save }')}`;
  const [, init] = await handler({ method: 'GET', url, headers, body: null, raw, context: null });
  expect(init.status).toBe(405);
  await until('the fee is charged', async () => had - (await left(tollgate)) === 1, PATIENT_MS);
});

it('a schema function of the server receives the context of graphql-sse and the parsed document', async () => {
  const { tollgate } = await open();
  const received: Omit<ExecutionArgs, 'schema'>[] = [];
  const chosen = (...given: unknown[]) => {
    received.push({ ...(given.at(-1) as ExecutionArgs) });
    return schema;
  };
  const contextValue = { req: { headers: { 'x-user': 'ann' } } };
  const handler = createHandler(tollgate.execution({ schema: chosen, context: () => contextValue }));
  const headers = new Headers({ accept: 'text/event-stream', 'content-type': 'application/json' });
  const body = { query: '{ items(first: 2) { id } }' };
  await handler({ method: 'POST', url: '/', headers, body, raw: {}, context: null });
  expect(received[0]?.contextValue).toBe(contextValue);
  const ask = serverOf(await open(), { schema: chosen, parse: (text: string) => parse(text) });
  await ask('{ items(first: 2) { id } }');
  expect(received[1]?.document).toEqual(parse('{ items(first: 2) { id } }'));
});

it('a subscription executes the document that was priced', async () => {
  const { tollgate } = await open();
  const other = makeExecutableSchema({
    typeDefs: 'type Query { a: Int } type Subscription { ticks(first: Int!): Int }',
  });
  other.getSubscriptionType()!.getFields()['ticks']!.subscribe = (_, { first }) =>
    (async function* () {
      yield { ticks: first };
    })();
  // This simulates a server that replaces the parsed document after Tollgate has priced it. The
  // schema is not the schema of Tollgate, so Tollgate parses and executes the priced text.
  const priced = parse('subscription { ticks(first: 2) { id } }');
  const run = { ...parse('subscription { ticks(first: 90) { id } }'), loc: priced.loc! } as DocumentNode;
  const { subscribe } = tollgate.execution();
  const contextValue = { req: { headers: { 'x-user': 'ann' } } };
  const events = (await subscribe({ schema: other, document: run, contextValue })) as AsyncIterable<ExecutionResult>;
  for await (const { data } of events) expect(data).toEqual({ ticks: 2 });
});

/**
 * Returns a thenable like a statement of a query builder: each call of `then` queries the
 * database.
 */
function createStatement<Row>(rows: Row) {
  const statement = {
    runs: 0,
    // biome-ignore lint/suspicious/noThenProperty: the test needs a thenable.
    then<Result>(resolve: (value: Row) => Result): Promise<Result> {
      statement.runs++;
      return Promise.resolve(rows).then(resolve);
    },
  };
  return statement;
}

it('a thenable from a resolver, such as a query builder statement, runs once while the operation occupies a slot', async () => {
  const one = createStatement('ann');
  const list = createStatement([{ name: 'ann' }]);
  const item = createStatement({ name: 'ben' });
  // Result of a field without a resolver.
  const found = createStatement('cid');
  const friends = createStatement([{ name: 'dan' }]);
  const schemaOfStatements = makeExecutableSchema({
    typeDefs:
      'type Query { name: String, users: [User], each: [User], one: User } type User { name: String, friends: [User] }',
    resolvers: {
      Query: { name: () => one, users: () => list, each: () => [item], one: () => ({ name: found, friends }) },
    },
  });
  const { tollgate, ask } = await open(schemaOfStatements);
  expect((await ask('{ name users { name } each { name } one { name friends { name } } }')).data).toEqual({
    name: 'ann',
    users: [{ name: 'ann' }],
    each: [{ name: 'ben' }],
    one: { name: 'cid', friends: [{ name: 'dan' }] },
  });
  expect([one, list, item, found, friends].map(({ runs }) => runs)).toEqual([1, 1, 1, 1, 1]);
  await slotIsFree(tollgate);
});

it('fields without a resolver use the fieldResolver of each execution', async () => {
  const { ask, execute, argsOf } = await open(makeExecutableSchema({ typeDefs: 'type Query { name: String }' }));
  const shouting = {
    fieldResolver: (_source: unknown, _args: unknown, _context: unknown, info: GraphQLResolveInfo) =>
      info.fieldName.toUpperCase(),
  };
  for (let i = 0; i < 2; i++)
    expect((await execute({ ...argsOf('{ name }'), ...shouting })).data).toEqual({ name: 'NAME' });
  expect((await ask('{ name }')).data).toEqual({ name: null });
});

it('an operation with errors: null is settled, and a request with null headers is accepted', async () => {
  const { tollgate } = await open();
  const contextValue = { req: { headers: {} } as IncomingMessage };
  const asked = await tollgate.protect({ query: '{ items(first: 10) { id } }', headers: null as never, contextValue });
  if (!asked.admitted) throw new Error('expected it to be admitted');
  const { body } = await asked.run(() => ({ data: { items: [] }, errors: null as never }));
  expect(body).toMatchObject({ data: { items: [] }, extensions: { cost: { actualQueryCost: 1 } } });
  expect(body.errors).toBeUndefined();
});
