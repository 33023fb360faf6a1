import { buildSchema, execute, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

// All types have the same prices: only the limit distinguishes them.
const schema = buildSchema(`
  type Query { node: Node nodes: [Node] any: Any me: User }
  interface Node { id: ID posts: [Post] peer: Node }
  interface Owner { posts: [Post] }
  type User implements Node & Owner { id: ID posts: [Post] peer: Node }
  type Group implements Node { id: ID posts: [Post] peer: Node }
  type Bot implements Node & Owner { id: ID posts: [Post] peer: Node }
  union Any = User | Group
  type Post { id: ID }
`);
const posts = [{ id: 1 }, { id: 2 }];
const user = { __typename: 'User', id: 'u', posts };
const group = { __typename: 'Group', id: 'g', posts };
const bot = { __typename: 'Bot', id: 'b', posts };

/**
 * Returns what a limit on some fields counts in a response: without types, or with the types that
 * the execution records.
 */
function measured(source: string, rootValue: object, coordinates: readonly string[], isTyped = false) {
  const document = parse(source);
  const plan = createCostAnalyzer(schema, { minimumCost: 0 }).compile(document);
  const measure = plan.measure((coordinate) => coordinates.includes(coordinate));
  const typed = isTyped ? plan.typed : undefined;
  const { data } = execute({ schema, document: typed?.document ?? document, rootValue }) as { data: unknown };
  typed?.take(data);
  expect(data).toEqual((execute({ schema, document, rootValue }) as { data: unknown }).data);
  const { measures, cost } = plan.bind().actual(data, [measure], { fieldSums: true });
  return { ...measures[0]!, total: cost };
}

describe('limits on a field of one type if all types have the same prices', () => {
  it.each([
    ['{ node { posts { id } __typename } }', { node: group }, 0, 0],
    ['{ node { posts { id } __typename } }', { node: user }, 1, 2],
    ['{ node { type: __typename posts { id } } }', { node: group }, 0, 0],
    ['{ any { __typename ... on Node { posts { id } } } }', { any: group }, 0, 0],
    ['{ any { __typename ... on Node { posts { id } } } }', { any: user }, 1, 2],
    ['{ nodes { __typename posts { id } } }', { nodes: [group, user, null, bot, user] }, 2, 4],
    [
      '{ node { __typename posts { id } peer { __typename posts { id } } } }',
      { node: { ...user, peer: { ...group, peer: null } } },
      1,
      2,
    ],
    [
      '{ node { __typename peer { __typename posts { id } } } }',
      { node: { ...group, peer: { ...user, peer: null } } },
      1,
      2,
    ],
    ['{ me { posts { id } } }', { me: user }, 1, 2],
  ])('the limit counts only objects of its type: %s with the response %j', (source, rootValue, calls, cost) => {
    expect(measured(source, rootValue, ['User.posts'])).toMatchObject({ calls, cost });
  });

  it('the limit counts fields of several types, and of an interface that only some of the types implement', () => {
    const source = '{ nodes { __typename posts { id } } }';
    const rootValue = { nodes: [group, user, bot] };
    expect(measured(source, rootValue, ['User.posts', 'Bot.posts'])).toMatchObject({ calls: 2, cost: 4 });
    expect(measured(source, rootValue, ['Owner.posts'])).toMatchObject({ calls: 2, cost: 4 });
    expect(measured(source, rootValue, ['Node.posts'])).toMatchObject({ calls: 3, cost: 6 });
  });

  it('the limit does not change the cost of the operation', () => {
    const source = '{ nodes { __typename posts { id } } }';
    expect(measured(source, { nodes: [group, user, bot] }, ['User.posts']).total).toBe(3 + 3 * 2);
  });

  it('the plan adds a selection of types only if a limit distinguishes the types', () => {
    const source = '{ nodes { posts { id } } }';
    expect(measured(source, { nodes: [group, user] }, ['User.posts'], true)).toMatchObject({ calls: 1, cost: 2 });
    const plain = createCostAnalyzer(schema).compile(parse(source));
    plain.measure(() => true);
    expect(plain.typed, 'no limit distinguishes types').toBeUndefined();
  });

  it('an object of unknown type counts as one of the type with the highest count', () => {
    expect(measured('{ nodes { posts { id } } }', { nodes: [group] }, ['User.posts'])).toMatchObject({
      calls: 1,
      cost: 2,
    });
    const plan = createCostAnalyzer(schema).compile(parse('{ node { posts { id } __typename } }'));
    const measure = plan.measure((coordinate) => coordinate === 'User.posts');
    const { measures } = plan.bind().actual({ node: { __typename: 'Unknown', posts } }, [measure]);
    expect(measures[0]!.calls).toBe(1);
  });

  it('a field that an error made null counts as its estimate, by the returned type', () => {
    const plan = createCostAnalyzer(schema).compile(parse('{ node { posts { id } __typename } }'));
    const measure = plan.measure((coordinate) => coordinate === 'User.posts');
    const errors = [{ path: ['node', 'posts'] }];
    const of = (name: string) =>
      plan.bind().actual({ node: { posts: null, __typename: name } }, [measure], { errors }).measures[0];
    expect(of('User')).toEqual({ cost: 10, calls: 1 });
    expect(of('Group')).toEqual({ cost: 0, calls: 0 });
  });

  it('the limiter refunds a limit on one type, also if the client did not select types', async () => {
    const tollgate = await createTollgate({
      schema,
      identify: () => ({ user: 'ann' }),
      tiers: [{ name: 'free', capacity: 1000, refillAmount: 1, refillPeriodMs: 1_000_000, isDefault: true }],
      rules: [
        {
          name: 'posts',
          field: 'User.posts',
          scope: 'USER',
          limits: [{ algorithm: 'TOKEN_BUCKET', capacity: 15, refillAmount: 1, refillPeriodMs: 1_000_000_000 }],
        },
      ],
      logger: { info() {}, warn() {}, error() {} },
    });
    for (const query of ['{ node { posts { id } __typename } }', '{ node { posts { id } } }']) {
      for (let i = 0; i < 3; i++) {
        const request = await tollgate.protect({ query, headers: {}, contextValue: {} });
        expect(request.admitted, `${query} ${i}`).toBe(true);
        if (!request.admitted) continue;
        await request.run((document) => execute({ schema, document, rootValue: { node: group } }));
      }
    }
    await tollgate.close();
  });
});
