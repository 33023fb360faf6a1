import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect, it, onTestFinished } from 'vitest';
import { MAX_KEPT_BYTES } from '../../src/protection/incremental/create-merge.js';
import { MAX_COMPARED } from '../../src/protection/incremental/mark-outstanding.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';

const schema = makeExecutableSchema({
  typeDefs: /* GraphQL */ `
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    interface Node { name: String }
    type Query { items(first: Int!): [Item], nodes(first: Int!): [Node], tags(first: Int!): [String], search(first: Int!): Page }
    type Page { items: [Item] }
    type Item implements Node { name: String, a: Item, b: Item }
    type Other implements Node { name: String, other: Item }
  `,
});
const CAPACITY = 1_000_000;

/** Starts an operation whose parts the test writes. */
async function start(query: string, { signal }: { signal?: AbortSignal } = {}) {
  const tollgate = await createTollgate<object>({
    schema,
    cost: { presets: [] },
    identify: () => ({ user: 'ann' }),
    tiers: [{ name: 'free', capacity: CAPACITY, refillAmount: 1, refillPeriodMs: 1_000_000, isDefault: true }],
    logger: { info() {}, warn() {}, error() {} },
    deadlineMs: PATIENT_MS,
  });
  onTestFinished(() => tollgate.close());
  const contextValue = {};
  const request = await tollgate.protect({ query, headers: {}, contextValue, ...(signal && { signal }) });
  if (!request.admitted) throw new Error(JSON.stringify(request.answer.body));
  const spent = async () =>
    CAPACITY - (await tollgate.quota({ user: 'ann' })).find(({ rule }) => rule === 'tier:free')!.remaining;
  return { request, spent };
}

/** Sends parts to a caller who then leaves, and expects what they pay. */
async function expectPaid(paid: number, query: string, given: readonly object[]): Promise<void> {
  const { request, spent } = await start(query);
  request.start();
  const estimate = await spent();
  async function* source() {
    yield* given;
  }
  const parts = request.parts(source());
  for (const _ of given) expect((await parts.next()).done).toBe(false);
  await parts.return!();
  await until(`${paid} of the estimated ${estimate} tokens are spent`, async () => (await spent()) === paid);
}

const items = (count: number, item: object = { name: 'x' }) => Array.from({ length: count }, () => item);
const STREAM = '{ items(first: 20) @stream { name } }';

it('a caller who leaves during a stream pays for all items that were sent, if these are more than estimated', async () => {
  await expectPaid(50, STREAM, [
    { data: { items: items(2) }, pending: [{ id: '0', path: ['items'] }], hasNext: true },
    { incremental: [{ id: '0', items: items(48) }], hasNext: true },
  ]);
});

it('a caller who leaves during a stream pays the items that were sent, and the estimate of the others', async () => {
  const query = '{ items(first: 20) @stream { name ... @defer { a { name } } } }';
  await expectPaid(40, query, [{ data: { items: items(3) }, hasNext: true }]);
  // A field that was sent as null has no object.
  await expectPaid(37, query, [{ data: { items: items(3, { name: 'x', a: null }) }, hasNext: true }]);
});

it('a streamed list of an interface costs at most its estimate in addition to the other lists', async () => {
  const query = `{
    items(first: 1000) { name }
    nodes(first: 20) @stream { name ... on Item { a { name } } ... on Other { other { name } } }
  }`;
  const nodes = [...items(2, { name: 'x', a: null }), { name: 'x', other: { name: 'x' } }];
  await expectPaid(5 + 4 + 17 * 2, query, [{ data: { items: items(5), nodes }, hasNext: true }]);
});

it('a stream that fails costs all items that were sent, if these are more than estimated', async () => {
  await expectPaid(50, STREAM, [
    { data: { items: items(50) }, pending: [{ id: '0', path: ['items'] }], hasNext: true },
    { completed: [{ id: '0', errors: [{ message: 'broken' }] }], hasNext: false },
  ]);
});

it('a response above the kept size costs its estimate, and no part of it is lost', async () => {
  const { request, spent } = await start('{ items(first: 700000) @stream { name } }');
  request.start();
  const name = 'x'.repeat(2 ** 16);
  const total = (3 * MAX_KEPT_BYTES) / name.length;
  let sent = 0;
  async function* source() {
    yield { data: { items: [] }, pending: [{ id: '0', path: ['items'] }], hasNext: true };
    for (; sent < total; sent++) {
      yield { incremental: [{ id: '0', items: [{ name }] }], hasNext: sent < total - 1 };
    }
  }
  let received = 0;
  let last: { extensions?: { cost?: object } } = {};
  for await (const part of request.parts(source())) {
    received++;
    last = part;
  }
  expect(received).toBe(1 + total);
  expect(last.extensions?.cost).toMatchObject({ requestedQueryCost: 700_000, actualQueryCost: 700_000 });
  expect(await spent()).toBe(700_000);
});

it('a response above the kept size costs the parts that were kept, if these cost more than the estimate', async () => {
  const { request, spent } = await start(STREAM);
  request.start();
  const many = items(MAX_KEPT_BYTES / 32);
  async function* source() {
    yield { data: { items: many }, pending: [{ id: '0', path: ['items'] }], hasNext: true };
    yield { incremental: [{ id: '0', items: items(1) }], hasNext: false };
  }
  for await (const _ of request.parts(source()));
  expect(await spent()).toBe(many.length);
});

it('a caller who leaves a response with too many objects to compare pays its estimate, or for the objects if these cost more', async () => {
  const query = (first: number) => `{ items(first: ${first}) @stream { a { name } ... @defer { b { name } } } }`;
  const data = { items: items(MAX_COMPARED, { a: null }) };
  await expectPaid(900_000, query(300_000), [{ data, hasNext: true }]);
  await expectPaid(MAX_COMPARED, query(1), [{ data, hasNext: true }]);
});

it('a caller who has left before the first part pays the estimate, and the source of the parts ends', async () => {
  const gone = new AbortController();
  const { request, spent } = await start(STREAM, { signal: gone.signal });
  request.start();
  gone.abort();
  let isEnded = false;
  const source: AsyncIterableIterator<object> = {
    next: () => new Promise(() => {}),
    return: async () => {
      isEnded = true;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => source,
  };
  const parts = request.parts(source);
  await until('the source has ended', () => isEnded);
  expect(await parts.return!()).toEqual({ done: true, value: undefined });
  expect(await spent()).toBe(20);
});
