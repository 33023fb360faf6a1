import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

// Results of Apollo Router's demand control for the cases of its own test suite. Each case runs on
// a schema that was written for this test and has the same shape as Apollo's. Two kinds of cases
// are omitted: cases that price a query plan with its fetches to subgraphs, and three cases that
// price fetches caused by `@requires`.

const LINK = `
  directive @link(url: String, as: String, import: [Import]) repeatable on SCHEMA
  scalar Import
`;
const COST = (name: string) => `directive @${name}(weight: String!) on
  ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR`;
const LIST_SIZE = (name: string) => `directive @${name}(assumedSize: Int, slicingArguments: [String!],
  sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION`;

const plain = buildSchema(`
  type Query {
    text(id: ID): String
    textBy(of: Outer): String
    partsBy(of: Outer): [Part]
    number: Int
    crate: Crate
    named: Named
    thing: Thing
    crates: [Crate]
    numbers: [Int]
    free(in: Free): Int
  }
  type Mutation { act: Int }
  type Subscription { changed: Crate }
  type Crate { number: Int parts: [Part] }
  interface Named { name: String }
  type Part implements Named { number: Int name: String }
  union Thing = Crate | Part
  input Inner { id: ID }
  input Outer { one: Inner two: Inner many: [Inner!] }
  scalar Json
  input Free { json: Json }
`);

/** Returns a schema with weights and sizes, whose directives have the given names. */
const weighed = (link: string, cost: string, listSize: string) =>
  buildSchema(`
  schema @link(url: "https://specs.apollo.dev/link/v1.0") ${link} { query: Query }
  ${LINK} ${COST(cost)} ${LIST_SIZE(listSize)}
  type Query {
    call: Int @${cost}(weight: "5")
    argued(by: Int @${cost}(weight: "10")): Int
    chosen: Choice
    filled(in: Filling): Int
    rare: Rare
    heavy: Heavy
    texts: [String!] @${listSize}(assumedSize: 2000, requireOneSlicingArgument: false)
    page(first: Int = 10): Page @${listSize}(slicingArguments: ["first"], sizedFields: ["items"], requireOneSlicingArgument: true)
    byIds(ids: [ID!]!): [Item] @${listSize}(slicingArguments: ["ids"], requireOneSlicingArgument: true)
    byIdsOr50(ids: [ID!]): [Item] @${listSize}(slicingArguments: ["ids"], assumedSize: 50, requireOneSlicingArgument: false)
    found(in: Search!): [Item] @${listSize}(slicingArguments: ["in.page.first"], requireOneSlicingArgument: true)
    foundOr25(in: Search): [Item] @${listSize}(slicingArguments: ["in.page.first"], assumedSize: 25, requireOneSlicingArgument: false)
    deep(in: Deep!): [Item] @${listSize}(slicingArguments: ["in.a.b.count"], requireOneSlicingArgument: true)
    shelf(first: Int): Shelf! @${listSize}(slicingArguments: ["first"], sizedFields: ["page"], requireOneSlicingArgument: false)
    hall(first: Int = 10): Hall! @${listSize}(slicingArguments: ["first"], sizedFields: ["results { page }"], requireOneSlicingArgument: false)
    both(first: Int = 10): Hall! @${listSize}(slicingArguments: ["first"], sizedFields: ["page", "results { page }"], requireOneSlicingArgument: false)
  }
  enum Choice @${cost}(weight: "15") { A B }
  input Filling { weighed: Int @${cost}(weight: "20") }
  scalar Rare @${cost}(weight: "30")
  type Heavy @${cost}(weight: "40") { id: ID }
  type Page { items: [Item] }
  type Item { id: ID }
  type Shelf { page: [Item] about: String }
  type Hall { page: [Item] results: Shelf total: Int }
  input Search { page: Paging text: String }
  input Paging { first: Int after: String }
  input Deep { a: DeepA }
  input DeepA { b: DeepB }
  input DeepB { count: Int }
`);

