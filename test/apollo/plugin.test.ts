import { ApolloServer } from '@apollo/server';
import { buildSchema, GraphQLError } from 'graphql';
import { describe, expect, inject, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { protectedApi } from '../helpers/testkit.js';

describe('the Apollo plugin', () => {
  it('the plugin charges the estimate, refunds the unused part, and returns both costs', async () => {
    const { ask, left } = await protectedApi();
    const { cost } = await ask('{ items(first: 10) { name } }');
    expect(cost).toMatchObject({ requestedQueryCost: 10, actualQueryCost: 5, tier: 'free' });
    expect(cost.throttleStatus).toMatchObject({ maximumAvailable: 100, currentlyAvailable: 95 });
    expect(await left()).toBe(95);
  });

  it('a denied operation runs no resolver and changes no counter', async () => {
    const { ask, left, resolved } = await protectedApi({
      rules: [
        {
          name: 'roots',
          scope: 'USER',
          field: 'Query.*',
          measure: 'CALLS',
          limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 1000, windowMs: 60_000 }],
        },
      ],
      tier: { capacity: 10 },
    });
    await ask('{ items(first: 8) { name } }');
    const before = { resolved: resolved(), left: await left() };
    const answer = await ask('{ items(first: 9) { name } }');
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'THROTTLED',
      deniedBy: 'tier:free',
      unit: 'TOKENS',
      cost: 9,
      remaining: 6,
    });
    expect(answer.status).toBe(429);
    expect(answer.data).toBeUndefined();
    expect({ resolved: resolved(), left: await left() }).toEqual(before);
    expect(answer.cost.limits[0]).toMatchObject({ rule: 'roots', remaining: 999 });
  });

  it('the plugin rejects fragment cycles even if the server disables validation', async () => {
    const schema = buildSchema('type Query { item: Item } type Item { parent: Item }');
    const tollgate = await createTollgate({ schema, identify: () => ({ user: 'anybody' }) });
    const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], dangerouslyDisableValidation: true });
    const query = '{ item { ...Cycle } } fragment Cycle on Item { parent { ...Cycle } }';
    const { body } = await server.executeOperation({ query }, { contextValue: {} });
    const { errors, extensions } = body.kind === 'single' ? body.singleResult : {};
    expect(errors).toMatchObject([{ extensions: { code: 'OPERATION_TOO_COMPLEX' } }]);
    expect(extensions?.['cost']).toMatchObject({ fee: 1 });
    await server.stop();
    await tollgate.close();
  });

  it('an operation above the bucket capacity gets 400 with both amounts and the most expensive paths', async () => {
    const { ask, left, resolved } = await protectedApi({ tier: { capacity: 10 } });
    const answer = await ask('{ items(first: 11) { name } item { parent { name } } }');
    expect(answer.status).toBe(400);
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'MAX_COST_EXCEEDED',
      cost: 13,
      limit: 10,
    });
    const { mostExpensivePaths } = answer.errors![0]!.extensions as Record<string, unknown>;
    expect(mostExpensivePaths).toMatchObject([{ path: 'items', coordinate: 'Query.items', cost: 11 }, {}, {}]);
    expect(answer.headers.get('retry-after')).toBeNull();
    // The operation pays only the fee, like an operation that Tollgate does not price.
    expect(answer.cost).toMatchObject({ requestedQueryCost: 13, actualQueryCost: null, fee: 1 });
    expect(answer.headers.get('x-ratelimit-cost')).toBe('1');
    expect(await left()).toBe(9);
    expect(resolved()).toBe(0);
  });

  it('an operation above the maximum cost of the tier is rejected even if the bucket has enough tokens', async () => {
    const { ask, left, resolved } = await protectedApi({
      tier: { maxCostPerOperation: 5 },
    });
    const answer = await ask('{ items(first: 6) { name } }');
    expect(answer.status).toBe(400);
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'MAX_COST_EXCEEDED',
      cost: 6,
      limit: 5,
    });
    expect(answer.cost).toMatchObject({ fee: 1, throttleStatus: { currentlyAvailable: 99 } });
    expect(await left()).toBe(99);
    expect(resolved()).toBe(0);
    expect((await ask('{ items(first: 5) { name } }')).errors).toBeUndefined();
  });

  it('the plugin prices only the selected operation of a document', async () => {
    const { ask } = await protectedApi();
    const document = 'query A { item { name } } query B { items(first: 50) { name } }';
    expect((await ask(document, { operationName: 'A' })).cost.requestedQueryCost).toBe(1);
    expect((await ask(document, { operationName: 'B' })).cost.requestedQueryCost).toBe(50);
    const wrong = await ask(document, { operationName: 'C' });
    expect(wrong.status).toBe(400);
    expect(wrong.cost).toMatchObject({ requestedQueryCost: 0, actualQueryCost: 0 });
  });

  it('the plugin prices the same document separately for each set of variables', async () => {
    const { ask } = await protectedApi();
    const query = 'query ($n: Int!) { items(first: $n) { name } }';
    for (const n of [1, 7, 3]) {
      expect((await ask(query, { variables: { n } })).cost.requestedQueryCost).toBe(n);
    }
  });

  it('variables that cannot be coerced get no price and cost the fee', async () => {
    const { ask, left, resolved } = await protectedApi();
    const answer = await ask('query ($n: Int!) { items(first: $n) { name } }', { variables: { n: 1.5 } });
    expect(answer.status).toBe(400);
    expect(answer.errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
    expect(answer.cost).toMatchObject({ requestedQueryCost: 0, actualQueryCost: 0, fee: 1 });
    expect(await left()).toBe(99);
    expect(resolved()).toBe(0);
  });

  it('a limit counts calls of a field under any alias, and no skipped field', async () => {
    const { ask } = await protectedApi({
      rules: [
        {
          name: 'search',
          scope: 'USER',
          field: 'Query.search',
          measure: 'CALLS',
          limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 3, windowMs: 60_000 }],
        },
      ],
    });
    const query =
      'query ($more: Boolean!) { a: search(text: "a") { name } b: search(text: "b") @include(if: $more) { name } }';
    expect((await ask(query, { variables: { more: true } })).cost.limits[0]).toMatchObject({ remaining: 1 });
    const denied = await ask(query, { variables: { more: true } });
    expect(denied.errors?.[0]?.extensions).toMatchObject({
      deniedBy: 'search',
      cost: 2,
      remaining: 1,
      maxAffordableCost: 1,
    });
    expect((await ask(query, { variables: { more: false } })).errors).toBeUndefined();
    expect(
      (
        await ask('query ($no: Boolean!) { search(text: "c") @include(if: $no) { name } item { name } }', {
          variables: { no: false },
        })
      ).cost.limits,
    ).toEqual([]);
  });

  it.each([
    ['COST', 'TOKENS', 'Query.items', 2, 1],
    ['CALLS', 'CALLS', 'Query.items', 1, 0],
    ['REQUESTS', 'REQUESTS', '*', 1, 0],
  ] as const)('the denial of a limit on %s contains the unit %s', async (measure, unit, field, requested, available) => {
    const { ask } = await protectedApi({
      rules: [
        {
          name: 'search',
          scope: 'USER',
          field,
          measure,
          limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 2, windowMs: 60_000 }],
        },
      ],
    });
    const query = '{ items(first: 2) { name } }';
    let denied = await ask(query);
    for (let asked = 1; asked < 10 && !denied.errors; asked++) denied = await ask(query);
    const [error] = denied.errors ?? [];
    expect(error?.extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'search', unit });
    expect(error?.extensions).toMatchObject({ cost: requested, remaining: available });
    const counted = field === '*' ? unit.toLowerCase() : `${unit.toLowerCase()} of ${field}`;
    const left = available === 0 ? 'all used' : `${available} left, ${requested} needed`;
    expect(error?.message).toContain(`search: 2 ${counted} per minute per caller: ${left}; retry in `);
    expect(denied.headers.get('x-ratelimit-cost')).toBe('0');
  });

  it('an operation with a failed resolver is charged the returned data and the estimate of the failed field', async () => {
    const { ask, left } = await protectedApi();
    const answer = await ask('{ fails { name } items(first: 4) { name } }');
    expect(answer.cost).toMatchObject({ requestedQueryCost: 5, actualQueryCost: 3 });
    expect(await left()).toBe(97);
  });

  it('a client that disconnects is charged the estimate', async () => {
    const { ask, left } = await protectedApi({ abortSignal: () => AbortSignal.abort() });
    const answer = await ask('{ items(first: 10) { name } }');
    expect(answer.cost.actualQueryCost).toBeNull();
    expect(await left()).toBe(90);
  });

  it('shadow mode denies no operation', async () => {
    const { ask, resolved } = await protectedApi({ tier: { capacity: 5 }, mode: 'SHADOW' });
    for (let index = 0; index < 3; index++) {
      const answer = await ask('{ items(first: 4) { name } }');
      expect(answer.errors).toBeUndefined();
      expect(answer.cost.mode).toBe('SHADOW');
    }
    expect(resolved()).toBe(3);
  });

  it('a denial has status 200 if denialStatus is 200', async () => {
    const { ask } = await protectedApi({ tier: { capacity: 5 }, denialStatus: 200 });
    await ask('mutation { save { name } }');
    await ask('{ items(first: 5) { name } }');
    const answer = await ask('{ items(first: 5) { name } }');
    expect(answer.errors?.[0]?.extensions['code']).toBe('THROTTLED');
    expect(answer.status).toBe(200);
  });

  it('a denial has the code, message and status of its rule', async () => {
    const { ask } = await protectedApi({
      rules: [
        {
          name: 'search',
          scope: 'USER',
          field: 'Query.search',
          measure: 'CALLS',
          limits: [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 3_600_000 }],
          response: { code: 'SEARCH_LIMITED', message: 'Search less', status: 503 },
        },
      ],
    });
    await ask('{ search(text: "a") { name } }');
    const answer = await ask('{ search(text: "a") { name } }');
    expect(answer.status).toBe(503);
    expect(answer.errors?.[0]).toMatchObject({
      message: 'Search less',
      extensions: { code: 'SEARCH_LIMITED', deniedBy: 'search' },
    });
  });

  it('only callers who may request a cost report get the cost of each field', async () => {
    const query = '{ search(text: "a") { name } }';
    const headers = { 'graphql-cost': 'report' };
    const open = await protectedApi({ mayReportCost: () => true });
    expect((await open.ask(query, { headers })).cost.fields).toContainEqual({
      coordinate: 'Query.search',
      calls: 1,
      cost: 7,
    });
    expect((await open.ask(query)).cost.fields).toBeUndefined();
    const closed = await protectedApi();
    expect((await closed.ask(query, { headers })).cost.fields).toBeUndefined();
  });

  it('a validate request gets a price without execution, for the minimum cost', async () => {
    const { ask, left, resolved } = await protectedApi({ mayReportCost: () => true });
    const answer = await ask('{ items(first: 40) { name } }', { headers: { 'graphql-cost': 'validate' } });
    expect(answer.data).toBeNull();
    expect(answer.errors).toBeUndefined();
    expect(answer.cost).toMatchObject({ requestedQueryCost: 40, actualQueryCost: null });
    expect(resolved()).toBe(0);
    expect(await left()).toBe(99);
  });

  it('a subscription over HTTP gets 400 and costs the fee, alone and in a batch, and a validate request gets the price of the subscription', async () => {
    const { ask, left } = await protectedApi({
      schema: 'type Query { item: Int } type Subscription { tick: Int }',
      maxBatchSize: 2,
    });
    const query = 'subscription { tick }';
    const answer = await ask(query);
    expect(answer.status).toBe(400);
    expect(answer.data).toBeUndefined();
    expect(answer.errors).toMatchObject([
      {
        message: expect.stringContaining('subscriptions are not served over HTTP'),
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
    expect(answer.cost).toMatchObject({ fee: 1 });
    expect(await left()).toBe(99);
    const batch = await ask([{ query }, { query: '{ item }' }]);
    expect(batch.body[0]).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    expect(batch.body[1].data).toEqual({ item: null });
    const priced = await ask(query, { headers: { 'graphql-cost': 'validate' } });
    expect([priced.status, priced.data]).toEqual([200, null]);
  });

  it('the headers contain the quota, and Retry-After is never too early', async () => {
    const { ask } = await protectedApi({ tier: { capacity: 10 } });
    const first = await ask('{ items(first: 8) { name } }');
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'ratelimit-policy': '"tier:free";q=10;w=864000;tollgate-unit="tokens"',
      ratelimit: expect.stringMatching(/^"tier:free";r=6;t=\d+$/),
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '6',
      'x-ratelimit-cost': '4',
      'cache-control': 'no-store',
    });
    const denied = await ask('{ items(first: 8) { name } }');
    const retryAfterMs = denied.errors?.[0]?.extensions['retryAfterMs'] as number;
    expect(Number(denied.headers.get('retry-after'))).toBe(Math.ceil(retryAfterMs / 1000));
  });

  it('identify distinguishes callers, and each has a separate bucket', async () => {
    const { ask } = await protectedApi({ tier: { capacity: 10 } });
    await ask('{ items(first: 10) { name } }', { as: 'ann' });
    const other = await ask('{ items(first: 10) { name } }', { as: 'bob' });
    expect(other.errors).toBeUndefined();
  });

  it('an operation gets 401 and runs no resolver if identify throws UNAUTHENTICATED', async () => {
    const { ask, resolved } = await protectedApi({
      identify: () => {
        throw new GraphQLError('who?', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
      },
    });
    expect((await ask('{ item { name } }')).status).toBe(401);
    expect(resolved()).toBe(0);
  });

  it('the plugin charges and denies on Redis as in memory', async () => {
    const { ask, left, resolved } = await protectedApi({ redis: inject('redisUrl'), tier: { capacity: 10 } });
    expect((await ask('{ items(first: 8) { name } }')).cost.throttleStatus.currentlyAvailable).toBe(6);
    expect(await left()).toBe(6);
    expect((await ask('{ items(first: 8) { name } }')).status).toBe(429);
    expect(resolved()).toBe(1);
  });
});

describe('createTollgate', () => {
  it('createTollgate reports every mistake in tiers and rules', async () => {
    const wrong = protectedApi({ tiers: [{ name: 'x', capacity: 0, refillAmount: 1.5, isDefault: true }] });
    await expect(wrong).rejects.toThrow(/tiers\[0\] \("x"\)\.capacity.*\n.*refillAmount/);
  });

  it('createTollgate reports each invalid annotation by its coordinate, and warns once about lists of unknown size', async () => {
    const serve = (field: string) => protectedApi({ schema: `type Query { ${field} } type Item { name: String }` });
    await expect(serve('things: [Item!]! @listSize(slicingArguments: ["frist"])')).rejects.toThrow(
      /Query\.things.*frist/,
    );
    const { warnings } = await serve('things: [Item!]!');
    expect(warnings).toEqual([expect.stringMatching(/Query\.things/)]);
  });
});
