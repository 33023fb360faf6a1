import { ApolloServer, HeaderMap } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { buildSchema, execute, GraphQLError, parse } from 'graphql';
import { afterEach, expect, it } from 'vitest';
import { type BatchPlace, createBatch, type RuleInput } from '../../src/index.js';
import { watchResolvers } from '../../src/protection/slots/watch-resolvers.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

const ONE_AT_A_TIME: RuleInput = {
  name: 'one at a time',
  scope: 'USER',
  field: '*',
  measure: 'REQUESTS',
  limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 3_600_000 }],
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/**
 * Starts a server whose responses have two parts. The second part is sent when the test calls
 * `finish`.
 */
async function serveInParts({ fails = false } = {}) {
  const schema = buildSchema('type Query { first: Int, second: Int }');
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* parts() {
    await finished;
    if (fails) throw new Error('the source broke off');
    yield { hasNext: false, incremental: [{ path: [], data: { second: 2 } }] };
  }
  const tollgate = await createTollgate<{ signal?: AbortSignal }>({
    schema,
    identify: () => ({ user: 'ann' }),
    abortSignal: ({ signal }) => signal,
    rules: [ONE_AT_A_TIME],
    logger: { info() {}, warn() {}, error() {} },
  });
  const server = new ApolloServer<{ signal?: AbortSignal }>({
    schema,
    plugins: [tollgate.plugin()],
    // graphql 16 does not support @defer. This simulates an executor that does.
    legacyExperimentalExecuteIncrementally: () => ({
      initialResult: { hasNext: true, data: { first: 1 } },
      subsequentResults: parts(),
    }),
  });
  open.push(
    () => server.stop(),
    () => tollgate.close(),
  );
  async function ask(contextValue: { signal?: AbortSignal } = {}) {
    const headers = new HeaderMap([['accept', 'multipart/mixed; deferSpec=20220824']]);
    const http = { method: 'POST', headers, search: '', body: {} };
    const { body } = await server.executeOperation({ query: '{ first }', http }, { contextValue });
    return body;
  }
  const taken = async () =>
    (await tollgate.quota({ user: 'ann' })).find(({ rule }) => rule === ONE_AT_A_TIME.name)?.used;
  return { ask, taken, finish };
}

/** Returns an iterator over the later parts of a response, as a transport reads them. */
function partsOf(body: Awaited<ReturnType<Awaited<ReturnType<typeof serveInParts>>['ask']>>) {
  if (body.kind !== 'incremental') throw new Error('expected an incremental response');
  return (body.subsequentResults as AsyncIterable<unknown>)[Symbol.asyncIterator]();
}

it('an operation holds its slot until the last part of its response is sent', async () => {
  const { ask, taken, finish } = await serveInParts();
  const parts = partsOf(await ask());
  expect(await taken()).toBe(1);
  expect((await ask()).kind).toBe('single'); // Denied: the only slot is taken.
  finish();
  expect(await parts.next()).toMatchObject({ done: false });
  expect(await taken()).toBe(1);
  expect(await parts.next()).toMatchObject({ done: true });
  await expect.poll(taken).toBe(0);
});

it('a slot is freed if the client stops reading the parts of a response', async () => {
  const { ask, taken, finish } = await serveInParts();
  const parts = partsOf(await ask());
  finish();
  await parts.next();
  await parts.return?.();
  await expect.poll(taken).toBe(0);
});

it('a slot is freed if a later part of a response fails', async () => {
  const { ask, taken, finish } = await serveInParts({ fails: true });
  const parts = partsOf(await ask());
  finish();
  await expect(parts.next()).rejects.toThrow('broke off');
  await expect.poll(taken).toBe(0);
});

it('a slot is freed if the client disconnects before it requests the second part', async () => {
  const { ask, taken } = await serveInParts();
  const gone = new AbortController();
  await ask({ signal: gone.signal });
  expect(await taken()).toBe(1);
  gone.abort();
  await expect.poll(taken).toBe(0);
});

