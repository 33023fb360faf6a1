import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { ApolloServer } from '@apollo/server';
import express from 'express';
import { buildSchema, graphql } from 'graphql';
import { createClient } from 'graphql-sse';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdminHandlerOptions } from '../../src/admin/admin-handler-options.js';
import { type AdminHandler, createAdminHandler } from '../../src/admin/create-admin-handler.js';
import { createAdminContext, createAdminSchema, sourcesOf } from '../../src/entry/admin.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import { post } from '../helpers/platform.js';
import { until } from '../helpers/until.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { portOf, runExample } from './run-example.js';

const TOKEN = 'a-token-for-the-handler';
const ADMIN = { authorization: `Bearer ${TOKEN}` };
const QUIET = { info() {}, warn() {}, error() {} };
const BOOKS = '{ books(first: 7) { title } }';

const page = readFileSync(new URL('../../docs/admin-api.md', import.meta.url), 'utf8');
const EXAMPLES = [...page.matchAll(/```ts ([\w:]+)\n([\s\S]*?)```/g)].map(([, name, text]) => ({
  name: name!,
  text: text!,
}));
const MODULES = {
  express: () => import('express'),
  fastify: () => import('fastify'),
  'node:http': () => import('node:http'),
  'tollgate/admin': () => import('../../src/entry/admin.js'),
};

let database: TestDatabase;
let tollgate: Tollgate;
let api: ApolloServer;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  database = await openServerDatabase();
  const schema = buildSchema(`
    type Query { books(first: Int!): [Book!]! @listSize(slicingArguments: ["first"]) shelf: [Book] }
    type Book { title: String }
    directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
  `);
  tollgate = await createTollgate({
    schema,
    identify: ({ header }) => ({ user: header('x-user') ?? 'nobody' }),
    postgres: database.db,
    usage: { flushMs: 50, decisionsPerSecond: 1000 },
    logger: QUIET,
  });
  api = new ApolloServer({ schema, plugins: [tollgate.plugin()], stopOnTerminationSignals: false });
  await api.start();
  for (let asked = 0; asked < 5; asked++) {
    await api.executeOperation({ query: BOOKS }, { contextValue: {} });
  }
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await api.stop();
  await tollgate.close();
  await database.dispose();
});

function closeWith(server: Server, handler: AdminHandler): void {
  closers.push(async () => {
    await handler.close();
    server.close();
    server.closeAllConnections();
  });
}

/** Serves a handler in a server that `around` builds. */
async function serve(
  options: Partial<AdminHandlerOptions> = {},
  around: (handler: AdminHandler) => RequestListener = (handler) => handler,
): Promise<string> {
  const handler = await createAdminHandler({ tollgate, token: TOKEN, logger: QUIET, ...options });
  const server = createServer(around(handler)).listen(0, '127.0.0.1');
  closeWith(server, handler);
  return `http://127.0.0.1:${await portOf(server)}`;
}

it('the documentation has an example for Express, for Fastify and for node:http', () => {
  expect(EXAMPLES.map(({ name }) => name)).toEqual(['express', 'fastify', 'node:http']);
});

