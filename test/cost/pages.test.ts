import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { costTypeDefs } from '../../src/cost/schema/cost-type-defs.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';

const TYPES = 'type P { n: String } input In { n: String }';

interface Question {
  query: string;
  variables?: Record<string, unknown>;
  options?: CostAnalyzerOptions;
}

/** Prices an operation on a schema without annotations, given as text. */
function priceOn(sdl: string, { query, variables = {}, options = {} }: Question): number {
  const schema = buildSchema(`${costTypeDefs} ${TYPES} ${sdl}`);
  const document = parse(query);
  expect(validate(schema, document), query).toEqual([]);
  return createCostAnalyzer(schema, { minimumCost: 0, ...options })
    .compile(document)
    .estimate(variables).cost;
}

const inputs = (count: number) => Array.from({ length: count }, () => ({ n: 'x' }));

describe('the list of a page', () => {
  it.each([
    'items',
    'data',
    'docs',
    'results',
    'records',
    'nodes',
    'edges',
    'content',
    'hits',
    'value',
  ])('has the size that the field above it asks for, whatever it is called: %s', (name) => {
    const sdl = `type Query { list(limit: Int): C } type C { ${name}: [P] total: Int }`;
    expect(priceOn(sdl, { query: `{ list(limit: 1000) { ${name} { n } total } }` })).toBe(1001);
    const query = `query ($n: Int) { list(limit: $n) { ${name} { n } } }`;
    expect(priceOn(sdl, { query, variables: { n: 1000 } })).toBe(1001);
    expect(priceOn(sdl, { query })).toBe(11);
  });

  it.each([
    ['input O { take: Int skip: Int }', 'options: O', 'options: { take: 100 }', 101],
    ['input O { perPage: Int page: Int }', 'query: O', 'query: { perPage: 1000 }', 1001],
    ['', 'pageSize: Int', 'pageSize: 500', 501],
    ['input O { limit: Int }', 'pagination: O', 'pagination: { limit: 30 }', 31],
    ['input O { size: Int }', 'page: O', 'page: { size: 30 }', 31],
    ['input O { page: Q } input Q { size: Int }', 'options: O', 'options: { page: { size: 30 } }', 31],
    [
      'input O { options: Q } input Q { paging: R } input R { limit: Int }',
      'input: O',
      'input: { options: { paging: { limit: 30 } } }',
      31,
    ],
    ['input O { size: Int from: Int }', 'search: O', 'search: { size: 30 }', 31],
  ])('has the size that an input object says: %s', (types, argument, given, cost) => {
    const sdl = `${types} type Query { list(${argument}): C } type C { nodes: [P] }`;
    expect(priceOn(sdl, { query: `{ list(${given}) { nodes { n } } }` })).toBe(cost);
  });

  it('is found through objects without lists of their own, at most three levels down', () => {
    const sdl = `
      type Query { a(first: Int): A b(first: Int): B c(first: Int): C d(first: Int): D }
      type A { items: [P] } type B { a: A } type C { b: B } type D { c: C }`;
    expect(priceOn(sdl, { query: '{ a(first: 50) { items { n } } }' })).toBe(1 + 50);
    expect(priceOn(sdl, { query: '{ b(first: 50) { a { items { n } } } }' })).toBe(2 + 50);
    expect(priceOn(sdl, { query: '{ c(first: 50) { b { a { items { n } } } } }' })).toBe(3 + 50);
    expect(priceOn(sdl, { query: '{ d(first: 50) { c { b { a { items { n } } } } } }' })).toBe(4 + 10);
  });

  it('is not looked for below an object that has lists of its own, nor below the items of a list', () => {
    const sdl = `
      type Query { list(first: Int): C }
      type C { items: [Q] facet: F }
      type F { values: [P] }
      type Q { tags: [P] f: F }`;
    expect(priceOn(sdl, { query: '{ list(first: 50) { facet { values { n } } } }' })).toBe(1 + 1 + 10);
    expect(priceOn(sdl, { query: '{ list(first: 50) { items { tags { n } } } }' })).toBe(1 + 50 * 11);
    expect(priceOn(sdl, { query: '{ list(first: 50) { items { f { values { n } } } } }' })).toBe(1 + 50 * 12);
  });

  it('gives way to an argument or an annotation of its own', () => {
    const sdl = `
      type Query { list(first: Int): C nested(first: Int): N }
      type C { own(last: Int): [P] set: [P] @listSize(assumedSize: 4) plain: [P] defaulted(limit: Int = 7): [P] }
      type N { page(first: Int): C }`;
    expect(priceOn(sdl, { query: '{ list(first: 50) { own(last: 3) { n } } }' })).toBe(1 + 3);
    const query = 'query ($n: Int) { list(first: 50) { own(last: $n) { n } } }';
    expect(priceOn(sdl, { query, variables: { n: 3 } })).toBe(1 + 3);
    expect(priceOn(sdl, { query: '{ list(first: 50) { set { n } plain { n } } }' })).toBe(1 + 4 + 50);
    expect(priceOn(sdl, { query: '{ list(first: 50) { defaulted { n } } }' })).toBe(1 + 7);
    expect(priceOn(sdl, { query: '{ nested(first: 50) { page(first: 3) { plain { n } } } }' })).toBe(2 + 3);
  });

  it('has the size of the page where its own argument is not given, as all of the page may come then', () => {
    const sdl = 'type Query { list(first: Int): C } type C { own(last: Int): [P] }';
    expect(priceOn(sdl, { query: '{ list(first: 50) { own { n } } }' })).toBe(1 + 50);
    const query = 'query ($n: Int) { list(first: 50) { own(last: $n) { n } } }';
    expect(priceOn(sdl, { query, variables: { n: null } })).toBe(1 + 50);
  });

  it('is that of each type which a union or an interface can be', () => {
    const sdl = `
      type Query { any(first: Int): U one(first: Int): I }
      union U = A | W | Fault
      interface I { total: Int }
      type A implements I { total: Int items: [P] }
      type W implements I { total: Int a: A }
      type Fault { reason: String }`;
    expect(priceOn(sdl, { query: '{ any(first: 50) { ... on A { items { n } } ... on Fault { reason } } }' })).toBe(51);
    expect(priceOn(sdl, { query: '{ any(first: 50) { ... on W { a { items { n } } } } }' })).toBe(52);
    expect(priceOn(sdl, { query: '{ one(first: 50) { total ... on A { items { n } } } }' })).toBe(51);
  });

  it('is none of those that say what went wrong, which do not hide the page either', () => {
    const sdl = `
      type Query { list(first: Int): C wrapped(first: Int): W }
      type C { items: [P] errors: [P] userErrors: [E!]! warnings: [Warning] pageInfo: PageInfo }
      type W { page: C userErrors: [E!]! }
      type E { text: String } type Warning { text: String } type PageInfo { next: String }`;
    expect(priceOn(sdl, { query: '{ list(first: 50) { errors { n } userErrors { text } warnings { text } } }' })).toBe(
      31,
    );
    expect(
      priceOn(sdl, { query: '{ wrapped(first: 50) { page { items { n } pageInfo { next } } userErrors { text } } }' }),
    ).toBe(1 + 1 + 50 + 1 + 10);
  });

  it('has the default size where the options switch pages or the argument off', () => {
    const sdl = 'type Query { list(limit: Int): C } type C { items: [P] }';
    const query = '{ list(limit: 50) { items { n } } }';
    expect(priceOn(sdl, { query, options: { inferConnections: false } })).toBe(11);
    expect(priceOn(sdl, { query, options: { inferListSizes: { limit: false } } })).toBe(11);
    expect(priceOn(sdl, { query, options: { profile: 'apollo' } })).toBe(11);
    expect(priceOn(sdl, { query, options: { inferConnections: true } })).toBe(51);
  });

  it('counts by what came, once it has run', () => {
    const schema = buildSchema(`${TYPES} type Query { list(limit: Int): C } type C { items: [P] }`);
    const plan = createCostAnalyzer(schema).compile(parse('{ list(limit: 1000) { items { n } } }'));
    expect(plan.actual({}, { list: { items: [{ n: 'a' }, { n: 'b' }] } }).cost).toBe(3);
    expect(plan.actual({}, { list: null }).cost).toBe(1);
  });

  it('is explained by the argument above it', () => {
    const schema = buildSchema(
      `${TYPES} type Query { list(limit: Int): C } type C { w: W } type W { items(first: Int): [P] }`,
    );
    const plan = createCostAnalyzer(schema).compile(
      parse('query ($n: Int) { list(limit: 20) { w { items(first: $n) { n } } } }'),
    );
    const multiplierOf = (variables: Record<string, unknown>) => {
      const explanation = plan.explain(variables);
      const { multiplier, multiplierFrom } = explanation.fields[0]!.fields[0]!.fields[0]!;
      return { cost: explanation.cost, multiplier, multiplierFrom };
    };
    expect(multiplierOf({})).toEqual({
      cost: 22,
      multiplier: 20,
      multiplierFrom: { kind: 'literal', argument: 'limit' },
    });
    const from = { kind: 'variable', argument: 'first', variable: '$n' };
    expect(multiplierOf({ n: 3 })).toEqual({ cost: 5, multiplier: 3, multiplierFrom: from });
  });
});

