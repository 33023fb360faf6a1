import { readFileSync } from 'node:fs';
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const schema = buildSchema(`${directives}
  scalar Json
  type Query {
    scalar(args: Outer): Int
    objects(args: Outer): [Item]
    many(ins: [[Inner!]]): Int
    weighed(ins: [Inner] @cost(weight: "3"), ids: [ID] @cost(weight: "2"), raw: Json @cost(weight: "5")): Int
  }
  type Item { id: ID }
  input Inner { id: ID @cost(weight: "0") note: String @cost(weight: "4") }
  input Outer { inner: Inner other: Inner list: [Inner!] }
`);
const analyzer = createCostAnalyzer(schema, { profile: 'apollo', minimumCost: 0, defaultListSize: 100 });
const costOf = (text: string, variables?: Record<string, unknown>): number =>
  analyzer.compile(parse(text)).estimate(variables).cost;

describe('inputs in profile apollo', () => {
  it.each([
    [
      'one for each nested object and each object of a list',
      'scalar(args: { inner: { id: 1 }, list: [{ id: 2 }, {}] })',
      4,
    ],
    ['one for an empty object', 'scalar(args: {})', 1],
    [
      'one for each object of a list, in addition to the returned objects',
      'objects(args: { list: [{}, {}, {}] }) { id }',
      104,
    ],
    ['nothing for null', 'scalar(args: null)', 0],
    ['nothing for a null in an object', 'scalar(args: { inner: null, other: {}, list: null })', 2],
    ['nothing for an empty list', 'many(ins: [])', 0],
    ['one for each object of a list of lists', 'many(ins: [[{}, {}], null, [{ note: "x" }]])', 7],
    ['the weight for an annotated list and for each item except null', 'weighed(ins: [{}, null, { note: "x" }])', 13],
    ['the weight for an annotated list of scalars, and again for each item', 'weighed(ids: ["a", "b", "c"])', 8],
    ['nothing for null in an annotated argument', 'weighed(ins: null, ids: null, raw: null)', 0],
    ['the weight once for a scalar that contains a list', 'weighed(raw: [1, 2, 3])', 5],
  ])('an input in profile apollo costs %s', (_, field, cost) => {
    expect(costOf(`{ ${field} }`)).toBe(cost);
  });

  it('an input costs the same in a variable as in a literal', () => {
    const text = 'query ($args: Outer, $ids: [ID], $raw: Json) { scalar(args: $args) weighed(ids: $ids, raw: $raw) }';
    expect(costOf(text, { args: { inner: {}, list: [{}, {}] }, ids: ['a'], raw: [1, 2] })).toBe(4 + 4 + 5);
    expect(costOf(text, { args: null, ids: null, raw: null })).toBe(0);
    expect(costOf(text, {})).toBe(0);
    expect(costOf('query ($in: Inner!) { scalar(args: { list: [$in, {}] }) }', { in: { note: 'x' } })).toBe(7);
  });
});
