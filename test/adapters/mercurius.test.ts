import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { makeExecutableSchema } from '@graphql-tools/schema';
import fastify, { type FastifyInstance } from 'fastify';
import mercurius, { type MercuriusOptions } from 'mercurius';
import { afterEach, describe, expect, it } from 'vitest';
import { protectMercurius } from '../../src/mercurius/protect-mercurius.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

const schema = makeExecutableSchema({
  typeDefs: /* GraphQL */ `
    directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
    type Query { items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]) }
    type Mutation { put: Item }
    type Subscription { tick: Item }
    type Item { name: String }
  `,
  resolvers: { Query: { items: () => [{ name: 'x' }] } },
});
const TOO_MUCH = '{ items(first: 100000) { name } }';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const makeTollgate = async () => {
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'ann' }),
    tiers: [
      { name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, answer: 'FULL', isDefault: true },
    ],
    logger: { info() {}, warn() {}, error() {} },
  });
  closers.push(() => tollgate.close());
  return tollgate;
};

interface Setup {
  prefix?: string;
  ofMercurius?: MercuriusOptions;
  path?: string;
  /** Whether the app serves WebSockets on other routes. */
  hasWebSockets?: boolean;
}

/** Creates an app with Mercurius and `protectMercurius`, optionally under a prefix. */
async function makeApp({ prefix, ofMercurius, path, hasWebSockets = false }: Setup = {}) {
  const tollgate = await makeTollgate();
  const app = fastify();
  closers.push(() => app.close());
  if (hasWebSockets) app.register((await import(String('@fastify/websocket'))).default);
  const both = async (parent: FastifyInstance) => {
    parent.register(mercurius, { schema, ...ofMercurius });
    parent.register(protectMercurius, { tollgate, ...(path !== undefined && { path }) });
  };
  if (prefix === undefined) await both(app);
  else app.register(both, { prefix });
  const left = async () => (await tollgate.quota({ user: 'ann' }))[0]!.remaining;
  return { app, left };
}

async function ask(app: FastifyInstance, path: string, body: object) {
  const url = app.server.listening ? app.listeningOrigin : await app.listen({ port: 0, host: '127.0.0.1' });
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
  return { status: response.status, ...((await response.json()) as any) };
}

describe('protectMercurius and the route of Mercurius', () => {
  it.each<[string, string, Setup]>([
    ['under a prefix of Fastify', '/api/graphql', { prefix: '/api' }],
    ['under a prefix with a trailing slash', '/api/graphql', { prefix: '/api/' }],
    [
      'under a prefix of Mercurius that is part of the path',
      '/gql/graphql',
      { ofMercurius: { prefix: '/gql' }, path: '/gql/graphql' },
    ],
    ['at a custom path that both options contain', '/q', { ofMercurius: { path: '/q' }, path: '/q' }],
  ])('protectMercurius protects Mercurius %s', async (_what, path, setup) => {
    const { app } = await makeApp(setup);
    const answer = await ask(app, path, { query: TOO_MUCH });
    expect(answer.status).toBe(400);
    expect(answer.errors).toMatchObject([{ extensions: { code: 'MAX_COST_EXCEEDED' } }]);
    expect((await ask(app, path, { query: '{ items(first: 2) { name } }' })).data).toEqual({ items: [{ name: 'x' }] });
  });

  it.each<[string, string, Setup]>([
    ['only Mercurius has the prefix', '/graphql', { ofMercurius: { prefix: '/gql' } }],
    ['only Mercurius has the path', '/graphql', { ofMercurius: { path: '/q' } }],
    ['only protectMercurius has the path', '/q', { path: '/q' }],
    ['the path lacks the prefix of Fastify', '/graphql', { prefix: '/api', path: '/graphql' }],
  ])('the server does not start if Mercurius would be unprotected: %s', async (_what, path, setup) => {
    const { app } = await makeApp(setup);
    await expect(app.ready()).rejects.toThrow(
      `protectMercurius: there is no route at ${path}: set path to the path of Mercurius`,
    );
  });

  it('protectMercurius does not limit operations that the server runs itself', async () => {
    const { app } = await makeApp();
    app.get('/report', async (_request, reply) => reply.graphql(TOO_MUCH));
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    expect(await (await fetch(`${url}/report`)).json()).toEqual({ data: { items: [{ name: 'x' }] } });
  });
});

