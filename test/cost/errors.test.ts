import { buildSchema, isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { executeWithFailures, type FailedExecution } from './reference/failing-execution.js';
import { DEFAULT_LIST_SIZE, forEachCase, type GeneratedCase, outcome } from './reference/generated-cases.js';
import { createRandom } from './reference/random.js';
import { withTypenames } from './reference/random-response.js';
import { createReference, type ReferenceOptions } from './reference/reference-cost.js';

const TOKENS: ReferenceOptions = { profile: 'tokens', defaultListSize: DEFAULT_LIST_SIZE };

/**
 * Makes negative weights positive, because they give negative costs, and adds every form of
 * non-null lists.
 */
function strict(sdl: string): string {
  const forms = ['[[$1!]]', '[[$1!]!]', '[[$1]!]', '[[$1!]!]!', '[[$1]]'];
  const form = (name: string) => forms[(sdl.length + name.length) % forms.length]!;
  return sdl
    .replace(/weight: "-/g, 'weight: "')
    .replace(/^( +(\w+).*: )\[\[(\w+)\]\]/gm, (_, before: string, field: string, type: string) => {
      // A field must have the same type on an interface and on its implementations.
      return before + form(field).replace('$1', type);
    });
}

/** Executes generated operations with failures, and calls `check` for the results with errors. */
async function forEachFailure(
  schemas: number,
  check: (each: GeneratedCase & FailedExecution) => void,
): Promise<{ failures: number; wiped: number }> {
  const cases: (GeneratedCase & { seed: number })[] = [];
  forEachCase(
    schemas,
    (each) => cases.push({ ...each, document: withTypenames(each.document), seed: each.random.below(2 ** 31) }),
    strict,
  );
  let failures = 0;
  let wiped = 0;
  for (const each of cases) {
    const { schema, document, variables, analyzer, seed } = each;
    const options = { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 };
    if (typeof outcome(() => analyzer(options).compile(document).bind(variables)) === 'string') continue;
    const random = createRandom(seed);
    const failed = await executeWithFailures(random, { schema, document, variables }, TOKENS);
    if (failed.result.errors === undefined) continue;
    failures++;
    if (failed.result.data === null) wiped++;
    const context = `${JSON.stringify(failed.result)}\n${each.context}`;
    check({ ...each, ...failed, random, context });
  }
  return { failures, wiped };
}

describe('a response with errors', () => {
  it('is paid with at least what really ran, and at most the estimate, in cost and for every limit on fields', async () => {
    const { failures, wiped } = await forEachFailure(25, (each) => {
      const { schema, document, variables, random, analyzer, context, result, runs } = each;
      const plan = analyzer({ defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 }).compile(document);
      const bound = plan.bind(variables);
      const coordinates = Object.values(schema.getTypeMap()).flatMap((type) =>
        isObjectType(type) && !type.name.startsWith('__')
          ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)
          : [],
      );
      const chosen = new Set(random.some(coordinates, random.pick([0.05, 0.2, 0.5])));
      const measure = plan.measure((coordinate) => chosen.has(coordinate));
      const { errors } = result;
      const actual = bound.actual(result.data, [measure], { fieldSums: true, errors });
      const estimate = bound.estimate();

      const root = createReference({ schema, document, variables }, TOKENS).actual({});
      const ran = runs.reduce((sum, { price }) => sum + price, 0);
      expect(actual.cost, context).toBeGreaterThanOrEqual(root + ran);
      expect(actual.cost, context).toBeLessThanOrEqual(estimate.cost);
      expect(actual.typeCost, context).toBeLessThanOrEqual(estimate.typeCost);
      expect(actual.fieldCost, context).toBeLessThanOrEqual(estimate.fieldCost);

      const objects = runs.reduce((sum, { nodes }) => sum + nodes, 0);
      expect(actual.nodes, context).toBeGreaterThanOrEqual(objects);
      expect(actual.nodes, context).toBeLessThanOrEqual(estimate.nodes);

      const matching = runs.filter((run) => run.coordinates.some((coordinate) => chosen.has(coordinate)));
      const most = bound.measure(measure);
      const [measured] = actual.measures;
      expect(measured!.calls, context).toBeGreaterThanOrEqual(matching.length);
      expect(measured!.calls, context).toBeLessThanOrEqual(most.calls);
      expect(measured!.cost, context).toBeGreaterThanOrEqual(matching.reduce((sum, { price }) => sum + price, 0));
      expect(measured!.cost, context).toBeLessThanOrEqual(most.cost);

      const calls = actual.fieldSums!.calls.reduce((sum, each) => sum + each, 0);
      expect(calls, context).toBeGreaterThanOrEqual(runs.length);
      const promised = new Map(estimate.fields.map((field) => [field.coordinate, field]));
      for (const field of actual.fields) {
        expect(field.calls, context).toBeLessThanOrEqual(promised.get(field.coordinate)?.calls ?? -1);
      }
      // The same errors as JSON give the same result.
      const told = JSON.parse(JSON.stringify(errors)) as { path: (string | number)[] }[];
      expect(plan.actual(variables, JSON.parse(JSON.stringify(result.data)), [], told).cost).toBe(actual.cost);
    });
    expect(failures).toBeGreaterThan(500);
    expect(wiped).toBeGreaterThan(20);
  });
});

const schema = buildSchema(`
  directive @cost(weight: String!) on FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int, slicingArguments: [String!]) on FIELD_DEFINITION
  type Query { items(first: Int): [Item] @listSize(slicingArguments: ["first"]) all(first: Int): [Item!]! @listSize(slicingArguments: ["first"]) grid: [[Item!]] thing: Thing search: [Item] @cost(weight: "50") must: Int! free: String }
  type Mutation { write(text: String): Item @cost(weight: "5") fail: Item! }
  type Item { name: String next: Item! price: Int @cost(weight: "2") search: [Item] @cost(weight: "50") }
  type Dear @cost(weight: "20") { name: String }
  union Thing = Item | Dear
`);
const analyzer = createCostAnalyzer(schema, { defaultListSize: 4, minimumCost: 0 });

function paid(query: string, data: unknown, paths: ((string | number)[] | undefined)[], counted = 'Item.price') {
  const plan = analyzer.compile(parse(query));
  const measure = plan.measure((coordinate) => coordinate === counted);
  const { cost, measures, fields } = plan.actual(
    {},
    data,
    [measure],
    paths.map((path) => ({ path })),
  );
  return { cost, calls: measures[0]!.calls, fields, estimate: plan.estimate().cost };
}

describe('a position that an error made null', () => {
  it('is paid at its estimate, and what came beside it as it came', () => {
    const query = '{ items(first: 10) { price } some: items(first: 100) { price } }';
    const data = { items: null, some: [{ price: 1 }] };
    expect(paid(query, data, [['items', 3, 'price']])).toMatchObject({ cost: 30 + 3, calls: 10 + 1 });
    expect(paid(query, { items: null, some: [] }, [['items']])).toMatchObject({ cost: 30, calls: 10 });
  });

  it('is one item of a list where the null stands there', () => {
    const query = '{ items(first: 10) { next { price } } }';
    const item = { next: { price: 1 } };
    expect(paid(query, { items: [item, null, item] }, [['items', 1, 'next', 'price']])).toMatchObject({ cost: 12 });
    expect(paid(query, { items: [item, null, null] }, [['items', 1, 'next']])).toMatchObject({ cost: 8, calls: 2 });
  });

  it('is all that an inner list can hold where that is null', () => {
    const query = '{ grid { price } }';
    const data = { grid: [[{ price: 1 }], null, null] };
    expect(paid(query, data, [['grid', 1, 2]])).toMatchObject({ cost: 3 + 4 * 3, calls: 5 });
    expect(paid(query, { grid: null }, [['grid', 1, 2]])).toMatchObject({ cost: 48, calls: 16 });
  });

  it('is paid once, however many errors left it, and under its alias', () => {
    const query = '{ a: items(first: 5) { price } b: items(first: 7) { price } }';
    const data = { a: null, b: [] };
    const paths = [
      ['a', 0, 'price'],
      ['a', 1],
      ['a', 4, 'price'],
    ];
    expect(paid(query, data, paths)).toMatchObject({ cost: 15, calls: 5 });
  });

  it('counts with the most of each measure, whichever type was to come', () => {
    const query = '{ thing { ... on Item { price } ... on Dear { name } } }';
    expect(paid(query, { thing: null }, [['thing', 'name']])).toMatchObject({ cost: 20, calls: 1 });
  });

  it('leaves free what a resolver made null by itself', () => {
    const query = '{ a: items(first: 5) { price } b: items(first: 7) { price } free }';
    expect(paid(query, { a: null, b: null, free: null }, [['a'], ['free']])).toMatchObject({ cost: 15, calls: 5 });
  });

  it('is the whole operation where there is no data', () => {
    const query = 'mutation { a: write { price } b: write { price } fail { price } }';
    const whole = paid(query, null, [['fail']]);
    expect(whole).toMatchObject({ cost: whole.estimate, calls: 3 });
    expect(whole.fields.find(({ coordinate }) => coordinate === 'Mutation.write')?.calls).toBe(2);
    expect(paid(query, null, []).cost).toBe(10);
    expect(paid(query, undefined, [undefined]).cost).toBe(10);
  });

  it('may be anywhere where the error does not tell: then the estimate stands', () => {
    const query = '{ items(first: 10) { price } search { name } }';
    const data = { items: [], search: null };
    const { estimate } = paid(query, data, []);
    expect(paid(query, data, [])).toMatchObject({ cost: 50 });
    for (const path of [undefined, [], ['other'], ['items'], ['items', 0], ['items', 'length'], ['__proto__', 'x']]) {
      expect(paid(query, data, [['search'], path]), String(path)).toMatchObject({ cost: estimate, calls: 10 });
    }
  });

  it('never makes a number larger than the estimate, but a list that is longer than promised stays as it came', () => {
    const query = '{ items(first: 2) { next { price } } }';
    const item = { next: { price: 1 } };
    const { estimate } = paid(query, null, []);
    const nulls = Array.from({ length: 50 }, () => null);
    const paths = nulls.map((_, at) => ['items', at, 'next']);
    expect(paid(query, { items: nulls }, paths).cost).toBe(estimate);
    const long = Array.from({ length: 50 }, () => item);
    expect(paid(query, { items: [...long, null] }, [['items', 50, 'next']]).cost).toBe(200);
    expect(paid(query, { items: long }, [undefined]).cost).toBe(200);
  });
});
