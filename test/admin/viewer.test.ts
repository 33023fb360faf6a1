import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AdminHandler, createAdminHandler } from '../../src/admin/create-admin-handler.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import { effectiveSettings } from '../../src/tollgate/effective-settings.js';
import { openEmbeddedDatabase, type TestDatabase } from '../postgres/databases.js';

const QUIET = { info() {}, warn() {}, error() {} };
const TOKEN = 'a-token-for-the-viewer';

let database: TestDatabase;
let tollgate: Tollgate;
let handler: AdminHandler;
let url: string;
const server = createServer((request, response) => handler(request, response, () => response.end()));

beforeAll(async () => {
  database = await openEmbeddedDatabase();
  tollgate = await createTollgate({
    schema: buildSchema('type Query { a: Int }'),
    postgres: database.db,
    logger: QUIET,
  });
  handler = await createAdminHandler({
    tollgate,
    token: TOKEN,
    authorize: ({ headers }) => (headers.cookie === 'operator' ? { name: 'olga', role: 'OPERATOR' } : undefined),
    logger: QUIET,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
});
afterAll(async () => {
  await handler.close();
  server.close();
  server.closeAllConnections();
  await tollgate.close();
  await database.dispose();
});

async function ask(headers: Record<string, string>, query: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as { data: Record<string, unknown>; errors?: unknown };
}

it('`viewer` returns the name, role and authentication method of an administrator', async () => {
  const query = '{ viewer { name role authMethod } }';
  expect((await ask({ cookie: 'operator' }, query)).data).toEqual({
    viewer: { name: 'olga', role: 'OPERATOR', authMethod: 'SERVER' },
  });
  expect((await ask({ authorization: `Bearer ${TOKEN}` }, query)).data['viewer']).toMatchObject({
    role: 'ADMIN',
    authMethod: 'ADMIN_TOKEN',
  });
});

it('an operator may enforce a rule for a share of callers, and the history records it', async () => {
  const created = await ask(
    { authorization: `Bearer ${TOKEN}` },
    `mutation { ruleCreate(input: { name: "r", mode: SHADOW, scope: USER, field: "*",
       limits: [{ fixedWindow: { amount: 5, windowMs: 1000 } }] }) { rule { id } userErrors { message } } }`,
  );
  const { id } = (created.data['ruleCreate'] as { rule: { id: string } }).rule;
  const { data } = await ask(
    { cookie: 'operator' },
    `mutation { ruleSetMode(input: { id: "${id}", mode: ENFORCE, rolloutPercent: 10 }) {
       rule { mode rolloutPercent history(first: 1) { nodes { action actor authMethod } } } userErrors { message } } }`,
  );
  expect(data['ruleSetMode']).toEqual({
    rule: {
      mode: 'ENFORCE',
      rolloutPercent: 10,
      history: { nodes: [{ action: 'UPDATE', actor: 'olga', authMethod: 'SERVER' }] },
    },
    userErrors: [],
  });
});

it('only an admin can read the settings in force', async () => {
  const query = '{ settings { name value } }';
  const { data } = await ask({ authorization: `Bearer ${TOKEN}` }, query);
  const settings = data['settings'] as { name: string; value: unknown }[];
  expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toMatchObject({
    mode: 'ENFORCE',
    redis: false,
    postgres: true,
    fee: 1,
    'cost.profile': 'tokens',
  });
  expect((await ask({ cookie: 'operator' }, query)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

it('the settings show no secret from a URL, a client or an unknown option', () => {
  const secret = 'canary-7f3a';
  const pools = [{ name: 'reports', redis: `redis://:${secret}@reports` }];
  const urls = { redis: `redis://:${secret}@counters`, postgres: `postgres://user:${secret}@database/tollgate` };
  const settings = effectiveSettings({ ...urls, pools, ...{ tomorrow: secret } });
  expect(JSON.stringify(settings)).not.toContain(secret);
  expect(settings).toContainEqual({ name: 'pools', value: ['reports'], unit: null });
  expect(settings).toContainEqual({ name: 'deadlineMs', value: 25, unit: 'milliseconds' });
  const sizeOf = (cost: object) =>
    effectiveSettings({ cost }).find(({ name }) => name === 'cost.defaultListSize')?.value;
  expect([{}, { profile: 'query-complexity' }, { defaultListSize: 7 }].map(sizeOf)).toEqual([10, 1, 7]);
});

it('the settings show whether denials are remembered, and for how long', () => {
  const redis = 'redis://counters';
  const shown = (options: object) =>
    effectiveSettings(options)
      .filter(({ name }) => /^denialMemory\b/.test(name))
      .map(({ value }) => value);
  expect(shown({ redis })).toEqual([true, 500, 4 * 2 ** 20]);
  expect(shown({ redis, denialMemory: { maxAgeMs: 70 } })).toEqual([true, 70, 4 * 2 ** 20]);
  expect(shown({ redis, denialMemory: { maxAgeMs: 0 } })).toEqual([false]);
  expect(shown({ redis, denialMemory: false })).toEqual([false]);
  // Without Redis, there are no calls that remembered denials could avoid.
  expect(shown({})).toEqual([false]);
});

it('the settings list every option that is a value, with the value in force', () => {
  const given = {
    tierPrecision: 'LEASED' as const,
    leases: { after: 9 },
    identifyTimeoutMs: 4000,
    identityDeadlineMs: 300,
    documentLimits: { maxDepth: 7, maxTokens: Number.POSITIVE_INFINITY },
    documentCacheBytes: 1024,
  };
  const valuesOf = (options: object) =>
    Object.fromEntries(effectiveSettings(options).map(({ name, value }) => [name, value]));
  expect(valuesOf(given)).toMatchObject({
    tierPrecision: 'LEASED',
    'leases.after': 9,
    'leases.lengthMs': 100,
    identifyTimeoutMs: 4000,
    identityDeadlineMs: 300,
    'documentLimits.maxDepth': 7,
    'documentLimits.maxTokens': null,
    'documentLimits.maxAliases': 250,
    documentCacheBytes: 1024,
  });
  expect(valuesOf({})).toMatchObject({ tierPrecision: 'EXACT', identifyTimeoutMs: 10_000, identityDeadlineMs: 1000 });
});
