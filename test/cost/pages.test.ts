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

/** Returns the price of an operation on a schema that is given as SDL. */
function priceOn(sdl: string, { query, variables = {}, options = {} }: Question): number {
  const schema = buildSchema(`${costTypeDefs} ${TYPES} ${sdl}`);
  const document = parse(query);
  expect(validate(schema, document), query).toEqual([]);
  return createCostAnalyzer(schema, { minimumCost: 0, ...options })
    .compile(document)
    .estimate(variables).cost;
}

const inputs = (count: number) => Array.from({ length: count }, () => ({ n: 'x' }));

describe('lists of pages', () => {
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
  ])('a page list has the size that the field above it requests, under any name: %s', (name) => {
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
  ])('a page list has the size that an input object gives: %s', (types, argument, given, cost) => {
    const sdl = `${types} type Query { list(${argument}): C } type C { nodes: [P] }`;
    expect(priceOn(sdl, { query: `{ list(${given}) { nodes { n } } }` })).toBe(cost);
  });

  it('a page list is found through objects without their own lists, at most three levels down', () => {
    const sdl = `
      type Query { a(first: Int): A b(first: Int): B c(first: Int): C d(first: Int): D }
      type A { items: [P] } type B { a: A } type C { b: B } type D { c: C }`;
    expect(priceOn(sdl, { query: '{ a(first: 50) { items { n } } }' })).toBe(1 + 50);
    expect(priceOn(sdl, { query: '{ b(first: 50) { a { items { n } } } }' })).toBe(2 + 50);
    expect(priceOn(sdl, { query: '{ c(first: 50) { b { a { items { n } } } } }' })).toBe(3 + 50);
    expect(priceOn(sdl, { query: '{ d(first: 50) { c { b { a { items { n } } } } } }' })).toBe(4 + 10);
  });

  it('no page list is assumed below an object that has its own lists, or below list items', () => {
    const sdl = `
      type Query { list(first: Int): C }
      type C { items: [Q] facet: F }
      type F { values: [P] }
      type Q { tags: [P] f: F }`;
    expect(priceOn(sdl, { query: '{ list(first: 50) { facet { values { n } } } }' })).toBe(1 + 1 + 10);
    expect(priceOn(sdl, { query: '{ list(first: 50) { items { tags { n } } } }' })).toBe(1 + 50 * 11);
    expect(priceOn(sdl, { query: '{ list(first: 50) { items { f { values { n } } } } }' })).toBe(1 + 50 * 12);
  });

  it('an argument or annotation of the list itself has precedence over the page size', () => {
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

  it('a list has the size of its page if its own argument is absent', () => {
    const sdl = 'type Query { list(first: Int): C } type C { own(last: Int): [P] }';
    expect(priceOn(sdl, { query: '{ list(first: 50) { own { n } } }' })).toBe(1 + 50);
    const query = 'query ($n: Int) { list(first: 50) { own(last: $n) { n } } }';
    expect(priceOn(sdl, { query, variables: { n: null } })).toBe(1 + 50);
  });

  it('page lists are found on each type of a union or an interface', () => {
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

  it('lists of errors are not page lists, and do not prevent the detection of the page list', () => {
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

  it('a page list has the default size if the options disable pages or the argument', () => {
    const sdl = 'type Query { list(limit: Int): C } type C { items: [P] }';
    const query = '{ list(limit: 50) { items { n } } }';
    expect(priceOn(sdl, { query, options: { inferConnections: false } })).toBe(11);
    expect(priceOn(sdl, { query, options: { inferListSizes: { limit: false } } })).toBe(11);
    expect(priceOn(sdl, { query, options: { profile: 'apollo' } })).toBe(11);
    expect(priceOn(sdl, { query, options: { inferConnections: true } })).toBe(51);
  });

  it('the actual cost of a page counts the returned items', () => {
    const schema = buildSchema(`${TYPES} type Query { list(limit: Int): C } type C { items: [P] }`);
    const plan = createCostAnalyzer(schema).compile(parse('{ list(limit: 1000) { items { n } } }'));
    expect(plan.actual({}, { list: { items: [{ n: 'a' }, { n: 'b' }] } }).cost).toBe(3);
    expect(plan.actual({}, { list: null }).cost).toBe(1);
  });

  it('the explanation of a page list names the argument above it', () => {
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

describe('arguments that size lists by their name', () => {
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

  it.each([
    ...NAMES,
    ...MORE,
    'maxRepositories',
    'maxItems',
    'pageLimit',
  ])('the argument %s sizes a list and a page', (name) => {
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
    ['a fraction, such as a price', 'max: Float', 'max: 500'],
    ['the end of a range', 'min: Int, max: Int', 'max: 500'],
    ['a number of days', 'maxDays: Int', 'maxDays: 500'],
    ['a maximum price', 'maxPrice: Int', 'maxPrice: 500'],
    ['a side of a box', 'top: Int, left: Int', 'top: 500'],
    ['a string', 'limit: String', 'limit: "500"'],
    ['a cursor', 'last: Cursor', 'last: "500"'],
    ['a member of a filter', 'where: Where', 'where: { size: 500, count: 500, max: 500 }'],
  ])('an argument for another purpose does not size a list: %s', (_, argument, given) => {
    const sdl = `enum Size { LARGE } scalar Cursor input Where { size: Int count: Int max: Int }
      type Query { list(${argument}): [P] page(${argument}): C } type C { items: [P] }`;
    expect(priceOn(sdl, { query: `{ list(${given}) { n } }` })).toBe(10);
    expect(priceOn(sdl, { query: `{ page(${given}) { items { n } } }` })).toBe(11);
  });

  it('an argument sizes nothing if the field returns no list of objects', () => {
    const sdl =
      'type Query { url(size: Int): String image(size: Int): Image } type Image { url: String tags: [String] }';
    expect(priceOn(sdl, { query: '{ url(size: 500) image(size: 500) { url tags } }' })).toBe(1);
  });

  it('an argument with another noun than the list never reduces the size below the default', () => {
    const sdl = 'type Query { flats(maxOwners: Int): [P] }';
    expect(priceOn(sdl, { query: '{ flats(maxOwners: 2) { n } }' })).toBe(10);
    expect(priceOn(sdl, { query: '{ flats(maxOwners: 25) { n } }' })).toBe(25);
  });
});

describe('lists of inputs', () => {
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

  it('a list of inputs sizes the lists in the payload of a mutation, and a list that the mutation returns', () => {
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

  it('a list of ids or other values gives lists their size in the same way as a list of inputs', () => {
    const variables = { x: Array.from({ length: 60 }, (_, at) => `${at}`) };
    const remove = 'mutation ($x: [ID!]!) { remove(productIds: $x) { returning { n } } }';
    expect(priceOn(SDL, { query: remove, variables })).toBe(71);
    const bySku = 'mutation ($x: [String!]!) { removeBySku(skus: $x) { returning { n } } }';
    expect(priceOn(SDL, { query: bySku, variables })).toBe(71);
    expect(priceOn(SDL, { query: 'query ($x: [ID!]!) { some(ids: $x) { returning { n } } }', variables })).toBe(61);
  });

  it('a list of inputs with a possibly different meaning never reduces the size below the default', () => {
    const relay = 'mutation ($x: [In!]!) { relay(input: { objects: $x }) { returning { n } } }';
    expect([priceOf(relay, 400), priceOf(relay, 1)]).toEqual([411, 21]);
    const user = 'mutation ($x: [In!]!) { user(roles: $x) { user { posts { n } } } }';
    expect([priceOf(user, 40), priceOf(user, 1)]).toEqual([10 + 2 + 40, 10 + 2 + 10]);
    const lookup = 'query ($x: [In!]!) { lookup(keys: $x) { returning { n } } }';
    expect([priceOf(lookup, 400), priceOf(lookup, 1)]).toEqual([401, 11]);
  });

  it('a list of inputs sizes nothing if it is a filter or an order, or if a page argument exists', () => {
    const update = 'mutation ($x: [In!]!) { update(where: $x, orderBy: $x) { returning { n } } }';
    expect([priceOf(update, 400), priceOf(update, 1)]).toEqual([21, 21]);
    expect(priceOf('query ($x: [In!]!) { search(filters: $x) { returning { n } } }', 1)).toBe(11);
  });

  it('a list of inputs sizes nothing if the option disables it', () => {
    const query = 'mutation ($x: [In!]!) { insert(objects: $x) { returning { n } } }';
    const options = { inferListSizes: { inputs: false } };
    expect(priceOn(SDL, { query, variables: { x: inputs(500) }, options })).toBe(21);
  });
});

describe('sizes that are not a number of items', () => {
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
  ])('a negative or null size counts as absent, and zero counts as zero items: %s', (query, cost) => {
    expect(priceOn(SDL, { query })).toBe(cost);
  });

  it('a negative size in a variable counts as absent', () => {
    const priceOf = (query: string, n: unknown) => priceOn(SDL, { query, variables: { n } });
    expect(priceOf('query ($n: Int) { list(limit: $n) { n } }', -1)).toBe(10);
    expect(priceOf('query ($n: Int) { defaulted(limit: $n) { n } }', -1)).toBe(25);
    expect(priceOf('query ($n: Int) { set(limit: $n) { n } }', -1)).toBe(40);
    expect(priceOf('query ($n: Int) { page(limit: $n) { items { n } } }', -1)).toBe(11);
    expect(priceOf('query ($n: Paging) { paged(pagination: $n) { n } }', { limit: -1 })).toBe(15);
  });

  it('a negative size does not satisfy requireOneSlicingArgument', () => {
    const sdl =
      'type Query { list(limit: Int): [P] @listSize(slicingArguments: ["limit"], requireOneSlicingArgument: true) }';
    expect(() => priceOn(sdl, { query: '{ list(limit: -1) { n } }' })).toThrow('requires exactly one of limit');
  });
});

describe('check of pages', () => {
  const warningsOf = (sdl: string) =>
    createCostAnalyzer(buildSchema(`${TYPES} ${sdl}`))
      .check()
      .map(({ coordinate, message }) => `${coordinate}: ${message}`);

  it('the check names the argument that sizes a page, with the equivalent annotation', () => {
    expect(warningsOf('type Query { list(limit: Int): W } type W { c: C } type C { items: [P] }')).toEqual([
      expect.stringContaining('sizedFields: ["c { items }"]'),
    ]);
  });

  it('the check reports no page list whose size a required argument sets on every path', () => {
    expect(warningsOf('type Query { list(limit: Int!): C } type C { items: [P] }')).toEqual([]);
  });

  it('the check reports a list whose object another field returns without a size', () => {
    const [warning, ...others] = warningsOf('type Query { list(limit: Int!): C other: C } type C { items: [P] }');
    expect(warning).toContain('C.items: this list has no known size');
    expect(others).toEqual([]);
  });
});
