import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { SizeSuggestion } from '../../src/protection/answer/denial-error.js';
import type { RuleInput } from '../../src/rules/policy/rule-input.js';
import { uniqueName } from '../helpers/servers.js';
import { type ProtectedApi, protectedApi, type Resolvers } from '../helpers/testkit.js';

const SCHEMA = /* GraphQL */ `
  type Query {
    users(first: Int): [User!]! @listSize(slicingArguments: ["first"], assumedSize: 60)
    search(limit: Int!): [User!]! @cost(weight: "5") @listSize(slicingArguments: ["limit"])
  }
  type User { name: String, posts(first: Int): [Post!]! @listSize(slicingArguments: ["first"], assumedSize: 10) }
  type Post { title: String }
`;
const RESOLVERS: Resolvers = {
  Query: { users: (_, { first = 60 }) => Array.from({ length: first }, () => ({})), search: () => [] },
  User: { posts: () => [] },
};
const USERS = 'query ($n: Int) { users(first: $n) { name } }';

const serve = (options: Parameters<typeof protectedApi>[0] = {}) =>
  protectedApi({ schema: SCHEMA, resolvers: RESOLVERS, ...options });

/** Sends an operation that is denied, and returns the error. */
async function denied(api: ProtectedApi, query: string, variables: object = {}) {
  const { errors } = await api.ask(query, { variables });
  expect(errors, query).toHaveLength(1);
  return errors![0]!;
}

describe('the suggestion of a denial', () => {
  it('a denial contains the largest size that would be admitted, the wait in words, and all numbers', async () => {
    const api = await serve({ tier: { capacity: 100 } });
    const before = Date.now();
    const { message, extensions } = await denied(api, USERS, { n: 250 });
    expect(message).toBe(
      'The operation is too expensive: it costs 250 tokens, and "tier:free" allows at most 100; lower $n, which sets Query.users(first:), to 99',
    );
    expect(extensions).toMatchObject({
      code: 'MAX_COST_EXCEEDED',
      cost: 250,
      limit: 100,
      unit: 'TOKENS',
      suggestion: { argument: 'Query.users(first:)', variable: 'n', current: 250, largest: 99 },
    });
    const other = await serve({ tier: { capacity: 100, refillAmount: 1, refillPeriodMs: 1000 } });
    const throttled = await exhaust(other);
    expect(throttled.message).toMatch(
      /; retry in \d+ seconds?, or lower \$n, which sets Query\.users\(first:\), to \d+$/,
    );
    const { retryAfterMs, retryAt } = throttled.extensions as { retryAfterMs: number; retryAt: string };
    expect(Date.parse(retryAt)).toBeGreaterThanOrEqual(before + retryAfterMs);
    expect(Date.parse(retryAt)).toBeLessThanOrEqual(Date.now() + retryAfterMs + 1);
  });

  it('without a list that could be smaller, a denial has no suggestion', async () => {
    const api = await serve({ tier: { capacity: 20 } });
    for (const query of [
      '{ users { name } }',
      '{ users(first: 1) { posts { title } } search(limit: 1) { posts { title } } }',
    ]) {
      expect((await denied(api, query)).extensions).not.toHaveProperty('suggestion');
    }
  });

  it('a tier that hides numbers hides the suggestion too', async () => {
    const api = await serve({ tier: { capacity: 20, answer: 'NONE' } });
    const { extensions, message } = await denied(api, USERS, { n: 50 });
    expect(extensions).toEqual({ code: 'MAX_COST_EXCEEDED' });
    expect(message).toBe('The operation is too expensive');
  });
});

/** Spends 60 tokens, and returns the denial of an operation that costs more than the rest. */
async function exhaust(api: ProtectedApi) {
  expect((await api.ask(USERS, { variables: { n: 60 } })).status).toBe(200);
  return denied(api, USERS, { n: 90 });
}

