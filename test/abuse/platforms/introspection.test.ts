import { getIntrospectionQuery } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RuleInput } from '../../../src/rules/policy/parse-policy.js';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import { type AbuseApi, countCases, serveAbuseApi } from '../serve.js';
import { type OpenPlatform, PLATFORMS } from './platforms.js';

const PRICE = 10;
const all = getIntrospectionQuery()
  .replace(/^[^{]*\{/, '')
  .split('fragment FullType')[0]!
  .trim()
  .replace(/\}$/, '');
const FRAGMENTS = `fragment FullType${getIntrospectionQuery().split('fragment FullType')[1]}`;
const aliased = (count: number) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: __schema { types { name fields { name } } }`).join(' ')} }`;

describe('introspection at a flat price', () => {
  const open: AbuseApi[] = [];
  afterEach(async () => {
    for (const api of open.splice(0)) await api.close();
  });
  async function serve(capacity = 100_000, maxBatchSize = 0): Promise<AbuseApi> {
    const api = await serveAbuseApi({
      capacity,
      maxBatchSize,
      cost: { introspection: PRICE },
      documentLimits: { maxAliases: 1000, maxTokens: 20_000 },
    });
    open.push(api);
    return api;
  }
  const priceOf = async (api: AbuseApi, query: string) => {
    const before = await api.left();
    const { status, body } = await api.attemptConcurrently({ query });
    expect(body.errors).toBeUndefined();
    expect(status).toBe(200);
    const { requestedQueryCost, actualQueryCost } = body.extensions.cost;
    expect(actualQueryCost).toBe(requestedQueryCost);
    expect(before - (await api.left())).toBe(requestedQueryCost);
    return requestedQueryCost as number;
  };

  it('A31: each __schema and __type is charged, whatever alias, fragment and condition it has', async (context) => {
    const api = await serve();
    const queries: [string, number][] = [
      [`query { ${all} } ${FRAGMENTS}`, 1],
      [aliased(1), 1],
      [aliased(100), 100],
      ['{ a: __type(name: "Item") { name } b: __type(name: "Item") { fields { name } } __typename }', 2],
      ['{ ...F x: __schema { queryType { name } } } fragment F on Query { y: __schema { queryType { name } } }', 2],
      ['{ ... { a: __schema { description } } ... on Query { b: __schema { description } } }', 2],
      // Fields that merge into one response field are priced once.
      ['{ __schema { description } __schema { queryType { name } } }', 1],
      ['{ a: __schema { description } b: __schema @skip(if: true) { description } }', 1],
    ];
    for (const [query, times] of queries) expect(await priceOf(api, query), query).toBe(times * PRICE);
    countCases(context, queries.length);
  });

  it('A31: introspection above the remaining budget does not run at all, not even in a batch', async () => {
    const api = await serve(95 * PRICE, 10);
    const many = await api.attempt({ query: aliased(100) });
    expect(many.status).toBe(400);
    expect(many.body.errors[0].extensions.code).toBe('MAX_COST_EXCEEDED');
    const batch = JSON.stringify(Array(10).fill({ query: aliased(10) }));
    const answer = await api.attemptConcurrently({ raw: { method: 'POST', body: batch } });
    expect(JSON.stringify(answer.body)).not.toContain('"types"');
    expect(JSON.stringify(answer.body)).toMatch(/MAX_COST_EXCEEDED|THROTTLED/);
  });
});

describe.each(PLATFORMS)('introspection of the platform, $on', ({ open }) => {
  let opened: OpenPlatform;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  it.each([
    ['the sample API', '/graphql', {}, 10],
    ['the admin API', '/admin/graphql', { authorization: `Bearer ${ADMIN_TOKEN}` }, 500],
  ])('A31: introspection of %s has a flat price per root field, and the query of a tool pays it once', async (_, path, headers: Record<
    string,
    string
  >, price) => {
    const ask = (query: string) => post(opened.platform.url + path, query, headers);
    const whole = await ask(getIntrospectionQuery());
    expect(whole.body.errors).toBeUndefined();
    expect(whole.body.extensions.cost.requestedQueryCost).toBe(price);
    const ten = await ask(aliased(10));
    expect(ten.body.extensions.cost.requestedQueryCost).toBe(10 * price);
  });
});

describe('introspection of an API without settings for it', () => {
  const open: AbuseApi[] = [];
  afterEach(async () => {
    for (const api of open.splice(0)) await api.close();
  });

  it('A31: introspection by tools fits a bucket of 1,000, and its price does not replace the price of other fields', async () => {
    const api = await serveAbuseApi({ capacity: 1000, documentLimits: { maxAliases: 1000, maxTokens: 20_000 } });
    open.push(api);
    const whole = await api.attemptConcurrently({ query: getIntrospectionQuery() });
    expect(whole.status).toBe(200);
    expect(whole.body.extensions.cost.requestedQueryCost).toBe(PRICE);
    const together = `{ ${all} items(first: 50) { name } } ${FRAGMENTS}`;
    const both = await api.attemptConcurrently({ query: together });
    expect(both.body.extensions.cost.requestedQueryCost).toBe(PRICE + 50);
    const hundred = await api.attempt({ query: aliased(100) });
    expect(hundred.body.errors[0].extensions.code).toMatch(/MAX_COST_EXCEEDED|THROTTLED/);
    const many = await api.attempt({ query: `{ ${all} items(first: 1000) { name } } ${FRAGMENTS}` });
    expect(many.body.errors[0].extensions.code).toMatch(/MAX_COST_EXCEEDED|THROTTLED/);
  });

  it('A31: introspection has a separate small bucket that other operations do not use', async () => {
    const limits = { maxAliases: 1000, maxTokens: 20_000 };
    const api = await serveAbuseApi({ capacity: 100_000, documentLimits: limits });
    open.push(api);
    for (let round = 0; round < 2; round++)
      expect((await api.attemptConcurrently({ query: aliased(95) })).status).toBe(200);
    const denied = await api.attemptConcurrently({ query: aliased(95) });
    expect(denied.status).toBe(429);
    expect(denied.body.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'introspection' });
    expect((await api.attemptConcurrently({ query: '{ item { name } }' })).status).toBe(200);
    const never = await api.attemptConcurrently({ query: aliased(201) });
    expect(never.body.errors[0].extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', deniedBy: 'introspection' });
    expect((await api.attemptConcurrently({ query: aliased(95) }, 'another user')).status).toBe(200);
    await api.tollgate.resetQuota({ user: api.user });
    expect((await api.attemptConcurrently({ query: aliased(95) })).status).toBe(200);
  });

  it('A31: a rule about introspection replaces the bucket for introspection', async () => {
    const few = { algorithm: 'TOKEN_BUCKET', capacity: 3, refillAmount: 1, refillPeriodMs: 1_000_000 } as const;
    const rules: RuleInput[] = [
      { name: 'few schemas', field: '*.__schema', scope: 'USER', measure: 'CALLS', limits: [few] },
    ];
    const api = await serveAbuseApi({ capacity: 100_000, rules });
    open.push(api);
    expect((await api.attemptConcurrently({ query: aliased(3) })).status).toBe(200);
    const denied = await api.attemptConcurrently({ query: aliased(1) });
    expect(denied.body.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'few schemas' });
  });
});
