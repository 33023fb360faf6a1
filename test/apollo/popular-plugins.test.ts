import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import { ApolloServerPluginUsageReporting } from '@apollo/server/plugin/usageReporting';
import cachePlugin from '@apollo/server-plugin-response-cache';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterEach, describe, expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { until } from '../helpers/until.js';

// A denial of Tollgate stays a denial next to popular plugins, in either order. The operation
// reserves ten of twelve tokens and uses five, so Tollgate denies the second operation of a caller.

const QUERY = '{ items(first: 10) { name } }';
const HASH = createHash('sha256').update(QUERY).digest('hex');
const HASHED = { extensions: { persistedQuery: { version: 1, sha256Hash: HASH } } };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Order = 'before' | 'after';
const ORDERS: Order[] = ['before', 'after'];

interface Setup extends Omit<ApolloServerOptions<object>, 'schema' | 'plugins' | 'gateway' | 'typeDefs' | 'resolvers'> {
  plugin?: ApolloServerPlugin<object>;
  order?: Order;
}

async function serve({ plugin, order = 'before', ...options }: Setup) {
  let resolved = 0;
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
      directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
      directive @cacheControl(maxAge: Int) on FIELD_DEFINITION | OBJECT
      type Query { items(first: Int!): [Item] @listSize(slicingArguments: ["first"]) @cacheControl(maxAge: 600) }
      type Item @cacheControl(maxAge: 600) { name: String @cacheControl(maxAge: 600) }
    `,
    resolvers: {
      Query: {
        items: (_: unknown, { first }: { first: number }) => {
          resolved++;
          return Array.from({ length: first / 2 }, () => ({ name: 'x' }));
        },
      },
    },
  });
  const tollgate = await createTollgate<object>({
    schema,
    identify: ({ header }) => ({ user: header('x-user') ?? 'nobody' }),
    tiers: [{ name: 'free', capacity: 12, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: { info() {}, warn() {}, error() {} },
  });
  const own = tollgate.plugin();
  const others = plugin ? [plugin] : [];
  const server = new ApolloServer<object>({
    schema,
    plugins: order === 'before' ? [...others, own] : [own, ...others],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    stopOnTerminationSignals: false,
    ...options,
  });
  await server.start();
  closers.push(
    () => tollgate.close(),
    () => server.stop(),
  );
  return {
    resolved: () => resolved,
    left: async (user: string) => (await tollgate.quota({ user }))[0]!.remaining,
    async ask(user: string, body: object = { query: QUERY }, headers: [string, string][] = []) {
      const answer = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          method: 'POST',
          headers: new HeaderMap([['content-type', 'application/json'], ['x-user', user], ...headers]),
          search: '',
          body,
        },
        context: async () => ({}),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
      const parsed: any = answer.body.kind === 'complete' ? JSON.parse(answer.body.string) : undefined;
      return { status: answer.status ?? 200, headers: answer.headers, ...parsed, cost: parsed?.extensions?.cost };
    },
  };
}

type Served = Awaited<ReturnType<typeof serve>>;

/** Uses up the bucket of a caller, so that the operation is denied. */
async function useUp({ ask, left }: Served, user: string): Promise<void> {
  while ((await left(user)) >= 10) await ask(user, { query: `query N${await left(user)} ${QUERY}` });
}

async function expectDenied(served: Served, user: string, body?: object, code: string | null = 'THROTTLED') {
  const before = served.resolved();
  const denied = await served.ask(user, body);
  expect(denied.status).toBe(429);
  expect(denied.data ?? null).toBeNull();
  expect(denied.errors).toHaveLength(1);
  if (code) expect(denied.errors[0].extensions.code).toBe(code);
  expect(Number(denied.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(served.resolved()).toBe(before);
}

describe.each(ORDERS)('response cache %s Tollgate in the list of plugins', (order) => {
  it('a denied caller gets no cached response, and a cached response costs nothing', async () => {
    const served = await serve({ plugin: (cachePlugin as unknown as () => ApolloServerPlugin<object>)(), order });
    expect((await served.ask('ann')).cost.actualQueryCost).toBe(5);
    const cached = await served.ask('bob');
    expect(cached.data.items).toHaveLength(5);
    expect(served.resolved()).toBe(1);
    expect(cached.cost).toMatchObject({ actualQueryCost: 0, throttleStatus: { currentlyAvailable: 12 } });
    expect(await served.left('bob')).toBe(12);
    await useUp(served, 'carl');
    await expectDenied(served, 'carl');
  });
});

describe.each(ORDERS)('usage reporting %s Tollgate in the list of plugins', (order) => {
  it('usage reporting reports admitted operations and changes no denial', async () => {
    let reports = 0;
    const collector = createServer((request, response) => {
      reports++;
      request.resume();
      response.end();
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    closers.push(() => collector.close());
    const served = await serve({
      order,
      apollo: { key: 'service:tested:key', graphRef: 'tested@current' },
      plugin: ApolloServerPluginUsageReporting({
        endpointUrl: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
        sendReportsImmediately: true,
      }),
    });
    expect((await served.ask('ann')).cost.actualQueryCost).toBe(5);
    await expectDenied(served, 'ann');
    await until('the operation is reported', () => reports > 0);
  });
});

describe.each(ORDERS)('plugin %s Tollgate that masks errors in willSendResponse', (order) => {
  it('a plugin that masks errors keeps the status and the headers of a denial', async () => {
    const served = await serve({
      order,
      plugin: {
        async requestDidStart() {
          return {
            async willSendResponse({ response: { body } }) {
              if (body.kind === 'single' && body.singleResult.errors)
                body.singleResult.errors = [{ message: 'masked' }];
            },
          };
        },
      },
    });
    await served.ask('ann');
    await expectDenied(served, 'ann', undefined, null);
  });
});

it('a denial stays a denial if formatError masks every error', async () => {
  const served = await serve({ formatError: () => ({ message: 'masked' }) });
  await served.ask('ann');
  await expectDenied(served, 'ann', undefined, null);
});

it('an operation with the hash of a persisted query can be denied, and an unknown hash costs the fee', async () => {
  const served = await serve({});
  const unknown = await served.ask('ann', HASHED);
  expect(unknown.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
  expect(await served.left('ann')).toBe(11);
  expect((await served.ask('ann', { query: QUERY, ...HASHED })).data.items).toHaveLength(5);
  await expectDenied(served, 'ann', HASHED);
  expect((await served.ask('bob', HASHED)).data.items).toHaveLength(5);
});

it('the CSRF prevention of Apollo Server rejects forged requests without a charge', async () => {
  const served = await serve({});
  const forged = await served.ask('ann', { query: QUERY }, [['content-type', 'text/plain']]);
  expect(forged.status).toBe(400);
  expect(forged.data ?? null).toBeNull();
  expect(await served.left('ann')).toBe(12);
  expect(served.resolved()).toBe(0);
});
