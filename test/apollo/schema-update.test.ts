import { ApolloServer } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { buildSchema, execute, type GraphQLSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

const FIRST = 'type Query { items(first: Int!): [Item!]! } type Item { name: String }';
const SECOND = FIRST.replace('{ items', '{ fresh(first: Int!): [Item!]!, items').replace(
  'name: String',
  'name: String, price: Int @cost(weight: "5")',
);
const WRONG = SECOND.replace('@cost(weight: "5")', '@cost(weight: "much")');
const COST =
  'directive @cost(weight: String!) on FIELD_DEFINITION directive @listSize(assumedSize: String) on FIELD_DEFINITION';

let executed = 0;
const many = (_: unknown, { first }: { first: number }) => {
  executed++;
  return Array.from({ length: first }, () => ({ name: 'x', price: 1 }));
};
const schemaOf = (sdl: string) =>
  makeExecutableSchema({
    typeDefs: [COST, sdl],
    resolvers: {
      Query: {
        items: many,
        ...(sdl.includes('fresh') && { fresh: many }),
        ...(sdl.includes('other') && { other: many }),
      },
    },
  });

/** Starts an Apollo Server whose `gateway` option passes each new schema to it. */
async function start(supergraph = FIRST, isGiven = false) {
  const errors: string[] = [];
  const warnings: string[] = [];
  let served = schemaOf(FIRST);
  let hand: (context: { apiSchema: GraphQLSchema; coreSupergraphSdl: string }) => void = () => {};
  const gateway = {
    onSchemaLoadOrUpdate(callback: typeof hand) {
      hand = callback;
      return () => {};
    },
    async load() {
      hand({ apiSchema: served, coreSupergraphSdl: supergraph });
      return {
        executor: async ({
          document,
          request,
        }: {
          document: ReturnType<typeof parse>;
          request: { variables?: object };
        }) => execute({ schema: served, document, variableValues: { ...request.variables } }),
      };
    },
    async stop() {},
  };
  const tollgate = await createTollgate({
    schema: isGiven ? buildSchema(supergraph) : served,
    identify: () => ({ user: 'ann' }),
    logger: {
      info() {},
      warn: (text) => void warnings.push(text as string),
      error: (_, text) => void errors.push(text as string),
    },
  });
  const server = new ApolloServer({ gateway: gateway as never, plugins: [tollgate.plugin()] });
  await server.start();
  return {
    errors,
    warnings,
    tollgate,
    update(sdl: string, changed = sdl) {
      served = schemaOf(sdl);
      hand({ apiSchema: served, coreSupergraphSdl: changed });
    },
    async ask(query: string) {
      const { body } = await server.executeOperation({ query }, { contextValue: {} });
      const { data, errors: denials, extensions } = body.kind === 'single' ? body.singleResult : {};
      const { requestedQueryCost } = extensions?.['cost'] as { requestedQueryCost: number };
      return { data, requestedQueryCost, code: denials?.[0]?.extensions?.['code'] };
    },
    async close() {
      await server.stop();
      await tollgate.close();
    },
  };
}

it('prices include the new fields of a schema from the moment the running server receives it', async () => {
  const { ask, update, close, tollgate, errors } = await start();
  expect(await ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 3 });
  update(SECOND);
  expect(await ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 3 });
  expect(await ask('{ items(first: 3) { price } }')).toMatchObject({ requestedQueryCost: 18 });
  const before = executed;
  const denied = await ask('{ fresh(first: 5000) { name } }');
  expect(denied).toMatchObject({ requestedQueryCost: 5000, code: 'MAX_COST_EXCEEDED' });
  expect(executed).toBe(before);
  const sent = { query: '{ fresh(first: 7) { name } }', variables: {}, operationName: undefined };
  expect(await tollgate.preview.previewOf({ as: { user: 'ann' }, ...sent })).toMatchObject({ requestedCost: 7 });
  update(FIRST);
  expect(await ask('{ items(first: 4) { name } }')).toMatchObject({ requestedQueryCost: 4 });
  expect(errors).toEqual([]);
  await close();
});