describe('an argument that sizes lists by its name', () => {
  const NAMES = [
    'perPage',
    'per_page',
    'page_size',
    'pageSize',
    'size',
    '_size',
    'top',
    'max',
    'maxResults',
    'max_results',
  ];
  const MORE = ['batch_size', 'batchSize', 'take', 'limit', 'first', 'last', 'count', 'rows', 'hitsPerPage', 'n'];

  it.each([...NAMES, ...MORE, 'maxRepositories', 'maxItems', 'pageLimit'])('is %s, of a list and of a page', (name) => {
    for (const type of [
      'Int',
      'Int!',
      'PaginationAmount',
      'UnsignedNumber',
      'Long',
      'BigInt',
      'NonNegativeInt',
      'PositiveInt!',
    ]) {
      const scalars = ['PaginationAmount', 'UnsignedNumber', 'Long', 'BigInt', 'NonNegativeInt', 'PositiveInt'];
      const sdl = `${scalars.map((each) => `scalar ${each}`).join(' ')}
        type Query { list(${name}: ${type}): [P] page(${name}: ${type}): C } type C { items: [P] }`;
      expect(priceOn(sdl, { query: `{ list(${name}: 70) { n } }` }), `${name}: ${type}`).toBe(70);
      expect(priceOn(sdl, { query: `{ page(${name}: 70) { items { n } } }` }), `${name}: ${type}`).toBe(71);
    }
  });

  it.each([
    ['an enum', 'size: Size', 'size: LARGE'],
    ['a price', 'max: Float', 'max: 500'],
    ['the end of a range', 'min: Int, max: Int', 'max: 500'],
    ['a measure', 'maxDays: Int', 'maxDays: 500'],
    ['an adjective', 'maxPrice: Int', 'maxPrice: 500'],
    ['a coordinate', 'top: Int, left: Int', 'top: 500'],
    ['a text', 'limit: String', 'limit: "500"'],
    ['a place in a list', 'last: Cursor', 'last: "500"'],
    ['a member of a filter', 'where: Where', 'where: { size: 500, count: 500, max: 500 }'],
  ])('is not one that is about something else: %s', (_, argument, given) => {
    const sdl = `enum Size { LARGE } scalar Cursor input Where { size: Int count: Int max: Int }
      type Query { list(${argument}): [P] page(${argument}): C } type C { items: [P] }`;
    expect(priceOn(sdl, { query: `{ list(${given}) { n } }` })).toBe(10);
    expect(priceOn(sdl, { query: `{ page(${given}) { items { n } } }` })).toBe(11);
  });

  it('sizes nothing where the field leads to no list of objects', () => {
    const sdl =
      'type Query { url(size: Int): String image(size: Int): Image } type Image { url: String tags: [String] }';
    expect(priceOn(sdl, { query: '{ url(size: 500) image(size: 500) { url tags } }' })).toBe(1);
  });

  it('makes no list shorter than the default where its noun is not that of the list', () => {
    const sdl = 'type Query { flats(maxOwners: Int): [P] }';
    expect(priceOn(sdl, { query: '{ flats(maxOwners: 2) { n } }' })).toBe(10);
    expect(priceOn(sdl, { query: '{ flats(maxOwners: 25) { n } }' })).toBe(25);
  });
});