describe.each(EXAMPLES)('the admin handler in an existing server, as in the documentation: $name', ({ text }) => {
  let url: string;
  beforeAll(() => {
    process.env['TOLLGATE_ADMIN_TOKEN'] = TOKEN;
  });
  afterAll(() => {
    delete process.env['TOLLGATE_ADMIN_TOKEN'];
  });

  async function run() {
    const made = await runExample(text, { modules: MODULES, given: { tollgate }, defines: ['server', 'admin'] });
    const server = made['server'] as Server;
    closeWith(server, made['admin'] as AdminHandler);
    url = `http://127.0.0.1:${await portOf(server)}/tollgate`;
  }
  async function ask(query: string) {
    const { status, body } = await post(`${url}/graphql`, query, ADMIN);
    expect(body.errors).toBeUndefined();
    expect(status).toBe(200);
    return body.data;
  }

  it('the admin API explains, previews and simulates with the schema of the protected server, and lists its guessed prices', async () => {
    await run();
    const { guessedPrices } = await ask('{ guessedPrices { coordinate message } }');
    const message = expect.stringMatching(/the default list size \(10\) is used; add @listSize\(assumedSize: 10\)/);
    expect(guessedPrices).toEqual([{ coordinate: 'Query.shelf', message }]);
    expect((await ask('{ guessedPrices(first: 1, service: null) { coordinate } }')).guessedPrices).toHaveLength(1);
    const { costExplain } = await ask(
      `{ costExplain(input: { query: "${BOOKS}" }) { explanation { cost fields { coordinate calls } } } }`,
    );
    expect(costExplain.explanation).toEqual({
      cost: 7,
      fields: [
        { coordinate: 'Query.books', calls: 1 },
        { coordinate: 'Book.title', calls: 7 },
      ],
    });
    const { chargePreview } = await ask(
      `{ chargePreview(input: { query: "${BOOKS}", as: { user: "ann" } }) {
        preview { verdict requestedCost limits { rule remaining } } } }`,
    );
    expect(chargePreview.preview).toEqual({
      verdict: 'ADMITTED',
      requestedCost: 7,
      limits: [{ rule: 'tier:default', remaining: 1000 }],
    });
    const draft = `{ name: "books", scope: USER, field: "Query.books", measure: CALLS,
      limits: [{ fixedWindow: { amount: 1, windowMs: 86400000 } }] }`;
    // The test polls only every two seconds, because a simulation costs a tenth of the maximum
    // budget of an administrator.
    await until(
      'the decisions are stored',
      async () => {
        const { ruleSimulate } = await ask(
          `{ ruleSimulate(input: { rule: ${draft} }) { simulation { decisions denied } userErrors { message } } }`,
        );
        expect(ruleSimulate.userErrors).toEqual([]);
        return ruleSimulate.simulation.decisions === 5 && ruleSimulate.simulation.denied === 4;
      },
      60_000,
      2000,
    );
    // A draft that counts nodes or type cost denies all five operations. A draft that counts field
    // cost admits one of them.
    for (const [measure, denied] of Object.entries({ NODES: 5, TYPE_COST: 5, FIELD_COST: 4 })) {
      const other = draft.replace('CALLS', measure);
      const { ruleSimulate } = await ask(
        `{ ruleSimulate(input: { rule: ${other} }) { simulation { denied leftOut } userErrors { field message } } }`,
      );
      expect(ruleSimulate, measure).toEqual({ simulation: { denied, leftOut: 0 }, userErrors: [] });
    }
    // This handler does not know the sample API of `tollgate start`, which has `countries`.
    const { body } = await post(
      `${url}/graphql`,
      '{ costExplain(input: { query: "{ countries { name } }" }) { userErrors { message } } }',
      ADMIN,
    );
    expect(body.data.costExplain.userErrors).toEqual([{ message: expect.stringContaining('countries') }]);
  });

  it('a mutation through the admin handler reaches the stored tier, and an edit without a difference keeps the version of the tier', async () => {
    await run();
    const before = await ask('{ tier(name: "default") { capacity version } }');
    const { tierUpdate } = await ask(
      `mutation { tierUpdate(input: { name: "default", capacity: ${before.tier.capacity} }) { tier { version } userErrors { message } } }`,
    );
    expect(tierUpdate).toEqual({ tier: { version: before.tier.version }, userErrors: [] });
  });

  it('the admin handler streams live traffic and exports usage', async () => {
    await run();
    const client = createClient({ url: `${url}/graphql/stream`, headers: ADMIN, retryAttempts: 0 });
    const samples = client.iterate({ query: 'subscription { liveTraffic { processes cost } }' });
    const { value } = await samples.next();
    expect(value).toMatchObject({ data: { liveTraffic: { processes: 1 } } });
    await samples.return?.();
    await until('usage is stored', async () => {
      const csv = await fetch(`${url}/usage.csv?groupBy=OPERATION`, { headers: ADMIN });
      expect(csv.status).toBe(200);
      return (await csv.text()).includes('# end, 1 rows');
    });
  });

  it('the admin handler requires authentication at every path and for every method', async () => {
    await run();
    for (const path of ['/graphql', '/graphql/stream', '/usage.csv', '/usage.ndjson', '/of/tomorrow', '/']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        for (const headers of [{}, { authorization: 'Bearer guess' }, { accept: 'text/html', cookie: 'a=b' }]) {
          const answer = await fetch(url + path, { method, headers });
          const isPage = 'accept' in headers && method === 'GET' && path === '/graphql';
          expect(answer.status, `${method} ${path}`).toBe(isPage ? 200 : 401);
          expect(await answer.text()).not.toContain('"data"');
        }
      }
    }
  });

  it('the admin handler rejects a body that is larger than its limit', async () => {
    await run();
    const answer = await post(`${url}/graphql`, { query: `{ __typename } #${'x'.repeat(200_000)}` }, ADMIN);
    expect(answer.status).toBe(413);
  });
});