it('prices come from the supergraph annotations that the gateway omits from the served schema', async () => {
  const annotated = (weight: number | string) => `
    schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)
      @link(url: "https://specs.apollo.dev/cost/v0.1", import: ["@cost"]) { query: Query }
    directive @cost(weight: Int!) on FIELD_DEFINITION
    directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
    scalar link__Import
    enum link__Purpose { SECURITY EXECUTION }
    type Query { items(first: Int!): [Item!]! }
    type Item { name: String @cost(weight: ${weight}), hidden: String }
  `;
  const { ask, update, close, errors } = await start(annotated(5));
  expect(await ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 18 });
  update(FIRST, annotated(7));
  expect(await ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 24 });
  expect(await ask('{ items(first: 3) { hidden } }')).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
  expect(errors).toEqual([]);
  update(FIRST, annotated('"much"'));
  expect(await ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 24 });
  expect(errors).toEqual([expect.stringContaining('has mistakes in its prices')]);
  update(FIRST);
  expect(await ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 3 });
  await close();
});

it('a supergraph that equals the given schema is compiled only once, at the start', async () => {
  const supergraph = `schema { query: Query }
    directive @cost(weight: String!) on FIELD_DEFINITION
    type Query { items(first: Int!): [Item!]!, guessed: [Item!]! }
    type Item { name: String @cost(weight: "5"), hidden: String }`;
  const given = await start(supergraph, true);
  expect(await given.ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 18 });
  expect(given.warnings).toEqual([expect.stringContaining('Query.guessed')]);
  given.update(FIRST, supergraph.replace('5', '7'));
  expect(await given.ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 24 });
  await given.close();
  const unlike = await start(supergraph);
  expect(await unlike.ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 18 });
  await unlike.close();
});

it('the previous supergraph annotations apply, and a problem is reported, while the current ones are unreadable', async () => {
  const annotated = (price: number) => `
    type Query { items(first: Int!): [Item!]! gone(first: Int!): [Item!]! @cost(weight: "9") }
    type Item { name: String @cost(weight: "${price}"), hidden: String @cost(weight: "3") }
  `;
  const { ask, update, close, errors, tollgate } = await start(annotated(5));
  for (const unreadable of [
    `${annotated(7)} type {`,
    `${annotated(7)} type Item @nobodyHasDefinedThis { a: Nothing }`,
  ]) {
    update(FIRST.replace('{ items', '{ other(first: Int!): [Item!]!, items'), unreadable);
    expect(await ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 18 });
    expect(await ask('{ other(first: 2) { name } }')).toMatchObject({ requestedQueryCost: 12 });
    expect(tollgate.problems()).toEqual([expect.stringMatching(/^the supergraph in force cannot be read: \w/)]);
  }
  expect(errors).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('The supergraph of the server cannot be read')),
  );
  update(FIRST, annotated(7));
  expect(await ask('{ items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 24 });
  expect(tollgate.problems()).toEqual([]);
  await close();
});

it('previous prices apply, new fields get defaults, and a problem is reported, while a schema has invalid prices', async () => {
  const { ask, update, close, errors, tollgate } = await start();
  update(SECOND);
  for (const wrong of [WRONG, WRONG.replace('much', 'more')]) {
    update(wrong.replace('name: String', 'name: String, deep: [Item!]! @listSize(assumedSize: "few")'));
    expect(await ask('{ items(first: 3) { price } }')).toMatchObject({ requestedQueryCost: 18 });
    expect(await ask('{ items(first: 3) { name deep { deep { name } } } }')).toMatchObject({
      requestedQueryCost: 3 + 30 + 300,
    });
    expect(tollgate.problems()).toEqual([
      expect.stringMatching(/^the schema in force has mistakes in its prices: Item.* and 1 more$/),
    ]);
  }
  expect(errors).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('has mistakes in its prices')));
  update(FIRST.replace('{ items', '{ other(first: Int!): [Item!]! @cost(weight: "lots"), items'));
  expect(await ask('{ other(first: 5) { name } items(first: 3) { name } }')).toMatchObject({ requestedQueryCost: 8 });
  update(FIRST);
  expect(tollgate.problems()).toEqual([]);
  await close();
});