/** Starts a server whose resolvers of the field `slow` run until the test releases them. */
async function serveSlowly({ capacity = 1 } = {}) {
  const waiting: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const slow = async () => {
    running++;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => waiting.push(resolve));
    running--;
    return {};
  };
  // The resolver throws asynchronously. After a synchronous error, graphql-js would wait for the
  // sibling fields.
  const fails = async () => {
    throw new GraphQLError('no');
  };
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
      type Query { slow: Slow, all: [Slow], group: Group, fails: Int, must: Int! }
      type Mutation { slow: Slow, must: Int! }
      type Slow { slow: Slow, all: [Slow], fails: Int, must: Int! }
      type Group { slow: Slow, must: Int! }
    `,
    resolvers: {
      Query: {
        slow,
        group: () => ({}),
        all: () => [Promise.reject(new GraphQLError('no')), slow()],
        fails,
        must: fails,
      },
      Mutation: { slow, must: fails },
      Slow: { slow, all: () => [Promise.reject(new GraphQLError('no')), slow()], fails, must: fails },
      Group: { slow, must: fails },
    },
  });
  const rule = { ...ONE_AT_A_TIME, limits: [{ ...ONE_AT_A_TIME.limits![0]!, capacity }] } as RuleInput;
  const tollgate = await createTollgate<SlowContext>({
    schema,
    identify: () => ({ user: 'ann' }),
    abortSignal: ({ signal }) => signal,
    batchPlace: ({ batchPlace }) => batchPlace,
    rules: [rule],
    logger: { info() {}, warn() {}, error() {} },
  });
  const server = new ApolloServer<SlowContext>({ schema, plugins: [tollgate.plugin()] });
  const release = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  open.push(
    async () => release(),
    () => server.stop(),
    () => tollgate.close(),
  );
  async function ask(query: string, contextValue: SlowContext = {}) {
    const { body } = await server.executeOperation({ query }, { contextValue });
    if (body.kind !== 'single') throw new Error('expected one answer');
    return body.singleResult;
  }
  const taken = async () => (await tollgate.quota({ user: 'ann' })).find((entry) => entry.rule === rule.name)?.used;
  return { ask, taken, release, waiting: () => waiting.length, most: () => most };
}

interface SlowContext {
  signal?: AbortSignal;
  batchPlace?: BatchPlace;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  ['an error that leaves no data', '{ slow { fails } must }'],
  ['an error that nulls its siblings', '{ group { slow { fails } must } }'],
  ['an item that fails before the other items of its list', '{ all { fails } must }'],
  ['a mutation that fails', 'mutation { must slow { fails } }'],
])('a slot is held after %s until the remaining resolvers end', async (_, query) => {
  const { ask, taken, release, waiting } = await serveSlowly();
  const { errors } = await ask(query);
  expect(errors?.length).toBeGreaterThan(0);
  if (waiting() > 0) {
    for (let i = 0; i < 5; i++) await turn();
    expect(await taken()).toBe(1);
    expect((await ask('{ fails }')).errors?.[0]?.extensions?.['code']).toBe('THROTTLED');
    release();
  }
  await expect.poll(taken).toBe(0);
});

it('a slot is held as long as fields below a running resolver are still executed', async () => {
  const { ask, taken, release, waiting } = await serveSlowly();
  await ask('{ slow { slow { slow { fails } } } must }');
  for (let depth = 0; depth < 3; depth++) {
    expect(waiting()).toBe(1);
    expect(await taken()).toBe(1);
    release();
    for (let i = 0; i < 5; i++) await turn();
  }
  expect(await taken()).toBe(0);
});

it('at most as many operations run as there are slots, even if errors end responses early', async () => {
  const { ask, release, waiting, most } = await serveSlowly({ capacity: 2 });
  const answers = [];
  for (let i = 0; i < 40; i++) answers.push(await ask('{ slow { fails } must }'));
  expect(most()).toBe(2);
  expect(waiting()).toBe(2);
  expect(answers.filter(({ errors }) => errors?.[0]?.extensions?.['code'] === 'THROTTLED')).toHaveLength(38);
  release();
});

it('a slot is held after the client disconnects until the remaining resolvers end', async () => {
  const { ask, taken, release } = await serveSlowly();
  const gone = new AbortController();
  gone.abort();
  await ask('{ slow { fails } must }', { signal: gone.signal });
  for (let i = 0; i < 5; i++) await turn();
  expect(await taken()).toBe(1);
  release();
  await expect.poll(taken).toBe(0);
});

it('a slot is freed with the response if no resolver still runs', async () => {
  const { ask, taken, release, waiting } = await serveSlowly();
  const asked = ask('{ slow { slow { __typename } } }');
  for (let depth = 0; depth < 2; depth++) {
    await expect.poll(waiting).toBe(1);
    expect(await taken()).toBe(1);
    release();
  }
  await asked;
  expect(await taken()).toBe(0);
});

it('the slots of a batch are held until all of its operations have ended', async () => {
  const { ask, taken, release } = await serveSlowly({ capacity: 2 });
  const [first, second] = createBatch(2);
  await Promise.all([
    ask('{ slow { fails } must }', { batchPlace: first! }),
    ask('{ fails }', { batchPlace: second! }),
  ]);
  for (let i = 0; i < 5; i++) await turn();
  expect(await taken()).toBe(2);
  release();
  await expect.poll(taken).toBe(0);
});

it('a thenable from a resolver is awaited once, because a query builder runs its statement at each await', async () => {
  let runs = 0;
  const insert = {
    // biome-ignore lint/suspicious/noThenProperty: the test needs a thenable.
    then<Result>(resolve: (value: number) => Result): Promise<Result> {
      return Promise.resolve(++runs).then(resolve);
    },
  };
  const schema = makeExecutableSchema({
    typeDefs: 'type Query { one: Int } type Mutation { add: Int, addAll: [Int] }',
    resolvers: { Mutation: { add: () => insert, addAll: () => [insert] } },
  });
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'ann' }),
    rules: [ONE_AT_A_TIME],
    logger: { info() {}, warn() {}, error() {} },
  });
  const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
  open.push(
    () => server.stop(),
    () => tollgate.close(),
  );
  const { body } = await server.executeOperation({ query: 'mutation { add addAll }' });
  expect(body.kind === 'single' && body.singleResult.data).toEqual({ add: 1, addAll: [2] });
  expect(runs).toBe(2);
});

it('fields without a resolver use the fieldResolver of Apollo Server, even if an earlier execution without a fieldResolver held a slot', async () => {
  const schema = makeExecutableSchema({ typeDefs: 'type Query { name: String, held: String }' });
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'ann' }),
    rules: [{ ...ONE_AT_A_TIME, field: 'Query.held' }],
    logger: { info() {}, warn() {}, error() {} },
  });
  const { execute } = tollgate.execution();
  expect((await execute({ schema, document: parse('{ held }') })).data).toEqual({ held: null });
  const server = new ApolloServer({
    schema,
    // The default cache-control plugin also observes every field, so the test disables it.
    plugins: [tollgate.plugin(), ApolloServerPluginCacheControlDisabled()],
    fieldResolver: (_source, _args, _context, { fieldName }) => fieldName.toUpperCase(),
  });
  open.push(
    () => server.stop(),
    () => tollgate.close(),
  );
  // The first field holds no slot, and the second one does.
  for (const name of ['name', 'held']) {
    const { body } = await server.executeOperation({ query: `{ ${name} }` });
    expect(body.kind === 'single' && body.singleResult.data).toEqual({ [name]: name.toUpperCase() });
  }
});

it('the fieldResolver of Apollo Server is looked up once per operation, for any number of fields', async () => {
  const schema = buildSchema('type Query { items: [Item!]! } type Item { name: String }');
  watchResolvers(schema, {}, { running: { begin: () => () => {} } as never, fieldResolver: undefined });
  let looked = 0;
  const ownKeys = (target: object) => {
    looked++;
    return Reflect.ownKeys(target);
  };
  const fieldResolver = (source: object | undefined) => (source === undefined ? [{}, {}, {}] : 'by Apollo');
  const contextValue = new Proxy({ [Symbol('apolloServerUserFieldResolver')]: fieldResolver }, { ownKeys });
  const { data } = await execute({ schema, document: parse('{ items { name } }'), contextValue });
  expect(data).toEqual({ items: Array(3).fill({ name: 'by Apollo' }) });
  expect(looked).toBe(1);
});
