import { readFileSync } from 'node:fs';
import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const schema = buildSchema(`${directives}
  type Query {
    me: User
    matrix: [[T!]!]! @listSize(assumedSize: 3)
    page(first: Int): Page @listSize(slicingArguments: ["first"], sizedFields: ["items"])
  }
  type User { name: String }
  type Page { items(limit: Int): [T] }
  type T { a: Int b: T }`);

it('a limit on Type.* counts the calls of __typename, which cost nothing', () => {
  const plan = createCostAnalyzer(schema).compile(parse('{ me { __typename name } }'));
  const measure = plan.measure((coordinate) => coordinate.startsWith('User.'));
  expect(plan.bind().measure(measure)).toEqual({ cost: 0, calls: 2 });
});

it('the actual cost in profile ibm counts the outer items of nested lists at the mean price of their inner items', () => {
  const plan = createCostAnalyzer(schema, { profile: 'ibm' }).compile(parse('{ matrix { a b { a } } }'));
  const t = (b: object | null) => ({ a: 1, b });
  const actual = plan.bind().actual({ matrix: [[t({ a: 1 }), t(null), t(null)], [t({ a: 1 })]] });
  // The root costs 1. The four inner items are 4 objects and contain 2 more, so their mean price is
  // 6 / 4. Each of the two outer items costs this mean.
  expect(actual.typeCost).toBe(1 + (2 * (4 + 2)) / 4);
  expect(plan.estimate().typeCost).toBe(1 + 3 * 2);
});

it('a list that gets its size from a page also reads its own argument if the name of the argument is recognized', () => {
  const costOf = (source: string) => createCostAnalyzer(schema).compile(parse(source)).estimate().cost;
  expect(costOf('{ page(first: 3) { items(limit: 100) { a } } }')).toBe(1 + 100);
  expect(costOf('{ page(first: 3) { items { a } } }')).toBe(1 + 3);
});
