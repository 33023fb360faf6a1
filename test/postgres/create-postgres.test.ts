import { buildSchema } from 'graphql';
import { Registry } from 'prom-client';
import { expect, inject, it } from 'vitest';
import { createPostgres, createTollgate } from '../../src/index.js';
import { freePort, uniqueName } from '../helpers/servers.js';
import { openServerDatabase } from './databases.js';

it('createPostgres opens a database with the given pool sizes, and it stays open after its Tollgate closes', async () => {
  const { url, dispose } = await openServerDatabase('migrated');
  const postgres = await createPostgres({ url, maxConnections: 3, maxLookupConnections: 2 });
  const metrics = new Registry();
  const schema = buildSchema('type Query { a: Int }');
  const tollgate = await createTollgate({ schema, postgres, metrics });
  const values = async (name: string) => {
    const { values: all } = await metrics.getSingleMetric(name)!.get();
    return Object.fromEntries(all.map(({ labels, value }) => [labels['pool'], value]));
  };
  expect(await values('tollgate_postgres_connections_max')).toEqual({ main: 3, lookups: 2, reports: 1 });
  expect(Object.keys(await values('tollgate_postgres_connections_in_use'))).toEqual(['main', 'lookups', 'reports']);
  expect(Object.keys(await values('tollgate_postgres_waiting'))).toEqual(['main', 'lookups', 'reports']);
  await tollgate.close();
  expect(await postgres.query('select 1 as one')).toEqual([{ one: 1 }]);
  await postgres.close();
  await dispose();
});

it('createPostgres reports all mistakes in its options and shows no part of the URL', async () => {
  const options = { url: 'mysql://ann:hunter2@x/y', maxConnections: 1, poolSize: 4 };
  const error: Error = await createPostgres(options as never).then(
    () => new Error('it was made'),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toContain('createPostgres: 3 mistakes in its options');
  expect(error.message).toContain('url: expected a URL that begins with postgres:// or postgresql://');
  expect(error.message).toContain('maxConnections: expected a whole number from 2 to 1000, got 1');
  expect(error.message).toContain('poolSize: unknown option');
  expect(error.message).not.toContain('hunter2');
});

async function failureOf(postgres: string): Promise<string> {
  const schema = buildSchema('type Query { a: Int }');
  const logger = { info() {}, warn() {}, error() {} };
  return createTollgate({ schema, postgres, logger }).then(
    () => expect.unreachable('it started'),
    (error: Error) => error.message,
  );
}

it('createTollgate without a reachable PostgreSQL names the host, the port and a remedy, but not the password', async () => {
  const port = await freePort();
  const message = await failureOf(`postgres://ann:hunter2@127.0.0.1:${port}/shop`);
  expect(message).toMatch(
    new RegExp(
      `^postgres: PostgreSQL cannot be used at 127\\.0\\.0\\.1:${port}/shop: .*ECONNREFUSED.*Start PostgreSQL, or correct the host and the port in the option postgres`,
    ),
  );
  expect(message).not.toContain('hunter2');
});

it('createTollgate names the missing database and the option to correct', async () => {
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${uniqueName('absent')}`;
  const message = await failureOf(url.href);
  expect(message).toContain(`PostgreSQL cannot be used at ${url.host}${url.pathname}`);
  expect(message).toContain('has no database of that name: create it, or correct the name in the option postgres');
  expect(message).not.toMatch(/DATABASE_URL|Start PostgreSQL/);
});
