import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ADMIN_TOKEN, post } from '../helpers/platform.js';
import { redisDatabase } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';
import { type OpenGateway, openGateway, serveUpstream, TYPES, type UpstreamServer } from './gateway.js';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-refresh-'));
const [schemaFile, costsFile] = [join(folder, 'schema.graphql'), join(folder, 'costs.yaml')];
const REFRESH = `mutation ($comment: String) {
  schemaRefresh(input: { comment: $comment }) {
    isChanged
    differences { path before after }
    warnings
    userErrors { code field message }
  }
}`;
const HISTORY = `{
  changes(filter: { entity: SCHEMA }) { nodes { entity key action actor authMethod comment before after differences { path before after } node { id } } }
}`;

let upstream: UpstreamServer;
let gateways: OpenGateway[];
let close: () => Promise<void>;
beforeAll(async () => {
  writeFileSync(schemaFile, TYPES);
  writeFileSync(costsFile, 'Query.item: 7\n');
  upstream = await serveUpstream();
  const { url, dispose } = await openServerDatabase();
  close = dispose;
  // A separate database, so that other tests do not charge the same address.
  const env = { DATABASE_URL: url, REDIS_URL: redisDatabase(inject('redisUrl'), 8) };
  gateways = [];
  for (let count = 0; count < 2; count++) {
    gateways.push(await openGateway(upstream.url, { schemaFile, costsFile }, env));
  }
});
afterAll(() => close());

async function admin(query: string, variables: Record<string, unknown> = {}, token: string = ADMIN_TOKEN) {
  const { body } = await post(gateways[0]!.adminUrl, { query, variables }, { authorization: `Bearer ${token}` });
  return body;
}
const refresh = async (comment?: string) => (await admin(REFRESH, { comment })).data.schemaRefresh;
const history = async () => (await admin(HISTORY)).data.changes.nodes;
const priceOf = async (gateway: OpenGateway, query: string) =>
  (await gateway.ask(query)).body.extensions.cost.requestedQueryCost;
const address = () => upstream.url.replace('http://', '');

it('the admin API of a gateway names its upstream', async () => {
  const { ownApi } = (await admin('{ ownApi { service upstream } }')).data;
  expect(ownApi).toEqual({ service: null, upstream: expect.stringMatching(/^127\.0\.0\.1:\d+\/graphql$/) });
});

it('schemaRefresh puts a new schema and new prices in force and records the change', async () => {
  expect(await refresh()).toEqual({ isChanged: false, differences: [], warnings: [], userErrors: [] });
  expect(await history()).toEqual([]);

  writeFileSync(schemaFile, TYPES.replace('echo(value: String): String', 'say(value: String!): String'));
  writeFileSync(costsFile, 'Query.item: 9\n');
  const differences = [
    { path: 'fields.Query.echo', before: '(value: String): String', after: null },
    { path: 'fields.Query.say', before: null, after: '(value: String!): String' },
    { path: 'prices.Query.item.cost', before: 7, after: 9 },
  ];
  const asked = await refresh('the release of Monday');
  expect(asked).toMatchObject({ isChanged: true, warnings: [], userErrors: [] });
  expect(asked.differences).toHaveLength(3);
  expect(asked.differences).toEqual(expect.arrayContaining(differences));
  expect(await priceOf(gateways[0]!, '{ item { name } }')).toBe(10);
  const [change, ...others] = await history();
  expect(others).toEqual([]);
  expect(change).toMatchObject({
    entity: 'SCHEMA',
    key: address(),
    action: 'UPDATE',
    authMethod: 'ADMIN_TOKEN',
    comment: 'the release of Monday',
    node: null,
  });
  expect(change.differences).toEqual(expect.arrayContaining(differences));
  expect(change.before.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await admin(`{ changes(filter: { name: "${address()}" }) { totalCount } }`)).toMatchObject({
    data: { changes: { totalCount: 1 } },
  });
});

it('a change that several gateways detect independently is recorded once', async () => {
  // The second gateway adopts the change that the first one has already recorded.
  await gateways[1]!.refreshSchema();
  expect(await priceOf(gateways[1]!, '{ item { name } }')).toBe(10);
  expect(await history()).toHaveLength(1);

  writeFileSync(costsFile, 'Query.item: 11\n');
  await Promise.all(gateways.map((gateway) => gateway.refreshSchema()));
  const [change, ...others] = await history();
  expect(others).toHaveLength(1);
  expect(change).toMatchObject({ actor: 'gateway', authMethod: 'SYSTEM', comment: 'asked to' });
  expect(change.differences).toEqual([{ path: 'prices.Query.item.cost', before: 9, after: 11 }]);

  // A return to the earlier price is recorded like any other change.
  writeFileSync(costsFile, 'Query.item: 9\n');
  await Promise.all(gateways.map((gateway) => gateway.refreshSchema()));
  expect(await history()).toHaveLength(3);
});

it('schemaRefresh rejects an unusable schema and unusable prices, returns all reasons, and keeps the previous ones in force', async () => {
  const before = await history();
  const good = TYPES.replace('echo(value: String): String', 'say(value: String!): String');
  writeFileSync(schemaFile, good.replace('item: Item', 'item: Itme'));
  writeFileSync(costsFile, 'Query.itme: 1\nQuery.item: { weight: a lot }\n');
  for (let times = 0; times < 2; times++) {
    const rejected = await refresh();
    expect(rejected).toMatchObject({ isChanged: false, differences: [] });
    expect(rejected.userErrors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('Unknown type "Itme"'),
      expect.stringContaining(`${costsFile}:1: Query.itme: the overlay has a coordinate`),
      `${costsFile}:2: Query.item: weight: expected a number, got "a lot"`,
    ]);
  }
  expect(await priceOf(gateways[0]!, '{ item { name } }')).toBe(10);
  writeFileSync(schemaFile, good);
  writeFileSync(costsFile, 'Query.item: 9\n');
  expect(await refresh()).toMatchObject({ isChanged: false, userErrors: [] });
  expect(await history()).toEqual(before);
});

it('schemaRefresh warns of prices without effect and rejects comments that cannot be stored', async () => {
  const good = TYPES.replace('echo(value: String): String, ', '');
  writeFileSync(costsFile, 'Query.item: 9\nQuery.any: 20\n');
  await refresh();
  writeFileSync(schemaFile, good.replace('any: Any', 'other: Any'));
  expect((await refresh()).warnings).toEqual([expect.stringMatching(/costs\.yaml:2: Query\.any: the overlay has/)]);
  for (const comment of ['a\0b', 'x'.repeat(1001)]) {
    expect((await refresh(comment)).userErrors).toMatchObject([{ code: 'INVALID', field: ['comment'] }]);
  }
});
