import { ApolloServer } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect, it } from 'vitest';
import { createTollgate, rateLimitResolvers, rateLimitTypeDefs } from '../src/index.js';

const SILENT = { info() {}, warn() {}, error() {} };

it('offers the numbers as a field, and with dryRun runs nothing else and charges the minimum', async () => {
  let resolved = 0;
  const item = () => {
    resolved++;
    return { name: 'x' };
  };
  const typeDefs = [
    `directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
     type Query { items(first: Int!): [Item!] @listSize(slicingArguments: ["first"]) }
     type Item { name: String }`,
    rateLimitTypeDefs,
  ];
  const schema = makeExecutableSchema({
    typeDefs,
    resolvers: [{ Query: { items: () => [item(), item()] } }, rateLimitResolvers],
  });
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'ada' }),
    tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: SILENT,
  });
  const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
  const ask = async (query: string, variables = {}) => {
    const { body } = await server.executeOperation({ query, variables });
    if (body.kind !== 'single') throw new Error('expected a single result');
    return body.singleResult;
  };
  const FIELDS = 'cost limit remaining used resetAt nodeCount';

  const dry = await ask(
    `query ($dry: Boolean) { quota: rateLimit(dryRun: $dry) { ${FIELDS} } items(first: 40) { name } }`,
    {
      dry: true,
    },
  );
  expect(dry.errors).toBeUndefined();
  expect(resolved).toBe(0);
  const { cost } = (dry.data as { quota: { cost: number } }).quota;
  expect(cost).toBeGreaterThanOrEqual(40);
  expect(dry.data).toEqual({
    quota: {
      cost,
      limit: 100,
      remaining: 99,
      used: 1,
      resetAt: expect.stringMatching(/Z$/),
      nodeCount: expect.any(Number),
    },
  });

  const run = await ask(`{ rateLimit { ${FIELDS} } items(first: 40) { name } }`);
  expect(resolved).toBe(2);
  expect(run.data).toMatchObject({ rateLimit: { cost, limit: 100, remaining: 99 - cost, used: 1 + cost } });
  await server.stop();
  await tollgate.close();
});
