import { ApolloServer, HeaderMap } from '@apollo/server';
import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

it.each([
  [
    'throws',
    () => {
      throw new Error('secret of the server');
    },
    'secret of the server',
  ],
  ['returns a promise of true', async () => true, 'mayReportCost: expected true or false, got a Promise'],
  ['returns a promise that rejects', () => Promise.reject(new Error('late')), 'expected true or false, got a Promise'],
])('if mayReportCost %s, operations run without a cost report, and the log names mayReportCost', async (_, mayReportCost, reason) => {
  const logged: { err?: Error; text: string }[] = [];
  const schema = buildSchema('type Query { a: Int }');
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'ann' }),
    mayReportCost: mayReportCost as never,
    logger: {
      info() {},
      warn() {},
      error: (what: unknown, text: string) => void logged.push({ ...(what as object), text }),
    },
  });
  const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
  const ask = (query: string) =>
    server.executeOperation(
      { query, http: { headers: new HeaderMap([['graphql-cost', 'report']]), method: 'POST', search: '', body: {} } },
      { contextValue: {} },
    );
  for (const query of ['{ a }', '{ a }', '{ b }']) {
    const { body } = await ask(query);
    const { errors, extensions } = body.kind === 'single' ? body.singleResult : { errors: [], extensions: {} };
    expect(JSON.stringify(errors ?? [])).not.toContain('secret');
    if (query === '{ a }') expect(errors).toBeUndefined();
    expect(extensions?.['cost']).toMatchObject({ requestedQueryCost: query === '{ a }' ? 1 : 0 });
    expect(extensions?.['cost']).not.toHaveProperty('fields');
    expect(extensions?.['cost']).not.toHaveProperty('tier');
  }
  expect(logged.map(({ text }) => text)).toEqual(['Responses have no cost report, because mayReportCost failed']);
  expect(logged[0]?.err?.message).toContain(reason);
  await server.stop();
  await tollgate.close();
});
