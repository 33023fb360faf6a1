import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { buildSchema } from 'graphql';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createAdminHandler } from '../../src/entry/admin.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

// Readers search the troubleshooting page for the message that they see, so the page must contain
// the actual messages.

const page = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8');
const [, table = ''] = /## It does not start: `TypeError`\n([\s\S]*?)\n## /.exec(page) ?? [];
const shown = [...table.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]!);

const schema = buildSchema('type Query { a: Int }');
const logger = { info() {}, warn() {}, error() {} };
const protect = (options: object) => createTollgate({ schema, logger, ...options } as never);

async function startApollo(
  served: typeof schema,
  pluginOf: (tollgate: Awaited<ReturnType<typeof protect>>) => unknown,
) {
  const tollgate = await protect({});
  const server = new ApolloServer({
    schema: served,
    plugins: [pluginOf(tollgate) as object],
    logger: { ...logger, debug() {} },
  });
  await server.start().finally(() => tollgate.close());
}

const CAUSES: Readonly<Record<string, () => unknown>> = {
  'redisUrl: unknown option; did you mean redis?': () => protect({ redisUrl: 'redis://x' }),
  'mode: expected "ENFORCE" or "SHADOW", got "shadow"': () => protect({ mode: 'shadow' }),
  'schema: expected a GraphQLSchema, got a string': () => protect({ schema: 'type Query { a: Int }' }),
  '... got one of another copy of the package graphql': () =>
    createCostAnalyzer(new (class GraphQLSchema {})() as never),
  'metrics: this registry has the metrics of another Tollgate': async () => {
    const metrics = new Registry();
    const first = await protect({ metrics });
    await protect({ metrics }).finally(() => first.close());
  },
  'postgres: expected a URL that begins with postgres:// or postgresql://': () => protect({ postgres: 'mysql://x' }),
  'redis: ... got a client of the package redis': () => protect({ redis: { isOpen: true, connect() {} } }),
  'tollgate.plugin, which is not called': () => startApollo(schema, (tollgate) => tollgate.plugin),
  'the schema of this server differs from the schema given to createTollgate': () =>
    startApollo(buildSchema('type Query { b: Int }'), (tollgate) => tollgate.plugin()),
  '... got a Promise: await it': () => createAdminHandler({ tollgate: protect({}) } as never),
};

/** Messages of other programs, which test/mistakes/first-day.test.ts checks. */
const OF_OTHERS = ['Unknown directive "@cost"', 'ERR_UNKNOWN_FILE_EXTENSION'];

it('this file contains a cause for every message on the troubleshooting page', () => {
  expect(shown.length).toBeGreaterThan(8);
  expect(shown.filter((message) => !(message in CAUSES) && !OF_OTHERS.includes(message))).toEqual([]);
});

it.each(Object.entries(CAUSES))('the troubleshooting page shows the actual message: %s', async (message, cause) => {
  expect(shown).toContain(message);
  const thrown = await Promise.resolve()
    .then(cause)
    .then(
      () => 'it started',
      (error: Error) => error.message,
    );
  for (const part of message.split('...')) expect(thrown).toContain(part.trim());
});
