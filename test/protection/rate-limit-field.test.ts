import { expect, it } from 'vitest';
import { rateLimitResolvers, rateLimitTypeDefs } from '../../src/index.js';
import { protectedApi, type Resolvers } from '../helpers/testkit.js';

it('the field rateLimit is null for callers of a tier that hides numbers', async () => {
  const { ask } = await protectedApi({
    schema: `type Query { item: String } ${rateLimitTypeDefs}`,
    resolvers: rateLimitResolvers as Resolvers,
    tier: { answer: 'NONE' },
  });
  for (const dryRun of [false, true])
    expect((await ask(`{ rateLimit(dryRun: ${dryRun}) { cost remaining } }`)).body).toEqual({
      data: { rateLimit: null },
    });
});

it('the field rateLimit returns the numbers, and with dryRun no other field runs and only the minimum is charged', async () => {
  let resolved = 0;
  const item = () => {
    resolved++;
    return { name: 'x' };
  };
  const { ask } = await protectedApi({
    schema: `type Query { items(first: Int!): [Item!] @listSize(slicingArguments: ["first"]) }
      type Item @cost(weight: "2") { name: String }
      ${rateLimitTypeDefs}`,
    resolvers: { Query: { items: () => [item(), item()], ...(rateLimitResolvers as Resolvers)['Query'] } },
  });
  const FIELDS = 'cost limit remaining used resetAt nodeCount';

  const dry = await ask(
    `query ($dry: Boolean) { quota: rateLimit(dryRun: $dry) { ${FIELDS} } items(first: 40) { name } }`,
    { variables: { dry: true } },
  );
  expect(dry.errors).toBeUndefined();
  expect(resolved).toBe(0);
  const { cost } = dry.data.quota;
  expect(cost).toBeGreaterThanOrEqual(40);
  expect(dry.data).toEqual({
    quota: {
      cost,
      limit: 100,
      remaining: 99,
      used: 1,
      resetAt: expect.stringMatching(/Z$/),
      nodeCount: 41,
    },
  });

  const run = await ask(`{ rateLimit { ${FIELDS} } items(first: 40) { name } }`);
  expect(resolved).toBe(2);
  expect(run.data).toMatchObject({ rateLimit: { cost, limit: 100, remaining: 99 - cost, used: 1 + cost } });
});
