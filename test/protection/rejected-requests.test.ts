import { makeExecutableSchema } from '@graphql-tools/schema';
import { execute, GraphQLError } from 'graphql';
import { afterEach, expect, test } from 'vitest';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';

let tollgate: Tollgate<{ user?: string }>;
afterEach(() => tollgate.close());

const schema = makeExecutableSchema({
  typeDefs: 'type Query { item: String }',
  resolvers: { Query: { item: () => 'one' } },
});

async function open(capacity: number): Promise<void> {
  tollgate = await createTollgate<{ user?: string }>({
    schema,
    identify({ contextValue: { user } }) {
      if (user === undefined)
        throw new GraphQLError('unknown', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
      return { user };
    },
    tiers: [{ name: 'only', capacity, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    fee: 3,
    logger: { info() {}, warn() {}, error() {} },
  });
}

async function left(user: string): Promise<number | undefined> {
  return (await tollgate.quota({ user }))[0]?.remaining;
}

const teapot = new GraphQLError('no coffee', { extensions: { code: 'TEAPOT', http: { status: 418 } } });

test('protect charges the fee of a request that the server rejected, and returns its errors', async () => {
  await open(10);
  const asked = await tollgate.protect({ rejection: [teapot], contextValue: { user: 'ann' } });
  expect(asked).toMatchObject({
    admitted: false,
    answer: {
      status: 418,
      feePaid: true,
      headers: { 'x-ratelimit-cost': '3' },
      body: { errors: [{ message: 'no coffee', extensions: { code: 'TEAPOT' } }], extensions: { cost: { fee: 3 } } },
    },
  });
  expect(await left('ann')).toBe(7);
});

test('protect returns a denial if the caller cannot pay the fee of a rejected request', async () => {
  await open(5);
  await tollgate.protect({ rejection: [], contextValue: { user: 'ben' } });
  const asked = await tollgate.protect({ rejection: [teapot], contextValue: { user: 'ben' } });
  expect(asked).toMatchObject({
    answer: { status: 429, feePaid: false, body: { errors: [{ extensions: { code: 'THROTTLED' } }] } },
  });
  expect(await left('ben')).toBe(2);
});

test('protect returns the errors of a rejected request without a fee if no caller can be charged', async () => {
  await open(10);
  const asked = await tollgate.protect({ rejection: [teapot], contextValue: {} });
  expect(asked).toEqual({
    admitted: false,
    answer: { status: 418, headers: {}, body: { errors: [{ message: 'no coffee', extensions: { code: 'TEAPOT' } }] } },
  });
});

test('an admitted operation that the server rejects is refunded and costs the fee once', async () => {
  await open(10);
  const asked = await tollgate.protect({ query: '{ item }', contextValue: { user: 'cat' } });
  if (!asked.admitted) throw new Error('expected it to be admitted');
  const answer = await asked.reject([teapot]);
  expect(answer).toMatchObject({ status: 418, feePaid: true });
  expect(await left('cat')).toBe(7);
  expect(() => asked.start()).toThrow('The client closed the connection');
});

test('an executed operation is not refunded if the server rejects it afterwards', async () => {
  await open(10);
  const asked = await tollgate.protect({ query: '{ item }', contextValue: { user: 'dan' } });
  if (!asked.admitted) throw new Error('expected it to be admitted');
  const before = (await left('dan'))!;
  await asked.run((document) => execute({ schema, document }));
  await asked.reject([teapot]);
  expect(await left('dan')).toBe(before - 3);
});
