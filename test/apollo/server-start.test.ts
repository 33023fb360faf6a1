import { ApolloServer } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

const SDL = 'type Query { items(first: Int): [Item] } type Item { name: String } union Any = Item';
const logger = { info() {}, warn() {}, error() {} };
const silent = { ...logger, debug() {} };
const protect = (schema: GraphQLSchema) => createTollgate({ schema, identify: () => ({ user: 'ann' }), logger });

async function start(served: GraphQLSchema, plugin: unknown): Promise<string> {
  const server = new ApolloServer({ schema: served, plugins: [plugin as object], logger: silent });
  return server.start().then(
    async () => {
      await server.stop();
      return 'started';
    },
    (error: Error) => error.message,
  );
}

it('a server does not start if its list of plugins contains tollgate.plugin without a call', async () => {
  const schema = buildSchema(SDL);
  const tollgate = await protect(schema);
  expect(await start(schema, tollgate.plugin)).toContain('expected tollgate.plugin(), got tollgate.plugin');
});

it.each([
  ['a type', `${SDL} type Other { a: Int }`, 'Other.a'],
  ['a field', SDL.replace('name: String', 'name: String, price: Int'), 'Item.price'],
  ['a list type', SDL.replace('name: String', 'name: [String]'), 'Item.name ([String], not String)'],
  ['an argument', SDL.replace('first: Int', 'first: Int, last: Int'), 'Query.items(last:)'],
  ['a member of a union', `${SDL.replace('= Item', '= Item | Two')} type Two { name: String }`, 'Any = Two'],
])('a server does not start if its schema has %s that the schema of createTollgate lacks', async (_what, served, named) => {
  const tollgate = await protect(buildSchema(SDL));
  const message = await start(buildSchema(served), tollgate.plugin());
  expect(message).toContain('the schema of this server differs from the schema given to createTollgate');
  expect(message).toContain(named);
});

it('a server starts with another build of the given schema that has resolvers', async () => {
  const tollgate = await protect(buildSchema(SDL));
  const served = makeExecutableSchema({ typeDefs: SDL, resolvers: { Query: { items: () => [] } } });
  expect(await start(served, tollgate.plugin())).toBe('started');
});

it('the start warns about unprotected subscriptions, because plugins do not receive them', async () => {
  const schema = buildSchema(`${SDL} type Subscription { item: Item }`);
  const warnings: string[] = [];
  const options = {
    schema,
    identify: () => ({ user: 'ann' }),
    logger: { ...logger, warn: (text: string) => void warnings.push(text) },
  };
  const ofSubscriptions = () => warnings.filter((text) => text.includes('tollgate.execution()'));
  const tollgate = await createTollgate(options);
  expect(await start(schema, tollgate.plugin())).toBe('started');
  expect(ofSubscriptions()).toHaveLength(1);
  tollgate.execution();
  expect(await start(schema, tollgate.plugin())).toBe('started');
  expect(ofSubscriptions()).toHaveLength(1);
});

it('the start warns if two Tollgates protect one server, because each charges every operation', async () => {
  const schema = buildSchema(SDL);
  const warnings: string[] = [];
  const make = () =>
    createTollgate({
      schema,
      identify: () => ({ user: 'ann' }),
      logger: { ...logger, warn: (message) => void warnings.push(message as string) },
    });
  const plugins = [(await make()).plugin(), (await make()).plugin()];
  warnings.splice(0);
  const server = new ApolloServer({ schema, plugins, logger: silent });
  await server.start();
  await server.stop();
  expect(warnings).toEqual([expect.stringContaining('two Tollgate instances protect this server')]);
});

it('a denial has no stack of Tollgate in its response, although the server sends stacks', async () => {
  const schema = makeExecutableSchema({ typeDefs: SDL, resolvers: { Query: { items: () => [] } } });
  const tiers = [{ name: 'free', capacity: 3, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }];
  const tollgate = await createTollgate({ schema, identify: () => ({ user: 'ann' }), logger, tiers });
  const plugins = [tollgate.plugin()];
  const server = new ApolloServer({ schema, plugins, logger: silent, includeStacktraceInErrorResponses: true });
  const { body } = await server.executeOperation({ query: '{ items(first: 9) { name } }' });
  expect(body).toMatchObject({ singleResult: { errors: [{ extensions: { code: 'MAX_COST_EXCEEDED' } }] } });
  expect(JSON.stringify(body)).not.toContain('stacktrace');
  await server.stop();
  await tollgate.close();
});
