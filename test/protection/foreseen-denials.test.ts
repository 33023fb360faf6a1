import { ApolloServer } from '@apollo/server';
import { buildSchema, type ValidationRule } from 'graphql';
import { expect, inject, test } from 'vitest';
import { createPlugin } from '../../src/apollo/create-plugin.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createProtectionLimiter } from '../../src/limiter/create-limiter.js';
import type { DecisionRecord } from '../../src/model/decision-record.js';
import { createFee } from '../../src/protection/charge-fee.js';
import { createQuota } from '../../src/protection/create-quota.js';
import { createRuleset } from '../../src/rules/matching/ruleset.js';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';
import { freePort } from '../helpers/servers.js';
import { protectedApi } from '../helpers/testkit.js';
import { until } from '../helpers/until.js';

const EXPENSIVE = '{ items(first: 8) { name } }';

/**
 * Returns an API whose caller has an empty bucket. The API has not validated the documents that the
 * tests send next.
 */
async function drained(options: Parameters<typeof protectedApi>[0] = {}) {
  const api = await protectedApi({ tier: { capacity: 8 }, ...options });
  for (let i = 0; i < 4; i++) await api.ask(`{ a${i}: items(first: 7) { name } }`);
  for (let asked = 0; asked < 20 && (await api.ask('{')).status !== 429; asked++);
  return api;
}

