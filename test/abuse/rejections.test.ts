import { afterEach, describe, expect, it } from 'vitest';
import type { RuleInput } from '../../src/index.js';
import { uniqueName } from '../helpers/servers.js';
import { type AbuseOptions, type Attempt, serveAbuseApi, TARGETS } from './serve.js';

const perDay = (amount: number, index = 0) => ({
  algorithm: 'FIXED_WINDOW' as const,
  amount,
  windowMs: 86_400_000 + index,
});
/** Ten fields with eight limits each: in total, more limits than one operation may have. */
const FIELDS = ['item', 'constructor', 'toString', 'node', 'slow', 'f0', 'f1', 'f2', 'f3', 'f4'];
const tooMany: RuleInput[] = FIELDS.map((field) => ({
  name: field,
  scope: 'USER',
  field: `Query.${field}`,
  measure: 'CALLS',
  limits: Array.from({ length: 8 }, (_, index) => perDay(1_000_000, index)),
}));
const perAddress: RuleInput = {
  name: 'requests-per-address',
  scope: 'IP',
  field: '*',
  measure: 'REQUESTS',
  limits: [perDay(4)],
};
const free = { name: 'free', refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true };

/**
 * Returns a function that gives all callers one address. No other test uses this address, because
 * the tests share the counters in Redis.
 */
function fromOneAddress(): NonNullable<AbuseOptions['identify']> {
  const ip = uniqueName('address');
  return ({ contextValue }) => ({ ...contextValue.subject, ip });
}

/** Operations that are rejected even by a full bucket. Each index yields a different operation. */
const REJECTIONS: [name: string, code: string, options: AbuseOptions, make: (index: number) => string][] = [
  [
    'operations above the capacity of the bucket',
    'MAX_COST_EXCEEDED',
    { capacity: 10 },
    (index) => `{ a${index}: items(first: 11) { id } }`,
  ],
  [
    'operations above the ceiling of the tier',
    'MAX_COST_EXCEEDED',
    { tiers: [{ ...free, capacity: 10, maxCostPerOperation: 5 }] },
    (index) => `{ a${index}: items(first: 6) { id } }`,
  ],
  [
    'operations above the amount of a limit of a rule',
    'MAX_COST_EXCEEDED',
    { capacity: 10, rules: [{ name: 'few', scope: 'USER', field: 'Query.items', limits: [perDay(3)] }] },
    (index) => `{ a${index}: items(first: 4) { id } }`,
  ],
  [
    'operations under too many limits',
    'TOO_MANY_LIMITS',
    { capacity: 10, rules: tooMany },
    (index) => `{ ${FIELDS.map((field) => `a${index}${field}: ${field} { id }`).join(' ')} }`,
  ],
];

