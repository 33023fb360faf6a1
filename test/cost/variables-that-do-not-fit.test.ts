import { buildSchema, GraphQLScalarType, parse } from 'graphql';
import { expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

/** Returns a schema with a scalar that counts how many values it parses, and rejects even ones. */
function countingSchema() {
  let asked = 0;
  const schema = buildSchema('scalar Odd type Query { a(all: [Odd!], one: In): Int } input In { deep: In, odd: Odd }');
  const odd = schema.getType('Odd') as GraphQLScalarType;
  odd.parseValue = (value) => {
    asked++;
    if (Number(value) % 2 === 0) throw new Error('it is even');
    return value;
  };
  return { schema, asked: () => asked };
}

it('invalid variables are rejected at the first mistake, even if there are many', () => {
  const { schema, asked } = countingSchema();
  const plan = createCostAnalyzer(schema).compile(parse('query ($all: [Odd!]) { a(all: $all) }'));
  expect(() => plan.bind({ all: Array(30_000).fill(2) })).toThrow(
    /\$all.* got invalid value 2 at "all\[0\]"; .*it is even/,
  );
  expect(asked()).toBe(1);
});

it('values before the first mistake are coerced once', () => {
  const { schema, asked } = countingSchema();
  const plan = createCostAnalyzer(schema).compile(parse('query ($all: [Odd!]) { a(all: $all) }'));
  expect(() => plan.bind({ all: [...Array(1000).fill(1), 2] })).toThrow(/at "all\[1000\]"/);
  expect(asked()).toBe(1001);
});

it('the error gives the path of the invalid value, and a shortened value', () => {
  const { schema } = countingSchema();
  const plan = createCostAnalyzer(schema).compile(parse('query ($one: In) { a(one: $one) }'));
  expect(() => plan.bind({ one: { deep: { deep: { odd: 4 } } } })).toThrow(/at "one\.deep\.deep\.odd"/);
  expect(() => plan.bind({ one: { deep: 'x'.repeat(50_000) } })).toThrow(/at "one.deep"; Expected type "In"/);
});