for (const redis of [undefined, inject('redisUrl')]) {
  test(`a caller who cannot pay the fee is denied before validation, ${redis ? 'on Redis' : 'in memory'}`, async () => {
    const { ask, resolved } = await drained(redis === undefined ? {} : { redis, denialMemory: { maxAgeMs: 60_000 } });
    const ran = resolved();
    // If Redis decides, the limiter stores a denial only when it happens for the second time.
    for (let i = 0; i < 3; i++) await ask(`{ nothing${i} }`);
    const { status, headers, errors, cost } = await ask(EXPENSIVE);
    expect(status).toBe(429);
    // isFloor means that the actual price of the operation may need a longer wait.
    expect(errors).toMatchObject([{ extensions: { code: 'THROTTLED', deniedBy: 'tier:free', isFloor: true } }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    // 0 shows that the cost was not computed.
    expect(cost.requestedQueryCost).toBe(0);
    expect(resolved()).toBe(ran);
  });
}

for (const redis of [undefined, inject('redisUrl')]) {
  test(`denied documents of 240 inline fragments are not validated, ${redis ? 'on Redis' : 'in memory'}`, async () => {
    let validated = 0;
    const count: ValidationRule = () => ({ Field: () => void validated++ });
    const { ask, left } = await protectedApi({
      tier: { capacity: 10 },
      apollo: { validationRules: [count] },
      ...(redis !== undefined && { redis, denialMemory: { maxAgeMs: 60_000 } }),
    });
    const document = (index: number) => {
      const fragments = '... on Item { name } '.repeat(240);
      return `{ a${index}: items(first: 8) { ${fragments} } }`;
    };
    const first = await ask(document(0));
    expect([first.status, validated]).toEqual([200, 241]);
    // If Redis decides, the process stores a denial only when it happens for the second time.
    for (let i = 1; i <= 2; i++) await ask(document(i));
    validated = 0;
    const { status, errors } = await ask(document(3));
    expect(status).toBe(429);
    expect(errors).toMatchObject([{ extensions: { code: 'THROTTLED', cost: 8, remaining: await left() } }]);
    expect(validated).toBe(0);
  });
}

test('a denial before validation changes no counter, and a later document that fits is charged once', async () => {
  const { ask, left, used } = await protectedApi({
    tier: { capacity: 10, refillAmount: 1, refillPeriodMs: 86_400_000 },
    rules: [
      {
        name: 'requests',
        scope: 'USER',
        field: '*',
        measure: 'REQUESTS',
        limits: [{ algorithm: 'FIXED_WINDOW', amount: 50, windowMs: 86_400_000 }],
      },
    ],
  });
  await ask('{ items(first: 8) { name } }');
  const before = [await left(), await used('requests')];
  expect(before).toEqual([6, 1]);
  expect((await ask('{ b: items(first: 8) { name } }')).status).toBe(429);
  expect([await left(), await used('requests')]).toEqual(before);
  expect((await ask('{ b: items(first: 6) { name } }')).status).toBe(200);
  expect([await left(), await used('requests')]).toEqual([3, 2]);
});

test('a document that was admitted before is priced even when it is denied, and the denial contains the required tokens', async () => {
  const api = await protectedApi({ tier: { capacity: 10 } });
  await api.ask(EXPENSIVE);
  while ((await api.left()) > 0) await api.ask('{');
  const { status, cost, errors } = await api.ask(EXPENSIVE);
  expect([status, cost.requestedQueryCost]).toEqual([429, 8]);
  expect(errors![0]!.extensions).not.toHaveProperty('isFloor');
});

test('a denial of a caller who has some tokens left contains the cost of the document', async () => {
  const api = await protectedApi({ tier: { capacity: 8 } });
  await api.ask('{ items(first: 7) { name } }');
  expect((await api.ask('{ items(first: 6) { name } }')).cost.requestedQueryCost).toBe(6);
});

test('an operation that a rule exempts is admitted with an empty bucket', async () => {
  const { ask } = await drained({
    rules: [
      {
        name: 'health',
        scope: 'USER',
        field: '*',
        measure: 'COST',
        limits: [],
        match: { operationNames: ['Health'] },
        action: { type: 'EXEMPT' },
      },
    ],
  });
  expect((await ask('query Health { item { name } }')).status).toBe(200);
  expect((await ask('query Other { item { name } }')).status).toBe(429);
});

test('a caller with a client name that a rule exempts is admitted', async () => {
  const { ask } = await drained({
    rules: [
      {
        name: 'status page',
        scope: 'USER',
        field: '*',
        measure: 'COST',
        limits: [],
        match: { clients: ['status'] },
        action: { type: 'EXEMPT' },
      },
    ],
  });
  const headers = { 'apollographql-client-name': 'status' };
  expect((await ask('query A { item { name } }', { headers })).status).toBe(200);
  expect((await ask('query B { item { name } }')).status).toBe(429);
});

test('in shadow mode, a caller with an empty bucket is admitted', async () => {
  const api = await protectedApi({ tier: { capacity: 8 }, mode: 'SHADOW' });
  for (let i = 0; i < 5; i++) expect((await api.ask(`{ a${i}: items(first: 7) { name } }`)).status).toBe(200);
});

test('a denial before validation is recorded as a decision, with the type and name of the operation', async () => {
  const decisions: DecisionRecord[] = [];
  const { ask } = await drained({ onDecision: (record) => void decisions.push(record) });
  decisions.length = 0;
  const { cost } = await ask('mutation Save { save { name } }');
  expect(cost.requestedQueryCost).toBe(0);
  expect(decisions).toMatchObject([
    { operationType: 'MUTATION', operationName: 'Save', denial: 'THROTTLED', deniedBy: 'tier:free', chargedCost: 0 },
  ]);
});

test('the decision record names the limit that denied, even if the tier hides numbers from its callers', async () => {
  const decisions: DecisionRecord[] = [];
  const { ask } = await protectedApi({
    tier: { capacity: 8, answer: 'NONE', maxCostPerOperation: 5 },
    onDecision: (record) => void decisions.push(record),
  });
  // A document that was admitted once is priced before it is denied.
  const query = 'query ($n: Int!) { items(first: $n) { name } }';
  while ((await ask(query, { variables: { n: 2 } })).status !== 429);
  for (let status = 0; status !== 429; { status } = await ask('{'));
  decisions.length = 0;
  const { errors } = await ask(query, { variables: { n: 6 } });
  expect(errors?.[0]?.extensions).not.toHaveProperty('deniedBy');
  expect(decisions).toMatchObject([{ denial: 'THROTTLED', deniedBy: 'tier:free' }]);
});

test('formatError is called once for each error, even if Tollgate rejects the operation before execution', async () => {
  const formatted: string[] = [];
  const { ask } = await protectedApi({
    tier: { capacity: 8 },
    apollo: {
      formatError(error) {
        formatted.push(String(error.extensions?.['code']));
        return { ...error, message: 'masked' };
      },
    },
  });
  for (const [query, code, status] of [
    [`{ item { name } } #${'x'.repeat(70_000)}`, 'DOCUMENT_LIMIT_EXCEEDED', 400],
    ['{ item { ...F } } fragment F on Item { ...F }', 'GRAPHQL_VALIDATION_FAILED', 400],
    ['{ items(first: 9) { name } }', 'MAX_COST_EXCEEDED', 400],
    ['query ($n: Int!) { items(first: $n) { name } }', 'BAD_USER_INPUT', 400],
  ] as const) {
    formatted.length = 0;
    const answer = await ask(query);
    expect(answer.status).toBe(status);
    expect(answer.errors).toMatchObject([{ message: 'masked', extensions: { code } }]);
    expect(answer.errors?.[0]?.extensions).not.toHaveProperty('http');
    expect(formatted).toEqual([code]);
    expect(answer.cost.fee).toBe(1);
  }
});

test('cost functions are called only for valid operations', async () => {
  const asked: string[] = [];
  const { ask } = await protectedApi({
    tier: { capacity: 100, maxCostPerOperation: 5 },
    cost: {
      profile: 'tokens',
      estimators: [
        ({ field }) => {
          asked.push(field.name);
          return 6;
        },
      ],
    },
  });
  expect((await ask('{ item { nothing } }')).errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(asked).toEqual([]);
  expect((await ask('{ item { name } }')).errors?.[0]?.extensions['code']).toBe('MAX_COST_EXCEEDED');
  expect(asked).toContain('item');
});

test('while Redis is down, an operation is admitted by a limit that fails open and charged once to the bucket', async () => {
  const api = await protectedApi({
    redis: `redis://127.0.0.1:${await freePort()}`,
    deadlineMs: 50,
    rules: [
      {
        name: 'few',
        scope: 'USER',
        field: 'Query.items',
        onUnavailable: 'OPEN',
        limits: [{ algorithm: 'FIXED_WINDOW', amount: 3, windowMs: 86_400_000 }],
      },
    ],
  });
  const before = await api.left();
  const { status, cost } = await api.ask('{ items(first: 4) { name } }');
  expect([status, cost.degraded]).toEqual([200, true]);
  await until('the operation is settled', async () => before - (await api.left()) === 2);
});

test('a denied operation costs nothing, at whatever moment of its decision the bucket refills', async () => {
  const schema = buildSchema('type Query { item: Item } type Item { name: String }');
  const policy = parsePolicy({
    tiers: [{ name: 'free', capacity: 8, refillAmount: 8, refillPeriodMs: 1000, answer: 'FULL', isDefault: true }],
    rules: [],
  });
  if (policy.problems) throw new Error(policy.problems.join());
  const ruleset = createRuleset({ ...policy, version: 1 });
  const codes = new Set<unknown>();
  // After `looks` readings, the clock jumps by a second, in which the bucket refills completely.
  // Each iteration puts the jump before another reading of the clock.
  for (let looks = 0; looks < 12; looks++) {
    let left = Number.POSITIVE_INFINITY;
    const limiter = createProtectionLimiter({ now: () => (left-- > 0 ? 1_700_000_000_000 : 1_700_000_001_000) });
    const chargeFee = createFee({ limiter, fee: 1, mode: 'ENFORCE', denialStatus: 429 });
    const plugin = createPlugin({
      schema,
      analyzer: createCostAnalyzer(schema),
      limiter,
      chargeFee,
      ruleset: () => ruleset,
      identify: () => ({ user: 'ann' }),
    });
    const server = new ApolloServer({ schema, plugins: [plugin], rootValue: { item: { name: 'x' } } });
    const ask = async (query: string) => {
      const { body } = await server.executeOperation({ query });
      if (body.kind !== 'single') throw new Error('expected a single result');
      const { errors, extensions } = body.singleResult;
      return { code: errors?.[0]?.extensions, cost: extensions?.['cost'] as { fee?: number } | undefined };
    };
    for (let i = 0; i < 9; i++) await ask(`{ nothing${i} }`);
    left = looks;
    const { code, cost } = await ask('{ item { name } }');
    left = 0;
    const [bucket] = await createQuota({ limiter, ruleset: () => ruleset }).quota({ user: 'ann' });
    codes.add(code?.['code'] ?? 'admitted');
    if (code) {
      expect(code).toMatchObject({ code: 'THROTTLED', deniedBy: 'tier:free', retryAfterMs: expect.any(Number) });
      expect(cost?.fee ?? 0).toBe(0);
    }
    expect(bucket?.remaining).toBe(code ? 8 : 7);
    await server.stop();
  }
  expect(codes).toEqual(new Set(['admitted', 'THROTTLED']));
});