it('protectMercurius charges the fee for a rejection by Mercurius or a hook, and nothing if a hook sends data', async () => {
  const { app, left } = await makeApp();
  const query = '{ items(first: 2) { name } }';
  app.addHook('preHandler', async (request, reply) => {
    const asks = request.headers['x-asks'];
    if (asks === 'wrongly') return reply.code(403).send({ errors: [{ message: 'not you' }] });
    if (asks === 'again') return reply.send({ data: { items: [] } });
    return undefined;
  });
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql?query=`;
  const statusOf = async (text: string, asks = '') =>
    (await fetch(url + encodeURIComponent(text), { headers: { 'x-asks': asks } })).status;
  expect(await statusOf('mutation { put { name } }')).toBe(405);
  await expect.poll(left).toBe(99);
  expect(await statusOf(query, 'wrongly')).toBe(403);
  await expect.poll(left).toBe(98);
  expect(await statusOf(query, 'again')).toBe(200);
  expect(await statusOf(query)).toBe(200);
  await expect.poll(left).toBe(97);
});

it('protectMercurius charges the fee for a rejection by Mercurius, even if an errorFormatter hides its status and errors', async () => {
  const errorFormatter = () => ({ statusCode: 200, response: { data: null } });
  const { app, left } = await makeApp({ ofMercurius: { errorFormatter } });
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql?query=`;
  expect((await fetch(url + encodeURIComponent('mutation { put { name } }'))).status).toBe(200);
  await expect.poll(left).toBe(99);
});

it('protectMercurius charges the fee for a rejection with status 200, also for an error that a hook throws', async () => {
  const { app, left } = await makeApp({
    ofMercurius: {
      errorFormatter: ({ errors }) => ({
        statusCode: 200,
        response: { data: null, errors: (errors ?? []).map(({ message }) => ({ message })) },
      }),
    },
  });
  const body = JSON.stringify({ query: '{ items(first: 2) { name } }' });
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
  expect((await fetch(`${url}?query=${encodeURIComponent('mutation { put { name } }')}`)).status).toBe(200);
  await expect.poll(left).toBe(99);
  app.graphql.addHook('preParsing', async () => {
    throw new Error('not you');
  });
  const rejected = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(await rejected.json()).toEqual({ data: null, errors: [{ message: 'not you' }] });
  expect(rejected.status).toBe(200);
  await expect.poll(left).toBe(98);
});

it('protectMercurius rejects a subscription over HTTP with 400 and charges the fee', async () => {
  const { app, left } = await makeApp();
  const answer = await ask(app, '/graphql', { query: 'subscription { tick { name } }' });
  expect(answer.status).toBe(400);
  expect(answer.data ?? null).toBeNull();
  expect(answer.errors).toEqual([
    { message: expect.stringContaining('subscriptions are not served over HTTP'), extensions: { code: 'BAD_REQUEST' } },
  ]);
  expect(await left()).toBe(99);
});

it('protectMercurius throws if it is registered twice for one path', async () => {
  const { app } = await makeApp();
  app.register(protectMercurius, { tollgate: await makeTollgate() });
  await expect(app.ready()).rejects.toThrow('protectMercurius: expected once for /graphql, got it twice');
});

describe('protectMercurius and requests without a text', () => {
  const QUERY = '{ items(first: 2) { name } }';
  const HASH = createHash('sha256').update(QUERY).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash: HASH } };
  const automatic = { persistedQueryProvider: mercurius.persistedQueryDefaults.automatic() };

  it.each<[string, object, MercuriusOptions]>([
    ['a hash that Mercurius knows', { query: HASH, persisted: true }, { persistedQueries: { [HASH]: QUERY } }],
    [
      'a hash that looks like an operation',
      { query: QUERY, persisted: true },
      { persistedQueries: { [QUERY]: TOO_MUCH } },
    ],
    ['the hash of an automatic persisted query', { extensions }, automatic],
  ])('protectMercurius asks clients to send the text instead of %s, and charges the fee', async (_what, body, ofMercurius) => {
    const { app, left } = await makeApp({ ofMercurius });
    const answer = await ask(app, '/graphql', body);
    expect(answer.status).toBe(200);
    expect(answer.data ?? null).toBeNull();
    expect(answer.errors).toEqual([
      { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
    ]);
    expect(await left()).toBe(99);
    const withText = await ask(app, '/graphql', { query: QUERY, extensions });
    expect(withText.data).toEqual({ items: [{ name: 'x' }] });
  });

  it('protectMercurius asks clients to send the text instead of a persisted query hash in a GET', async () => {
    const { app } = await makeApp({ ofMercurius: automatic });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(`${url}/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`);
    expect(await response.json()).toMatchObject({ errors: [{ message: 'PersistedQueryNotFound' }] });
  });

  it('protectMercurius rejects a WebSocket handshake with the reason if Mercurius serves none', async () => {
    const { app } = await makeApp({ hasWebSockets: true });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const { WebSocket: Client } = (await import(String('ws'))) as {
      WebSocket: new (
        url: string,
        protocol: string,
      ) => { on(event: string, listener: (...given: never[]) => void): void };
    };
    const rejected = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const socket = new Client(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      socket.on('open', () => reject(new Error('The handshake was accepted')));
      socket.on('error', reject);
      socket.on('unexpected-response', async (_request: unknown, response: IncomingMessage) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode!, text });
      });
    });
    expect(rejected.status).toBe(400);
    expect(rejected.text).toContain('Mercurius serves no WebSockets: set its option `subscription: true`, or use HTTP');
  });
});
