import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { CostOverlay } from '../../src/cost/annotations/cost-overlay.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

const schema = buildSchema(/* GraphQL */ `
  type Query { users(top: Int): Users, posts(top: Int, size: Int): [Post!]!, tags: [Tag!]!, count: Int, node: Node, filtered(by: Filter): Int }
  interface Node { related: [Post!]! }
  type Users { edges: [UserEdge!]! }
  type UserEdge { node: User }
  type User implements Node { name: String, posts(top: Int): [Post!]!, related: [Post!]! }
  type Post { title: String }
  type Tag { name: String }
  input Filter { name: String }
`);

function costOf(query: string, overlay: CostOverlay) {
  return createCostAnalyzer(schema, { overlay }).compile(parse(query)).estimate({}).cost;
}

function mistakes(overlay: CostOverlay, overlayMistakes?: 'error' | 'warning') {
  return createCostAnalyzer(schema, { overlay, ...(overlayMistakes && { overlayMistakes }) })
    .check()
    .flatMap(({ severity, coordinate, message, overlayKey }) =>
      overlayKey === undefined ? [] : [`${severity} ${overlayKey} ${coordinate}: ${message}`],
    );
}

describe('overlay patterns', () => {
  it('a pattern prices all coordinates that match its star, with the options of costs.yaml', () => {
    expect(costOf('{ posts { title } }', { '*.posts': { assumedSize: 3 } })).toBe(3);
    expect(costOf('{ posts(top: 7) { title } }', { '*.*': { slicingArguments: ['top', 'first'] } })).toBe(7);
    expect(costOf('{ count }', { 'Query.*': 4 })).toBe(4);
    expect(
      costOf('{ users(top: 2) { edges { node { name } } } }', {
        '*.use*s': { slicingArguments: ['top'], sizedFields: ['edges'] },
      }),
    ).toBe(5);
  });

  it('a coordinate has precedence over patterns, a longer pattern over a shorter one, and the later of two equally long ones', () => {
    expect(costOf('{ count }', { 'Query.count': 9, 'Query.*': 4 })).toBe(9);
    expect(costOf('{ count }', { 'Query.co*': 5, 'Query.*': 4 })).toBe(5);
    expect(costOf('{ count }', { 'Query.*': 3, '*.count': 2 })).toBe(2);
    expect(costOf('{ count }', { '*.count': 2, 'Query.*': 3 })).toBe(3);
  });

  it('a pattern adds the options that the entry of a coordinate omits, and an entry of an interface has precedence over a pattern', () => {
    expect(costOf('{ posts { title } }', { 'Query.posts': 10, '*.posts': { assumedSize: 3, weight: 1 } })).toBe(13);
    const overlay = { 'Node.related': { assumedSize: 50 }, '*.related': { assumedSize: 1 } };
    expect(costOf('{ node { related { title } } }', overlay)).toBe(51);
  });

  it('a pattern with a star as type excludes inputs, and maxSize in a pattern applies only to lists with a requested size', () => {
    expect(costOf('{ filtered(by: { name: "x" }) }', { '*.name': 5 })).toBe(1);
    expect(costOf('{ filtered(by: { name: "x" }) }', { 'Filter.*': 5 })).toBe(5);
    const overlay = { 'Query.*': { slicingArguments: ['top'], maxSize: 10 } };
    expect(mistakes(overlay)).toEqual([]);
    expect(() => costOf('{ posts(top: 11) { title } }', overlay)).toThrow(/the maximum is 10/);
  });

  it('a pattern without a match, a malformed key and a repeated option are errors', () => {
    expect(
      mistakes({
        'Qeury.*': 1,
        '*.count': { assumedSize: 3 },
        'a.*.b': 1,
        'Query.post': 1,
        'Query.count': { weight: 1, cost: 2 },
      }),
    ).toEqual([
      'error a.*.b a.*.b: expected Type, Type.field, Type.field(argument:) or @directive(argument:), with * for any characters',
      'error Query.count Query.count: weight and cost are synonyms: expected one of them, got both',
      'error Qeury.* Qeury.*: this pattern applies to no coordinate of the schema',
      'error *.count *.count: this pattern applies to no coordinate of the schema',
      'error Query.post Query.post: the overlay has a coordinate that the schema does not have; did you mean Query.posts?',
    ]);
  });

  it('an overlay mistake is a warning if so configured, and the other entries apply', () => {
    const overlay = { 'Query.gone': 1, 'Query.count': 4 };
    expect(mistakes(overlay, 'warning')).toEqual([
      'warning Query.gone Query.gone: the overlay has a coordinate that the schema does not have; did you mean Query.node?',
    ]);
    expect(costOf('{ count }', overlay)).toBe(4);
  });
});