const ships = buildSchema(`
  type Query { users: [User!]! ships: [Ship!]! }
  type Ship { id: ID! name: String! owner: User! }
  type User { licence: ID! name: String! addresses: [Address!]! }
  type Address { zip: Int! }
`);

const url = 'https://specs.apollo.dev/cost/v0.1';
const imported = weighed(`@link(url: "${url}", import: ["@listSize"])`, 'cost', 'listSize');
const renamed = weighed(
  `@link(url: "${url}", import: [{ name: "@cost", as: "@price" }, { name: "@listSize", as: "@length" }])`,
  'price',
  'length',
);

const analyzerOf = (schema: typeof plain, defaultListSize = 100) =>
  createCostAnalyzer(schema, { profile: 'apollo', minimumCost: 0, defaultListSize });

function planOf(schema: typeof plain, query: string, defaultListSize?: number) {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  return analyzerOf(schema, defaultListSize).compile(document);
}

const ALL = `fragment Items on Page { items { id } }
  query ($filling: Filling = { weighed: 10 }, $first: Int = 5) {
    call argued(by: 3) chosen filled(in: $filling) rare heavy { id } texts page(first: $first) { ...Items }
  }`;
const three = {
  call: 1,
  argued: 2,
  chosen: 'A',
  filled: 3,
  rare: 4,
  heavy: { id: '5' },
  texts: ['a', 'b', 'c'],
  page: { items: [{ id: '6' }, { id: '7' }, { id: '8' }] },
};