describe('a list of inputs', () => {
  const SDL = `
    type Query { a: Int lookup(keys: [In!]!): R search(filters: [In!], first: Int): R some(ids: [ID!]!): R }
    type Mutation {
      insert(objects: [In!]!): R
      bulk(variants: [In!]!, name: String): B
      remove(productIds: [ID!]!): R
      removeBySku(skus: [String!]!): R
      create(data: [In!]!): [P!]!
      relay(input: Input!): R
      user(roles: [In!]!): U
      update(where: [In!], orderBy: [In!]): R
    }
    type R { returning: [P] }
    type B { product: P productVariants: [P!] userErrors: [P!]! }
    input Input { objects: [In!] }
    type U { user: User } type User { posts: [P] }`;
  const priceOf = (query: string, count: number) => priceOn(SDL, { query, variables: { x: inputs(count) } });

  it('sizes the lists of the payload of a mutation, and the list that a mutation returns', () => {
    const insert = 'mutation ($x: [In!]!) { insert(objects: $x) { returning { n } } }';
    expect(priceOf(insert, 500)).toBe(511);
    expect(priceOf(insert, 2)).toBe(13);
    expect(priceOn(SDL, { query: 'mutation { insert(objects: [{ n: "a" }, { n: "b" }]) { returning { n } } }' })).toBe(
      13,
    );
    const bulk =
      'mutation ($x: [In!]!) { bulk(variants: $x) { product { n } productVariants { n } userErrors { n } } }';
    expect(priceOf(bulk, 250)).toBe(10 + 1 + 1 + 250 + 10);
    expect(priceOf('mutation ($x: [In!]!) { create(data: $x) { n } }', 300)).toBe(310);
  });

  it('sizes them by ids and other values too', () => {
    const variables = { x: Array.from({ length: 60 }, (_, at) => `${at}`) };
    const remove = 'mutation ($x: [ID!]!) { remove(productIds: $x) { returning { n } } }';
    expect(priceOn(SDL, { query: remove, variables })).toBe(71);
    const bySku = 'mutation ($x: [String!]!) { removeBySku(skus: $x) { returning { n } } }';
    expect(priceOn(SDL, { query: bySku, variables })).toBe(71);
    expect(priceOn(SDL, { query: 'query ($x: [ID!]!) { some(ids: $x) { returning { n } } }', variables })).toBe(61);
  });

  it('makes no list shorter than the default where it may say something else', () => {
    const relay = 'mutation ($x: [In!]!) { relay(input: { objects: $x }) { returning { n } } }';
    expect([priceOf(relay, 400), priceOf(relay, 1)]).toEqual([411, 21]);
    const user = 'mutation ($x: [In!]!) { user(roles: $x) { user { posts { n } } } }';
    expect([priceOf(user, 40), priceOf(user, 1)]).toEqual([10 + 2 + 40, 10 + 2 + 10]);
    const lookup = 'query ($x: [In!]!) { lookup(keys: $x) { returning { n } } }';
    expect([priceOf(lookup, 400), priceOf(lookup, 1)]).toEqual([401, 11]);
  });

  it('sizes nothing as a filter or an order, or beside an argument for the page', () => {
    const update = 'mutation ($x: [In!]!) { update(where: $x, orderBy: $x) { returning { n } } }';
    expect([priceOf(update, 400), priceOf(update, 1)]).toEqual([21, 21]);
    expect(priceOf('query ($x: [In!]!) { search(filters: $x) { returning { n } } }', 1)).toBe(11);
  });

  it('sizes nothing where the option leaves it out', () => {
    const query = 'mutation ($x: [In!]!) { insert(objects: $x) { returning { n } } }';
    const options = { inferListSizes: { inputs: false } };
    expect(priceOn(SDL, { query, variables: { x: inputs(500) }, options })).toBe(21);
  });
});

