import fc from 'fast-check';
import { buildSchema, execute, type GraphQLObjectType, GraphQLSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { CostOverlay } from '../../src/cost/annotations/cost-overlay.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { costTypeDefs } from '../../src/cost/schema/cost-type-defs.js';
import { CostError } from '../../src/cost/values/cost-error.js';
import { protectedApi } from '../helpers/testkit.js';

const schema = buildSchema(`${costTypeDefs}
  type Query {
    items(first: Int = 3, last: Int, page: Page): [Item!]
      @listSize(slicingArguments: ["first", "last", "page.first", "page.next.first"], requireOneSlicingArgument: false)
    byIds(ids: [ID!]): [Item!]
    users(first: Int, last: Int): Users
    feed(page: Page = { first: 2 }): Feed
      @listSize(slicingArguments: ["page.first"], sizedFields: ["entries"], requireOneSlicingArgument: false)
    assumed(first: Int): Feed
      @listSize(assumedSize: 40, slicingArguments: ["first"], sizedFields: ["entries"], requireOneSlicingArgument: false)
    node: Node
  }
  input Page { first: Int = 1 next: Page }
  type Users { totalCount: Int edges: [Edge!] nodes: [Item!] }
  type Edge { node: Item }
  type Feed { total: Int entries(limit: Int): [Item!] @listSize(slicingArguments: ["limit"]) }
  interface Node { children(first: Int): [Item!] }
  type Item implements Node { id: ID children(first: Int): [Item!] }
  type Other implements Node { id: ID children(first: Int): [Item!] }
`);
const MAX_SIZES: Record<string, number> = {
  'Query.items': 10,
  'Query.byIds': 2,
  'Query.users': 10,
  'Feed.entries': 10,
  'Item.children': 10,
};
const overlay = Object.fromEntries(Object.entries(MAX_SIZES).map(([at, maxSize]) => [at, { maxSize }]));
const analyzer = createCostAnalyzer(schema, { overlay });

/** Returns the details of a rejection, or undefined if the operation has a price. */
function rejectionOf(query: string, variables?: Record<string, unknown>, { compile } = analyzer) {
  const document = parse(query);
  expect(validate(schema, document), query).toEqual([]);
  try {
    compile(document).estimate(variables);
    return undefined;
  } catch (error) {
    if (!(error instanceof CostError)) throw error;
    return { code: error.code, message: error.message, path: error.path, ...error.extensions };
  }
}

const rejected = (coordinate: string, requestedSize: number, maximumSize = 10) =>
  expect.objectContaining({ code: 'MAX_LIST_SIZE_EXCEEDED', coordinate, requestedSize, maximumSize });

describe('maximum list sizes', () => {
  it('an operation above the maximum size is rejected with the coordinate, the requested size and the maximum', () => {
    expect(rejectionOf('{ mine: items(first: 11) { id } }')).toEqual({
      code: 'MAX_LIST_SIZE_EXCEEDED',
      message: 'The requested list size is too large: Query.items: requested 11 items, the maximum is 10',
      path: ['mine'],
      coordinate: 'Query.items',
      requestedSize: 11,
      maximumSize: 10,
      http: { status: 400 },
    });
    expect(rejectionOf('{ items(first: 10) { id } }')).toBeUndefined();
  });

  it.each([
    ['query ($n: Int) { items(first: $n) { id } }', { n: 11 }],
    ['query ($n: Int = 11) { items(first: $n) { id } }', {}],
    ['query ($n: Int) { items(first: 1, last: $n) { id } }', { n: 11 }],
    ['query ($n: Int) { a: items(first: $n) { id } b: node { children(first: $n) { id } } }', { n: 11 }],
    ['{ items(page: { first: 11 }) { id } }', {}],
    ['{ items(page: { next: { first: 11 } }) { id } }', {}],
    ['query ($n: Int) { items(page: { next: { first: $n } }) { id } }', { n: 11 }],
    ['query ($p: Page) { items(page: $p) { id } }', { p: { next: { first: 11 } } }],
    ['query ($p: Page = { first: 11 }) { items(page: $p) { id } }', {}],
    ['{ ...F } fragment F on Query { ... { items(first: 11) { id } } }', {}],
  ])('the maximum size applies to variables, defaults, paths and fragments: %s', (query, variables) => {
    expect(rejectionOf(query, variables)).toEqual(rejected('Query.items', 11));
  });

  it('the maximum size limits the number of elements of a list argument', () => {
    expect(rejectionOf('{ byIds(ids: ["a", "b", "c"]) { id } }')).toEqual(rejected('Query.byIds', 3, 2));
    expect(rejectionOf('query ($x: [ID!]) { byIds(ids: $x) { id } }', { x: ['a', 'b', 'c'] })).toEqual(
      rejected('Query.byIds', 3, 2),
    );
    expect(rejectionOf('query ($x: ID!) { byIds(ids: [$x, "b"]) { id } }', { x: 'a' })).toBeUndefined();
  });

  it('the maximum size applies to `edges` and `nodes` of a connection, and to a connection without either', () => {
    for (const below of ['edges { node { id } }', 'nodes { id }', 'totalCount']) {
      expect(rejectionOf(`{ users(first: 11) { ${below} } }`), below).toEqual(rejected('Query.users', 11));
      expect(rejectionOf(`{ users(last: 11, first: 2) { ${below} } }`), below).toEqual(rejected('Query.users', 11));
    }
    expect(rejectionOf('{ users(first: 10) { edges { node { id } } nodes { id } } }')).toBeUndefined();
  });

  it('the maximum size limits a list by the size that its page field requests and by its own arguments', () => {
    const withVariable = 'query ($n: Int) { feed(page: { first: $n }) { e: entries { id } } }';
    expect(rejectionOf('{ feed(page: { first: 11 }) { total entries { id } } }')).toEqual(rejected('Feed.entries', 11));
    expect(rejectionOf(withVariable, { n: 11 })).toEqual(rejected('Feed.entries', 11));
    expect(rejectionOf(withVariable, { n: 10 })).toBeUndefined();
    expect(rejectionOf('query ($n: Int) { feed { entries(limit: $n) { id } } }', { n: 12 })).toEqual(
      rejected('Feed.entries', 12),
    );
    expect(rejectionOf('{ feed(page: { first: 11 }) { total } }')).toBeUndefined();
  });

  it('the maximum size does not apply to sizes that the schema assumes', () => {
    expect(rejectionOf('{ assumed { entries { id } } }')).toBeUndefined();
    expect(rejectionOf('query ($n: Int) { assumed(first: $n) { entries(limit: $n) { id } } }', {})).toBeUndefined();
    expect(rejectionOf('query ($n: Int) { assumed { entries(limit: $n) { id } } }', { n: 11 })).toEqual(
      rejected('Feed.entries', 11),
    );
    // Both lists have forty items. The size of `a` is assumed, and the size of `b` is requested.
    const twice = '{ a: assumed { entries { id } } b: assumed(first: 40) { entries { id } } }';
    expect(rejectionOf(twice)).toEqual(rejected('Feed.entries', 40));
    const shared = '{ a: assumed { ...E } b: assumed(first: 40) { ...E } } fragment E on Feed { entries { id } }';
    expect(rejectionOf(shared)).toMatchObject({ path: ['b', 'entries'] });
  });

  it('the maximum size of an object field also applies if the field is selected on its interface', () => {
    expect(rejectionOf('{ node { children(first: 11) { id } } }')).toEqual(rejected('Item.children', 11));
    expect(rejectionOf('{ node { ... on Other { children(first: 11) { id } } } }')).toBeUndefined();
    const above = createCostAnalyzer(schema, { overlay: { 'Node.children': { maxSize: 5 } } });
    expect(rejectionOf('{ node { ... on Other { children(first: 6) { id } } } }', {}, above)).toEqual(
      rejected('Other.children', 6, 5),
    );
  });

  it('the maximum size accepts null, zero, negative sizes, and fields that a condition excludes', () => {
    const conditional = 'query ($on: Boolean!) { items(first: 11) @include(if: $on) { id } byIds { id } }';
    expect(rejectionOf(conditional, { on: false })).toBeUndefined();
    expect(rejectionOf(conditional, { on: true })).toEqual(rejected('Query.items', 11));
    for (const first of ['null', '0', '-1']) expect(rejectionOf(`{ items(first: ${first}) { id } }`)).toBeUndefined();
  });

  it('an operation is rejected exactly if one of its fields requests more items than the maximum from a resolver', () => {
    const asked = recordingSchema();
    fc.assert(
      fc.property(operations, ({ query, variables }) => {
        const document = parse(query);
        expect(validate(schema, document), query).toEqual([]);
        asked.isTooMuch = false;
        const { errors } = execute({ schema: asked.schema, document, variableValues: variables }) as { errors?: [] };
        expect(errors, query).toBeUndefined();
        expect(rejectionOf(query, variables) !== undefined, `${query} ${JSON.stringify(variables)}`).toBe(
          asked.isTooMuch,
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('invalid maximum sizes', () => {
  const problems = (overlaid: CostOverlay) =>
    createCostAnalyzer(schema, { overlay: overlaid })
      .check()
      .filter(({ severity }) => severity === 'error')
      .map(({ coordinate, message }) => `${coordinate}: ${message}`);

  it('the check reports an invalid maximum size with its coordinate', () => {
    expect(problems(overlay)).toEqual([]);
    expect(
      problems({
        'Query.node': { maxSize: 5 },
        'Item.id': { maxSize: 5 },
        'Query.items': { maxSize: 2 },
        'Query.feed': { maxSize: 1 },
        'Query.assumed': { maxSize: 39 },
        'Query.byIds': { maxSize: -1 },
        'Query.users': { maxSize: '5' as unknown as number },
        'Query.nope': { maxSize: 1 },
      }),
    ).toEqual([
      'Query.byIds: maxSize: expected a whole number of 0 or more, got -1',
      'Query.users: maxSize: expected a whole number of 0 or more, got "5"',
      'Query.nope: the overlay has a coordinate that the schema does not have; did you mean Query.node?',
      'Query.items: maxSize: 2 is below the default of first, 3: operations without first are rejected',
      'Query.feed: maxSize: 1 is below the default of page.first, 2: operations without page.first are rejected',
      'Query.assumed: maxSize: 39 is below assumedSize: 40, the size without a size argument',
      'Query.node: maxSize on a field that neither returns nor sizes a list: put it on the field that has the slicing arguments',
      'Item.id: maxSize on a field that neither returns nor sizes a list: put it on the field that has the slicing arguments',
    ]);
    const unsized = buildSchema('type Query { all: [Query] } ');
    expect(createCostAnalyzer(unsized, { overlay: { 'Query.all': { maxSize: 3 } } }).check()).toMatchObject([
      { severity: 'error', message: expect.stringContaining('no argument sizes this list') },
      { severity: 'warning' },
    ]);
  });

  it('the explanation of an operation contains the maximum size', () => {
    const [field] = analyzer.compile(parse('{ items(first: 4) { id } }')).explain().fields;
    expect(field).toMatchObject({ coordinate: 'Query.items', multiplier: 4, maxSize: 10 });
  });
});

describe('operations above the maximum size', () => {
  it('an operation above the maximum size runs no resolver, pays the rejection fee and gets an error', async () => {
    const { ask, left, resolved } = await protectedApi({
      tier: { capacity: 100 },
      cost: { overlay: { 'Query.items': { maxSize: 50 } } },
    });
    const { status, errors, data } = await ask('query ($n: Int!) { items(first: $n) { name } }', {
      variables: { n: 51 },
    });
    expect([status, data, resolved()]).toEqual([400, undefined, 0]);
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('Query.items: requested 51 items, the maximum is 50'),
        extensions: {
          code: 'MAX_LIST_SIZE_EXCEEDED',
          coordinate: 'Query.items',
          requestedSize: 51,
          maximumSize: 50,
        },
      },
    ]);
    expect(await left()).toBe(99);
  });
});

const size = fc.constantFrom('null', '-1', '0', '9', '10', '11', '12', '$a', '$b', '$c');
const page = fc.oneof(
  fc.constantFrom('null', '$p', '{}'),
  size.map((first) => `{ first: ${first} }`),
  fc.tuple(size, size).map(([first, next]) => `{ first: ${first}, next: { first: ${next} } }`),
);
const argumentsOf = (all: Record<string, fc.Arbitrary<string>>) =>
  fc.record(all, { requiredKeys: [] }).map((given) => {
    const texts = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
    return texts.length === 0 ? '' : `(${texts.join(', ')})`;
  });
const entries = argumentsOf({ limit: size }).map((given) => `entries${given} { id }`);
const selection = fc.oneof(
  argumentsOf({ first: size, last: size, page }).map((given) => `items${given} { id }`),
  argumentsOf({ ids: fc.constantFrom('null', '"x"', '["x", "y", "z"]', '$ids') }).map(
    (given) => `byIds${given} { id }`,
  ),
  argumentsOf({ first: size, last: size }).map((given) => `users${given} { totalCount nodes { id } }`),
  fc.tuple(argumentsOf({ page }), entries).map(([given, below]) => `feed${given} { ${below} }`),
  fc.tuple(argumentsOf({ first: size }), entries).map(([given, below]) => `assumed${given} { ${below} }`),
  argumentsOf({ first: size }).map((given) => `node { children${given} { id } }`),
);
const operations = fc
  .record({
    fields: fc.array(fc.tuple(selection, fc.constantFrom('', '@include(if: $on)', '@skip(if: $on)')), {
      minLength: 1,
      maxLength: 4,
    }),
    variables: fc.record(
      {
        on: fc.boolean(),
        a: fc.constantFrom(null, 0, 9, 11),
        b: fc.constantFrom(null, 0, 9, 12),
        p: fc.constantFrom(null, {}, { first: 9 }, { first: 11, next: null }, { next: { first: 11 } }),
        ids: fc.constantFrom(null, [], ['x', 'y'], ['x', 'y', 'z']),
      },
      { requiredKeys: ['on'] },
    ),
  })
  .map(({ fields, variables }) => {
    const selections = fields.map(([text, condition], at) => `... ${condition} { f${at}: ${text} }`).join(' ');
    const definitions = '$on: Boolean!, $a: Int, $b: Int = 11, $c: Int, $p: Page = { first: 11 }, $ids: [ID!]';
    // Unused variables are invalid. So each variable is also used in a field that never runs.
    const uses = ['items(first: $a)', 'items(first: $b)', 'items(first: $c)', 'items(page: $p)', 'byIds(ids: $ids)'];
    const unasked = uses.map((text, at) => `u${at}: ${text} @include(if: false) @skip(if: $on) { id }`).join(' ');
    return { query: `query (${definitions}) { ${selections} ${unasked} }`, variables };
  });

/** Returns the schema with resolvers that record requests for more than the maximum size. */
function recordingSchema() {
  const noted = { isTooMuch: false, schema: new GraphQLSchema(schema.toConfig()) };
  const sizeOf = (args: Record<string, unknown>): number => {
    const {
      first,
      last,
      limit,
      page: given,
      ids,
    } = args as { first?: number; last?: number; limit?: number } & {
      page?: Record<string, unknown> | null;
      ids?: unknown[] | null;
    };
    return Math.max(first ?? 0, last ?? 0, limit ?? 0, ids?.length ?? 0, given ? sizeOf(given) : 0, nextOf(args));
  };
  const nextOf = (args: Record<string, unknown>): number =>
    args['next'] ? sizeOf(args['next'] as Record<string, unknown>) : 0;
  const Item = { __typename: 'Item' };
  for (const name of ['Query', 'Users', 'Feed', 'Item']) {
    const type = noted.schema.getType(name) as GraphQLObjectType;
    for (const field of Object.values(type.getFields())) {
      field.resolve = (parent: { asked?: number } | undefined, args) => {
        // The feed reads its size only from `page.first`.
        const asked = field.name === 'feed' ? ((args.page?.first as number | null | undefined) ?? 0) : sizeOf(args);
        const max = MAX_SIZES[`${name}.${field.name}`];
        const all = field.name === 'entries' ? Math.max(asked, parent?.asked ?? 0) : asked;
        if (max !== undefined && all > max) noted.isTooMuch = true;
        if (field.name === 'feed' || field.name === 'assumed') return { asked };
        if (field.name === 'users') return {};
        return field.name === 'node' ? Item : null;
      };
    }
  }
  return noted;
}