describe('prices of profile apollo and of Apollo Router', () => {
  it.each([
    ['a scalar', '{ text(id: 1) number }', 0],
    ['a mutation', 'mutation { act }', 10],
    ['an object', '{ crate { number } }', 1],
    ['an interface', '{ named { name } }', 1],
    ['a union', '{ thing { ... on Crate { number } ... on Part { name } } }', 1],
    ['a list', '{ crates { number } }', 100],
    ['a list of scalars', '{ numbers }', 0],
    ['lists in lists', '{ crates { number parts { number } } }', 10100],
    ['input objects', '{ textBy(of: { one: { id: 1 }, many: [{ id: 2 }, { id: 3 }] }) }', 4],
    ['input objects in addition to returned ones', '{ partsBy(of: { one: { id: 1 }, many: [{}, {}] }) { name } }', 104],
    ['a skipped field at zero', '{ crates @skip(if: true) { number } }', 0],
    ['a field that is not included at zero', '{ crates @include(if: false) { number } }', 0],
    [
      'fragments that narrow and widen',
      `fragment Narrow on Part { number } fragment Wide on Named { name }
       { named { name ...Narrow } thing { ...Narrow ... on Crate { parts { ...Wide } } } }`,
      102,
    ],
    ['a custom scalar that holds an object', '{ free(in: { json: { a: 1 } }) }', 1],
    ['a subscription', 'subscription { changed { number } }', 1],
  ])('profile apollo prices %s as Apollo Router does', (_, query, cost) => {
    expect(planOf(plain, query).estimate().cost).toBe(cost);
  });

  it('profile apollo prices the returned data and the inputs of the operation as Apollo Router does', () => {
    const plan = planOf(plain, '{ partsBy(of: { one: { id: 1 }, many: [{}, {}] }) { name } }');
    expect(plan.actual({}, { partsBy: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }).cost).toBe(7);
  });

  it.each([
    ['{ users { name } }', 100],
    ['{ ships { owner { ...F } } users { ...F } } fragment F on User { licence name }', 300],
    ['{ ships { owner { ... on User { licence name } } } users { ... on User { licence name } } }', 300],
  ])('profile apollo prices a graph of several services as Apollo Router does: %s', (query, cost) => {
    expect(planOf(ships, query).estimate().cost).toBe(cost);
  });

  it('profile apollo prices a response from several services as Apollo Router does', () => {
    const user = { __typename: 'User', licence: '1', name: 'x' };
    expect(planOf(ships, '{ users { __typename licence name } }').actual({}, { users: [user, user] }).cost).toBe(2);
    const two = { ships: [{ owner: user }, { owner: user }], users: [user, user] };
    const plan = planOf(ships, '{ ships { owner { ...F } } users { ...F } } fragment F on User { licence name }');
    expect(plan.actual({}, two).cost).toBe(6);
  });

  it.each([
    ['imported by their names', imported],
    ['renamed', renamed],
  ])('profile apollo reads weights and sizes like Apollo Router if they are %s', (_, schema) => {
    expect(analyzerOf(schema).check()).toEqual([
      expect.objectContaining({ severity: 'warning', coordinate: 'Query.shelf' }),
    ]);
    expect(planOf(schema, ALL).estimate({}).cost).toBe(127);
    expect(planOf(schema, ALL).estimate({ filling: { weighed: 1 }, first: 5 }).cost).toBe(127);
    expect(planOf(schema, ALL).actual({}, three).cost).toBe(125);
    expect(planOf(schema, ALL.replace('(first: $first)', '').replace(', $first: Int = 5', '')).estimate({}).cost).toBe(
      132,
    );
  });

  const IDS = 'query ($ids: [ID!]!) { byIds(ids: $ids) { id } }';
  const IDS_OR_50 = 'query ($ids: [ID!]) { byIdsOr50(ids: $ids) { id } }';
  const FOUND = 'query ($in: Search!) { found(in: $in) { id } }';
  const FOUND_OR_25 = 'query ($in: Search) { foundOr25(in: $in) { id } }';
  it.each([
    ['{ chosen }', {}, 15],
    ['{ byIds(ids: ["a", "b"]) { id } }', {}, 2],
    ['{ byIds(ids: ["a", "b", "c"]) { id } }', {}, 3],
    ['{ byIds(ids: []) { id } }', {}, 0],
    [IDS, { ids: ['a', 'b', 'c'] }, 3],
    [IDS, { ids: ['a', 'b', 'c', 'd', 'e'] }, 5],
    [IDS, { ids: [] }, 0],
    [IDS_OR_50, { ids: null }, 50],
    [IDS_OR_50, {}, 50],
    ['{ page { items { id } } }', {}, 11],
    ['{ found(in: { page: { first: 10 } }) { id } }', {}, 12],
    ['{ found(in: { page: { first: 5 }, text: "x" }) { id } }', {}, 7],
    ['{ found(in: { page: { first: 8, after: "x" }, text: "x" }) { id } }', {}, 10],
    [FOUND, { in: { page: { first: 7 }, text: 'x' } }, 9],
    [FOUND, { in: { page: { first: 3 } } }, 5],
    [FOUND_OR_25, { in: { page: {} } }, 27],
    [FOUND_OR_25, { in: {} }, 26],
    [FOUND_OR_25, { in: null }, 25],
    ['{ deep(in: { a: { b: { count: 15 } } }) { id } }', {}, 18],
    ['query ($in: Deep!) { deep(in: $in) { id } }', { in: { a: { b: { count: 12 } } } }, 15],
    ['{ shelf(first: 5) { page { id } } }', {}, 6],
    ['{ shelf(first: 5) { page { id } about } }', {}, 6],
    ['{ hall(first: 7) { results { page { id } } } }', {}, 9],
    ['query ($n: Int!) { hall(first: $n) { results { page { id } } } }', { n: 3 }, 5],
    ['{ hall { results { page { id } } } }', {}, 12],
    ['{ hall(first: 100) { total } }', {}, 1],
    ['{ hall(first: 100) { results { about } } }', {}, 2],
    ['{ both(first: 5) { page { id } results { page { id } } } }', {}, 12],
  ])('profile apollo sizes lists by arguments as Apollo Router does: %s with %j', (query, variables, cost) => {
    expect(planOf(imported, query).estimate(variables).cost).toBe(cost);
  });

  it('a path in sizedFields that ends in a field without a list is an error', () => {
    const schema = buildSchema(`${LIST_SIZE('listSize')}
      type Query { hall(first: Int!): Hall @listSize(slicingArguments: ["first"], sizedFields: ["results { page about }"]) }
      type Hall { results: Shelf } type Shelf { page: [Item] about: String } type Item { id: ID }`);
    expect(analyzerOf(schema).check()).toEqual([
      { severity: 'error', coordinate: 'Query.hall', message: 'sizedFields: Shelf.about is not a list' },
    ]);
  });
});

