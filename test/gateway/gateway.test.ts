import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Of } from '../../src/documents/sha-256-of.js';
import { post } from '../helpers/platform.js';
import { until } from '../helpers/until.js';
import { type OpenGateway, openGateway, serveUpstream, TYPES, type UpstreamServer } from './gateway.js';

const ADMIN = { authorization: 'Bearer an-admin-token-for-tests' };

describe('tollgate gateway', () => {
  let upstream: UpstreamServer;
  let gateway: OpenGateway;
  beforeAll(async () => {
    upstream = await serveUpstream();
    gateway = await openGateway(upstream.url, {}, { TOLLGATE_MAX_BATCH_SIZE: '3' });
  });
  beforeEach(() => {
    upstream.reached = [];
    upstream.behave = undefined;
  });

  it('the gateway forwards a query and settles its cost by the response', async () => {
    const before = await gateway.left();
    const { status, headers, body } = await gateway.ask('{ items(first: 40) { name } }');
    expect(status).toBe(200);
    expect(body.data.items).toHaveLength(20);
    expect(body.extensions.cost).toMatchObject({ requestedQueryCost: 40, actualQueryCost: 20 });
    expect(headers.get('x-ratelimit-cost')).toBe('20');
    expect(await gateway.left()).toBe(before - 20);
  });

  it('the gateway forwards no operation that it rejects', async () => {
    const denied = await gateway.ask('{ items(first: 5000) { name } }');
    expect([denied.status, denied.body.errors[0].extensions.code]).toEqual([400, 'MAX_COST_EXCEEDED']);
    const wrong = await gateway.ask('{ nothing }');
    expect([wrong.status, wrong.body.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    const stranger = await gateway.ask('{ item { name } }', { 'x-api-key': 'tg_unknown' });
    expect(stranger.status).toBe(401);
    const subscription = await gateway.ask('subscription { saved { name } }');
    expect(subscription.status).toBe(400);
    expect(upstream.reached).toEqual([]);
  });

  it('a GET needs a header that other sites cannot send, and never runs a mutation', async () => {
    const get = (query: string, headers: Record<string, string> = {}) =>
      fetch(`${gateway.url}?query=${encodeURIComponent(query)}`, { headers });
    const deliberate = { 'apollo-require-preflight': 'true' };
    expect((await get('{ item { name } }', deliberate)).status).toBe(200);
    expect(upstream.reached).toHaveLength(1);
    expect((await get('{ item { name } }')).status).toBe(400);
    const before = await gateway.left();
    expect((await get('mutation { save { name } }', deliberate)).status).toBe(405);
    expect(await gateway.left()).toBe(before - 1);
    expect(upstream.reached).toHaveLength(1);
  });

  it('the gateway charges a batch as a whole and forwards each of its operations separately', async () => {
    const { body, headers } = await gateway.ask([
      { query: '{ item { name } }' },
      { query: '{ items(first: 4) { name } }' },
    ]);
    expect(body.map(({ data }: { data: object }) => Object.keys(data))).toEqual([['item'], ['items']]);
    const costs = body.map(
      ({ extensions }: { extensions: { cost: { actualQueryCost: number } } }) => extensions.cost.actualQueryCost,
    );
    expect(headers.get('x-ratelimit-cost')).toBe(String(costs[0] + costs[1]));
    expect(upstream.reached.map(({ body }) => JSON.parse(body))).toHaveLength(2);
    upstream.reached = [];
    const denied = await gateway.ask([{ query: '{ item { name } }' }, { query: '{ items(first: 5000) { name } }' }]);
    expect(denied.status).toBe(400);
    expect(upstream.reached).toEqual([]);
  });

  it('the gateway passes on every cookie that the upstream sets in its responses to a batch', async () => {
    let count = 0;
    upstream.behave = (_, response) => {
      count++;
      response.setHeader('set-cookie', [`a${count}=1`, `b${count}=1`]);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"item":null}}');
    };
    const { headers } = await gateway.ask([{ query: '{ item { name } }' }, { query: '{ item { name } }' }]);
    expect(headers.getSetCookie().sort()).toEqual(['a1=1', 'a2=1', 'b1=1', 'b2=1']);
  });

  it('the response to a batch reports the charged cost, not the cost header of the upstream', async () => {
    upstream.behave = (_, response) => {
      response.setHeader('x-ratelimit-cost', '7');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"item":{"name":"x"}}}');
    };
    const before = await gateway.left();
    const { headers } = await gateway.ask([{ query: '{ item { name } }' }, { query: '{ item { name } }' }]);
    expect(headers.get('x-ratelimit-cost')).toBe(String(before - (await gateway.left())));
  });

  it('the gateway adds the type names that pricing needs and removes them from the response', async () => {
    const { body } = await gateway.ask(
      '{ any { ... on Cheap { a: list(first: 30) { name } } ... on Expensive { a: one { name } } } }',
    );
    expect(JSON.parse(upstream.reached[0]!.body).query).toContain('__typename');
    expect(body.data).toEqual({ any: { a: [{ name: 'y' }] } });
    expect(body.extensions.cost.actualQueryCost).toBeLessThan(body.extensions.cost.requestedQueryCost);
  });

  it('the gateway forwards the priced query and nothing else of the request', async () => {
    await fetch(`${gateway.url}?query={items(first:9999){name}}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"query":"{ items(first: 500) { name } }","query":"{ item { name } }","id":"other","extensions":{"persistedQuery":{"sha256Hash":"${sha256Of('{ item { name } }')}"}}}`,
    });
    const { url, body } = upstream.reached[0]!;
    expect(url).toBe('/graphql');
    expect(JSON.parse(body)).toEqual({ query: '{\n  item {\n    name\n  }\n}' });
  });

  it('the gateway rejects variables that are nested too deeply and charges the fee', async () => {
    const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const lists = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const query = '{ item { name } }';
    const ask = async (variables: string) => {
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
      });
      return [response.status, JSON.parse(await response.text()).errors?.[0].extensions.code];
    };
    const before = await gateway.left();
    for (const variables of [objects(5000), lists(5000), objects(201)]) {
      expect(await ask(variables)).toEqual([400, 'BAD_REQUEST']);
    }
    const get = `${gateway.url}?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(objects(500))}`;
    expect((await fetch(get, { headers: { 'apollo-require-preflight': 'true' } })).status).toBe(400);
    expect(upstream.reached).toEqual([]);
    expect(await gateway.left()).toBe(before - 4);
    expect(await ask(objects(200))).toEqual([200, undefined]);
    upstream.reached = [];
  });

  it('the gateway responds with 431 to headers that are too large for itself or for the API', async () => {
    const size = (bytes: number) => gateway.ask('{ item { name } }', { 'x-large': 'x'.repeat(bytes) });
    const before = await gateway.left();
    const tooLarge = await size(15.6 * 1024);
    expect([tooLarge.status, tooLarge.body.errors[0].extensions.code]).toEqual([431, 'HEADERS_TOO_LARGE']);
    expect(upstream.reached).toEqual([]);
    expect(await gateway.left()).toBe(before - 1);
    expect((await size(15 * 1024)).status).toBe(200);
    upstream.behave = (_, response) => void response.writeHead(431, { connection: 'close' }).end();
    const { status, body } = await size(9000);
    expect([status, body.errors[0].extensions]).toEqual([431, { code: 'HEADERS_TOO_LARGE', upstreamStatus: 431 }]);
  });

  it('the gateway serves the admin API', async () => {
    const { body } = await post(gateway.adminUrl, '{ tiers { nodes { name } } }', ADMIN);
    expect(JSON.stringify(body)).toContain('free');
  });
});

