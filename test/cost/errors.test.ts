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
 * Makes negative weights positive, because they would cause negative costs. Also adds every form of
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

describe('responses with errors', () => {
  it('a response with errors costs at least what really ran and at most the estimate, for every limit on fields', async () => {
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
      const parsedErrors = JSON.parse(JSON.stringify(errors)) as { path: (string | number)[] }[];
      expect(plan.actual(variables, JSON.parse(JSON.stringify(result.data)), [], parsedErrors).cost).toBe(actual.cost);
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
  type Expensive @cost(weight: "20") { name: String }
  union Thing = Item | Expensive
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

describe('positions that an error made null', () => {
  it('a position that an error made null costs its estimate, and its siblings cost what was returned', () => {
    const query = '{ items(first: 10) { price } some: items(first: 100) { price } }';
    const data = { items: null, some: [{ price: 1 }] };
    expect(paid(query, data, [['items', 3, 'price']])).toMatchObject({ cost: 30 + 3, calls: 10 + 1 });
    expect(paid(query, { items: null, some: [] }, [['items']])).toMatchObject({ cost: 30, calls: 10 });
  });

  it('a list item that an error made null costs as much as one item', () => {
    const query = '{ items(first: 10) { next { price } } }';
    const item = { next: { price: 1 } };
    expect(paid(query, { items: [item, null, item] }, [['items', 1, 'next', 'price']])).toMatchObject({ cost: 12 });
    expect(paid(query, { items: [item, null, null] }, [['items', 1, 'next']])).toMatchObject({ cost: 8, calls: 2 });
  });

  it('an inner list that an error made null costs the maximum that it can hold', () => {
    const query = '{ grid { price } }';
    const data = { grid: [[{ price: 1 }], null, null] };
    expect(paid(query, data, [['grid', 1, 2]])).toMatchObject({ cost: 3 + 4 * 3, calls: 5 });
    expect(paid(query, { grid: null }, [['grid', 1, 2]])).toMatchObject({ cost: 48, calls: 16 });
  });

  it('a position that several errors made null is charged once, under its alias', () => {
    const query = '{ a: items(first: 5) { price } b: items(first: 7) { price } }';
    const data = { a: null, b: [] };
    const paths = [
      ['a', 0, 'price'],
      ['a', 1],
      ['a', 4, 'price'],
    ];
    expect(paid(query, data, paths)).toMatchObject({ cost: 15, calls: 5 });
  });

  it('a position that an error made null counts the maximum of each measure over its possible types', () => {
    const query = '{ thing { ... on Item { price } ... on Expensive { name } } }';
    expect(paid(query, { thing: null }, [['thing', 'name']])).toMatchObject({ cost: 20, calls: 1 });
  });

  it('a null that a resolver returned by itself is free', () => {
    const query = '{ a: items(first: 5) { price } b: items(first: 7) { price } free }';
    expect(paid(query, { a: null, b: null, free: null }, [['a'], ['free']])).toMatchObject({ cost: 15, calls: 5 });
  });

  it('the estimate of the whole operation is charged if the response has no data', () => {
    const query = 'mutation { a: write { price } b: write { price } fail { price } }';
    const whole = paid(query, null, [['fail']]);
    expect(whole).toMatchObject({ cost: whole.estimate, calls: 3 });
    expect(whole.fields.find(({ coordinate }) => coordinate === 'Mutation.write')?.calls).toBe(2);
    expect(paid(query, null, []).cost).toBe(10);
    expect(paid(query, undefined, [undefined]).cost).toBe(10);
  });

  it('the estimate is charged if the error does not determine which position it made null', () => {
    const query = '{ items(first: 10) { price } search { name } }';
    const data = { items: [], search: null };
    const { estimate } = paid(query, data, []);
    expect(paid(query, data, [])).toMatchObject({ cost: 50 });
    for (const path of [undefined, [], ['other'], ['items'], ['items', 0], ['items', 'length'], ['__proto__', 'x']]) {
      expect(paid(query, data, [['search'], path]), String(path)).toMatchObject({ cost: estimate, calls: 10 });
    }
  });

  it('errors never raise a cost above the estimate, but a list that is too long counts in full', () => {
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
