import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { CostError } from '../../src/cost/values/cost-error.js';

const members = Array.from({ length: 300 }, (_, i) => `type T${i} implements Node { id: ID! own${i}: Int node: Node }`);
const schema = buildSchema(`
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
  interface Node { id: ID! node: Node }
  ${members.join('\n')}
  type Item { id: Int self: Item items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]) constructor: Item toString: Int __proto: Int }
  input Deep { deeper: Deep first: Int }
  type Query { item: Item node: Node items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]) search(in: Deep): Item hasOwnProperty(toString: Int): Item }
`);
const analyzer = createCostAnalyzer(schema, { minimumCost: 0 });
const MAX_AMOUNT = 2 ** 31 - 1;

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof CostError) return error.code;
    throw error;
  }
  return 'priced';
}

const repeat = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(' ');

describe('hostile documents', () => {
  it('30 fragments, each spread twice at one level, cost as much as without the duplicates', () => {
    const fragments = repeat(
      30,
      (i) => `fragment F${i} on Item { ${i < 29 ? `...F${i + 1} ...F${i + 1}` : 'self { id }'} }`,
    );
    expect(analyzer.compile(parse(`{ item { ...F0 } } ${fragments}`)).estimate().cost).toBe(2);
  });

  it('30 fragments, each spread below two fields, are compiled once each and priced 2^30 times', () => {
    const fragments = repeat(30, (i) =>
      i < 29
        ? `fragment F${i} on Item { a: self { ...F${i + 1} } b: self { ...F${i + 1} } }`
        : `fragment F${i} on Item { id }`,
    );
    const plan = createCostAnalyzer(schema, { maxCompileSteps: 500 }).compile(parse(`{ item { ...F0 } } ${fragments}`));
    expect(plan.estimate().cost).toBe(2 ** 30 - 1);
    expect(plan.estimate().fields.find((field) => field.coordinate === 'Item.self')?.calls).toBe(2 ** 30 - 2);
    expect(plan.explain().isTruncated).toBe(true);
  });

  it('the compile steps of conditional fragments grow with the conditions, not with their combinations', () => {
    const variables = repeat(40, (i) => `$x${i}: Boolean!`);
    const fragments = repeat(20, (i) =>
      i < 19
        ? `fragment F${i} on Item { ...F${i + 1} @include(if: $x${2 * i}) ...F${i + 1} @skip(if: $x${2 * i + 1}) }`
        : `fragment F${i} on Item { self { id } }`,
    );
    const plan = createCostAnalyzer(schema, { maxCompileSteps: 500, minimumCost: 0 }).compile(
      parse(`query (${variables}) { item { ...F0 } } ${fragments}`),
    );
    const all = (on: boolean) => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${i}`, on]));
    expect(plan.estimate(all(true)).cost).toBe(2);
    expect(plan.estimate({ ...all(true), x6: false }).cost).toBe(1);
    expect(plan.estimate(all(false)).cost).toBe(2);
  });

  it('5,000 aliases cost 5,000 times as much as one', () => {
    expect(analyzer.compile(parse(`{ ${repeat(5000, (i) => `a${i}: item { id }`)} }`)).estimate().cost).toBe(5000);
    expect(analyzer.compile(parse(`{ ${repeat(5000, (i) => `a${i}: __typename`)} }`)).estimate().cost).toBe(0);
  });

  it('a document with 5,000 nested levels is rejected for every form of nesting', () => {
    // The document is built without parse, because the recursion of parse fails at fewer levels.
    const field = (selectionSet?: object): object => ({
      kind: 'Field',
      name: { kind: 'Name', value: 'self' },
      ...(selectionSet && { selectionSet }),
    });
    let fields: object = { kind: 'SelectionSet', selections: [field()] };
    let fragments: object = fields;
    for (let i = 0; i < 5000; i++) {
      fields = { kind: 'SelectionSet', selections: [field(fields)] };
      fragments = { kind: 'SelectionSet', selections: [{ kind: 'InlineFragment', selectionSet: fragments }] };
    }
    for (const below of [fields, fragments]) {
      const document = parse('{ item { id } }');
      Object.assign(
        (document.definitions[0] as unknown as { selectionSet: { selections: object[] } }).selectionSet.selections[0]!,
        {
          selectionSet: below,
        },
      );
      expect(codeOf(() => analyzer.compile({ ...document }))).toBe('OPERATION_TOO_COMPLEX');
    }
  });

  it('an unvalidated document with fragment cycles is rejected', () => {
    const same = '{ item { ...A } } fragment A on Item { ...B } fragment B on Item { id ...A }';
    const below = '{ item { ...A } } fragment A on Item { self { ...A } }';
    const across =
      '{ item { ...A } } fragment A on Item { self { ...B } } fragment B on Item { self { id ...A } self { ...A } }';
    for (const text of [same, below, across]) {
      expect(
        codeOf(() => analyzer.compile(parse(text)).estimate()),
        text,
      ).toBe('OPERATION_TOO_COMPLEX');
    }
  });

  it('a document whose merged fragments differ on every path gets an upper bound when its step budget is spent', () => {
    const levels = 18;
    const chains = repeat(levels, (i) =>
      repeat(
        levels,
        (j) =>
          `fragment G${i}_${j} on Item { ${j < levels - 1 ? `a: self { ...G${i}_${j + 1} } b: self { ...G${i}_${j + 1} }` : `g${i}: id`} }`,
      ),
    );
    const spread = (i: number) =>
      i < levels - 1
        ? `fragment F${i} on Item { a: self { ...F${i + 1} } b: self { ...F${i + 1} ...G${i}_${i + 1} } }`
        : `fragment F${i} on Item { id }`;
    const document = parse(`{ item { ...F0 } } ${repeat(levels, spread)} ${chains}`);
    const plan = analyzer.compile(document);
    expect(plan.isUpperBound).toBe(true);
    // Each object has two objects at the next level. The bound adds the objects that the other
    // fragments select under the same names.
    const { cost } = plan.estimate();
    expect(cost).toBeGreaterThanOrEqual(2 ** levels - 1);
    expect(cost).toBeLessThan(levels * 2 ** levels);
  });

  it('hundreds of fragments on an interface of hundreds of types are priced within the step budget', () => {
    const fragments = repeat(300, (i) => `... on T${i} { id own${i} node { id } }`);
    const plan = analyzer.compile(parse(`{ node { id ${fragments} } }`));
    expect(plan.estimate().cost).toBe(2);
  });

  it('the cost saturates at 2^31 - 1 if the product of sizes overflows', () => {
    const nested = `${`{ items(first: ${MAX_AMOUNT}) `.repeat(40)}{ id }${' }'.repeat(40)}`;
    const plan = analyzer.compile(parse(nested));
    const estimate = plan.estimate();
    expect(estimate).toMatchObject({ cost: MAX_AMOUNT, typeCost: MAX_AMOUNT, fieldCost: MAX_AMOUNT });
    for (const { calls, cost } of estimate.fields) {
      expect(Number.isInteger(calls) && calls <= MAX_AMOUNT && Number.isInteger(cost) && cost <= MAX_AMOUNT).toBe(true);
    }
    const zero = analyzer.compile(parse(nested.replace(`first: ${MAX_AMOUNT}`, 'first: 0')));
    expect(zero.estimate().cost).toBe(0);
  });

  it('names such as __proto__ and toString are priced like any other name', () => {
    const text = `query toString($constructor: Int!, $__proto__: Int!, $hasOwnProperty: Boolean = true) {
      __proto__: items(first: $constructor) { constructor { toString } valueOf: self { ...hasOwnProperty } }
      hasOwnProperty(toString: $__proto__) @include(if: $hasOwnProperty) { id }
    } fragment hasOwnProperty on Item { toString __proto__: id }`;
    const plan = analyzer.compile(parse(text), 'toString');
    expect(plan.estimate(JSON.parse('{ "constructor": 3, "__proto__": 1 }')).cost).toBe(3 * 3 + 1);
    expect(codeOf(() => plan.estimate({}))).toBe('BAD_USER_INPUT');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('variables that are nested too deeply are rejected', () => {
    let deep: object = {};
    for (let i = 0; i < 100_000; i++) deep = { deeper: deep };
    const plan = analyzer.compile(parse('query ($in: Deep) { search(in: $in) { id } }'));
    expect(codeOf(() => plan.estimate({ in: deep }))).toBe('BAD_USER_INPUT');
  });

  it('variables of the wrong type are rejected with an error that names the variable', () => {
    const plan = analyzer.compile(parse('query ($n: Int!) { items(first: $n) { id } }'));
    for (const n of [1.5, '100', true, null, undefined, 2 ** 31, [], {}]) {
      expect(
        codeOf(() => plan.estimate({ n })),
        String(n),
      ).toBe('BAD_USER_INPUT');
    }
    expect(() => plan.estimate({ n: '100' })).toThrow(/Variable "\$n"/);
    expect(plan.estimate({ n: 1e3 }).cost).toBe(1000);
    // A negative number counts as absent.
    expect(plan.estimate({ n: -(2 ** 31) }).cost).toBe(10);
    expect(codeOf(() => plan.estimate([] as never))).toBe('BAD_USER_INPUT');
  });

  it('unknown fields, types and fragments cost nothing', () => {
    const text = '{ nothing { id } item { ...Gone ... on Missing { id } id none(x: $gone) } } ';
    expect(analyzer.compile(parse(text)).estimate().cost).toBe(1);
    expect(codeOf(() => analyzer.compile(parse('subscription { item { id } }')).estimate())).toBe('priced');
    expect(codeOf(() => analyzer.compile(parse('query ($x: Missing) { item { id } }')).estimate({ x: 1 }))).toBe(
      'BAD_USER_INPUT',
    );
  });

  it('a document without an operation, or without the named one, is rejected', () => {
    const two = parse('query A { item { id } } query B { items(first: 2) { id } }');
    expect(analyzer.compile(two, 'B').estimate().cost).toBe(2);
    expect(analyzer.compile(two, 'A').estimate().cost).toBe(1);
    for (const name of [undefined, null, 'C', ''])
      expect(codeOf(() => analyzer.compile(two, name))).toBe('BAD_USER_INPUT');
    expect(codeOf(() => analyzer.compile(parse('fragment F on Item { id }')))).toBe('BAD_USER_INPUT');
  });
});
