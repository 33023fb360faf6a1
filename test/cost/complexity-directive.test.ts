import fc from 'fast-check';
import { buildSchema, parse } from 'graphql';
import { directiveEstimator, getComplexity, simpleEstimator } from 'graphql-query-complexity';
import { expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

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

/** Objects weigh nothing by themselves, as in the package, so that the two can be compared. */
const analyzer = createCostAnalyzer(schema, { minimumCost: 0, defaultListSize: 10, profile: { objectWeight: 0 } });
const price = (query: string, variables: Record<string, unknown> = {}) =>
  analyzer.compile(parse(query)).estimate(variables).cost;

it('@complexity asks what graphql-query-complexity asks, wherever a multiplier is given', () => {
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

it('a list whose multipliers are left out, null or below zero counts as one of unknown size, and not as one item', () => {
  const asked = 10 * (3 + 2);
  expect(price('{ users { name } }')).toBe(asked);
  expect(price('{ users(first: null) { name } }')).toBe(asked);
  expect(price('{ users(first: -1) { name } }')).toBe(asked);
  expect(price('{ users(first: 1) { name } }')).toBe(3 + 2);
});

it('@cost beside it wins', () => {
  expect(price('{ both { name } }')).toBe(9 + 2);
});

it('the check of a schema names a value that is none, and a multiplier that is no argument', () => {
  const wrong = buildSchema(
    `directive @complexity(value: Float, multipliers: [String!]) on FIELD_DEFINITION
     type Query { a: Int @complexity b(first: Int): [Int] @complexity(value: 1, multipliers: ["limit"]) }`,
  );
  const messages = createCostAnalyzer(wrong)
    .check()
    .map(({ severity, coordinate, message }) => `${severity} ${coordinate} ${message}`);
  expect(messages).toContain('error Query.a @complexity: expected a number as value, got none');
  expect(messages).toContain('error Query.b @complexity: multipliers: there is no argument "limit"');
});
