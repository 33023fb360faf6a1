import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { type PublishedSchema, publishedSchemaOf, restoreSchema } from '../../src/services/published-schema.js';
import { createDemoSchema } from '../helpers/demo-schema.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');

/** Returns the published schema in the form in which a database returns it. */
const overTheWire = (published: PublishedSchema): PublishedSchema => JSON.parse(JSON.stringify(published));

function costsOf(schema: GraphQLSchema, options: CostAnalyzerOptions, query: string) {
  const here = createCostAnalyzer(schema, options).compile(parse(query)).explain({});
  const { analyzer } = restoreSchema(overTheWire(publishedSchemaOf('shop', schema, options)));
  const there = analyzer.compile(parse(query)).explain({});
  return { here: JSON.parse(JSON.stringify(here)), there: JSON.parse(JSON.stringify(there)) };
}

const EVERYWHERE = `
  type Query {
    shop: Shop
    bare(first: Int, ids: [ID!]): [Item]
    items(first: Int, filter: Filter @cost(weight: "3")): [Item!]! @listSize(slicingArguments: ["first"])
    page(first: Int!): Page! @listSize(slicingArguments: ["first"], sizedFields: ["items"])
    search(text: String!): [Found!]! @cost(weight: "5") @listSize(assumedSize: 7)
  }
  type Mutation { save(input: Filter!): Item @cost(weight: "2.5") }
  input Filter { text: String @cost(weight: "4"), below: Filter }
  interface Named { name: String @cost(weight: "2") }
  type Shop implements Named @cost(weight: "6") { name: String }
  type Item implements Named { name: String, size: Size, parts: [Item!]! @listSize(assumedSize: 3) }
  type Page { items: [Item!]! }
  union Found = Shop | Item
  enum Size @cost(weight: "1.5") { SMALL LARGE }
`;
const QUERIES = [
  '{ shop { name } }',
  '{ bare(first: 40) { name } b: bare(ids: ["x", "y"]) { name } }',
  '{ items(first: 4, filter: { text: "x", below: { text: "y" } }) { name size } }',
  '{ page(first: 9) { items { parts { name } } } }',
  '{ search(text: "x") { ... on Named { name } ... on Item { parts { size } } } }',
  'mutation { save(input: { text: "x" }) { size } }',
  '{ __schema { types { name } } items(first: 2) { name } }',
];
const OPTIONS: CostAnalyzerOptions[] = [
  {},
  { profile: 'ibm', minimumCost: 0 },
  { profile: 'apollo', defaultListSize: 3 },
  { profile: { objectWeight: 2, roots: { query: 1 } }, introspection: 'exempt' },
  { introspection: 4, introspectionListSize: 2 },
  { inferListSizes: false },
  { inferListSizes: { first: false } },
  { overlay: { 'Query.shop': { cost: 11 }, 'Query.items': { listSize: { assumedSize: 13 } }, Item: { cost: 0 } } },
];

describe('published schemas', () => {
  const schema = buildSchema(directives + EVERYWHERE);

  it.each(OPTIONS)('a published schema has the same prices in another process, with %j', (options) => {
    for (const query of QUERIES) {
      const { here, there } = costsOf(schema, options, query);
      expect(there, query).toEqual(here);
    }
  });

  it('a published schema has the same prices in another process for any query on the sample API', () => {
    const selection = fc.constantFrom(
      'countries(first: 20) { name borders { name } }',
      'country(code: "SE") { name borders { borders { name } } }',
      'search(text: "a") { __typename }',
    );
    fc.assert(
      fc.property(fc.array(selection, { minLength: 1, maxLength: 4 }), (selections) => {
        const query = `{ ${selections.map((one, index) => `a${index}: ${one}`).join(' ')} }`;
        const { here, there } = costsOf(createDemoSchema(), {}, query);
        expect(there).toEqual(here);
      }),
      { numRuns: 10 },
    );
  });

  it('a published schema contains annotations from extensions, and lists the fields that are priced by functions', () => {
    const item = new GraphQLObjectType({
      name: 'Item',
      fields: { name: { type: GraphQLString, extensions: { cost: { weight: 3 } } } },
    });
    const inCode = new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: {
          items: { type: new GraphQLList(item), extensions: { listSize: { assumedSize: 4 } } },
          flat: { type: item, extensions: { complexity: 9 } },
          byFunction: {
            type: item,
            args: { first: { type: GraphQLInt } },
            extensions: { complexity: () => 100 },
          },
        },
      }),
    });
    for (const query of ['{ items { name } }', '{ flat { name } }']) {
      const { here, there } = costsOf(inCode, {}, query);
      expect(there, query).toEqual(here);
    }
    const published = publishedSchemaOf('shop', inCode);
    expect(published.prices.functions).toEqual(['Query.byFunction']);
  });

  it('a published schema rejects the same list sizes in another process, wherever the maximum size is set', () => {
    const items = { type: new GraphQLList(GraphQLString), args: { first: { type: GraphQLInt } } };
    const inCode = new GraphQLSchema({
      query: new GraphQLObjectType({ name: 'Query', fields: { items: { ...items, extensions: { maxSize: 20 } } } }),
    });
    const bare = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { items } }) });
    for (const [given, options] of [
      [inCode, {}],
      [bare, { overlay: { 'Query.items': { maxSize: 20 } } }],
      [bare, { overlay: { '*.items': { maxSize: 20 } } }],
    ] as [GraphQLSchema, CostAnalyzerOptions][]) {
      const { analyzer } = restoreSchema(overTheWire(publishedSchemaOf('shop', given, options)));
      expect(() => analyzer.compile(parse('{ items(first: 21) }')).estimate()).toThrow(
        /requested 21 items, the maximum is 20/,
      );
      expect(analyzer.compile(parse('{ items(first: 20) }')).estimate().cost).toBe(1);
    }
  });

  it('the hash of a published schema changes if and only if its text, prices or options change', () => {
    const hashOf = (sdl: string, options?: CostAnalyzerOptions) =>
      publishedSchemaOf('shop', buildSchema(directives + sdl), options).hash;
    const hashes = [
      hashOf(EVERYWHERE),
      hashOf(EVERYWHERE.replace('"5"', '"6"')),
      hashOf(`${EVERYWHERE} type Other { a: Int }`),
      hashOf(EVERYWHERE, { defaultListSize: 11 }),
    ];
    expect(new Set(hashes).size).toBe(4);
    expect(hashOf(EVERYWHERE)).toBe(hashes[0]);
  });

  it.each([
    '',
    'a b',
    '-a',
    'ä',
    'a'.repeat(65),
    '../x',
  ])('a published schema cannot have the service name %j', (name) => {
    expect(() => publishedSchemaOf(name, schema)).toThrow(/service: expected 1 to 64 letters/);
  });
});
