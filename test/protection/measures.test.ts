import { describe, expect, it } from 'vitest';
import type { Amount } from '../../src/model/rule.js';
import { protectedApi } from '../helpers/testkit.js';

const DAY_MS = 86_400_000;
const limitOf = (measure: Amount, amount: number, field = '*') => ({
  name: 'counted',
  scope: 'USER' as const,
  field,
  measure,
  limits: [{ algorithm: 'FIXED_WINDOW' as const, amount, windowMs: DAY_MS }],
});

/**
 * A query whose list has an estimate of ten items and returns half of them. The field `search` has
 * a field cost of 5, but counts as one call.
 */
const QUERY = '{ items(first: 10) { parent { name } } search(text: "x") { name } }';

describe('limits on other amounts than tokens', () => {
  it.each([
    // Estimate: 10 items, 10 parents, and 2 objects of the search. Returned: 5 items and 1 object
    // of the search, with null as parents.
    ['NODES', 22, 6],
    // The same objects, and 1 for the root of the operation.
    ['TYPE_COST', 23, 7],
    // Estimate: 1 for `items`, 1 for `parent` of each of the 10 items, and 5 for the search. Only 5
    // items were returned.
    ['FIELD_COST', 16, 11],
  ] as const)('a limit on %s is charged the estimate and settled to the amount of the returned data', async (measure, estimated, actual) => {
    const fits = await protectedApi({ rules: [limitOf(measure, estimated)] });
    expect((await fits.ask(QUERY)).errors).toBeUndefined();
    expect(await fits.used('counted')).toBe(actual);

    const tight = await protectedApi({ rules: [limitOf(measure, estimated - 1)] });
    const denied = await tight.ask(QUERY);
    expect(denied.status).toBe(400);
    expect(denied.errors?.[0]?.extensions).toMatchObject({
      code: 'MAX_COST_EXCEEDED',
      deniedBy: 'counted',
      cost: estimated,
      limit: estimated - 1,
      unit: measure,
    });
    expect(tight.resolved()).toBe(0);
  });

  it('a limit counts only its field and the fields below it', async () => {
    const { ask, used } = await protectedApi({ rules: [limitOf('NODES', 100, 'Query.items')] });
    await ask(QUERY);
    expect(await used('counted')).toBe(5);
    await ask('{ item { name } }');
    expect(await used('counted')).toBe(5);
  });

  it('a limit counts the estimate of a field that an error made null', async () => {
    const { ask, used } = await protectedApi({
      schema: `type Query { pages(first: Int!): [Page!] @listSize(slicingArguments: ["first"]) }
        type Page { id: Int bad: Int! }`,
      resolvers: {
        Query: { pages: (_, { first }) => Array.from({ length: first }, (_none, id) => ({ id })) },
        Page: {
          bad: () => {
            throw new Error('no');
          },
        },
      },
      rules: [limitOf('NODES', 100)],
    });
    const answer = await ask('{ pages(first: 7) { id bad } more: pages(first: 2) { id } }');
    expect(answer.data).toMatchObject({ pages: null });
    expect(await used('counted')).toBe(9);
  });

  it('the denial of a limit contains its unit', async () => {
    const { ask } = await protectedApi({ rules: [limitOf('NODES', 9)] });
    const query = '{ search(text: "x") { parent { name } } }';
    expect((await ask(query)).errors).toBeUndefined();
    for (let asked = 0; asked < 5; asked++) await ask(query);
    const denied = await ask(query);
    expect(denied.status).toBe(429);
    expect(denied.errors?.[0]?.extensions).toMatchObject({ unit: 'NODES', cost: 4, remaining: 3 });
    expect(denied.errors?.[0]?.message).toMatch(
      /^Rate limit exceeded: counted: 9 objects per day per caller: 3 left, 4 needed; retry in \d+ (seconds|minutes|hours)$/,
    );
    // A denied operation costs nothing.
    expect(denied.headers.get('x-ratelimit-cost')).toBe('0');
  });
});

describe('maximum amounts of a tier for one operation', () => {
  it.each([
    ['NODES', 'maxNodesPerOperation', 10],
    ['TYPE_COST', 'maxTypeCostPerOperation', 11],
    ['FIELD_COST', 'maxFieldCostPerOperation', 1],
  ] as const)('an operation above the maximum of %s is rejected and pays the fee, and an operation at the maximum is admitted', async (unit, ceiling, most) => {
    const query = '{ items(first: 10) { name } }';
    const fits = await protectedApi({ tier: { [ceiling]: most } });
    expect((await fits.ask(query)).errors).toBeUndefined();
    const { ask, left, resolved } = await protectedApi({ tier: { [ceiling]: most } });
    const denied = await ask('{ items(first: 10) { name } more: items(first: 1) { name } }');
    expect(denied.errors?.[0]?.extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', unit, limit: most });
    expect(denied.errors?.[0]?.extensions['cost']).toBe(most + 1);
    expect(denied.cost).toMatchObject({ fee: 1 });
    expect(await left()).toBe(99);
    expect(resolved()).toBe(0);
  });

  it('the maximum of nodes applies to the sum of a batch', async () => {
    const { ask, resolved } = await protectedApi({
      tier: { maxNodesPerOperation: 10 },
      maxBatchSize: 5,
      apollo: { allowBatchedHttpRequests: true },
    });
    const { body } = await ask([{ query: '{ items(first: 6) { name } }' }, { query: '{ items(first: 5) { name } }' }]);
    for (const answer of body) expect(answer.errors[0].extensions).toMatchObject({ unit: 'NODES', cost: 11 });
    expect(resolved()).toBe(0);
  });

  it('the maximum of nodes counts only connections in profile github, like the node limit of GitHub', async () => {
    const { ask } = await protectedApi({
      schema: `type Query { repositories(first: Int!): Connection! }
        type Connection { nodes: [Repository] edges: [Edge] pageInfo: Info }
        type Info { hasNextPage: Boolean }
        type Edge { node: Repository }
        type Repository { name: String issues(first: Int!): Issues! }
        type Issues { nodes: [Issue] pageInfo: Info }
        type Issue { title: String }`,
      resolvers: { Query: { repositories: () => ({ nodes: [] }) } },
      cost: { profile: 'github' },
      tier: { maxNodesPerOperation: 549 },
    });
    // 50 repositories and 10 issues of each are 550 nodes.
    const issues = '{ repositories(first: 50) { nodes { issues(first: 10) { nodes { title } } } } }';
    expect((await ask(issues)).errors?.[0]?.extensions).toMatchObject({ unit: 'NODES', cost: 550, limit: 549 });
  });
});
