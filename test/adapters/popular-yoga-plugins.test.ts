import { createHash } from 'node:crypto';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { useTollgate } from '../../src/yoga/use-tollgate.js';

// Denials and rejections of Tollgate stay in effect next to popular plugins, in either order. The
// operation reserves ten of twelve tokens and uses five, so Tollgate denies the second operation of
// a caller.

interface Yoga {
  fetch(url: string, init: RequestInit): Promise<Response>;
}
type Make = (options: object) => object;
const load = async (name: string) => (await import(name)) as Record<string, never>;
const { createYoga } = (await load('graphql-yoga')) as unknown as { createYoga(options: object): Yoga };
const { useResponseCache } = (await load('@graphql-yoga/plugin-response-cache')) as Record<string, Make>;
const { useAPQ } = (await load('@graphql-yoga/plugin-apq')) as Record<string, Make>;
const { useCSRFPrevention } = (await load('@graphql-yoga/plugin-csrf-prevention')) as Record<string, Make>;
const { usePersistedOperations } = (await load('@graphql-yoga/plugin-persisted-operations')) as Record<string, Make>;

const QUERY = '{ items(first: 10) { name } }';
const HASH = createHash('sha256').update(QUERY).digest('hex');
const HASHED = { extensions: { persistedQuery: { version: 1, sha256Hash: HASH } } };
const TYPED = '{ any { ... on Cheap { a: list(first: 6) { name } } ... on Other { a: one { name } } } }';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Order = 'before' | 'after';
const ORDERS: Order[] = ['before', 'after'];

