import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type OpenGateway, openGateway } from '../gateway/gateway.js';
import { freePort } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { type ForeignServer, startForeign } from './start-foreign.js';

// Tests of `tollgate gateway` in front of unmodified APIs of other projects. Their schemas were not
// designed for cost limits, so the prices come from the names of arguments.

interface Case {
  name: string;
  /** Whether its responses contain the number of received requests in `x-served`. */
  counts: boolean;
  start(): Promise<ForeignServer>;
  /** Operations with their estimated and actual costs. */
  priced: readonly { query: string; variables?: object; estimate: number; actual: number }[];
  /** Operation that exceeds the caller's bucket. */
  tooMuch: string;
  /** Operation on the schema after its change. */
  added: { query: string; estimate: number };
}

const YOGA: Case = {
  name: 'GraphQL Yoga',
  counts: true,
  start: () => startForeign('upstreams', ['yoga.mjs']),
  priced: [
    { query: '{ books(first: 20) { title } }', estimate: 20, actual: 20 },
    { query: '{ books(first: 50) { title } }', estimate: 50, actual: 30 },
    {
      query: 'query ($n: Int!) { books(first: $n) { related { id } } }',
      variables: { n: 4 },
      estimate: 4 + 4 * 5,
      actual: 24,
    },
    { query: 'mutation { rename(id: 3, title: "x") { title } }', estimate: 11, actual: 11 },
  ],
  tooMuch: '{ books(first: 400) { id } }',
  added: { query: '{ shelves(first: 9) { name } }', estimate: 9 },
};

const GITHUB: Case = {
  name: 'graphql-http with the schema of GitHub and mocks',
  counts: true,
  start: () => startForeign('upstreams', ['github.mjs']),
  priced: [
    {
      query: '{ viewer { repositories(first: 10) { nodes { name } } } }',
      // The viewer, the connection, and ten nodes. The mocks return two nodes.
      estimate: 1 + 1 + 10,
      actual: 1 + 1 + 2,
    },
    {
      query: '{ repository(owner: "a", name: "b") { issues(last: 7) { edges { node { title } } } } }',
      estimate: 1 + 1 + 7 + 7,
      actual: 1 + 1 + 2 + 2,
    },
  ],
  tooMuch: '{ viewer { repositories(first: 100) { nodes { issues(first: 100) { nodes { title } } } } } }',
  added: { query: '{ zen(first: 3) { text } }', estimate: 3 },
};

const POSTGRAPHILE: Case = {
  name: 'PostGraphile 4 on a PostgreSQL',
  counts: false,
  start: () => startPostgraphile('postgraphile', ['node_modules/postgraphile/cli.js', '--disable-graphiql']),
  priced: [
    { query: '{ allAuthors(first: 5) { nodes { name } } }', estimate: 1 + 5, actual: 1 + 3 },
    {
      query: '{ allAuthors(first: 2) { edges { node { booksByAuthorId(first: 4) { nodes { title } } } } } }',
      estimate: 1 + 2 + 2 * (1 + 1 + 4),
      actual: 1 + 2 + 2 * (1 + 1 + 2),
    },
    {
      query: 'mutation { createAuthor(input: { author: { name: "Dan" } }) { author { name } } }',
      estimate: 10 + 1 + 1,
      actual: 12,
    },
  ],
  tooMuch: '{ allAuthors(first: 100) { nodes { booksByAuthorId(first: 100) { nodes { title } } } } }',
  added: { query: '{ allShelves(first: 6) { nodes { name } } }', estimate: 1 + 6 },
};

/**
 * PostGraphile 5 with the preset for the names of the previous version, so that the operations are
 * the same.
 */
const POSTGRAPHILE_5: Case = {
  ...POSTGRAPHILE,
  name: 'PostGraphile 5 on a PostgreSQL',
  start: () => {
    // PostGraphile 5 needs Node.js 22 or later.
    const node = ['--yes', '--package', 'node@24', '--', 'node', '--print', 'process.execPath'];
    const command = execFileSync('npx', node, { encoding: 'utf8' }).trim();
    const args = ['node_modules/postgraphile/dist/cli-run.js', '-P', 'postgraphile/presets/amber'];
    return startPostgraphile('postgraphile-5', args, command);
  },
};

