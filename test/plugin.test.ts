import { ApolloServer, HeaderMap } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError } from 'graphql';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createTollgate, type TollgateOptions } from '../src/create-tollgate.js';
import { PATIENT_MS } from './helpers/patient.js';
import { uniqueName } from './helpers/servers.js';

const SILENT = { info() {}, warn() {}, error() {} };
const TYPES = /* GraphQL */ `
  directive @cost(weight: String!) on FIELD_DEFINITION
  directive @listSize(assumedSize: Int, slicingArguments: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
  type Query {
    item: Item
    items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"])
    search(text: String!): [Item!]! @cost(weight: "5") @listSize(assumedSize: 2)
    fails: Item
  }
  type Mutation { save: Item }
  type Item { name: String, parent: Item }
`;

interface Setup extends Partial<Omit<TollgateOptions<TestContext>, 'schema'>> {
  capacity?: number;
}
interface TestContext {
  user?: string;
  signal?: AbortSignal;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A protected server in process, and how often resolvers of it have run. */
async function protect({ capacity = 100, ...options }: Setup = {}) {
  let resolved = 0;
  const item = () => {
    resolved++;
    return { name: 'x' };
  };
  const schema = makeExecutableSchema({
    typeDefs: TYPES,
    resolvers: {
      Query: {
        item,
        // Half of what was asked for is there.
        items: (_: unknown, { first }: { first: number }) => Array.from({ length: Math.ceil(first / 2) }, item),
        search: () => [item()],
        fails: () => {
          resolved++;
          throw new GraphQLError('no');
        },
      },
      Mutation: { save: item },
      Item: { parent: () => null },
    },
  });
  const user = uniqueName('user');
  const tollgate = await createTollgate<TestContext>({
    schema,
    identify: ({ contextValue }) => ({ user: contextValue.user ?? user }),
    abortSignal: ({ signal }) => signal,
    // A period so long that nothing comes back while a test runs.
    tiers: [{ name: 'free', capacity, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: SILENT,
    ...options,
  });
  const server = new ApolloServer<TestContext>({ schema, plugins: [tollgate.plugin()] });
  open.push(
    () => server.stop(),
    () => tollgate.close(),
  );
  async function run(
    query: string,
    { variables = {}, headers = {}, contextValue = {}, operationName }: RunOptions = {},
  ) {
    const http = { method: 'POST', headers: new HeaderMap(Object.entries(headers)), search: '', body: {} };
    const request = { query, variables, http, ...(operationName !== undefined && { operationName }) };
    const response = await server.executeOperation(request, { contextValue });
    if (response.body.kind !== 'single') throw new Error('expected a single result');
    return { ...response.body.singleResult, http: response.http } as {
      data?: Record<string, unknown> | null;
      errors?: { message: string; extensions: Record<string, unknown> }[];
      // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever was asked for.
      extensions: { cost: any };
      http: typeof response.http;
    };
  }
  const left = async () => (await tollgate.quota({ user }))[0]?.remaining;
  return { run, left, resolved: () => resolved, tollgate, user };
}

interface RunOptions {
  variables?: Record<string, unknown>;
  headers?: Record<string, string>;
  contextValue?: TestContext;
  operationName?: string;
}

describe('the plugin', () => {
  it('charges the estimate, gives back what was not used, and says both', async () => {
    const { run, left } = await protect();
    const { extensions } = await run('{ items(first: 10) { name } }');
    expect(extensions.cost).toMatchObject({ requestedQueryCost: 10, actualQueryCost: 5, tier: 'free' });
    expect(extensions.cost.throttleStatus).toMatchObject({ maximumAvailable: 100, currentlyAvailable: 95 });
    expect(await left()).toBe(95);
  });

  it('runs no resolver and moves no counter when it refuses', async () => {
    const { run, left, resolved } = await protect({
      rules: [
        {
          name: 'roots',
          scope: 'USER',
          field: 'Query.*',
          measure: 'CALLS',
          limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 1000, windowMs: 60_000 }],
        },
      ],
      capacity: 10,
    });
    await run('{ items(first: 8) { name } }');
    const before = { resolved: resolved(), left: await left() };
    const answer = await run('{ items(first: 9) { name } }');
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'THROTTLED',
      deniedBy: 'tier:free',
      requestedCost: 9,
      available: 6,
    });
    expect(answer.http.status).toBe(429);
    expect(answer.data).toBeUndefined();
    expect({ resolved: resolved(), left: await left() }).toEqual(before);
    expect(answer.extensions.cost.limits[0]).toMatchObject({ rule: 'roots', remaining: 999 });
  });

