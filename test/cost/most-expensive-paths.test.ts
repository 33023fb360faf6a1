import { makeExecutableSchema } from '@graphql-tools/schema';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { ExplainedField } from '../../src/cost/explain/explain-operation.js';
import { DEFAULT_LIST_SIZE, forEachCase } from './reference/generated-cases.js';

const schema = makeExecutableSchema({
  typeDefs: /* GraphQL */ `
    directive @cost(weight: String!) on FIELD_DEFINITION
    directive @listSize(assumedSize: Int, slicingArguments: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
    type Query { item: Item, items(first: Int): [Item!]! @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false) }
    type Item { name: String, expensive: Int @cost(weight: "7"), parent: Item, items: [Item!]! @listSize(assumedSize: 2) }
  `,
});
const analyzer = createCostAnalyzer(schema);
const mostExpensiveOf = (text: string, variables = {}) =>
  analyzer
    .compile(parse(text))
    .bind(variables)
    .mostExpensivePaths()
    .map(({ path, cost }) => [path, cost]);

function flatten(fields: readonly ExplainedField[]): ExplainedField[] {
  return fields.flatMap((field) => [field, ...flatten(field.fields)]);
}

describe('the most expensive paths', () => {
  it('the most expensive paths of any operation are those of the full explanation', () => {
    const cases = forEachCase(20, ({ document, variables, analyzer: analyzerOf, context }) => {
      for (const profile of ['tokens', 'apollo', 'ibm'] as const) {
        const plan = analyzerOf({ defaultListSize: DEFAULT_LIST_SIZE, profile }).compile(document);
        let bound: ReturnType<typeof plan.bind>;
        try {
          bound = plan.bind(variables);
        } catch {
          return; // Too many slicing arguments: the operation has no explanation.
        }
        const { fields, isTruncated } = bound.explain();
        if (isTruncated) continue;
        const all = flatten(fields);
        const highest = all
          .map(({ ownCost }) => ownCost)
          .filter((cost) => cost > 0)
          .sort((a, b) => b - a)
          .slice(0, 3);
        const found = bound.mostExpensivePaths();
        expect(
          found.map(({ cost }) => cost),
          context,
        ).toEqual(highest);
        const known = all.map(({ path, coordinate, ownCost }) => `${path} ${coordinate} ${ownCost}`);
        for (const { path, coordinate, cost } of found) expect(known).toContain(`${path} ${coordinate} ${cost}`);
        expect(new Set(found.map(({ path }) => path)).size).toBe(found.length);
      }
    });
    expect(cases).toBeGreaterThanOrEqual(1000);
  });

  it('the most expensive paths are found in a document with more paths than the explanation can list', () => {
    const chain = Array.from(
      { length: 25 },
      (_, i) => `fragment F${i} on Item { a: items { ...F${i + 1} } b: items { ...F${i + 1} } }`,
    );
    const text = `{ item { ...F0 } } ${chain.join(' ')} fragment F25 on Item { expensive }`;
    const names = (last: string) => ['item', ...'a'.repeat(24), last].join('.');
    expect(mostExpensiveOf(text)).toEqual([
      [`${names('a')}.expensive`, 7 * 2 ** 25],
      [`${names('b')}.expensive`, 7 * 2 ** 25],
      [expect.stringMatching(/\.expensive$/), 7 * 2 ** 25],
    ]);
  });

  it('the most expensive paths depend on the variables of each request', () => {
    const text =
      'query ($n: Int, $on: Boolean!) { items(first: $n) { expensive @include(if: $on) parent { name } } item { expensive } }';
    expect(mostExpensiveOf(text, { n: 3, on: true })).toEqual([
      ['items.expensive', 21],
      ['item.expensive', 7],
      ['items', 3],
    ]);
    expect(mostExpensiveOf(text, { n: 9, on: false })).toEqual([
      ['items', 9],
      ['items.parent', 9],
      ['item.expensive', 7],
    ]);
  });

  it('the most expensive paths are computed once for a plan without variables', () => {
    const plan = analyzer.compile(parse('{ item { expensive } }'));
    expect(plan.bind().mostExpensivePaths()).toBe(plan.bind({}).mostExpensivePaths());
  });

  it('the most expensive paths have names of limited length, even if the document has longer names', () => {
    const [[path] = []] = mostExpensiveOf(`{ ${'x'.repeat(50_000)}: item { expensive } }`);
    expect(String(path).length).toBeLessThan(600);
  });
});
