import { buildSchema, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { costTypeDefs } from '../../src/index.js';

const schema = buildSchema(`
  ${costTypeDefs}
  type Query {
    item: Item
    weighty: Item @cost(weight: "5")
    count: Int
    priced: Int @cost(weight: "3")
    items: [Item!]!
    assumed: [Item!]! @listSize(assumedSize: 7)
    grid: [[Item!]!]! @listSize(assumedSize: 2)
    found: [Found!]! @listSize(assumedSize: 4)
    numbers: [Int!]! @listSize(assumedSize: 6)
    first(first: Int): [Item!]!
  }
  type Item { name: String }
  type Book @cost(weight: "4") { name: String }
  union Found = Item | Book
`);

describe.each([
  'tokens',
  'ibm',
  'apollo',
  'query-complexity',
] as const)('the listed costs in the profile %s', (profile) => {
  const analyzer = createCostAnalyzer(schema, { profile, minimumCost: 0 });
  const costOf = (query: string) => analyzer.compile(parse(query)).estimate({}).cost;
  const fields = analyzer.fields().filter(({ coordinate }) => coordinate.startsWith('Query.'));

  test.each(fields)('an operation that selects only $coordinate has the cost of its listing', ({
    coordinate,
    type,
    cost,
  }) => {
    const selection = /Item|Found/.test(type) ? '{ __typename }' : '';
    const base = costOf('{ __typename }');
    expect(costOf(`{ ${coordinate.slice('Query.'.length)} ${selection} }`) - base).toBe(cost);
  });
});

test('a listing has the cost of each call and of each returned value', () => {
  const fields = createCostAnalyzer(schema).fields();
  const listed = (name: string) => fields.find(({ coordinate }) => coordinate === name);
  expect(listed('Query.weighty')).toMatchObject({ callCost: 5, itemCost: 1, cost: 6, weight: 5, typeWeight: null });
  expect(listed('Query.found')).toMatchObject({ callCost: 0, itemCost: 4, cost: 16, typeWeight: 4 });
  expect(listed('Item.name')).toMatchObject({ callCost: 0, itemCost: 0, cost: 0 });
});

test('a listing has no cost if a function computes it, or if a parent field sets the size of the list', () => {
  const computed = buildSchema(`
    type Query { search: Int, page(first: Int!): Page @listSize(slicingArguments: ["first"], sizedFields: ["nodes"]) }
    type Page { nodes: [Query!]! }
    ${costTypeDefs}
  `);
  computed.getQueryType()!.getFields()['search']!.extensions = { complexity: () => 9 };
  const fields = createCostAnalyzer(computed).fields();
  const listed = (name: string) => fields.find(({ coordinate }) => coordinate === name);
  expect(listed('Query.search')).toMatchObject({ isComputed: true, callCost: null, cost: null });
  expect(listed('Page.nodes')).toMatchObject({ sizeSource: 'PARENT', itemCost: 1, cost: null });
});