  it('refuses with 400 what can never pass, with both numbers and the dearest paths', async () => {
    const { run, left, resolved } = await protect({ capacity: 10 });
    const answer = await run('{ items(first: 11) { name } item { parent { name } } }');
    expect(answer.http.status).toBe(400);
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'MAX_COST_EXCEEDED',
      requestedCost: 13,
      maximumCost: 10,
    });
    expect(answer.errors?.[0]?.extensions['dearestPaths']).toMatchObject([
      { path: 'items', coordinate: 'Query.items', cost: 11 },
      {},
      {},
    ]);
    expect(answer.http.headers.get('retry-after')).toBeUndefined();
    // It pays the fee, as what never gets a price does, and nothing of its price.
    expect(answer.extensions.cost).toMatchObject({ requestedQueryCost: 13, actualQueryCost: null, fee: 1 });
    expect(answer.http.headers.get('x-ratelimit-cost')).toBe('1');
    expect(await left()).toBe(9);
    expect(resolved()).toBe(0);
  });

  it('refuses what is above the ceiling of the tier, though the bucket could pay', async () => {
    const { run, left, resolved } = await protect({
      tiers: [{ name: 'free', capacity: 100, refillAmount: 1, isDefault: true, maxCostPerOperation: 5 }],
    });
    const answer = await run('{ items(first: 6) { name } }');
    expect(answer.http.status).toBe(400);
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'MAX_COST_EXCEEDED',
      requestedCost: 6,
      maximumCost: 5,
    });
    expect(answer.extensions.cost).toMatchObject({ fee: 1, throttleStatus: { currentlyAvailable: 99 } });
    expect(await left()).toBe(99);
    expect(resolved()).toBe(0);
    expect((await run('{ items(first: 5) { name } }')).errors).toBeUndefined();
  });

  it('prices only the operation that runs', async () => {
    const { run } = await protect();
    const document = 'query A { item { name } } query B { items(first: 50) { name } }';
    expect((await run(document, { operationName: 'A' })).extensions.cost.requestedQueryCost).toBe(1);
    expect((await run(document, { operationName: 'B' })).extensions.cost.requestedQueryCost).toBe(50);
    const wrong = await run(document, { operationName: 'C' });
    expect(wrong.http.status).toBe(400);
    expect(wrong.extensions.cost).toMatchObject({ requestedQueryCost: 0, actualQueryCost: 0 });
  });

  it('prices the same document anew with other variables', async () => {
    const { run } = await protect();
    const query = 'query ($n: Int!) { items(first: $n) { name } }';
    for (const n of [1, 7, 3]) {
      expect((await run(query, { variables: { n } })).extensions.cost.requestedQueryCost).toBe(n);
    }
  });

  it('does not price variables that cannot be coerced, and takes the fee for them', async () => {
    const { run, left, resolved } = await protect();
    const answer = await run('query ($n: Int!) { items(first: $n) { name } }', { variables: { n: 1.5 } });
    expect(answer.http.status).toBe(400);
    expect(answer.errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
    expect(answer.extensions.cost).toMatchObject({ requestedQueryCost: 0, actualQueryCost: 0, fee: 1 });
    expect(await left()).toBe(99);
    expect(resolved()).toBe(0);
  });

  it('counts calls of a field, whatever its alias, and leaves alone what is skipped', async () => {
    const { run } = await protect({
      rules: [
        {
          name: 'search',
          scope: 'USER',
          field: 'Query.search',
          measure: 'CALLS',
          limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 3, windowMs: 60_000 }],
        },
      ],
    });
    const query =
      'query ($more: Boolean!) { a: search(text: "a") { name } b: search(text: "b") @include(if: $more) { name } }';
    expect((await run(query, { variables: { more: true } })).extensions.cost.limits[0]).toMatchObject({ remaining: 1 });
    const denied = await run(query, { variables: { more: true } });
    expect(denied.errors?.[0]?.extensions).toMatchObject({
      deniedBy: 'search',
      requestedCost: 2,
      available: 1,
      maxAdmissibleCost: 1,
    });
    expect((await run(query, { variables: { more: false } })).errors).toBeUndefined();
    expect(
      (
        await run('query ($no: Boolean!) { search(text: "c") @include(if: $no) { name } item { name } }', {
          variables: { no: false },
        })
      ).extensions.cost.limits,
    ).toEqual([]);
  });

  it('settles to what was produced, and the estimate of what failed, when a resolver fails', async () => {
    const { run, left } = await protect();
    const answer = await run('{ fails { name } items(first: 4) { name } }');
    expect(answer.extensions.cost).toMatchObject({ requestedQueryCost: 5, actualQueryCost: 3 });
    expect(await left()).toBe(97);
  });

  it('lets the estimate stand when the client is gone', async () => {
    const { run, left } = await protect();
    const gone = new AbortController();
    gone.abort();
    const answer = await run('{ items(first: 10) { name } }', { contextValue: { signal: gone.signal } });
    expect(answer.extensions.cost.actualQueryCost).toBeNull();
    expect(await left()).toBe(90);
  });

  it('denies nobody in shadow mode', async () => {
    const { run, resolved } = await protect({ capacity: 5, mode: 'SHADOW' });
    for (let index = 0; index < 3; index++) {
      const answer = await run('{ items(first: 4) { name } }');
      expect(answer.errors).toBeUndefined();
      expect(answer.extensions.cost.mode).toBe('SHADOW');
    }
    expect(resolved()).toBe(6);
  });

  it('answers with 200 where denials are to have that status', async () => {
    const { run } = await protect({ capacity: 5, denialStatus: 200 });
    await run('mutation { save { name } }');
    await run('{ items(first: 5) { name } }');
    const answer = await run('{ items(first: 5) { name } }');
    expect(answer.errors?.[0]?.extensions['code']).toBe('THROTTLED');
    expect(answer.http.status ?? 200).toBe(200);
  });

  it('says what a rule wants its denials to say', async () => {
    const { run } = await protect({
      rules: [
        {
          name: 'search',
          scope: 'USER',
          field: 'Query.search',
          measure: 'CALLS',
          limits: [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 3_600_000 }],
          response: { code: 'SEARCH_LIMITED', message: 'Search less', status: 503 },
        },
      ],
    });
    await run('{ search(text: "a") { name } }');
    const answer = await run('{ search(text: "a") { name } }');
    expect(answer.http.status).toBe(503);
    expect(answer.errors?.[0]).toMatchObject({
      message: 'Search less',
      extensions: { code: 'SEARCH_LIMITED', deniedBy: 'search' },
    });
  });

  it('reports the cost of each field to those who may ask, and to nobody else', async () => {
    const query = '{ search(text: "a") { name } }';
    const headers = { 'graphql-cost': 'report' };
    const open = await protect({ mayReportCost: () => true });
    expect((await open.run(query, { headers })).extensions.cost.fields).toContainEqual({
      coordinate: 'Query.search',
      calls: 1,
      cost: 7,
    });
    expect((await open.run(query)).extensions.cost.fields).toBeUndefined();
    const closed = await protect();
    expect((await closed.run(query, { headers })).extensions.cost.fields).toBeUndefined();
  });

  it('prices without running, for the minimum', async () => {
    const { run, left, resolved } = await protect({ mayReportCost: () => true });
    const answer = await run('{ items(first: 40) { name } }', { headers: { 'graphql-cost': 'validate' } });
    expect(answer.data).toBeNull();
    expect(answer.errors).toBeUndefined();
    expect(answer.extensions.cost).toMatchObject({ requestedQueryCost: 40, actualQueryCost: null });
    expect(resolved()).toBe(0);
    expect(await left()).toBe(99);
  });

  it('puts the quota into headers, with Retry-After never earlier than the truth', async () => {
    const { run } = await protect({ capacity: 10 });
    const first = await run('{ items(first: 8) { name } }');
    expect(Object.fromEntries(first.http.headers)).toMatchObject({
      'ratelimit-policy': '"tier:free";q=10;w=864000',
      ratelimit: expect.stringMatching(/^"tier:free";r=6;t=\d+$/),
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '6',
      'x-ratelimit-cost': '4',
      'cache-control': 'no-store',
    });
    const denied = await run('{ items(first: 8) { name } }');
    const retryAfterMs = denied.errors?.[0]?.extensions['retryAfterMs'] as number;
    expect(Number(denied.http.headers.get('retry-after'))).toBe(Math.ceil(retryAfterMs / 1000));
  });

  it('names callers apart by what identify says of them', async () => {
    const { run } = await protect({ capacity: 10 });
    await run('{ items(first: 10) { name } }', { contextValue: { user: 'ann' } });
    const other = await run('{ items(first: 10) { name } }', { contextValue: { user: 'bob' } });
    expect(other.errors).toBeUndefined();
  });

  it('answers 401 when identify refuses, and runs nothing', async () => {
    const { run, resolved } = await protect({
      identify: () => {
        throw new GraphQLError('who?', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
      },
    });
    expect((await run('{ item { name } }')).http.status).toBe(401);
    expect(resolved()).toBe(0);
  });

  it('does all of it on Redis too', async () => {
    const { run, left, resolved } = await protect({ redis: inject('redisUrl'), deadlineMs: PATIENT_MS, capacity: 10 });
    expect((await run('{ items(first: 8) { name } }')).extensions.cost.throttleStatus.currentlyAvailable).toBe(6);
    expect(await left()).toBe(6);
    expect((await run('{ items(first: 8) { name } }')).http.status).toBe(429);
    expect(resolved()).toBe(4);
  });
});

describe('createTollgate', () => {
  it('lists every mistake in tiers and rules', async () => {
    const wrong = protect({ tiers: [{ name: 'x', capacity: 0, refillAmount: 1.5, isDefault: true }] });
    await expect(wrong).rejects.toThrow(/tiers\[0\] \("x"\)\.capacity.*\n.*refillAmount/);
  });

  it('names each faulty annotation of the schema by its coordinate, and warns once of lists of unknown size', async () => {
    const warnings: string[] = [];
    const logger = { ...SILENT, warn: (message: string) => warnings.push(message) };
    const identify = () => ({ user: 'u' });
    const schemaOf = (field: string) => makeExecutableSchema({ typeDefs: TYPES.replace('fails: Item', field) });
    const wrong = createTollgate({
      schema: schemaOf('fails: [Item!]! @listSize(slicingArguments: ["frist"])'),
      identify,
      logger,
    });
    await expect(wrong).rejects.toThrow(/Query\.fails.*frist/);
    const guessed = await createTollgate({ schema: schemaOf('fails: [Item!]!'), identify, logger });
    open.push(() => guessed.close());
    expect(warnings).toEqual([expect.stringMatching(/Query\.fails/)]);
  });
});
