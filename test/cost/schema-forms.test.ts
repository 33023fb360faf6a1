import { buildSchema, type GraphQLSchema, introspectionFromSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { parseSchema } from '../../src/cost/schema/parse-schema.js';

const LINK =
  'directive @link(url: String, as: String, for: P, import: [I]) repeatable on SCHEMA scalar I enum P { EXECUTION }';
const ON = 'on ARGUMENT_DEFINITION | ENUM | ENUM_VALUE | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR';
const definitions = (cost: string, listSize: string) => `
  directive @${cost}(weight: Int, complexity: Int, multipliers: [String!]) repeatable ${ON}
  directive @${listSize}(assumedSize: Int, slicingArguments: [String!], slicingArgumentDefaultValue: Int,
    sizedFields: [String!], requireOneSlicingArgument: Boolean, maximum: Int) repeatable on FIELD_DEFINITION
`;

const priceOf = (schema: GraphQLSchema, query: string) =>
  createCostAnalyzer(schema, { minimumCost: 0 }).compile(parse(query)).estimate().cost;
const warningsOf = (schema: GraphQLSchema) =>
  createCostAnalyzer(schema)
    .check()
    .map(({ severity, coordinate, message }) => `${severity} ${coordinate}: ${message}`);

describe('annotations of a federated graph', () => {
  const url = 'https://specs.apollo.dev/federation/v2.9';
  it.each([
    ['imported from federation', 'import: ["@key", "@cost", "@listSize"]', 'cost', 'listSize'],
    [
      'imported under other names',
      'import: [{ name: "@cost", as: "@price" }, { name: "@listSize", as: "@long" }]',
      'price',
      'long',
    ],
    ['in its namespace', 'import: ["@key"]', 'federation__cost', 'federation__listSize'],
    ['in a namespace of their own', 'as: "fed"', 'fed__cost', 'fed__listSize'],
  ])('annotations of a subgraph are read if they are %s', (_, how, cost, listSize) => {
    const schema = buildSchema(`
      extend schema @link(url: "${url}", ${how}) ${LINK} ${definitions(cost, listSize)}
      type Query { all: [Item!] @${listSize}(assumedSize: 6) @${cost}(weight: 4) } type Item { id: ID }
    `);
    expect(priceOf(schema, '{ all { id } }')).toBe(4 + 6);
    expect(warningsOf(schema)).toEqual([]);
  });

  it('annotations of a supergraph are read under the names that its link to the cost specification gives', () => {
    const schema = buildSchema(`
      schema
        @link(url: "https://specs.apollo.dev/link/v1.0")
        @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)
        @link(url: "https://specs.apollo.dev/cost/v0.1", import: [{ name: "@cost", as: "@federation__cost" }, { name: "@listSize", as: "@federation__listSize" }])
      { query: Query }
      ${LINK} ${definitions('federation__cost', 'federation__listSize')}
      directive @join__directive(graphs: [join__Graph!], name: String!, args: join__Args) repeatable on OBJECT | FIELD_DEFINITION
      directive @join__field(graph: join__Graph, requires: join__Fields, external: Boolean) repeatable on FIELD_DEFINITION
      directive @join__graph(name: String!, url: String!) on ENUM_VALUE
      directive @join__type(graph: join__Graph!, key: join__Fields) repeatable on OBJECT | INTERFACE | ENUM | SCALAR
      scalar join__Args
      scalar join__Fields
      enum join__Graph { SHOP @join__graph(name: "shop", url: "http://shop") STOCK @join__graph(name: "stock", url: "http://stock") }
      type Query @join__type(graph: SHOP) @join__type(graph: STOCK) {
        products(first: Int): [Product!]! @join__field(graph: SHOP) @federation__listSize(slicingArguments: ["first"], assumedSize: 7)
        top: [Product!] @join__directive(graphs: [STOCK], name: "listSize", args: { assumedSize: 5 })
      }
      type Product @join__type(graph: SHOP, key: "id") @join__type(graph: STOCK, key: "id") {
        id: ID! @join__field(graph: SHOP)
        stock: Int @join__field(graph: STOCK, requires: "id") @federation__cost(weight: 2)
      }
    `);
    expect(priceOf(schema, '{ products { id stock } }')).toBe(7 * (1 + 2));
    expect(priceOf(schema, '{ products(first: 2) { stock } }')).toBe(2 * (1 + 2));
    expect(warningsOf(schema)).toEqual([
      expect.stringMatching(/^warning Query\.top: this list has no known size/),
      'warning Query.top: @listSize inside @join__directive is ignored: write @cost and @listSize, or price it in an overlay',
    ]);
  });
});

describe('schema files of subgraphs', () => {
  const link = `@link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", { name: "@cost", as: "@price" }, "@listSize"])`;
  const types = (query = 'type') => `
    ${query} Query { products(first: Int): [Product!]! @listSize(slicingArguments: ["first"], assumedSize: 7) }
    type Product @key(fields: "id") @federation__shareable { id: ID!, stock: Int @price(weight: 2) }
  `;

  it.each([
    ['schema', `schema ${link} { query: Query } ${types()}`],
    ['extend schema', `extend schema ${link} ${types()}`],
    ['extend type Query', `extend schema ${link} ${types('extend type')}`],
  ])('the schema file of a subgraph with `%s` needs no definitions of its imports', (_, sdl) => {
    const { schema } = parseSchema(sdl);
    expect(priceOf(schema, '{ products { id stock } }')).toBe(7 * (1 + 2));
    expect(warningsOf(schema)).toEqual([]);
  });

  it.each([
    'listSizes',
    'list_size',
    'csot',
    'Complexity',
  ])('a subgraph with the unknown directive @%s is rejected, because it may be a misspelt price', (name) => {
    const sdl = `extend schema ${link} ${types().replace('@key', `@${name}`)}`;
    expect(() => parseSchema(sdl)).toThrow(`Unknown directive "@${name}". Did you mean`);
  });
});

describe('schemas without the definitions that their server adds', () => {
  const messagesOf = (sdl: string) => parseSchema(sdl).warnings.map(({ line, message }) => `${line}: ${message}`);

  it.each([
    [
      'AppSync',
      `type Query { posts(first: Int, at: AWSDateTime): [Post!] @aws_auth(cognito_groups: ["a"]) @listSize(slicingArguments: ["first"]) }
       type Post @aws_api_key @aws_iam { id: ID!, at: AWSDateTime, json: AWSJSON }`,
      [
        '1: ignored directives that the schema does not define: @aws_auth, @aws_api_key, @aws_iam',
        '1: types that the schema does not define count as scalars: AWSDateTime, AWSJSON',
      ],
      7,
    ],
    [
      'Dgraph',
      `type Query { posts(first: Int): [Post!] @cascade @listSize(slicingArguments: ["first"]) }
       type Post { id: ID! @id @search(by: [hash]), at: DateTime, score: Int64 @search }`,
      [
        '1: ignored directives that the schema does not define: @cascade, @id, @search',
        '2: types that the schema does not define count as scalars: DateTime, Int64',
      ],
      7,
    ],
    [
      'a subgraph without its link',
      'type Query { posts(first: Int): [Post!] @listSize(slicingArguments: ["first"]) } type Post @key(fields: "id") { id: ID! @shareable }',
      ['1: ignored directives that the schema does not define: @key, @shareable'],
      7,
    ],
  ])('a schema with undefined directives and types gets one warning for each kind: %s', (_, sdl, warnings, price) => {
    expect(messagesOf(sdl)).toEqual(warnings);
    expect(priceOf(parseSchema(sdl).schema, '{ posts(first: 7) { id } }')).toBe(price);
  });

  it('a schema is rejected if an undefined type has a name similar to a defined one', () => {
    expect(() => parseSchema('type Query { item: Itme } type Item { id: ID }')).toThrow('Unknown type "Itme"');
  });

  it('a schema with a byte order mark is read, as SDL and as JSON', () => {
    const sdl = 'type Query { a: Int }';
    const json = JSON.stringify({ data: introspectionFromSchema(buildSchema(sdl)) });
    for (const text of [sdl, json]) expect(parseSchema(`\uFEFF${text}`).schema.getType('Query')).toBeDefined();
  });
});

describe('list sizes', () => {
  const schemaOf = (fields: string) =>
    buildSchema(`${definitions('cost', 'listSize')} type Query { ${fields} } type Item { id: ID }
      type Page { items: [Item] results: Results } type Results { page: [Item] }`);

  it('the largest of repeated list sizes counts, and a nested path in sizedFields sets the size of the nested list', () => {
    const schema = schemaOf(`
      repeated(first: Int, last: Int): [Item] @listSize(slicingArguments: ["first"]) @listSize(slicingArguments: ["last"])
      nested(first: Int): Page @listSize(slicingArguments: ["first"], sizedFields: ["items", "results { page }"])
    `);
    expect(priceOf(schema, '{ repeated(first: 2, last: 3) { id } }')).toBe(3);
    expect(priceOf(schema, '{ nested(first: 4) { results { page { id } } items { id } } }')).toBe(1 + 1 + 4 + 4);
  });

  it('slicingArgumentDefaultValue of Hot Chocolate is the size of a list without size arguments', () => {
    const schema = schemaOf(
      'all(first: Int): [Item] @listSize(assumedSize: 50, slicingArguments: ["first"], slicingArgumentDefaultValue: 5)',
    );
    expect(priceOf(schema, '{ all { id } }')).toBe(5);
    expect(priceOf(schema, '{ all(first: 9) { id } }')).toBe(9);
  });
});

describe('warnings of the schema check with coordinates', () => {
  const url = 'https://specs.apollo.dev/cost';
  it.each([
    [
      '@cost with the arguments of graphql-cost-analysis',
      '',
      'a: Int @cost(complexity: 5, multipliers: ["first"])',
      [
        'warning Query.a: @cost: ignored arguments: complexity, multipliers; expected weight, perElement',
        'warning Query.a: @cost has no weight and is ignored: expected @cost(weight: "5")',
      ],
    ],
    [
      'several weights on one element',
      '',
      'a: Int @cost(weight: 2) @cost(weight: 5)',
      ['warning Query.a: several @cost: only the first is used; write one'],
    ],
    [
      'an unknown argument of @listSize',
      '',
      'a: [Int] @listSize(assumedSize: 2, maximum: 9)',
      [
        'warning Query.a: @listSize: ignored arguments: maximum; expected assumedSize, slicingArguments, slicingArgumentDefaultValue, sizedFields, requireOneSlicingArgument',
      ],
    ],
    [
      'a namespace without a link',
      '',
      'a(b: Int @x__cost(weight: 2)): Int',
      [
        'warning Query.a(b:): @x__cost is ignored, because no @link imports it under this name: write @cost and @listSize, or price it in an overlay',
      ],
    ],
    [
      'a directive that a link renames',
      `@link(url: "${url}/v0.1", import: [{ name: "@cost", as: "@price" }])`,
      'a: Int @cost(weight: 2)',
      ['warning Query.a: @cost is ignored, because a @link renames it: write @price or @cost__cost'],
    ],
    [
      'a link without a version',
      `@link(url: "${url}", as: "x")`,
      'a: Int',
      [`warning schema: "${url}" is ignored: expected @link(url: "${url}/v0.1")`],
    ],
    [
      'a value of an enum',
      '',
      'a: Size',
      ['warning Size.LARGE: @cost on an enum value has no effect: put it on the enum'],
    ],
  ])('the schema check warns about %s', (form, link, field, warnings) => {
    const schema = buildSchema(`
      schema ${link} { query: Query } ${LINK} ${definitions('cost', 'listSize')} directive @x__cost(weight: Int) ${ON}
      type Query { ${field} } enum Size { SMALL LARGE ${form === 'a value of an enum' ? '@cost(weight: 3)' : ''} }
    `);
    expect(warningsOf(schema)).toEqual(warnings);
  });
});

it.each([
  'query A { a }',
  '{ a }',
  'fragment F on T { a }',
  'type Query { a: Int } mutation { b }',
])('a file of operations is rejected as a schema: %s', (text) => {
  expect(() => parseSchema(text)).toThrow('expected a schema, got operations or fragments');
});

it('broken JSON is reported as a JSON error', () => {
  expect(() => parseSchema('{ "data": ')).toThrow(/JSON/);
});
