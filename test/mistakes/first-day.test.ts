import { readdirSync, readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { buildSchema, getIntrospectionQuery } from 'graphql';
import { expect, it, onTestFinished } from 'vitest';
import { costTypeDefs } from '../../src/entry/cost.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

// Mistakes of new users on their first day, each with the expected message. The other files of this
// folder test mistakes in options, settings and credentials. Mistakes in rules and commands are
// tested next to the tests of rules and commands.

const ROOT = new URL('../../', import.meta.url);
const SDL = 'type Query { users(first: Int): [User!]! search(text: String): [User!]! } type User { id: ID }';

async function protect(typeDefs: string | string[]) {
  const warnings: string[] = [];
  const schema = makeExecutableSchema({ typeDefs, resolvers: { Query: { users: () => [], search: () => [] } } });
  const tollgate = await createTollgate({
    schema,
    logger: { info() {}, warn: (message) => void warnings.push(message), error() {} },
    identify: () => ({ user: 'ann' }),
  });
  const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], stopOnTerminationSignals: false });
  await server.start();
  onTestFinished(async () => {
    await server.stop();
    await tollgate.close();
  });
  async function ask(query: string) {
    const { body, http } = await server.executeOperation({ query }, { contextValue: {} });
    if (body.kind !== 'single') throw new Error('expected a single result');
    const { data, errors, extensions } = body.singleResult;
    return {
      status: http.status ?? 200,
      data,
      errors,
      cost: (extensions?.['cost'] as { requestedQueryCost: number })?.requestedQueryCost,
    };
  }
  return { ask, tollgate, warnings };
}

it('a server without annotations rejects a list of 50,000 items and admits the standard introspection query', async () => {
  const { ask, warnings } = await protect(SDL);
  const huge = await ask('{ users(first: 50000) { id } }');
  expect(huge).toMatchObject({ status: 400, errors: [{ extensions: { code: 'MAX_COST_EXCEEDED' } }] });
  expect(huge.errors?.[0]?.message).toMatch(/50,?000/);
  expect((await ask(getIntrospectionQuery())).data).toHaveProperty('__schema');
  expect(warnings.filter((text) => text.includes('@listSize'))).toEqual([expect.stringContaining('Query.search')]);
});

it('a list without its slicing argument is priced with the default size, and `check` lists the field', async () => {
  const typeDefs = SDL.replace(
    'users(first: Int): [User!]!',
    'users(first: Int): [User!]! @listSize(slicingArguments: ["first"])',
  );
  const { ask, tollgate } = await protect([costTypeDefs, typeDefs]);
  expect(await ask('{ users { id } }')).toMatchObject({ status: 200, cost: 10 });
  expect(tollgate.check()).toContainEqual(expect.objectContaining({ coordinate: 'Query.users', severity: 'warning' }));
});

it('costTypeDefs defines the annotations, and the troubleshooting page names it next to the errors that it prevents', () => {
  expect(() => buildSchema(SDL.replace('id: ID', 'id: ID @cost(weight: "5")'))).toThrow('Unknown directive "@cost"');
  expect(() => buildSchema(costTypeDefs + SDL.replace('id: ID', 'id: ID @cost(weight: "5")'))).not.toThrow();
  const page = readFileSync(new URL('docs/troubleshooting.md', ROOT), 'utf8');
  for (const error of ['ERR_UNKNOWN_FILE_EXTENSION', 'Unknown directive "@cost"']) {
    expect(page.split('\n').find((line) => line.includes(error))).toContain('costTypeDefs');
  }
});

it('each page that shows annotations names costTypeDefs near the first annotation', () => {
  const annotated = namesIn('docs/', '.md').flatMap((name) => {
    const text = readFileSync(new URL(name, ROOT), 'utf8');
    const at = text.search(/^(?![^\n]*[|`]).*@(?:cost|listSize)\(/m);
    return at === -1 ? [] : [{ name, around: text.slice(Math.max(0, at - 400), at + 400) }];
  });
  expect(annotated.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['docs/cost-model.md', 'docs/getting-started.md']),
  );
  expect(annotated.filter(({ around }) => !around.includes('costTypeDefs')).map(({ name }) => name)).toEqual([]);
});

it('no page or example identifies a caller by an unverified header', () => {
  const pages = ['README.md', ...namesIn('docs/', '.md'), ...namesIn('examples/', '.js', '.ts', '.md')];
  const trusting = pages.filter((page) => {
    const texts = readFileSync(new URL(page, ROOT), 'utf8').matchAll(/identify(?::|\()[^\n]*\n?[^\n]*/g);
    return [...texts].some(([text]) => /header\(|headers\[|headers\./.test(text));
  });
  expect(trusting).toEqual([]);
  expect(readFileSync(new URL('docs/identifying-callers.md', ROOT), 'utf8')).toContain(
    'Return **only verified names**',
  );
});

function namesIn(folder: string, ...endings: string[]): string[] {
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.some((ending) => name.endsWith(ending)) && !name.includes('node_modules'))
    .map((name) => folder + name);
}
