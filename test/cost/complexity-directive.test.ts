import fc from 'fast-check';
import { buildSchema, parse } from 'graphql';
import { directiveEstimator, getComplexity, simpleEstimator } from 'graphql-query-complexity';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { costTypeDefs } from '../../src/entry/cost.js';

const DIRECTIVE = 'directive @complexity(value: Int!, multipliers: [String!]) on FIELD_DEFINITION';

const schema = buildSchema(`
  ${DIRECTIVE}
  type Query {
    users(first: Int, ids: [ID!], page: Page): [User!]! @complexity(value: 3, multipliers: ["first", "ids", "page.size"])
    me: User @complexity(value: 4)
    both: User @complexity(value: 4) @cost(weight: "9")
  }
  directive @cost(weight: String!) on FIELD_DEFINITION
  input Page { size: Int }
  type User { name: String @complexity(value: 2) posts(first: Int! = 3): [Post] @complexity(value: 5, multipliers: ["first"]) }
  type Post { title: String @complexity(value: 1) }
`);

/** Objects have the weight 0, as in graphql-query-complexity, so that the prices are comparable. */
const analyzer = createCostAnalyzer(schema, { minimumCost: 0, defaultListSize: 10, profile: { objectWeight: 0 } });
const price = (query: string, variables: Record<string, unknown> = {}) =>
  analyzer.compile(parse(query)).estimate(variables).cost;

it('@complexity has the cost of graphql-query-complexity if a multiplier is given', () => {
  const size = fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined });
  const ids = fc.option(fc.array(fc.constant('x'), { maxLength: 5 }), { nil: undefined });
  const below = fc.uniqueArray(fc.constantFrom('name', 'posts { title }', 'other: posts(first: $n) { title }'), {
    minLength: 1,
  });
  fc.assert(
    fc.property(size, ids, size, below, fc.nat(20), (first, list, pageSize, fields, n) => {
      fc.pre(first !== undefined || list !== undefined || pageSize !== undefined);
      const source = `query ($first: Int, $ids: [ID!], $size: Int, $n: Int! = 1) {
        users(first: $first, ids: $ids, page: { size: $size }) { ${fields.join(' ')} } me { name }
        unused: users(first: 0) { posts(first: $n) { title } }
      }`;
      const variables = { first, ids: list, size: pageSize, n };
      const theirs = getComplexity({
        schema,
        query: parse(source),
        variables,
        estimators: [directiveEstimator(), simpleEstimator({ defaultComplexity: 0 })],
      });
      expect(price(source, variables)).toBe(theirs);
    }),
    { numRuns: 500 },
  );
});

it('a list with absent, null or negative multipliers has the default list size, not one item', () => {
  const asked = 10 * (3 + 2);
  expect(price('{ users { name } }')).toBe(asked);
  expect(price('{ users(first: null) { name } }')).toBe(asked);
  expect(price('{ users(first: -1) { name } }')).toBe(asked);
  expect(price('{ users(first: 1) { name } }')).toBe(3 + 2);
});

it('@cost has precedence over @complexity on the same field', () => {
  expect(price('{ both { name } }')).toBe(9 + 2);
});

it('the schema check reports an invalid value and a multiplier that is not an argument', () => {
  const wrong = buildSchema(
    `directive @complexity(value: Float, multipliers: [String!]) on FIELD_DEFINITION
     type Query { a: Int @complexity b(first: Int): [Int] @complexity(value: 1, multipliers: ["limit"]) }`,
  );
  const messages = createCostAnalyzer(wrong)
    .check()
    .map(({ severity, coordinate, message }) => `${severity} ${coordinate} ${message}`);
  expect(messages).toContain('error Query.a @complexity: expected a number as value, got none');
  expect(messages).toContain('error Query.b @complexity: multipliers: unknown argument "limit"');
});

describe('the check of a list with multipliers', () => {
  const TYPES = `
    input Page { size: Int! sizes: [Int] inner: Page name: String }
    scalar JSON
    type User { name: String }
    interface Holder { held(amount: Int! = 7): [User] @complexity(value: 2, multipliers: ["amount"]) }
    type Box implements Holder { held(amount: Int! = 7): [User] }
  `;
  const problemsOf = (field: string) =>
    createCostAnalyzer(buildSchema(`${DIRECTIVE} ${costTypeDefs} ${TYPES} type Query { box: Box ${field} }`))
      .check()
      .map(({ severity, coordinate, message }) => `${severity} ${coordinate} ${message}`);

  it.each([
    'users(amount: Int = 7): [User] @complexity(value: 2, multipliers: ["amount"])',
    'users(page: Page!): [User] @complexity(value: 2, multipliers: ["page.size"])',
    'users(first: Int, amount: Int = 7): [User] @complexity(value: 2, multipliers: ["amount"])',
    'users(any: JSON! = {}): [User] @complexity(value: 2, multipliers: ["any.first.deep"]) @listSize(assumedSize: 5)',
    'users(amount: Int): [User] @complexity(value: 2, multipliers: ["amount"]) @listSize(assumedSize: 5)',
  ])('no warning appears if a multiplier is always given or the list has another size: %s', (field) => {
    expect(problemsOf(field)).toEqual([]);
  });

  it('the check warns if all multipliers are optional, and its suggestion removes the warning', () => {
    const field = 'users(amount: Int, ids: [ID!]): [User] @complexity(value: 2, multipliers: ["amount", "ids"])';
    const added = '@listSize(assumedSize: 10, slicingArguments: ["ids"])';
    expect(problemsOf(field)).toEqual([
      `warning Query.users if none of amount, ids is given, the default list size (10) is used; add ${added} with the maximum length in that case`,
    ]);
    expect(problemsOf(`${field} ${added}`)).toEqual([]);
  });

  it('the check warns if @cost overrides the multipliers, or if there are none', () => {
    for (const directives of [
      '@complexity(value: 2, multipliers: ["amount"]) @cost(weight: "5")',
      '@complexity(value: 2)',
    ]) {
      expect(problemsOf(`users(amount: Int = 7): [User] ${directives}`)).toEqual([
        expect.stringContaining('warning Query.users this list has no known size'),
        expect.stringContaining('warning Query.users amount looks like a list size'),
      ]);
    }
  });

  it.each([
    ['page.nope', '"page.nope" leads to no input field "nope"'],
    ['page.inner.nope', '"page.inner.nope" leads to no input field "nope"'],
    ['page.size.more', '"page.size.more" leads to no input field "more"'],
    ['page.name', '"page.name" is String, neither a number nor a list'],
    ['pages', 'unknown argument "pages"'],
  ])('the check reports a multiplier path that leads nowhere: %s', (path, message) => {
    expect(problemsOf(`users(page: Page): [User] @complexity(value: 2, multipliers: ["${path}"])`)).toContain(
      `error Query.users @complexity: multipliers: ${message}`,
    );
  });
});