/** Argument that each form of an operation changes. */
const ARGUMENTS = [
  'users(first:)',
  'users(first:)',
  'search(limit:)',
  'users(first:)',
  undefined,
  'search(limit:)',
].map((name) => (name === undefined ? 'User.posts(first:)' : `Query.${name}`));
const size = fc.integer({ min: 1, max: 400 });
/** Random operations with sizes as literals, variables, aliases, fragments and nested lists. */
const operation = fc
  .record({
    a: size,
    b: size,
    c: fc.integer({ min: 1, max: 20 }),
    form: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ a, b, c, form }) => {
    const build = [
      (x: number) => ({
        query: `{ users(first: ${x}) { posts(first: ${c}) { title } } search(limit: ${b}) { name } }`,
      }),
      (x: number) => ({
        query: 'query ($n: Int) { users(first: $n) { posts(first: $n) { title } } }',
        variables: { n: x },
      }),
      (x: number) => ({
        query: `query ($n: Int!) { search(limit: $n) { name } users(first: ${b}) { name } }`,
        variables: { n: x },
      }),
      (x: number) => ({
        query: `{ a: users(first: ${x}) { name } ...F } fragment F on Query { b: users(first: ${x}) { name } }`,
      }),
      (x: number) => ({ query: `{ users(first: ${b}) { posts(first: ${x}) { title } } }` }),
      (x: number) => ({
        query: `query ($w: Boolean = true) { search(limit: ${x}) { posts(first: ${c}) @include(if: $w) { title } } }`,
      }),
    ][form]!;
    return { build, size: a, argument: ARGUMENTS[form] };
  });

const LIMITS: RuleInput[] = [
  {
    name: 'windows',
    scope: 'USER',
    field: '*',
    measure: 'NODES',
    limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 300, windowMs: 86_400_000 }],
  },
  {
    name: 'calls',
    scope: 'USER',
    field: 'User.posts',
    measure: 'CALLS',
    limits: [{ algorithm: 'FIXED_WINDOW', amount: 90, windowMs: 86_400_000 }],
  },
  {
    name: 'counted',
    scope: 'USER',
    field: 'Query.search',
    measure: 'COST',
    limits: [{ algorithm: 'FIXED_WINDOW', amount: 700, windowMs: 86_400_000 * 7, countDenied: true }],
  },
];

it.each([
  'memory',
  'redis',
] as const)('the suggested value is admitted in %s, and the next larger one is denied, for random operations and limits', async (engine) => {
  let suggested = 0;
  const options = {
    ...(engine === 'redis' && { redis: inject('redisUrl') }),
    tier: { capacity: 500, maxCostPerOperation: 450 },
  };
  const api = await serve({ ...options, rules: LIMITS });
  await fc.assert(
    fc.asyncProperty(operation, fc.array(size, { maxLength: 3 }), async ({ build, size: first, argument }, spent) => {
      const [user, twin] = [uniqueName('u'), uniqueName('u')];
      const send = (request: { query: string; variables?: object }, as: string) =>
        api.ask(request.query, { as, ...(request.variables && { variables: request.variables }) });
      // Two callers with the same usage: the suggestion is sent as one, the next value as the other.
      for (const as of [user, twin]) {
        for (const n of spent) await send({ query: USERS, variables: { n } }, as);
      }
      const { errors } = await send(build(first), user);
      const suggestion = errors?.[0]?.extensions['suggestion'] as SizeSuggestion | undefined;
      if (!suggestion || suggestion.argument !== argument || suggestion.current !== first) return;
      suggested++;
      await send(build(first), twin);
      expect((await send(build(suggestion.largest), user)).errors, JSON.stringify(suggestion)).toBeUndefined();
      expect((await send(build(suggestion.largest + 1), twin)).errors, JSON.stringify(suggestion)).toBeDefined();
    }),
    { numRuns: 150 },
  );
  expect(suggested).toBeGreaterThan(10);
});
