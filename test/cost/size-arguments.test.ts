import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

const SCHEMA = buildSchema(/* GraphQL */ `
  input Page { first: Int, after: String }
  type Query {
    users(first: Int = 50): [User]
    pages(page: Page): [User]
    search(text: String, limit: Int): [User]
    byId(ids: [ID]): [User]
  }
  type User { name: String, posts(first: Int): [Post] }
  type Post { title: String }
`);

const analyzer = createCostAnalyzer(SCHEMA);

function sizesOf(query: string, variables: Record<string, unknown> = {}) {
  const plan = analyzer.compile(parse(query)).bind(variables);
  return plan.sizeArguments().map(({ argument, variable, current, withValue }) => ({
    argument,
    ...(variable !== undefined && { variable }),
    current,
    costs: [1, 7, current].map((value) => withValue(value).plan.estimate().cost),
  }));
}

const costOf = (query: string, variables = {}) => analyzer.compile(parse(query)).bind(variables).estimate().cost;

describe('the size arguments of an operation', () => {
  it('a number in the document can be changed, and the price is that of the document with the other number', () => {
    const query = (n: number) => `{ users(first: ${n}) { name posts(first: 3) { title } } }`;
    expect(sizesOf(query(20))).toEqual([
      { argument: 'Query.users(first:)', current: 20, costs: [1, 7, 20].map((n) => costOf(query(n))) },
      {
        argument: 'User.posts(first:)',
        current: 3,
        costs: [1, 7, 3].map((n) => costOf(`{ users(first: 20) { name posts(first: ${n}) { title } } }`)),
      },
    ]);
  });

  it('a variable is changed wherever it is used', () => {
    const query = 'query ($n: Int) { users(first: $n) { posts(first: $n) { title } } }';
    const costs = [1, 7, 20].map((n) => costOf(query, { n }));
    expect(sizesOf(query, { n: 20 })).toEqual([{ argument: 'Query.users(first:)', variable: 'n', current: 20, costs }]);
  });

  it('an absent variable has the default of the operation, of the schema, or of the list', () => {
    const current = (query: string) => sizesOf(query)[0]?.current;
    expect(current('query ($n: Int = 30) { users(first: $n) { name } }')).toBe(30);
    expect(current('query ($n: Int) { users(first: $n) { name } }')).toBe(50);
    expect(current('query ($n: Int) { search(limit: $n) { name } }')).toBe(costOf('{ search { name } }'));
  });

  it('a size inside an input object can be changed, in a literal and in a variable', () => {
    const costs = [1, 7, 20].map((n) => costOf(`{ pages(page: { first: ${n} }) { name } }`));
    const argument = 'Query.pages(page.first:)';
    expect(sizesOf('{ pages(page: { first: 20, after: "x" }) { name } }')).toEqual([{ argument, current: 20, costs }]);
    const byPage = 'query ($p: Page) { pages(page: $p) { name } }';
    expect(sizesOf(byPage, { p: { first: 20, after: 'x' } })).toEqual([
      { argument, variable: 'p', current: 20, costs },
    ]);
    expect(sizesOf(byPage, { p: { after: 'x' } })).toEqual([]);
    const byFirst = 'query ($n: Int!) { pages(page: { first: $n }) { name } }';
    expect(sizesOf(byFirst, { n: 20 })).toEqual([{ argument, variable: 'n', current: 20, costs }]);
  });

  it('fields that execution merges keep the same size, also through fragments', () => {
    const query = (n: number) =>
      `{ users(first: ${n}) { name } ...F } fragment F on Query { users(first: ${n}) { posts(first: 2) { title } } }`;
    const [first] = sizesOf(query(20));
    expect(first).toEqual({
      argument: 'Query.users(first:)',
      current: 20,
      costs: [1, 7, 20].map((n) => costOf(query(n))),
    });
  });

  it('lists of ids, sizes of 1 and operations without sizes have no size arguments', () => {
    expect(sizesOf('{ byId(ids: ["a", "b", "c"]) { name } }')).toEqual([]);
    expect(sizesOf('{ users(first: 1) { name } }')).toEqual([]);
    expect(sizesOf('{ users { name } }')).toEqual([]);
  });
});
