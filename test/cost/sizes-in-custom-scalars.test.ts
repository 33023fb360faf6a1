import { readFileSync } from 'node:fs';
import {
  buildClientSchema,
  buildSchema,
  type GraphQLScalarType,
  type GraphQLSchema,
  introspectionFromSchema,
  parse,
  print,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createManifestPrices } from '../../packages/client/src/manifest.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { MAX_COST } from '../../src/model/limit-parameters.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const TYPES = `
  scalar Long
  scalar Json
  enum PageSize { SMALL LARGE }
  input Page { limit: Long = 5 bySize: PageSize }
  type Query {
    items(first: Long): [Item]
    five(first: Long = 5): [Item]
    paged(input: Page): [Item]
    byText(size: String): [Item]
    bySize(size: PageSize): [Item]
    json(page: Json): [Item]
    byIds(ids: [Long!]): [Item]
  }
  type Item { id: ID }`;
const OVERLAY = {
  'Query.byText': { slicingArguments: ['size'] },
  'Query.bySize': { slicingArguments: ['size'], assumedSize: 7 },
  'Query.json': { slicingArguments: ['page.limit'] },
};
const owned = buildSchema(TYPES);
const foreign = buildClientSchema(introspectionFromSchema(owned));

const priceIn =
  (schema: GraphQLSchema, options: CostAnalyzerOptions = {}) =>
  (query: string, variables: Record<string, unknown> = {}) =>
    createCostAnalyzer(schema, { minimumCost: 0, overlay: OVERLAY, ...options })
      .compile(parse(query))
      .estimate(variables).cost;

const ODD: readonly (readonly [json: unknown, literal: string])[] = [
  [[4000], '[4000]'],
  [['4000'], '["4000"]'],
  [[[4000]], '[[4000]]'],
  ['4_000', '"4_000"'],
  ['4,000', '"4,000"'],
  ['4.000', '"4.000"'],
  ['\uff14\uff10\uff10\uff10', '"\uff14\uff10\uff10\uff10"'],
  ['\u0664\u0660\u0660\u0660', '"\u0664\u0660\u0660\u0660"'],
  ['0xfa0', '"0xfa0"'],
  ['4e3', '"4e3"'],
  [' 4000 ', '" 4000 "'],
  ['4000\n', '"4000\\n"'],
  ['4000L', '"4000L"'],
  ['', '""'],
  ['all', '"all"'],
  [true, 'true'],
  [false, 'false'],
  [{ value: 4000 }, '{ value: 4000 }'],
  [[], '[]'],
];

describe.each([
  ['of the API itself', owned],
  ['of an introspection, as the gateway has it', foreign],
])('sizes from custom scalars in the schema %s', (_, schema) => {
  const price = priceIn(schema);

  it.each(ODD)('the size is the maximum for %j, which is not a plain number', (json, literal) => {
    expect(price(`{ items(first: ${literal}) { id } }`)).toBe(MAX_COST);
    expect(price('query ($n: Long) { items(first: $n) { id } }', { n: json })).toBe(MAX_COST);
    expect(price(`query ($n: Long = ${literal}) { items(first: $n) { id } }`)).toBe(MAX_COST);
    expect(price('query ($n: Long) { five(first: $n) { id } }', { n: json })).toBe(MAX_COST);
    expect(price(`{ paged(input: { limit: ${literal} }) { id } }`)).toBe(MAX_COST);
    expect(price('query ($n: Long) { paged(input: { limit: $n }) { id } }', { n: json })).toBe(MAX_COST);
    expect(price('query ($in: Page) { paged(input: $in) { id } }', { in: { limit: json } })).toBe(MAX_COST);
    expect(price('query ($page: Json) { json(page: $page) { id } }', { page: { limit: json } })).toBe(MAX_COST);
  });

  it.each([
    [4000, '4000'],
    ['4000', '"4000"'],
    [4000, '4e3'],
    [3999.5, '3999.5'],
  ])('the size is 4000 for %j', (json, literal) => {
    expect(price(`{ items(first: ${literal}) { id } }`)).toBe(4000);
    expect(price('query ($n: Long) { items(first: $n) { id } }', { n: json })).toBe(4000);
    expect(price('query ($in: Page) { paged(input: $in) { id } }', { in: { limit: json } })).toBe(4000);
    expect(price('query ($page: Json) { json(page: $page) { id } }', { page: { limit: json } })).toBe(4000);
  });

  it('the size is the schema default if the argument is absent, and unknown if it is null', () => {
    expect(price('{ five { id } }')).toBe(5);
    expect(price('query ($n: Long) { five(first: $n) { id } }')).toBe(5);
    expect(price('{ five(first: null) { id } }')).toBe(10);
    expect(price('{ items { id } }')).toBe(10);
    expect(price('{ json(page: null) { id } }')).toBe(10);
    expect(price('{ json(page: {}) { id } }')).toBe(10);
  });

  it('the size is the maximum if the path of a slicing argument leads into a scalar that is not an object', () => {
    for (const page of [4000, '{"limit": 4000}', [{ limit: 4000 }], true]) {
      expect(price('query ($page: Json) { json(page: $page) { id } }', { page })).toBe(MAX_COST);
    }
  });

  it('the size is the maximum for a String that is not a plain number', () => {
    expect(price('{ byText(size: "4_000") { id } }')).toBe(MAX_COST);
    expect(price('{ byText(size: "4000") { id } }')).toBe(4000);
  });

  it('the size is the length of a list argument, whatever its items are', () => {
    expect(price('query ($ids: [Long!]) { byIds(ids: $ids) { id } }', { ids: ['a', [1], 4000] })).toBe(3);
    expect(price('{ byIds(ids: 4000) { id } }')).toBe(1);
  });

  it('the size of an enum argument is the assumed size, because the schema defines the values', () => {
    expect(price('{ bySize(size: LARGE) { id } }')).toBe(7);
  });
});