describe.each(TARGETS)('rejections, $behind', ({ redis, gateway }) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  async function serve(options: AbuseOptions = {}) {
    const url = redis();
    const api = await serveAbuseApi({ ...options, gateway, ...(url !== undefined && { redis: url }) });
    closing.push(() => api.close());
    return api;
  }
  const ofBatch = (queries: readonly string[]): Attempt => ({
    raw: { method: 'POST', body: JSON.stringify(queries.map((query) => ({ query }))) },
  });
  const byGet = (query: string): Attempt => ({
    raw: { method: 'GET', search: `?query=${encodeURIComponent(query)}` },
    headers: { 'apollo-require-preflight': 'true' },
  });

  it.each(
    REJECTIONS,
  )('A28: a flood of %s pays a fee for each, and ends when the bucket is empty', async (...rejection) => {
    const [, code, options, make] = rejection;
    const api = await serve(options);
    for (let index = 0; index < 10; index++) {
      const { status, headers, body } = await api.attempt(index % 2 ? byGet(make(index)) : { query: make(index) });
      expect(status).toBe(400);
      expect(body.errors[0].extensions.code).toBe(code);
      expect(body.extensions.cost).toMatchObject({ fee: 1, actualQueryCost: null });
      expect(body.extensions.cost.requestedQueryCost).toBeGreaterThan(3);
      expect(headers.get('x-ratelimit-cost')).toBe('1');
      // Only the fee is charged, not the price of the rejected operation.
      expect(await api.left()).toBe(9 - index);
    }
    const { status, headers, body } = await api.attempt({ query: make(10) });
    expect(status).toBe(429);
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'tier:free', cost: 1 });
    expect(body.errors[0].extensions.mostExpensivePaths).toBeUndefined();
    expect(body.extensions.cost.fee).toBe(0);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(api.resolved()).toBe(0);
  });

  it.each(
    REJECTIONS,
  )('A28: a batch of %s pays the fee for each of them, until the bucket is empty', async (...rejection) => {
    const [, code, options, make] = rejection;
    const api = await serve({ ...options, maxBatchSize: 12 });
    const answer = await api.attempt(ofBatch(Array.from({ length: 12 }, (_, index) => make(index))));
    const codes = answer.body.map(
      (one: { errors: { extensions: { code: string } }[] }) => one.errors[0]?.extensions.code,
    );
    expect(codes.filter((one: string) => one === code)).toHaveLength(10);
    expect(codes.filter((one: string) => one === 'THROTTLED')).toHaveLength(2);
    expect(await api.left()).toBe(0);
    expect(api.resolved()).toBe(0);
  });

  it.each(REJECTIONS)('A28: %s count as requests of their address, for all callers together', async (...rejection) => {
    const [, code, { rules = [], ...options }, make] = rejection;
    const api = await serve({
      ...options,
      rules: [...rules, perAddress],
      identify: fromOneAddress(),
    });
    for (let index = 0; index < 4; index++) {
      const { body } = await api.attempt({ query: make(index) }, `${api.user}-${index}`);
      expect(body.errors[0].extensions.code).toBe(code);
      expect(body.extensions.cost.limits).toContainEqual(
        expect.objectContaining({ rule: 'requests-per-address', remaining: 3 - index }),
      );
    }
    const { status, body } = await api.attempt({ query: make(4) }, `${api.user}-4`);
    expect(status).toBe(429);
    expect(body.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'requests-per-address' });
    // Tollgate charges all limits or none. The limit of the address denies, so the bucket of the
    // caller stays full.
    expect(await api.left(`${api.user}-4`)).toBe(10);
  });

  it('A28: requests that never get a price count as requests of their address too', async () => {
    const api = await serve({
      rules: [perAddress],
      identify: fromOneAddress(),
    });
    for (const query of ['{', '{ nothing }', '{ either { id } }', `{ item { id } } #${'x'.repeat(70_000)}`]) {
      expect((await api.attempt({ query })).status).toBe(400);
    }
    const { status, body } = await api.attempt({ query: '{' });
    expect(status).toBe(429);
    expect(body.errors[0].extensions.deniedBy).toBe('requests-per-address');
  });

  it('A28: operations that are priced without execution count as requests of their address too', async () => {
    const api = await serve({ rules: [perAddress], identify: fromOneAddress() });
    const validate = { query: '{ items(first: 5) { id } }', headers: { 'graphql-cost': 'validate' } };
    for (let index = 0; index < 4; index++) {
      const { status, body } = await api.attempt(validate, `${api.user}-${index}`);
      expect([status, body.data]).toEqual([200, null]);
    }
    const { status, body } = await api.attempt(validate, `${api.user}-4`);
    expect(status).toBe(429);
    expect(body.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'requests-per-address' });
    expect(api.resolved()).toBe(0);
  });

  /**
   * Operations with two errors. Tollgate finds the first one before validation, and validation
   * would find the second. Tollgate skips the validation, because it is slow.
   */
  const UNVALIDATED: [name: string, code: string, options: AbuseOptions, attempt: Attempt][] = [
    [
      'above the capacity of the bucket',
      'MAX_COST_EXCEEDED',
      { capacity: 10 },
      { query: '{ items(first: 11) { id nope } }' },
    ],
    [
      'above the ceiling of the tier',
      'MAX_COST_EXCEEDED',
      { tiers: [{ ...free, capacity: 10, maxCostPerOperation: 5 }] },
      { query: '{ items(first: 6) { id } ...Nothing }' },
    ],
    [
      'above the amount of a limit of a rule',
      'MAX_COST_EXCEEDED',
      { capacity: 10, rules: [{ name: 'few', scope: 'USER', field: 'Query.items', limits: [perDay(3)] }] },
      { query: '{ items(first: 4, last: 1) { id } }' },
    ],
    [
      'under too many limits',
      'TOO_MANY_LIMITS',
      { rules: tooMany },
      { query: `{ ${FIELDS.map((field) => `${field} { id }`).join(' ')} nope }` },
    ],
    ['without a slicing argument', 'COST_SLICING_ARGUMENT', {}, { query: '{ either { id nope } }' }],
    [
      'with a variable that does not fit',
      'BAD_USER_INPUT',
      {},
      { query: 'query ($n: Int!) { items(first: $n) { id nope } }', variables: { n: 'many' } },
    ],
    [
      'with an unknown operation name',
      'OPERATION_RESOLUTION_FAILURE',
      {},
      { query: 'query A { item { id nope } }', operationName: 'B' },
    ],
    ['of a type that the schema does not have', 'BAD_REQUEST', {}, { query: 'subscription { item { id nope } }' }],
  ];

  it.each(
    UNVALIDATED,
  )('A28: an operation %s is rejected and pays the fee before it is validated', async (...rejection) => {
    const [, code, options, attempt] = rejection;
    const api = await serve({ capacity: 1000, ...options });
    const left = await api.left();
    const { status, body } = await api.attempt(attempt);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ extensions: { code } }]);
    expect(body.extensions.cost.fee).toBe(1);
    expect(await api.left()).toBe(left - 1);
    // Only an operation with a price reaches a decision. Admitted operations are still validated.
    expect(api.decided()).toBe(['MAX_COST_EXCEEDED', 'TOO_MANY_LIMITS'].includes(code) ? 1 : 0);
    const within = await api.attempt({ query: '{ item { id nope } }' });
    expect(within.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('A28: operations are validated first if they may be admitted or are priced without execution', async () => {
    const { attempt } = await serve({ capacity: 10 });
    const headers = { 'graphql-cost': 'validate' };
    for (const one of [
      { query: '{ items(first: 10) { nope } }' },
      { query: '{ items(first: 11) { nope } }', headers },
    ]) {
      expect((await attempt(one)).body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
  });

  it('A28: a rejected operation holds no concurrency slot', async () => {
    const api = await serve({
      capacity: 10,
      rules: [
        {
          name: 'at-a-time',
          scope: 'IP',
          field: '*',
          measure: 'REQUESTS',
          limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 60_000 }],
        },
      ],
      identify: fromOneAddress(),
    });
    for (const query of ['{', '{ items(first: 11) { id } }', '{ nothing }']) {
      expect((await api.attempt({ query })).status).toBe(400);
    }
    expect((await api.attempt({ query: '{ item { id } }' })).status).toBe(200);
  });
});
