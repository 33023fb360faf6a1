import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type GraphQLSchema, graphql } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../../src/tollgate/create-tollgate.js';
import { useTollgate } from '../../../src/yoga/use-tollgate.js';
import type { YogaPlugin } from '../../../src/yoga/yoga-plugin.js';

// Tests the recipe of docs/integrations.md for a supergraph that Hive Gateway fetches at run time.

interface SupergraphGateway {
  // biome-ignore lint/suspicious/noExplicitAny: a parsed JSON response.
  ask(query: string): Promise<any>;
  fetchAgain(): void;
  close(): Promise<void>;
}

interface Hive {
  schemaOf(supergraphSdl: string): GraphQLSchema;
  openSupergraph(options: { supergraph(): string; plugins: object[] }): SupergraphGateway;
}

const subgraph = createServer(async (req, res) => {
  let text = '';
  for await (const chunk of req) text += chunk;
  const { query, variables } = JSON.parse(text);
  const many = (_: unknown, { first }: { first: number }) => Array.from({ length: first }, () => ({ name: 'x' }));
  const schema = makeExecutableSchema({
    typeDefs: 'type Query { items(first: Int!): [Item!]!, fresh(first: Int!): [Item!]! } type Item { name: String }',
    resolvers: { Query: { items: many, fresh: many } },
  });
  const answer = await graphql({ schema, source: query, variableValues: variables });
  res.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
});

/** Returns a supergraph in the form that composition writes. */
const supergraphOf = (weight: string, fields = '') => /* GraphQL */ `
  schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
    @link(url: "https://specs.apollo.dev/cost/v0.1", import: ["@cost"]) { query: Query }
  directive @cost(weight: ${weight.startsWith('"') ? 'String' : 'Int'}!) on FIELD_DEFINITION
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__type(graph: join__Graph!) repeatable on OBJECT
  directive @link(url: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
  scalar link__Import
  enum link__Purpose { SECURITY EXECUTION }
  enum join__Graph { SHOP @join__graph(name: "shop", url: "http://127.0.0.1:${(subgraph.address() as AddressInfo).port}/") }
  type Query @join__type(graph: SHOP) { items(first: Int!): [Item!]! ${fields} }
  type Item @join__type(graph: SHOP) { name: String @cost(weight: ${weight}) }
`;

const mistakes: unknown[] = [];
let supergraph: string;
let gateway: SupergraphGateway;
let tollgate: Tollgate;

beforeAll(async () => {
  const { openSupergraph, schemaOf } = (await import(fileURLToPath(new URL('hive.mjs', import.meta.url)))) as Hive;
  await new Promise<void>((resolve) => subgraph.listen(0, '127.0.0.1', resolve));
  supergraph = supergraphOf('5');
  tollgate = await createTollgate({
    schema: schemaOf(supergraph),
    identify: () => ({ user: 'ann' }),
    logger: { info() {}, warn() {}, error() {} },
  });
  let { protect } = tollgate;
  const followSchema = {
    onSchemaChange({ schema }: { schema: GraphQLSchema }) {
      try {
        protect = tollgate.protectWith({ schema });
      } catch (error) {
        mistakes.push(error);
      }
    },
  };
  const plugins: (YogaPlugin | typeof followSchema)[] = [
    followSchema,
    useTollgate({ protect: (request) => protect(request) }),
  ];
  gateway = openSupergraph({ supergraph: () => supergraph, plugins });
});

afterAll(async () => {
  await gateway.close();
  await tollgate.close();
  subgraph.closeAllConnections();
  subgraph.close();
});

const costOf = async (query: string) => {
  const { data, extensions } = await gateway.ask(query);
  const { requestedQueryCost, actualQueryCost } = extensions.cost;
  return { items: data?.items?.length ?? data?.fresh?.length, requestedQueryCost, actualQueryCost };
};

it('Hive Gateway prices by the subgraph annotations of the first supergraph and of each fetched one', async () => {
  const whole = { requestedQueryCost: 18, actualQueryCost: 18 };
  expect(await costOf('{ items(first: 3) { name } }')).toEqual({ items: 3, ...whole });
  expect((await gateway.ask('{ fresh(first: 2) { name } }')).errors[0].extensions.code).toBe(
    'GRAPHQL_VALIDATION_FAILED',
  );
  supergraph = supergraphOf('7', 'fresh(first: Int!): [Item!]!');
  gateway.fetchAgain();
  expect(await costOf('{ fresh(first: 2) { name } }')).toEqual({
    items: 2,
    requestedQueryCost: 16,
    actualQueryCost: 16,
  });
  expect(await costOf('{ items(first: 3) { name } }')).toEqual({
    items: 3,
    requestedQueryCost: 24,
    actualQueryCost: 24,
  });
});

it('Hive Gateway keeps the previous prices if the annotations of a new supergraph are invalid', async () => {
  supergraph = supergraphOf('"much"', 'newest(first: Int!): [Item!]!');
  gateway.fetchAgain();
  expect(await costOf('{ items(first: 3) { name } }')).toEqual({
    items: 3,
    requestedQueryCost: 24,
    actualQueryCost: 24,
  });
  expect(mistakes).toEqual([expect.objectContaining({ message: expect.stringContaining('Item.name: weight') })]);
  const { errors } = await gateway.ask('{ newest(first: 2) { name } }');
  expect(errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
});