async function serve({
  plugin,
  order = 'before',
  ...options
}: {
  plugin?: object;
  order?: Order;
  [of: string]: unknown;
}) {
  let resolved = 0;
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
      directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
      type Query { items(first: Int!): [Item] @listSize(slicingArguments: ["first"]), any: Any }
      type Item { name: String }
      union Any = Cheap | Other
      type Cheap { list(first: Int!): [Item] @listSize(slicingArguments: ["first"]) }
      type Other { one: [Item] }
    `,
    resolvers: {
      Query: {
        items: (_: unknown, { first }: { first: number }) => {
          resolved++;
          return Array.from({ length: first / 2 }, () => ({ name: 'x' }));
        },
        any: () => ({ __typename: 'Cheap', list: [{ name: 'y' }] }),
      },
    },
  });
  const tollgate = await createTollgate({
    schema,
    identify: ({ header }) => ({ user: header('x-user') ?? 'nobody' }),
    tiers: [{ name: 'free', capacity: 12, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: { info() {}, warn() {}, error() {} },
  });
  closers.push(() => tollgate.close());
  const own = useTollgate(tollgate);
  const others = plugin ? [plugin] : [];
  const yoga = createYoga({
    schema,
    plugins: order === 'before' ? [...others, own] : [own, ...others],
    logging: false,
    ...options,
  });
  return {
    resolved: () => resolved,
    left: async (user: string) => (await tollgate.quota({ user }))[0]!.remaining,
    async ask(user: string, body: object = { query: QUERY }, headers: Record<string, string> = {}) {
      const response = await yoga.fetch('http://yoga/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': user, ...headers },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
      const parsed: any = text.startsWith('{') ? JSON.parse(text) : {};
      return { status: response.status, headers: response.headers, ...parsed, cost: parsed.extensions?.cost };
    },
  };
}

type Served = Awaited<ReturnType<typeof serve>>;

async function expectDenied({ ask, resolved }: Served, user: string, body?: object, headers?: Record<string, string>) {
  const before = resolved();
  const denied = await ask(user, body, headers);
  expect(denied.status).toBe(429);
  expect(denied.data ?? null).toBeNull();
  expect(denied.errors).toMatchObject([{ extensions: { code: 'THROTTLED' } }]);
  expect(Number(denied.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(resolved()).toBe(before);
}

describe.each(ORDERS)('response cache %s Tollgate in the list of plugins', (order) => {
  const cached = () => serve({ plugin: useResponseCache!({ session: () => null, ttl: 600_000 }), order });

  it('a denied caller gets no cached response, and a cached response costs nothing', async () => {
    const served = await cached();
    expect((await served.ask('ann')).cost.actualQueryCost).toBe(5);
    const again = await served.ask('bob');
    expect(again.data.items).toHaveLength(5);
    expect(served.resolved()).toBe(1);
    expect(again.cost).toMatchObject({ actualQueryCost: 0, throttleStatus: { currentlyAvailable: 12 } });
    expect(await served.left('bob')).toBe(12);
    await served.ask('carl', { query: '{ items(first: 8) { name } }' });
    await expectDenied(served, 'carl');
  });

  it('a response cache stores no field that the client did not request', async () => {
    const served = await cached();
    for (const user of ['ann', 'bob']) {
      expect((await served.ask(user, { query: TYPED })).data).toEqual({ any: { a: [{ name: 'y' }] } });
    }
  });
});

describe.each(ORDERS)('automatic persisted queries %s Tollgate in the list of plugins', (order) => {
  it('automatic persisted queries do not bypass a denial', async () => {
    const served = await serve({ plugin: useAPQ!({}), order });
    expect((await served.ask('ann', { query: QUERY, ...HASHED })).data.items).toHaveLength(5);
    await expectDenied(served, 'ann', { query: QUERY, ...HASHED });
    const byHash = await served.ask('bob', HASHED);
    expect(byHash.data.items).toHaveLength(5);
    await expectDenied(served, 'ann', HASHED);
  });
});

describe.each(ORDERS)('CSRF prevention %s Tollgate in the list of plugins', (order) => {
  it('CSRF prevention rejects forged requests and charges the fee, and does not bypass a denial', async () => {
    const served = await serve({ plugin: useCSRFPrevention!({ requestHeaders: ['x-own'] }), order });
    const forged = await served.ask('ann', { query: QUERY }, { 'content-type': 'text/plain' });
    expect(forged.status).toBe(403);
    expect(await served.left('ann')).toBe(11);
    expect(served.resolved()).toBe(0);
    const own = { 'x-own': '1' };
    expect((await served.ask('ann', { query: QUERY }, own)).data.items).toHaveLength(5);
    await expectDenied(served, 'ann', { query: QUERY }, own);
  });
});

describe.each(ORDERS)('persisted operations %s Tollgate in the list of plugins', (order) => {
  it('an operation that the plugin for persisted operations or Tollgate rejects runs no resolver', async () => {
    const plugin = usePersistedOperations!({ getPersistedOperation: (hash: string) => (hash === HASH ? QUERY : null) });
    const served = await serve({ plugin, order });
    const byText = await served.ask('ann');
    expect(byText.data ?? null).toBeNull();
    expect(byText.errors).toHaveLength(1);
    expect(served.resolved()).toBe(0);
    expect(await served.left('ann')).toBe(11);
    const byHash = await served.ask('ann', HASHED);
    if (order === 'before') {
      expect(byHash.data.items).toHaveLength(5);
      await expectDenied(served, 'ann', HASHED);
    } else {
      expect(byHash.errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
      expect(served.resolved()).toBe(0);
    }
  });
});

it('a denial stays a denial if maskError masks every error', async () => {
  const served = await serve({ maskedErrors: { maskError: () => new GraphQLError('masked') } });
  await served.ask('ann');
  await expectDenied(served, 'ann');
});

it.each([
  'onParams',
  'onExecutionResult',
  'onResultProcess',
])('a denial stays a denial if a plugin after Tollgate sets another result in %s', async (hook) => {
  const plugin = {
    [hook]: ({ setResult }: { setResult(result: object): void }) => setResult({ data: { items: [] } }),
  };
  const served = await serve({ plugin, order: 'after' });
  await served.ask('ann', { query: '{ a: items(first: 10) { name } b: items(first: 2) { name } }' });
  while ((await served.left('ann')) >= 10) await served.ask('ann', { query: '{' });
  await expectDenied(served, 'ann');
});

it('Tollgate prices the operation that a plugin after it has put into the request', async () => {
  const plugin = {
    onParams({ params, setParams }: { params: object; setParams(params: object): void }) {
      setParams({ ...params, query: '{ items(first: 100) { name } }' });
    },
  };
  const served = await serve({ plugin, order: 'after' });
  const answer = await served.ask('ann');
  expect(answer.data ?? null).toBeNull();
  expect(answer.errors).toMatchObject([{ extensions: { code: 'MAX_COST_EXCEEDED', cost: 100 } }]);
  expect(served.resolved()).toBe(0);
  expect(await served.left('ann')).toBe(11);
});
