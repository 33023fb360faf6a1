import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { type OpenGateway, openGateway, serveUpstream, TYPES } from './gateway.js';

/** Returns the types of the API. The parameters are prices in the notation of one form. */
const api = ({ item = '', items = '', directives = '' }) => `
  type Query ${directives} { item: Item ${item}, items(first: Int!): [Item!]! ${items}, echo(value: String): String, any: Any }
  type Mutation { save: Item } type Item ${directives} { name: String }
  union Any = Cheap | Expensive
  type Cheap { list(first: Int!): [Item!]! } type Expensive { one: [Item!]! }
`;
const LINK =
  'directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA scalar link__Import enum link__Purpose { EXECUTION }';
const COST = 'directive @price(weight: Int) on FIELD_DEFINITION';
const LONG = 'directive @long(slicingArguments: [String!], assumedSize: Int) repeatable on FIELD_DEFINITION';
const introspection = introspectionFromSchema(buildSchema(TYPES));

/**
 * Forms of the schema, with the costs of `{ item { name } }` and `{ items(first: 4) { name } }`.
 */
const FORMS: [form: string, text: string, item: number, items: number][] = [
  ['SDL without definitions of the directives', api({ item: '@cost(weight: "7")' }), 8, 4],
  ['the JSON of an introspection query', JSON.stringify({ data: introspection }), 1, 4],
  ['the data of an introspection query', JSON.stringify(introspection), 1, 4],
  [
    'a supergraph',
    `schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)
       @link(url: "https://specs.apollo.dev/cost/v0.1", import: [{ name: "@cost", as: "@price" }, { name: "@listSize", as: "@long" }])
       { query: Query mutation: Mutation }
     ${LINK} ${COST} ${LONG}
     directive @join__type(graph: join__Graph!) repeatable on OBJECT
     directive @join__graph(name: String!, url: String!) on ENUM_VALUE
     enum join__Graph { SHOP @join__graph(name: "shop", url: "http://shop") }
     ${api({ item: '@price(weight: 20)', items: '@long(slicingArguments: ["first"]) @long(slicingArguments: ["first"])', directives: '@join__type(graph: SHOP)' })}`,
    21,
    4,
  ],
  [
    'a subgraph as its server prints it',
    `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@shareable"])
     ${api({ item: '@federation__cost(weight: 5)', directives: '@shareable' })}`,
    6,
    4,
  ],
  [
    'a file that defines a field twice',
    `${api({ item: '@cost(weight: "3")' })} extend type Query { item: Item }`,
    4,
    4,
  ],
];

let gateway: OpenGateway;
let schemaFile: string;
beforeAll(async () => {
  const upstream = await serveUpstream();
  schemaFile = join(mkdtempSync(join(tmpdir(), 'tollgate-forms-')), 'schema');
  writeFileSync(schemaFile, TYPES);
  gateway = await openGateway(upstream.url, { schemaFile });
});

it.each(
  FORMS,
)('a gateway prices and admits operations by each form of schema file: %s', async (form, text, item, items) => {
  writeFileSync(schemaFile, text);
  expect(await gateway.refreshSchema()).toMatchObject({ problems: [] });
  for (const [query, cost] of [
    ['{ item { name } }', item],
    ['{ items(first: 4) { name } }', items],
  ] as const) {
    const { status, body } = await gateway.ask(query);
    expect([status, body.extensions.cost.requestedQueryCost], `${form}: ${query}`).toEqual([200, cost]);
    expect(body.data).toBeDefined();
  }
  const warned = gateway.log.filter((line) => line.includes('is defined twice'));
  expect(warned).toHaveLength(form.includes('twice') ? 1 : 0);
});

it.each([
  ['incomplete JSON', '{"data": {"__schema"', /JSON/],
  ['an error response to introspection', '{"errors":[{"message":"introspection is off"}]}', /introspection is off/],
  ['HTML', '<html></html>', /Syntax Error/],
  ['an unknown type', api({}).replace('save: Item', 'save: Itme'), /Unknown type "Itme"/],
  ['no content', '', /Syntax Error: Unexpected <EOF>/],
])('a schema file with %s is rejected with the reason', async (_, text, message) => {
  writeFileSync(schemaFile, text);
  const { problems } = await gateway.refreshSchema();
  expect(problems).toEqual([expect.stringMatching(message)]);
  expect((await gateway.ask('{ items(first: 4) { name } }')).status).toBe(200);
});
