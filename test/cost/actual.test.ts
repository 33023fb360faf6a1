import { buildSchema, isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { CostEstimate, FieldCost, FieldSums } from '../../src/cost/cost-plan.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { costTypeDefs } from '../../src/cost/schema/cost-type-defs.js';
import { toTokens } from '../../src/cost/values/to-tokens.js';
import { AMOUNTS } from '../../src/model/rule.js';
import { countCalls } from '../helpers/count-calls.js';
import { DEFAULT_LIST_SIZE, forEachCase, outcome } from './reference/generated-cases.js';
import { executeOnRandomData, withTypenames } from './reference/random-response.js';
import { createReference, type ReferenceOptions } from './reference/reference-cost.js';

const TOKENS: ReferenceOptions = { profile: 'tokens', defaultListSize: DEFAULT_LIST_SIZE };

describe('the actual cost of executed operations', () => {
  it('the actual cost never exceeds the estimate if no list is longer than its declared size', () => {
    let compared = 0;
    forEachCase(10, ({ schema, document, variables, random, analyzer, context }) => {
      const options = {
        defaultListSize: DEFAULT_LIST_SIZE,
        minimumCost: 0,
        profile: random.pick(['tokens', 'apollo'] as const),
      };
      const bound = outcome(() => analyzer(options).compile(document).bind(variables));
      if (typeof bound === 'string') return;
      const { data } = executeOnRandomData(
        random,
        { schema, document, variables },
        { ...TOKENS, profile: options.profile },
      );
      const names = Object.values(schema.getTypeMap()).flatMap((type) => (isObjectType(type) ? type.name : []));
      const measured = random.pick(names);
      const measure = analyzer(options)
        .compile(document)
        .measure((at) => at.startsWith(`${measured}.`));
      const estimate = bound.estimate();
      const plan = analyzer(options).compile(document);
      const amounts = AMOUNTS.map((amount) => plan.measure((at) => at.startsWith(`${measured}.`), amount));
      const wholes = AMOUNTS.map((amount) => plan.measure('OPERATION', amount));
      const actual = bound.actual(data, [measure, ...amounts, ...wholes], { fieldSums: true });
      const all = `${JSON.stringify(data)}\n${context}`;
      expect(actual.cost, all).toBeLessThanOrEqual(estimate.cost);
      expect(actual.typeCost, all).toBeLessThanOrEqual(estimate.typeCost);
      expect(actual.fieldCost, all).toBeLessThanOrEqual(estimate.fieldCost);
      for (const [index, one] of [measure, ...amounts, ...wholes].entries()) {
        expect(actual.measures[index]!.cost, all).toBeLessThanOrEqual(bound.measure(one).cost);
      }
      const numbersOf = ({ cost, nodes, typeCost, fieldCost }: CostEstimate) => [cost, nodes, typeCost, fieldCost];
      expect(
        actual.measures.slice(-AMOUNTS.length).map(({ cost }) => cost),
        all,
      ).toEqual(numbersOf(actual));
      expect(
        wholes.map((one) => bound.measure(one).cost),
        all,
      ).toEqual(numbersOf(estimate));
      const most = bound.measure(measure);
      expect(actual.measures[0]!.cost, all).toBeLessThanOrEqual(most.cost);
      expect(actual.measures[0]!.calls, all).toBeLessThanOrEqual(most.calls);
      const promised = new Map(estimate.fields.map((field) => [field.coordinate, field]));
      for (const field of actual.fields) {
        expect(field.calls, `${field.coordinate}\n${all}`).toBeLessThanOrEqual(
          promised.get(field.coordinate)?.calls ?? -1,
        );
      }
      expect(listOf(actual.fieldSums!), all).toEqual(byCoordinate(actual.fields));
      compared++;
    });
    expect(compared).toBeGreaterThan(250);
  });

  it('the actual cost and node count equal those of the reference if the response contains all types', () => {
    const compared = { cost: 0, nodes: 0 };
    forEachCase(25, ({ schema, document: plain, variables, random, analyzer, context }) => {
      const document = withTypenames(plain);
      const options = { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 };
      const bound = outcome(() => analyzer(options).compile(document).bind(variables));
      if (typeof bound === 'string') return;
      const { data } = executeOnRandomData(random, { schema, document, variables }, TOKENS);
      const actual = bound.actual(data);
      // A negative cost below a field counts as zero. The engine applies this rule per path, and
      // the reference applies it per call, so their costs can differ.
      const takesOff = /type \w+[^{]*weight: "-/.test(context) || /(scalar|enum) \w+ @cost\(weight: "-/.test(context);
      for (const [amount, profile] of [
        ['cost', 'tokens'],
        ['nodes', 'nodes'],
      ] as const) {
        if (amount === 'cost' && takesOff) continue;
        const reference = createReference({ schema, document, variables }, { ...TOKENS, profile });
        const expected = toTokens(reference.actual(data ?? null));
        expect(actual[amount], `${amount} of ${JSON.stringify(data)}\n${context}`).toBe(expected);
        compared[amount]++;
      }
    });
    expect(compared.cost).toBeGreaterThan(100);
    expect(compared.nodes).toBeGreaterThan(100);
  }, 400_000);
});

const schema = buildSchema(`
  directive @cost(weight: String!) on FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
  scalar Money @cost(weight: "3")
  type Query { items(first: Int): [Item] @listSize(slicingArguments: ["first"]) item: Item grid: [[Item]] prices: [Money] things: [Thing] }
  type Item { name: String price: Int @cost(weight: "2") maker: Maker }
  type Maker @cost(weight: "5") { name: String }
  type Book { title: String pages: Int @cost(weight: "4") crew(first: Int!): [Item!]! @cost(weight: "5") @listSize(slicingArguments: ["first"]) }
  type Film { title: String minutes: Int @cost(weight: "9") crew(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]) }
  union Thing = Book | Film
`);
const analyzer = createCostAnalyzer(schema, { minimumCost: 0 });
const actual = (query: string, data: unknown) => analyzer.compile(parse(query)).actual({}, data);

describe('the actual cost of a response', () => {
  it('the actual cost does not depend on responses that the plan counted before', () => {
    let compared = 0;
    forEachCase(5, ({ schema, document, variables, random, context }) => {
      const analyzer = createCostAnalyzer(schema, { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 });
      const bound = outcome(() => analyzer.compile(document).bind(variables));
      if (typeof bound === 'string') return;
      const everything = analyzer.compile(document).measure(() => true);
      const responses = [0, 1, 2].map(() => executeOnRandomData(random, { schema, document, variables }, TOKENS).data);
      const costs = responses.map((data) => bound.actual(data, [everything], { fieldSums: true }));
      const fresh = responses.map((data) => {
        const plan = createCostAnalyzer(schema, { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 }).compile(
          document,
        );
        return plan.actual(variables, data, [plan.measure(() => true)]);
      });
      const numbers = (all: typeof costs) =>
        all.map(({ cost, typeCost, fieldCost, fields, measures }) => ({ cost, typeCost, fieldCost, fields, measures }));
      expect(numbers(costs), context).toEqual(numbers(fresh));
      const sums = costs.map(({ fieldSums }) => listOf(fieldSums!));
      expect(sums, context).toEqual(fresh.map(({ fields }) => byCoordinate(fields)));
      compared++;
    });
    expect(compared).toBeGreaterThan(200);
  });

  it('the actual cost does not depend on the variables or the data of responses that the plan counted before', () => {
    let compared = 0;
    forEachCase(10, ({ schema, document, variables, random, context }) => {
      const compile = () =>
        createCostAnalyzer(schema, { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 }).compile(document);
      const others = Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, typeof value === 'boolean' ? !value : value]),
      );
      const plan = compile();
      const [bound, before] = [variables, others].map((each) => outcome(() => plan.bind(each)));
      if (typeof bound !== 'object' || typeof before !== 'object') return;
      const earlier = executeOnRandomData(random, { schema, document, variables: others }, TOKENS).data;
      before.actual(random.pick([null, {}, emptied(earlier), earlier]));
      const { data } = executeOnRandomData(random, { schema, document, variables }, TOKENS);
      expect(bound.actual(data).cost, context).toBe(compile().actual(variables, data).cost);
      compared++;
    });
    expect(compared).toBeGreaterThan(400);
  });

  it('the actual cost counts fields that a variable includes, also after a response without such fields', () => {
    const query = parse(
      'query ($n: Int, $on: Boolean = true) { items(first: $n) { price maker @include(if: $on) { name } } }',
    );
    const data = { items: [{ price: 1, maker: { name: 'x' } }] };
    const cost = analyzer.compile(query).actual({ n: 1 }, data).cost;
    expect(cost).toBeGreaterThan(analyzer.compile(query).actual({ n: 1, on: false }, data).cost);
    for (const nothing of [null, undefined, {}, { items: null }, { items: [] }]) {
      const plan = createCostAnalyzer(schema, { minimumCost: 0 }).compile(query);
      plan.actual({ n: 0, on: false }, nothing);
      expect(plan.actual({ n: 1 }, data).cost, JSON.stringify(nothing)).toBe(cost);
    }
  });

  it('the fields of the actual cost keep one order, regardless of an earlier response', () => {
    const query = '{ items(first: 1) { price } item { maker { name } price } }';
    const later = { items: null, item: { maker: { name: 'x' }, price: 1 } };
    const plan = analyzer.compile(parse(query));
    plan.actual({}, { items: [{ price: 1 }], item: null });
    expect(plan.actual({}, later).fields).toEqual(actual(query, later).fields);
  });

  it('the actual cost counts the returned items, not the estimated ones', () => {
    const query = '{ items(first: 10) { price maker { name } } }';
    expect(actual(query, { items: [{ price: 1, maker: { name: 'x' } }] }).cost).toBe(8);
    expect(analyzer.compile(parse(query)).estimate().cost).toBe(80);
  });

  it('the actual cost exceeds the estimate if a list is longer than its declared size', () => {
    expect(actual('{ items(first: 1) { name } }', { items: [{}, {}, {}] }).cost).toBe(3);
  });

  it('the actual cost includes the call of a field that returned null, and nothing below it', () => {
    const item = { price: null, maker: null };
    expect(actual('{ items(first: 3) { price maker { name } } }', { items: [item, null, item] }).cost).toBe(6);
  });

  it('the actual cost does not count fields that are absent from the response', () => {
    expect(actual('{ item { name price maker { name } } }', { item: { name: 'x' } }).cost).toBe(1);
  });

  it('the actual cost is the cost of the root alone if the response has no data', () => {
    expect(actual('{ item { name } }', null).cost).toBe(0);
    expect(actual('{ item { name } }', undefined).cost).toBe(0);
    expect(createCostAnalyzer(schema).compile(parse('{ item { name } }')).actual({}, null).cost).toBe(1);
  });

  it('the actual cost counts every level of nested lists, and lists of scalars with a weight', () => {
    expect(actual('{ grid { name } }', { grid: [[{}, {}], null, [{}]] }).cost).toBe(3);
    expect(actual('{ prices }', { prices: ['1', null, '2'] }).cost).toBe(6);
  });

  it('the actual cost distinguishes types by the returned fields', () => {
    const query = '{ things { ... on Book { pages } ... on Film { minutes } } }';
    expect(actual(query, { things: [{ pages: 1 }, { minutes: 1 }, { pages: 2 }] }).cost).toBe(3 + 4 + 9 + 4);
  });

  it('the actual cost distinguishes types by __typename under any alias', () => {
    const query = '{ things { kind: __typename ... on Book { n: pages } ... on Film { n: minutes } } }';
    expect(
      actual(query, {
        things: [
          { kind: 'Book', n: 1 },
          { kind: 'Film', n: 1 },
        ],
      }).cost,
    ).toBe(2 + 4 + 9);
  });

  it('an object of ambiguous type costs as much as its most expensive possible type, in any fragment order', () => {
    const things = [{ n: 1 }, { n: null }];
    for (const fragments of [
      '... on Book { n: pages } ... on Film { n: minutes }',
      '... on Film { n: minutes } ... on Book { n: pages }',
    ]) {
      expect(actual(`{ things { ${fragments} } }`, { things }).cost).toBe(2 + 9 + 9);
    }
  });

  it('an object of ambiguous type costs the maximum over its types, and at most its estimate', () => {
    const plan = analyzer.compile(
      parse(
        'query ($a: Int!, $b: Int!) { things { ... on Book { crew(first: $a) { name } } ... on Film { crew(first: $b) { name } } } }',
      ),
    );
    const data = (length: number) => ({ things: [{ crew: Array.from({ length }, () => ({ name: 'x' })) }] });
    expect(plan.actual({ a: 9, b: 1 }, data(1)).cost).toBe(1 + 5 + 1);
    // A Book costs a call of 5 in addition to the crew, and a Film costs only the crew. A
    // caller who selects both crews under one name gets no refund of the difference.
    expect(plan.actual({ a: 1, b: 99 }, data(1)).cost).toBe(1 + 5 + 1);
    expect(plan.actual({ a: 1, b: 99 }, data(50)).cost).toBe(1 + 5 + 50);
    expect(plan.actual({ a: 1, b: 99 }, data(99)).cost).toBe(1 + 99);
    expect(plan.actual({ a: 9, b: 1 }, data(1)).cost).toBe(1 + 5 + 1);
    expect(plan.actual({ a: 1, b: 1 }, data(3)).cost).toBe(1 + 5 + 1);
  });

  it('an object of ambiguous type counts in full for the limits on fields of each possible type', () => {
    const query = '{ things { ... on Book { n: pages } ... on Film { n: minutes } } }';
    const plan = analyzer.compile(parse(query));
    const measures = ['Book.pages', 'Film.minutes'].map((at) => plan.measure((each) => each === at));
    expect(plan.actual({}, { things: [{ n: 1 }, { n: 2 }] }, measures).measures).toEqual([
      { cost: 8, calls: 2 },
      { cost: 18, calls: 2 },
    ]);
  });

  it('a caller cannot disguise a cheap type as an expensive one, nor an expensive one as a cheap one', () => {
    const own = createCostAnalyzer(
      buildSchema(`
        directive @cost(weight: String!) on OBJECT
        directive @listSize(assumedSize: Int, slicingArguments: [String!]) on FIELD_DEFINITION
        interface R { n: Int }
        type A implements R { n: Int x: [Expensive] @listSize(assumedSize: 1) }
        type B implements R { n: Int y(first: Int): [Cheap] @listSize(slicingArguments: ["first"]) }
        type Expensive @cost(weight: "100") { k: Int }
        type Cheap { k: Int }
        type Query { r: R }
      `),
      { minimumCost: 0 },
    ).compile(parse('{ r { ... on A { a: x { k } } ... on B { a: y(first: 10) { k } } } }'));
    expect(own.estimate().cost).toBe(101);
    expect(own.actual({}, { r: { a: Array.from({ length: 10 }, () => ({ k: 1 })) } }).cost).toBe(101);
    expect(own.actual({}, { r: { a: [{ k: 1 }] } }).cost).toBe(101);
    expect(own.actual({}, { r: { a: [] } }).cost).toBe(1);
  });

  it('objects of ambiguous type have the same prices in whatever order the amounts are requested', () => {
    const own = createCostAnalyzer(
      buildSchema(`${costTypeDefs}
        interface N { id: Int }
        type P implements N { id: Int p: N }
        type Q implements N { id: Int q: N }
        type Query { all: [N] @listSize(assumedSize: 6000) }
      `),
      { minimumCost: 0 },
    ).compile(parse('{ all { ... on P { c: p { id } } ... on Q { c: q { id } } } }'));
    const data = { all: Array.from({ length: 6000 }, () => ({ c: null })) };
    const amounts = ['NODES', 'TYPE_COST', 'FIELD_COST', 'COST'] as const;
    const measures = amounts.map((amount) => own.measure('OPERATION', amount));
    const { cost, nodes, typeCost, fieldCost, ...actual } = own.actual({}, data, measures);
    expect([cost, nodes, typeCost, fieldCost]).toEqual([6000, 6000, 6001, 6001]);
    expect(actual.measures.map((each) => each.cost)).toEqual([6000, 6001, 6001, 6000]);
  });

  it('nested objects of ambiguous type are priced in few steps and within their bounds', async () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'id' : `... on P { c: p { ${nested(depth - 1)} } } ... on Q { c: q { ${nested(depth - 1)} } }`;
    const own = createCostAnalyzer(
      buildSchema(
        'interface N { id: Int } type P implements N { id: Int p: N } type Q implements N { id: Int q: N } type Query { n: N }',
      ),
      { minimumCost: 0 },
    ).compile(parse(`{ n { ${nested(9)} } }`));
    let data: object = { id: 1 };
    for (let depth = 0; depth < 9; depth++) data = { c: data };
    expect(own.actual({}, { n: data }).cost).toBe(own.estimate().cost);
    // The document has 1,023 fields `p` and `q`.
    const steps = await countCalls(async () => own.actual({}, { n: data }));
    expect(steps).toBeLessThan(100 * 1023);
  });

  it('a limit on different fields of two types counts each object by its own type', () => {
    const own = createCostAnalyzer(
      buildSchema(`
        directive @listSize(assumedSize: Int) on FIELD_DEFINITION
        interface I { f: [K] @listSize(assumedSize: 10) g: [K] @listSize(assumedSize: 10) }
        type A implements I { f: [K] g: [K] }
        type B implements I { f: [K] g: [K] }
        type K { x: Int }
        type Query { is: [I] @listSize(assumedSize: 2) }
      `),
      { minimumCost: 0 },
    ).compile(parse('{ is { __typename f { x } g { x } } }'));
    const measure = own.measure((at) => at === 'A.f' || at === 'B.g');
    const ten = Array.from({ length: 10 }, () => ({ x: 1 }));
    const data = {
      is: [
        { __typename: 'A', f: ten, g: [] },
        { __typename: 'B', f: [], g: ten },
      ],
    };
    expect(own.actual({}, data, [measure]).measures).toEqual([{ cost: 20, calls: 2 }]);
    expect(measure.estimate()).toEqual({ cost: 20, calls: 2 });
  });

  it('several measures are returned in the requested order', () => {
    const plan = analyzer.compile(parse('{ items(first: 2) { price maker { name } } }'));
    const measures = ['Item.maker', 'Query.items', 'Maker.name', 'Item.none'].map((at) =>
      plan.measure((each) => each === at),
    );
    const data = {
      items: [
        { price: 1, maker: { name: 'x' } },
        { price: 1, maker: null },
      ],
    };
    expect(plan.actual({}, data, measures).measures).toEqual([
      { cost: 5, calls: 2 },
      { cost: 11, calls: 1 },
      { cost: 0, calls: 1 },
      { cost: 0, calls: 0 },
    ]);
  });

  it('the actual cost lists the called fields with their own cost', () => {
    const { fields } = actual('{ items(first: 9) { price maker { name } } }', {
      items: [{ price: 1, maker: { name: '' } }],
    });
    expect(fields).toEqual([
      { coordinate: 'Query.items', calls: 1, cost: 1 },
      { coordinate: 'Item.price', calls: 1, cost: 2 },
      { coordinate: 'Item.maker', calls: 1, cost: 5 },
      { coordinate: 'Maker.name', calls: 1, cost: 0 },
    ]);
  });

  it('response names such as __proto__ and toString count only where the response contains them', () => {
    const query = '{ __proto__: item { toString: maker { name } constructor: price } }';
    expect(actual(query, JSON.parse('{ "__proto__": { "toString": { "name": "x" } } }')).cost).toBe(1 + 5);
    expect(actual(query, {}).cost).toBe(0);
  });
});

/** Returns the fields that were called, ordered by coordinate. */
function listOf({ coordinates, calls, costs }: FieldSums): FieldCost[] {
  const all = coordinates.map((coordinate, i) => ({ coordinate, calls: calls[i]!, cost: costs[i]! }));
  return byCoordinate(all.filter((field) => field.calls > 0));
}

function byCoordinate(fields: readonly FieldCost[]): FieldCost[] {
  return [...fields].sort((a, b) => (a.coordinate < b.coordinate ? -1 : 1));
}

/** Returns the same response with every list empty. */
function emptied(data: unknown): unknown {
  if (Array.isArray(data)) return [];
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, emptied(value)]));
}