describe('a size that is no number of items', () => {
  const SDL = `
    input Paging { limit: Int = 15 start: Int } scalar BigInt
    type Query {
      banners(pagination: Bare): [P] paged(pagination: Paging): [P] list(limit: Int, first: Int): [P]
      defaulted(limit: Int = 25): [P] big(limit: BigInt): [P] page(limit: Int): C
      set(limit: Int): [P] @listSize(slicingArguments: ["limit"], assumedSize: 40)
    }
    input Bare { limit: Int }
    type C { items: [P] }`;

  it.each([
    ['{ banners(pagination: { limit: -1 }) { n } }', 10],
    ['{ list(limit: -1) { n } }', 10],
    ['{ list(limit: -1, first: 3) { n } }', 3],
    ['{ list(limit: -2147483648) { n } }', 10],
    ['{ defaulted(limit: -1) { n } }', 25],
    ['{ paged(pagination: { limit: -1 }) { n } }', 15],
    ['{ big(limit: -1) { n } }', 10],
    ['{ big(limit: "-1") { n } }', 10],
    ['{ set(limit: -1) { n } }', 40],
    ['{ page(limit: -1) { items { n } } }', 11],
    ['{ list(limit: null) { n } }', 10],
    ['{ list(limit: 0) { n } }', 0],
  ])('counts as not given where it is negative or null, and as nothing where it is zero: %s', (query, cost) => {
    expect(priceOn(SDL, { query })).toBe(cost);
  });

  it('counts so in variables too', () => {
    const priceOf = (query: string, n: unknown) => priceOn(SDL, { query, variables: { n } });
    expect(priceOf('query ($n: Int) { list(limit: $n) { n } }', -1)).toBe(10);
    expect(priceOf('query ($n: Int) { defaulted(limit: $n) { n } }', -1)).toBe(25);
    expect(priceOf('query ($n: Int) { set(limit: $n) { n } }', -1)).toBe(40);
    expect(priceOf('query ($n: Int) { page(limit: $n) { items { n } } }', -1)).toBe(11);
    expect(priceOf('query ($n: Paging) { paged(pagination: $n) { n } }', { limit: -1 })).toBe(15);
  });

  it('leaves a call without a size that has to have one', () => {
    const sdl =
      'type Query { list(limit: Int): [P] @listSize(slicingArguments: ["limit"], requireOneSlicingArgument: true) }';
    expect(() => priceOn(sdl, { query: '{ list(limit: -1) { n } }' })).toThrow('requires exactly one of limit');
  });
});

describe('the check of pages', () => {
  const warningsOf = (sdl: string) =>
    createCostAnalyzer(buildSchema(`${TYPES} ${sdl}`))
      .check()
      .map(({ coordinate, message }) => `${coordinate}: ${message}`);

  it('names what sizes a page, with the annotation that says the same', () => {
    expect(warningsOf('type Query { list(limit: Int): W } type W { c: C } type C { items: [P] }')).toEqual([
      expect.stringContaining('sizedFields: ["c { items }"]'),
    ]);
  });

  it('has nothing to say of a page that every field sizes by an argument that is always there', () => {
    expect(warningsOf('type Query { list(limit: Int!): C } type C { items: [P] }')).toEqual([]);
  });

  it('names a list whose object some other field returns', () => {
    const [warning, ...others] = warningsOf('type Query { list(limit: Int!): C other: C } type C { items: [P] }');
    expect(warning).toContain('C.items: this list has no known size');
    expect(others).toEqual([]);
  });
});
