import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type CostAnalyzer, createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';

const schema = buildSchema(`
  directive @cost(weight: String!) on FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int) on FIELD_DEFINITION
  type Query {
    plain: Item
    weighed: Item @cost(weight: "7")
    heavy: Heavy
    many: [Item] @listSize(assumedSize: 4)
    any: Any
    named: Named
    leaf: Int
    leaves: [Score] @listSize(assumedSize: 3)
  }
  interface Named { name: String }
  union Any = Item | Heavy
  type Item implements Named { name: String }
  type Heavy implements Named @cost(weight: "5") { name: String }
  scalar Score @cost(weight: "2")
`);

/** Returns the estimated cost of an operation with the field alone. */
function priceOf(analyzer: CostAnalyzer, name: string, hasFields: boolean): number {
  return analyzer.compile(parse(`{ ${name}${hasFields ? ' { __typename }' : ''} }`)).estimate().cost;
}

describe('the costs of the parts of a field', () => {
  const options: CostAnalyzerOptions[] = [
    {},
    { profile: { objectWeight: 3, scalarWeight: 2, compositeFieldWeight: 4, scalarFieldWeight: 1 } },
    { profile: { fieldWeightPerItem: true } },
    { profile: 'apollo' },
    { profile: 'query-complexity' },
  ];
  it.each(
    options,
  )('one call and its returned values cost what the operation with this field alone costs: %j', (one) => {
    const analyzer = createCostAnalyzer(schema, { ...one, minimumCost: 0 });
    const fields = analyzer.fields().filter(({ coordinate }) => coordinate.startsWith('Query.'));
    expect(fields).toHaveLength(8);
    for (const { coordinate, type, callCost, itemCost, assumedSize } of fields) {
      const hasFields = !/Int|Score/.test(type);
      const size = assumedSize ?? 1;
      expect(callCost! + size * itemCost!, coordinate).toBe(priceOf(analyzer, coordinate.slice(6), hasFields));
    }
  });

  it('a field whose price a function computes, and a profile that prices connections, have no costs of parts', () => {
    const unknown = { callCost: null, itemCost: null };
    const [first] = createCostAnalyzer(schema, { profile: 'github' }).fields();
    expect(first).toMatchObject(unknown);
    const computed = buildSchema('type Query { computed: Int }');
    computed.getQueryType()!.getFields()['computed']!.extensions = { complexity: () => 9 };
    expect(createCostAnalyzer(computed).fields()).toEqual([expect.objectContaining({ isComputed: true, ...unknown })]);
  });
});
