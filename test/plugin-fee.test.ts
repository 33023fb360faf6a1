import { ApolloServer, HeaderMap } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterEach, describe, expect, it } from 'vitest';
import { createTollgate, type TollgateOptions } from '../src/create-tollgate.js';

const schema = makeExecutableSchema({
  typeDefs: 'type Query { item: Item } type Item { name: String }',
  resolvers: { Query: { item: () => ({ name: 'x' }) } },
});
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function protect(options: Partial<TollgateOptions> & { allowBatchedHttpRequests?: boolean } = {}) {
  const warnings: string[] = [];
  const { allowBatchedHttpRequests = false, ...rest } = options;
  const tollgate = await createTollgate({
    schema,
    identify: () => ({}),
    tiers: [{ name: 'free', capacity: 3, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: { info() {}, warn: (message) => void warnings.push(message), error() {} },
    ...rest,
  });
  const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], allowBatchedHttpRequests });
  await server.start();
  open.push(
    () => server.stop(),
    () => tollgate.close(),
  );
  async function send(body: unknown) {
    const headers = new HeaderMap([['content-type', 'application/json']]);
    const answer = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers, search: '', body },
      context: async () => ({}),
    });
    if (answer.body.kind !== 'complete') throw new Error('expected a complete answer');
    return { status: answer.status ?? 200, body: JSON.parse(answer.body.string) };
  }
  return { tollgate, send, warnings };
}

describe('the fee', () => {
  it('is taken for what never reaches a price, and denied by 429 when nothing is left', async () => {
    const { send } = await protect();
    expect((await send({ query: '{' })).body.extensions.cost).toMatchObject({
      fee: 1,
      throttleStatus: { currentlyAvailable: 2 },
    });
    expect((await send({ query: '{ nothing }' })).status).toBe(400);
    expect((await send({ query: '{ item { name } }', operationName: 'X' })).status).toBe(400);
    const denied = await send({ query: '{' });
    expect(denied.status).toBe(429);
    expect(denied.body.errors).toMatchObject([{ extensions: { code: 'THROTTLED', deniedBy: 'tier:free' } }]);
    expect(denied.body.extensions.cost.fee).toBe(0);
  });

  it('is taken by a server that uses the fee alone, too', async () => {
    const { tollgate } = await protect({ fee: 2 });
    expect((await tollgate.chargeFee({ user: 'ann' })).denial).toBeUndefined();
    expect((await tollgate.chargeFee({ user: 'ann' })).denial?.extensions).toMatchObject({ available: 1 });
  });

  it('is at most what the bucket can hold', async () => {
    const { send } = await protect({ fee: 10 });
    expect((await send({ query: '{' })).body.extensions.cost.fee).toBe(3);
    expect((await send({ query: '{' })).status).toBe(429);
  });

  it('denies nobody in shadow mode', async () => {
    const { send } = await protect({ mode: 'SHADOW' });
    for (let index = 0; index < 5; index++) expect((await send({ query: '{' })).status).toBe(400);
  });

  it('must be a whole number of tokens', async () => {
    for (const fee of [-1, 0.5, Number.NaN]) await expect(protect({ fee })).rejects.toThrow(/^fee: expected a whole/);
  });
});

describe('callers of whom nothing is known', () => {
  it('share one bucket, instead of having no limit', async () => {
    const { send } = await protect();
    for (let index = 0; index < 3; index++) expect((await send({ query: '{ item { name } }' })).status).toBe(200);
    expect((await send({ query: '{ item { name } }' })).status).toBe(429);
  });
});

describe('batches that Apollo takes apart', () => {
  it('are told of once, as their operations are charged one by one', async () => {
    const { send, warnings } = await protect({ allowBatchedHttpRequests: true });
    for (let index = 0; index < 2; index++)
      await send([{ query: '{ item { name } }' }, { query: '{ item { name } }' }]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/allowBatchedHttpRequests/);
  });
});