describe('sizes from the parser of a custom scalar', () => {
  it.each([
    [(): unknown => 4000n, 4000],
    [(): unknown => '4000', 4000],
    [(): unknown => '4_000', MAX_COST],
    [(): unknown => [4000], MAX_COST],
    [(): unknown => ({ low: 4000, high: 0 }), MAX_COST],
    [(): unknown => Number.NaN, MAX_COST],
    [(): unknown => Number.POSITIVE_INFINITY, MAX_COST],
  ])('a plain number from the parser is the size, and any other result gives the maximum size: %s', (parseValue, expected) => {
    const schema = buildSchema(TYPES);
    const long = schema.getType('Long') as GraphQLScalarType;
    // graphql 17 calls these two functions instead of parseValue and parseLiteral.
    const inputs = { coerceInputValue: parseValue, coerceInputLiteral: parseValue };
    Object.assign(long, { parseValue, parseLiteral: parseValue }, inputs);
    const price = priceIn(schema);
    expect(price('{ items(first: 1) { id } }')).toBe(expected);
    expect(price('query ($n: Long) { items(first: $n) { id } }', { n: 1 })).toBe(expected);
  });
});

it('multipliers of @complexity read custom scalars in the same way as slicing arguments', () => {
  const schema = buildSchema(`
    directive @complexity(value: Int!, multipliers: [String!]) on FIELD_DEFINITION
    scalar Long
    type Query { items(top: Long): [Item] @complexity(value: 0, multipliers: ["top"]) }
    type Item { id: ID }`);
  const price = priceIn(schema, { overlay: {} });
  expect(price('{ items(top: 4000) { id } }')).toBe(4000);
  expect(price('{ items(top: "4000") { id } }')).toBe(4000);
  for (const [json, literal] of ODD) {
    expect(price(`{ items(top: ${literal}) { id } }`), literal).toBe(MAX_COST);
    expect(price('query ($n: Long) { items(top: $n) { id } }', { n: json }), literal).toBe(MAX_COST);
  }
});

it('a client computes the same price as the server if a String gives the size of a list', () => {
  const analyzer = createCostAnalyzer(foreign, { minimumCost: 0, overlay: OVERLAY });
  const document = parse('query ($size: String) { byText(size: $size) { id } }');
  const { manifest } = analyzer.manifest([{ document }]);
  const priceOf = createManifestPrices(JSON.parse(JSON.stringify(manifest)));
  for (const size of ['4000', '-3', '4_000', '4e3', '0xfa0', ' 4000 ', '', null, undefined]) {
    const variables = { size };
    expect(priceOf({ document: print(document), variables }), `${size}`).toBe(
      analyzer.compile(document).estimate(variables).cost,
    );
  }
});

it('a maximum size rejects a value that is not a plain number', () => {
  const schema = buildSchema(`${directives} ${TYPES}`);
  const price = priceIn(schema, { overlay: { 'Query.items': { maxSize: 100 } } });
  expect(() => price('{ items(first: ["4000"]) { id } }')).toThrow(/100/);
});