describe('the names of the annotations', () => {
  const query = '{ page { items { id } } call }';
  it.each([
    ['a namespace of their own', `@link(url: "${url}", as: "demand")`, 'demand__cost', 'demand__listSize'],
    ['a namespace that is also the name of @cost', `@link(url: "${url}", as: "demand")`, 'demand', 'demand__listSize'],
    ['the namespace of the specification', `@link(url: "${url}")`, 'cost', 'cost__listSize'],
    ['their own names and no link', '', 'cost', 'listSize'],
  ])('the annotations work with %s, in the profiles apollo and tokens', (_, link, cost, listSize) => {
    const schema = weighed(link, cost, listSize);
    expect(planOf(schema, query).estimate().cost).toBe(1 + 10 + 5);
    const tokens = createCostAnalyzer(schema, { minimumCost: 0 });
    expect(tokens.compile(parse(query)).estimate().cost).toBe(1 + 10 + 5);
  });

  it('a directive is not an annotation if the link gives the annotation another name', () => {
    const schema = buildSchema(`
      extend schema @link(url: "${url}", import: [{ name: "@cost", as: "@price" }])
      ${LINK} ${COST('price')}
      directive @cost(euros: Int) on FIELD_DEFINITION
      type Query { a: Int @cost(euros: 3) b: Int @price(weight: "2") @cost(euros: 7) }
    `);
    expect(analyzerOf(schema).check()).toEqual([]);
    expect(planOf(schema, '{ a b }').estimate().cost).toBe(2);
  });

  it('a link to another specification defines no annotations', () => {
    const schema = buildSchema(`
      schema @link(url: "https://example.com/cost/v0.1", as: "demand") { query: Query }
      ${LINK} ${COST('demand__cost')} type Query { a: Int @demand__cost(weight: "3") }
    `);
    expect(planOf(schema, '{ a }').estimate().cost).toBe(0);
  });
});

describe('several list sizes on one field', () => {
  const repeatable = LIST_SIZE('listSize').replace(' on FIELD', ' repeatable on FIELD');
  const schemaOf = (annotations: string) =>
    buildSchema(`${repeatable} type Query { a(first: Int, last: Int): [A] ${annotations} } type A { id: ID }`);
  const costOf = (annotations: string, query: string) => planOf(schemaOf(annotations), query).estimate().cost;
  const SLICED = '@listSize(slicingArguments: ["first"]) @listSize(slicingArguments: ["last"])';

  it('the largest of several list sizes on one field counts', () => {
    expect(costOf(SLICED, '{ a(first: 3, last: 7) { id } }')).toBe(7);
    expect(costOf(SLICED, '{ a(first: 9) { id } }')).toBe(9);
    expect(costOf('@listSize(assumedSize: 4) @listSize(assumedSize: 6)', '{ a { id } }')).toBe(6);
  });

  it('several list sizes on one field are an error if they cannot be combined', () => {
    const mixed = '@listSize(assumedSize: 4) @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)';
    expect(analyzerOf(schemaOf(mixed)).check()).toEqual([
      { severity: 'error', coordinate: 'Query.a', message: expect.stringMatching(/several @listSize.*write one/) },
    ]);
  });
});