describe('the admin handler', () => {
  it('the admin handler passes requests outside its path to the server', async () => {
    const around =
      (handler: AdminHandler): RequestListener =>
      (request, response) =>
        handler(request, response, () => response.writeHead(204).end());
    const url = await serve({ basePath: '/in/here' }, around);
    for (const path of ['/', '/in', '/in/hereafter/graphql', '/other/in/here/graphql']) {
      expect((await fetch(url + path)).status, path).toBe(204);
    }
    for (const path of ['/in/here', '/in/here?a=b', '/in/here/graphql', '/in/here//graphql']) {
      expect((await fetch(url + path)).status, path).toBe(401);
    }
    const alone = await serve({ basePath: '/in/here' });
    expect((await fetch(`${alone}/elsewhere`)).status).toBe(404);
    expect((await post(`${alone}/in/here/graphql`, '{ health { ok } }', ADMIN)).status).toBe(200);
  });

  it('the admin handler works behind an Express middleware that has read the body, and in nested routers', async () => {
    const url = await serve({}, (handler) => {
      const inner = express.Router().use('/inner', handler);
      return express().use(express.json()).use('/outer', inner);
    });
    const { status, body } = await post(`${url}/outer/inner/graphql`, '{ health { ok } }', ADMIN);
    expect({ status, data: body.data }).toEqual({ status: 200, data: { health: { ok: true } } });
    const nothing = await fetch(`${url}/outer/inner/nothing`, { headers: ADMIN });
    expect(nothing.status).toBe(404);
    expect(await nothing.text()).toContain('/outer/inner/graphql');
  });

  it('the admin handler takes administrators and roles from `authorize` and records their names with their changes', async () => {
    const url = await serve({
      authorize: async ({ headers }) =>
        headers.cookie === 'session=ann' ? { name: 'ann of the shop', role: 'OPERATOR' } : undefined,
    });
    const ann = { cookie: 'session=ann' };
    const assign = 'mutation { subjectAssignTier(input: { user: "u", tier: "default" }) { userErrors { message } } }';
    expect((await post(`${url}/graphql`, assign, ann)).body.data.subjectAssignTier.userErrors).toEqual([]);
    const retire = await post(
      `${url}/graphql`,
      'mutation { tierRetire(input: { name: "default" }) { tier { name } } }',
      ann,
    );
    expect(retire.body.errors[0].extensions.code).toBe('FORBIDDEN');
    const { body } = await post(`${url}/graphql`, '{ changes(first: 2) { nodes { actor authMethod action } } }', ADMIN);
    expect(body.data.changes.nodes).toEqual([
      { actor: 'ann of the shop', authMethod: 'SERVER', action: 'DENIED' },
      expect.objectContaining({ actor: 'ann of the shop', authMethod: 'SERVER' }),
    ]);
    expect((await post(`${url}/graphql`, assign, { cookie: 'session=eve' })).status).toBe(401);
  });

  it.each([
    'cross-site',
    'same-site',
  ])('the admin handler rejects a request from a %s page, even with a valid session', async (site) => {
    const url = await serve({ authorize: () => ({ name: 'ann', role: 'ADMIN' }) });
    for (const path of ['/graphql?query={health{ok}}', '/usage.csv', '/graphql/stream']) {
      const rejected = await fetch(url + path, { headers: { 'sec-fetch-site': site } });
      expect(rejected.status, path).toBe(403);
    }
    const mine = await fetch(`${url}/usage.csv`, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(mine.status).toBe(200);
  });

  it.each([
    ['no name', { name: '', role: 'ADMIN' }],
    ['an unknown role', { name: 'ann', role: 'ROOT' }],
    ['a boolean', true],
  ])('the admin handler admits no caller if `authorize` returns %s', async (_what, result) => {
    const failures: unknown[] = [];
    const url = await serve({
      authorize: () => result as never,
      logger: { ...QUIET, error: (details) => failures.push(details) },
    });
    const answer = await post(`${url}/graphql`, '{ health { ok } }', ADMIN);
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain('authorize');
    expect(String((failures[0] as { err: Error }).err.message)).toContain('{ name, role }');
  });

  it('the admin schema works in any GraphQL server and still checks roles', async () => {
    const schema = await createAdminSchema(sourcesOf({ tollgate }));
    const source = `{ costExplain(input: { query: "${BOOKS}" }) { explanation { cost } } adminTokens { nodes { name } } }`;
    const caller = { actor: { name: 'ann', authMethod: 'SERVER' as const }, role: 'OPERATOR' as const };
    const contextValue = createAdminContext(caller, tollgate.administration!);
    const { data, errors } = await graphql({ schema, source, contextValue });
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ path: ['adminTokens'], extensions: { code: 'FORBIDDEN' } }]);
    const allowed = await graphql({ schema, source: source.replace(/adminTokens.*/, '}'), contextValue });
    expect(allowed).toEqual({ data: { costExplain: { explanation: { cost: 7 } } } });
  });

  it('createAdminHandler rejects a Tollgate without a database and an invalid path', async () => {
    const inCode = await createTollgate({
      schema: buildSchema('type Query { a: Int }'),
      identify: () => ({}),
      logger: QUIET,
    });
    await expect(createAdminHandler({ tollgate: inCode })).rejects.toThrow(/`postgres`/);
    await inCode.close();
    await expect(createAdminHandler({ tollgate, basePath: 'tollgate/' })).rejects.toThrow(/basePath/);
  });
});
