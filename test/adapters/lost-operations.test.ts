import { makeExecutableSchema } from '@graphql-tools/schema';
import { execute, type GraphQLSchema } from 'graphql';
import { afterEach, expect, it } from 'vitest';
import type { AdmittedRequest } from '../../src/index.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { until } from '../helpers/until.js';

// Tests with operations that `tollgate.protect` admits and whose result is lost. Each operation
// reserves ten of a hundred tokens.

const QUERY = '{ items(first: 10) { name } }';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Returns a schema whose resolver waits until the test calls `answer`. */
function slowSchema(): { schema: GraphQLSchema; isRunning(): boolean; answer(): void } {
  let answer: (() => void) | undefined;
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
      directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
      type Query { items(first: Int!): [Item] @listSize(slicingArguments: ["first"]), fails: Item }
      type Item { name: String }
    `,
    resolvers: {
      Query: {
        items: () => new Promise((resolve) => (answer = () => resolve([{ name: 'x' }]))),
      },
    },
  });
  return { schema, isRunning: () => answer !== undefined, answer: () => answer!() };
}

async function protect(schema: GraphQLSchema, leaseMs = 3_600_000) {
  const settled: number[] = [];
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'ann' }),
    tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    rules: [
      {
        name: 'slots',
        scope: 'USER',
        field: '*',
        measure: 'REQUESTS',
        limits: [{ algorithm: 'CONCURRENCY', capacity: 3, leaseMs }],
      },
    ],
    onSettled: (_record, paid) => void settled.push(paid),
    logger: { info() {}, warn() {}, error() {} },
  });
  closers.push(() => tollgate.close());
  const quota = async (rule: string) => (await tollgate.quota({ user: 'ann' })).find((each) => each.rule === rule)!;
  const client = new AbortController();
  const contextValue = {};
  const request = (await tollgate.protect({ query: QUERY, contextValue, signal: client.signal })) as AdmittedRequest;
  expect(request.admitted).toBe(true);
  const slots = async () => (await quota('slots')).used;
  expect(await slots()).toBe(1);
  return {
    request,
    settled,
    slots,
    left: async () => (await quota('tier:free')).remaining,
    leave: () => client.abort(),
    run: () => request.run((document) => execute({ schema, document, contextValue })),
  };
}

it.each([
  'the client disconnects',
  'it is abandoned',
])('an operation whose execution never begins is refunded and frees its slot if %s', async (how) => {
  const { request, settled, slots, left, leave } = await protect(slowSchema().schema);
  if (how === 'it is abandoned') request.abandon();
  else leave();
  await until('the slot is free', async () => (await slots()) === 0);
  expect(settled).toEqual([0]);
  expect(await left()).toBe(100);
  // The charge was refunded, so the operation must not run any more.
  expect(() => request.start()).toThrow('The client closed the connection');
});

it('an abandoned operation runs no resolver, and its run rejects with an error', async () => {
  const { schema, isRunning } = slowSchema();
  const { request, run } = await protect(schema);
  request.abandon();
  await expect(run()).rejects.toThrow('The client closed the connection');
  expect(isRunning()).toBe(false);
});

it('the slot of a disconnected client is freed when the last resolver ends, and the estimate is charged', async () => {
  const { schema, isRunning, answer } = slowSchema();
  const { settled, slots, left, leave, run } = await protect(schema);
  const answered = run();
  await until('a resolver runs', isRunning);
  leave();
  expect(settled).toEqual([10]);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(await slots()).toBe(1);
  answer();
  await answered;
  await until('the slot is free', async () => (await slots()) === 0);
  expect(settled).toEqual([10]);
  expect(await left()).toBe(90);
});

it('the slot of an operation whose resolver never settles is freed after leaseMs', async () => {
  const { schema, isRunning } = slowSchema();
  const { slots, settled, left, leave, run } = await protect(schema, 1_000);
  void run();
  await until('a resolver runs', isRunning);
  leave();
  await until('the slot is free', async () => (await slots()) === 0);
  expect(settled).toEqual([10]);
  expect(await left()).toBe(90);
});

it('a client that disconnects between execution and response pays the estimate, and its slot is freed', async () => {
  const { schema, answer, isRunning } = slowSchema();
  const { request, slots, settled, left, leave } = await protect(schema);
  const contextValue = {};
  const executed = execute({ schema, document: request.start(contextValue), contextValue });
  await until('a resolver runs', isRunning);
  answer();
  await executed;
  leave();
  await until('the slot is free', async () => (await slots()) === 0);
  expect(settled).toEqual([10]);
  expect(await left()).toBe(90);
});

it('no resolver runs if the client disconnects before the execution begins', async () => {
  const { schema, isRunning } = slowSchema();
  const { request, slots, left, leave } = await protect(schema);
  const contextValue = {};
  const document = request.start(contextValue, undefined, schema);
  leave();
  await until('the slot is free', async () => (await slots()) === 0);
  const { errors } = await execute({ schema, document, contextValue });
  expect(errors?.map(({ message }) => message)).toEqual(['The client closed the connection']);
  expect(isRunning()).toBe(false);
  expect(await left()).toBe(90);
});

it('an operation in another process holds its slot until its response arrives, even if the client disconnects', async () => {
  const { request, slots, settled, leave } = await protect(slowSchema().schema);
  request.start();
  leave();
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(await slots()).toBe(1);
  await request.finish({ data: { items: [] } });
  await until('the slot is free', async () => (await slots()) === 0);
  expect(settled).toEqual([10]);
});

it('an operation whose execution rejects frees its slot and is charged the estimate', async () => {
  const { request, slots, settled } = await protect(slowSchema().schema);
  await expect(request.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await until('the slot is free', async () => (await slots()) === 0);
  expect(settled).toEqual([10]);
});

it('an operation whose response stream fails frees its slot', async () => {
  const { request, slots, settled } = await protect(slowSchema().schema);
  request.start();
  let breakOff: (error: Error) => void = () => {};
  const whenOver = new Promise<void>((_resolve, reject) => (breakOff = reject));
  await request.finish({ data: {} }, { whenOver });
  expect(await slots()).toBe(1);
  breakOff(new Error('the connection was reset'));
  await until('the slot is free', async () => (await slots()) === 0);
  expect(settled).toEqual([10]);
});