describe.each([YOGA, GITHUB, POSTGRAPHILE, POSTGRAPHILE_5])('upstream $name behind a gateway', ({
  counts,
  start,
  priced,
  tooMuch,
  added,
}) => {
  let upstream: ForeignServer;
  let gateway: OpenGateway;
  beforeAll(async () => {
    upstream = await start();
    // The introspection of GitHub's schema takes half a minute on a busy machine.
    gateway = await openGateway(upstream.url, { schemaFile: undefined, upstreamTimeoutMs: 180_000 }, {}, 300);
  });
  afterAll(() => upstream?.close());

  it('the gateway prices the upstream by its own arguments and settles by its response', async () => {
    for (const { query, variables, estimate, actual } of priced) {
      const before = await gateway.left();
      const { status, headers, body } = await gateway.ask({ query, variables });
      expect(body.errors, query).toBeUndefined();
      expect(status).toBe(200);
      expect(headers.has('x-served')).toBe(counts);
      expect(body.extensions.cost, query).toMatchObject({ requestedQueryCost: estimate, actualQueryCost: actual });
      expect(await gateway.left()).toBe(before - actual);
    }
  });

  it('the gateway reads a changed schema again and prices its new fields', async () => {
    const old = await gateway.ask(added.query);
    expect(old.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    await upstream.changeSchema();
    expect(await gateway.refreshSchema()).toMatchObject({ problems: [] });
    expect(gateway.log.filter((line) => line.startsWith('The schema has changed'))).toHaveLength(1);
    const answer = await gateway.ask(added.query);
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.extensions.cost.requestedQueryCost).toBe(added.estimate);
  });

  it('the upstream receives no rejected or denied operation', async () => {
    const never = await gateway.ask(tooMuch);
    expect(never.status).toBe(400);
    expect(never.body.errors[0].extensions.code).toBe('MAX_COST_EXCEEDED');
    expect(never.headers.get('x-served')).toBeNull();
    const invalid = await gateway.ask('{ thisIsNoField }');
    expect(invalid.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    const { query, variables } = priced[0]!;
    for (let asked = 0; ; asked++) {
      expect(asked).toBeLessThan(300);
      const answer = await gateway.ask({ query, variables });
      if (answer.status === 200) continue;
      expect(answer.status).toBe(429);
      expect(answer.body.errors[0].extensions.code).toBe('THROTTLED');
      expect(answer.headers.get('x-served')).toBeNull();
      return;
    }
  });
});

/** Starts the command line of PostGraphile with `--watch`, on a database with two tables. */
async function startPostgraphile(folder: string, program: readonly string[], command?: string): Promise<ForeignServer> {
  const url = new URL(inject('databaseUrl'));
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  const database = `foreign_${process.pid}_${folder.replace('-', '_')}`;
  await admin.query(`drop database if exists ${database}`);
  await admin.query(`create database ${database}`);
  await admin.end();
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`
    create schema shop;
    create table shop.author (id serial primary key, name text not null);
    create table shop.book (id serial primary key, author_id int references shop.author, title text not null);
    create index on shop.book (author_id);
    insert into shop.author (name) values ('Ann'), ('Bob'), ('Cid');
    insert into shop.book (author_id, title) select id, 'One' from shop.author;
    insert into shop.book (author_id, title) select id, 'Two' from shop.author;
  `);
  const port = String(await freePort());
  const args = [...program, '-c', url.href, '-s', 'shop', '-n', '127.0.0.1', '-p', port, '--watch'];
  const server = await startForeign(folder, args, {}, command);
  return {
    url: server.url,
    async close() {
      await server.close();
      await client.end();
    },
    async changeSchema() {
      await client.query('create table shop.shelf (id serial primary key, name text)');
      await until('PostGraphile has seen the new table', async () => {
        const response = await fetch(server.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ allShelves(first: 1) { nodes { name } } }' }),
        });
        return response.status === 200;
      });
    },
  };
}