describe('tollgate gateway --observe', () => {
  it('with --observe, the gateway denies no operation, reads the schema from the upstream and logs prices', async () => {
    const upstream = await serveUpstream();
    const gateway = await openGateway(upstream.url, { observe: true, schemaFile: undefined }, {}, 5);
    const { status, body } = await gateway.ask('query Many { items(first: 900) { name } }');
    expect([status, body.data.items.length]).toEqual([200, 450]);
    const price = () => gateway.log.find((line) => line.startsWith('Price: QUERY Many'));
    await until('the price is logged', () => price() !== undefined);
    expect(price()).toContain('without shadow mode denied by tier:free');
  });
});

describe('schema changes of a gateway', () => {
  const SDL = 'type Query { item: Item, fresh: Item } type Item { name: String }';
  let schemaFile: string;
  let upstream: UpstreamServer;
  let gateway: OpenGateway;
  beforeAll(async () => {
    upstream = await serveUpstream();
    schemaFile = join(mkdtempSync(join(tmpdir(), 'tollgate-schema-')), 'schema.graphql');
    writeFileSync(schemaFile, TYPES);
    gateway = await openGateway(upstream.url, { schemaFile });
  });

  it('a new schema that cannot be priced is rejected, and the previous schema stays in force', async () => {
    writeFileSync(schemaFile, TYPES.replace('slicingArguments: ["first"]', 'slicingArguments: ["nothing"]'));
    await gateway.refreshSchema();
    expect(gateway.log.join()).toContain('The schema could not be refreshed');
    expect((await gateway.ask('{ items(first: 4) { name } }')).body.extensions.cost.requestedQueryCost).toBe(4);
  });

  it('a new schema takes effect immediately under traffic, and operations in flight keep the previous schema', async () => {
    let goOn: (() => void) | undefined;
    upstream.behave = (_, response) => {
      const text = JSON.stringify({ data: { items: [{ name: 'x' }] } });
      goOn = () => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    const underWay = gateway.ask('{ items(first: 40) { name } }');
    await until('the operation has reached the upstream', () => goOn !== undefined);
    writeFileSync(schemaFile, SDL);
    await gateway.refreshSchema();
    expect((await gateway.ask('{ items(first: 40) { name } }')).body.errors[0].extensions.code).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    );
    goOn!();
    expect((await underWay).body.extensions.cost).toMatchObject({ requestedQueryCost: 40, actualQueryCost: 1 });
    upstream.behave = (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"fresh":null}}');
    expect((await gateway.ask('{ fresh { name } }')).status).toBe(200);
    const explain = (query: string) =>
      post(
        gateway.adminUrl,
        `{ costExplain(input: { query: "${query}" }) { explanation { cost } userErrors { message } } }`,
        ADMIN,
      );
    expect((await explain('{ fresh { name } }')).body.data.costExplain).toEqual({
      explanation: { cost: 1 },
      userErrors: [],
    });
    expect((await explain('{ items(first: 4) { name } }')).body.data.costExplain.explanation).toBeNull();
  });
});
