import { readFileSync } from 'node:fs';
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { explanationTable } from '../../src/server/commands/cost/explanation-table.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const shop = buildSchema(`${directives}\n${readFileSync(new URL('../vectors/shop.graphql', import.meta.url), 'utf8')}`);
const compile = (query: string, options?: CostAnalyzerOptions) =>
  createCostAnalyzer(shop, { minimumCost: 0, ...options }).compile(parse(query));

describe('fields of an estimate', () => {
  it('the fields of an estimate have their calls and own cost, and add up to the total', () => {
    const estimate = compile('{ catalog(first: 3) { edges { node { id price } } totalCount } }').estimate();
    expect(estimate.fields).toEqual([
      { coordinate: 'Query.catalog', calls: 1, cost: 1 },
      { coordinate: 'ProductConnection.edges', calls: 1, cost: 3 },
      { coordinate: 'ProductEdge.node', calls: 3, cost: 3 },
      { coordinate: 'Product.id', calls: 3, cost: 0 },
      { coordinate: 'Product.price', calls: 3, cost: 6 },
      { coordinate: 'ProductConnection.totalCount', calls: 1, cost: 0 },
    ]);
    expect(estimate.fields.reduce((sum, field) => sum + field.cost, 0)).toBe(estimate.cost);
  });

  it('an estimate has one entry per coordinate for all aliases and levels', () => {
    const { fields } = compile('{ a: popular { price } b: popular { price } }').estimate();
    expect(fields).toEqual([
      { coordinate: 'Query.popular', calls: 2, cost: 10 },
      { coordinate: 'Product.price', calls: 10, cost: 20 },
    ]);
  });

  it('each type in an estimate has its own maximum if the types exclude each other', () => {
    const { fields } = compile('{ search(text: "x") { ... on Product { price } ... on Person { name } } }').estimate();
    expect(fields).toEqual([
      { coordinate: 'Query.search', calls: 1, cost: 15 },
      { coordinate: 'Product.price', calls: 2, cost: 4 },
      { coordinate: 'Person.name', calls: 2, cost: 0 },
    ]);
  });

  it('fields selected on an interface appear under the interface, without those that a condition excludes', () => {
    const plan = compile('query ($x: Boolean!) { featured { title ... on Book @include(if: $x) { pages } } }');
    const coordinates = (x: boolean) => plan.estimate({ x }).fields.map((field) => field.coordinate);
    expect(coordinates(true)).toEqual(['Query.featured', 'Media.title', 'Book.pages']);
    expect(coordinates(false)).toEqual(['Query.featured', 'Media.title']);
  });

  it.each([
    'query ($n: Int, $x: Boolean) { catalog(first: $n) { edges { node { id price } } } }',
    'query ($n: Int, $x: Boolean = false) { catalog(first: $n) { edges { node { id price @include(if: $x) } } } }',
  ])('the fields of an estimate depend only on the current variables: %s', (query) => {
    const plan = compile(query);
    for (const [n, x] of [
      [1, true],
      [7, false],
      [7, true],
      [1, false],
      [1, true],
      [7, true],
    ] as const) {
      expect(plan.estimate({ n, x }).fields).toEqual(compile(query).estimate({ n, x }).fields);
    }
  });

  it('requests that differ only in variables without an effect on the cost share one array of fields', () => {
    const plan = compile(
      'query ($n: Int, $text: String!) { catalog(first: $n) { edges { node { id } } } search(text: $text) { __typename } }',
    );
    const fieldsOf = (n: number, text: string) => plan.estimate({ n, text }).fields;
    expect(fieldsOf(5, 'a')).toEqual(fieldsOf(5, 'b'));
    expect(fieldsOf(5, 'c')).toBe(fieldsOf(5, 'd'));
    expect(fieldsOf(6, 'c')).not.toBe(fieldsOf(5, 'd'));
    // Many different values of `n` must not mix up the cached costs.
    for (let n = 1; n < 1000; n++) expect(fieldsOf(n, 'e')[1]!.cost).toBe(n);
  });

  it('the JSON of an estimate contains its fields', () => {
    expect(JSON.parse(JSON.stringify(compile('{ shop { name } }').estimate()))).toEqual({
      cost: 1,
      typeCost: 2,
      fieldCost: 1,
      fields: [
        { coordinate: 'Query.shop', calls: 1, cost: 1 },
        { coordinate: 'Shop.name', calls: 1, cost: 0 },
      ],
    });
  });
});

