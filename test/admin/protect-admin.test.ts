import { ApolloServer } from '@apollo/server';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AdminContext, createAdminContext } from '../../src/admin/context/admin-context.js';
import { createAdminProtection } from '../../src/admin/create-admin-protection.js';
import { migrate } from '../../src/postgres/migrate.js';
import { RulesWithHistoryDocument, SubjectsInDepthDocument } from '../generated/graphql.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { type AdminWorld, ANN, createAdminWorld } from './admin-world.js';

let opened: TestDatabase;
let world: AdminWorld;
let server: ApolloServer<AdminContext>;
beforeAll(async () => {
  opened = await openServerDatabase();
  await migrate(opened.db);
  world = await createAdminWorld(opened.db);
  const { plugins } = await createAdminProtection(world.schema);
  server = new ApolloServer({ schema: world.schema, plugins, introspection: true, stopOnTerminationSignals: false });
});
afterAll(async () => {
  await server.stop();
  await opened.dispose();
});

async function ask(query: string, variables: Record<string, unknown> = {}) {
  const contextValue = createAdminContext({ actor: ANN, role: 'ADMIN' }, world);
  const { body } = await server.executeOperation({ query, variables }, { contextValue });
  if (body.kind !== 'single') throw new Error('expected a single result');
  return body.singleResult;
}

it('the admin API prices the operations of administrators and admits those that tools and dashboards need', async () => {
  const whole = [
    await ask(getIntrospectionQuery()),
    await ask(RulesWithHistoryDocument.toString(), { first: 100 }),
    await ask(SubjectsInDepthDocument.toString(), { first: 100 }),
  ];
  expect(whole.map(({ errors }) => errors)).toEqual([undefined, undefined, undefined]);
  expect(whole[1]!.extensions).toMatchObject({ cost: { tier: 'admin', requestedQueryCost: expect.any(Number) } });
});

it('the admin API rejects three nested lists before it reads any of them', async () => {
  world.statements.length = 0;
  const { errors } = await ask(`{ subjects(first: 100) { nodes { apiKeys(first: 100) { nodes {
    history(first: 100) { nodes { differences { path } } } } } } } }`);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', deniedBy: 'tier:admin' });
  expect(world.statements).toEqual([]);
});

it('the admin API rejects an operation that adds up usage a hundred times, and admits a dashboard [A23]', async () => {
  const dashboard = await ask(`{ usage(groupBy: [CALLER], first: 100) { nodes { caller { name } requests } }
    topCallers(first: 100) { nodes { share } } denials(first: 100) { nodes { ruleName } } violations(first: 100) { nodes { ruleName } } }`);
  expect(dashboard.errors).toBeUndefined();
  world.statements.length = 0;
  const aliases = Array.from({ length: 100 }, (_, n) => `u${n}: usage(bucket: DAY) { nodes { requests } }`);
  const { errors } = await ask(`{ ${aliases.join(' ')} }`);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', deniedBy: 'tier:admin' });
  expect(world.statements).toEqual([]);
});

it('the response to a subscription at the path of queries names the right path, and charges the fee', async () => {
  const { errors, extensions } = await ask('subscription { liveTraffic { cost } }');
  expect(errors?.[0]?.message).toBe(
    'Bad request: send subscriptions to /admin/graphql/stream, which answers with server-sent events',
  );
  expect(errors?.[0]?.extensions?.['code']).toBe('BAD_REQUEST');
  expect(extensions).toMatchObject({ cost: { fee: 50 } });
});
