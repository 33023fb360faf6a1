import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const INDEX = new URL('../../dist/index.js', import.meta.url).href;

/** Loader hooks that throw the error that Node.js throws for a package that is not installed. */
const HOOKS = `export async function resolve(specifier, context, next) {
  if (specifier !== '@opentelemetry/api') return next(specifier, context);
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
}`;

const PROGRAM = `
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(HOOKS)}));
const absent = await import('@opentelemetry/api').then(() => 'there', ({ code }) => code);
const { createTollgate } = await import(${JSON.stringify(INDEX)});
const { ApolloServer } = await import('@apollo/server');
const { makeExecutableSchema } = await import('@graphql-tools/schema');
const schema = makeExecutableSchema({ typeDefs: 'type Query { hello: String }', resolvers: { Query: { hello: () => 'hi' } } });
const logger = { info() {}, warn() {}, error() {} };
const tollgate = await createTollgate({ schema, identify: () => ({ user: 'ann' }), logger });
const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
const { body } = await server.executeOperation({ query: '{ hello }' });
console.log(JSON.stringify({ absent, data: body.singleResult.data, cost: body.singleResult.extensions.cost.requestedQueryCost }));
await server.stop();
await tollgate.close();
`;

it('Tollgate protects an API when OpenTelemetry is not installed', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  });
  expect(JSON.parse(printed)).toEqual({ absent: 'ERR_MODULE_NOT_FOUND', data: { hello: 'hi' }, cost: 1 });
});