describe('measures', () => {
  const at =
    (...coordinates: string[]) =>
    (coordinate: string) =>
      coordinates.includes(coordinate);

  it('a measure counts the outermost matching fields with everything below them, once each', () => {
    const plan = compile('{ shop { owner { friends { friends { name } } } } }');
    expect(plan.measure(at('Person.friends')).estimate()).toEqual({ cost: 12, calls: 4 });
    expect(plan.measure(at('Shop.owner', 'Person.friends')).estimate()).toEqual({ cost: 13, calls: 5 });
    expect(plan.measure(() => true).estimate()).toEqual({ cost: 14, calls: 15 });
  });

  it('a measure of an interface counts its fields on every implementer, with any form of selection', () => {
    for (const query of ['{ featured { title } }', '{ featured { ... on Book { title } ... on Film { title } } }']) {
      expect(compile(query).measure(at('Media.title')).estimate()).toEqual({ cost: 2, calls: 1 });
      expect(compile(query).measure(at('Book.title')).estimate()).toEqual({ cost: 2, calls: 1 });
    }
  });

  it('a measure is the maximum over responses, not the sum over types', () => {
    const plan = compile('{ search(text: "x") { ... on Product { maker { name } } ... on Person { name } } }');
    expect(plan.measure(at('Product.maker', 'Person.name')).estimate()).toEqual({ cost: 10, calls: 2 });
  });

  it('a measure depends on the variables, which are coerced once for the measure and the estimate', () => {
    const plan = compile('query ($n: Int!) { products(first: $n) { reviews(first: 2) { stars } } }');
    const measure = plan.measure(at('Product.reviews'));
    const bound = plan.bind({ n: 4 });
    expect([bound.estimate().cost, bound.measure(measure)]).toEqual([12, { cost: 8, calls: 4 }]);
    expect(measure.estimate({ n: 1 })).toEqual({ cost: 2, calls: 1 });
  });
});

describe('explanations', () => {
  const query = `query ($first: Int!, $n: Int!, $on: Boolean!) {
    shop { products(first: $first) { price reviews(first: $n) { stars } maker @include(if: $on) { name } } }
    search(text: "x") { ... on Maker { name } ... on Product { price } }
  }`;
  const explanation = compile(query).explain({ first: 3, n: 2, on: true });

  it('the explanation contains the formula with open variables', () => {
    expect(explanation.formula).toBe('16 + $first * (3 + $n + 5 * [$on])');
    expect(compile('query ($a: Int, $b: Int) { products(first: $a, last: $b) { id } }').explain().formula).toBe(
      'max($a, $b)',
    );
    expect(compile('{ shop { name } }').explain().formula).toBe('1');
  });

  it('the explanation gives the cost and the source of the list size of every path', () => {
    const [shopField, search] = explanation.fields;
    const products = shopField!.fields[0]!;
    expect(products).toMatchObject({
      path: 'shop.products',
      coordinate: 'Shop.products',
      weight: 0,
      itemWeight: 1,
      multiplier: 3,
      multiplierFrom: { kind: 'variable', argument: 'first', variable: '$first' },
      calls: 1,
      ownCost: 3,
      cost: 30,
    });
    expect(search).toMatchObject({
      runtimeType: 'Maker',
      multiplierFrom: { kind: 'assumedSize' },
      ownCost: 15,
      cost: 15,
    });
    expect(explanation.cost).toBe(explanation.fields.reduce((sum, field) => sum + field.cost, explanation.rootCost));
    expect(explanation.mostExpensive.map(({ path, cost }) => [path, cost])).toEqual([
      ['shop.products.maker', 15],
      ['search', 15],
      ['shop.products.price', 6],
      ['shop.products.reviews', 6],
      ['shop.products', 3],
    ]);
  });

  it.each([
    ['{ products(first: 2) { id } }', { kind: 'literal', argument: 'first' }],
    ['{ products { id } }', { kind: 'default', argument: 'first' }],
    ['query ($n: Int) { products(first: $n) { id } }', { kind: 'default', argument: 'first' }],
    ['{ everything { id } }', { kind: 'fallback' }],
    ['{ popular { id } }', { kind: 'assumedSize' }],
    ['{ shop { name } }', { kind: 'single' }],
    [
      'query ($i: PageInput = { first: 2 }) { page(input: $i) { id } }',
      { kind: 'variable', argument: 'input.first', variable: '$i.first' },
    ],
  ])('the explanation of %s names the source of the multiplier', (text, source) => {
    expect(compile(text).explain().fields[0]!.multiplierFrom).toEqual(source);
  });

  it('the explanation shows that sized fields have the size of their page', () => {
    const { fields } = compile('{ catalog(first: 3) { edges { cursor } } }').explain();
    expect(fields[0]!.multiplierFrom).toEqual({ kind: 'single' });
    expect(fields[0]!.fields[0]).toMatchObject({
      multiplier: 3,
      multiplierFrom: { kind: 'literal', argument: 'first' },
    });
  });

  it('the explanation can be printed as a table', () => {
    const table = explanationTable(explanation);
    expect(table).toContain('cost 46 = 16 + $first * (3 + $n + 5 * [$on])');
    expect(table).toMatch(/ {2}products \(Shop\.products\) +0 +1 +3 first: \$first +1 +3 +30/);
    expect(table).toContain('search (Query.search, Maker)');
  });
});
