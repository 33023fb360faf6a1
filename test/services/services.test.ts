import { createServer } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { buildSchema } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isWithoutSchema } from '../../console/src/api/admin-error.js';
import { createAdminHandler } from '../../src/admin/create-admin-handler.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { portOf } from '../admin/run-example.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { ADMIN_TOKEN, type Platform, post, startPlatform } from '../helpers/platform.js';
import { startRedisServer, type TestServer } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const QUIET = { info() {}, warn() {}, error() {} };
const DIRECTIVES = `
  directive @cost(weight: String!) on FIELD_DEFINITION | OBJECT
  directive @listSize(assumedSize: Int, slicingArguments: [String!]) on FIELD_DEFINITION
`;
const shopOf = (weight: number) =>
  buildSchema(`${DIRECTIVES}
    type Query { items(first: Int!): [Item!]! @cost(weight: "${weight}") @listSize(slicingArguments: ["first"]) }
    type Item { name: String }
  `);
const ITEMS = '{ items(first: 4) { name } }';
const books = buildSchema(
  `${DIRECTIVES} type Query { books: [Book!]! @listSize(assumedSize: 6) } type Book { title: String }`,
);

/**
 * The protected servers run in this process. The platform that administers them is a separate
 * process.
 */
describe('platform that administers servers in other processes', () => {
  let redis: TestServer;
  let database: Awaited<ReturnType<typeof openServerDatabase>>;
  let platform: Platform;
  const protecting: Tollgate[] = [];
  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedisServer(), openServerDatabase()]);
    platform = await startPlatform({ env: { REDIS_URL: redis.url, DATABASE_URL: database.url } });
  });
  afterEach(async () => {
    for (const tollgate of protecting.splice(0)) await tollgate.close();
    await database.db.query('delete from service_schemas');
  });
  afterAll(async () => {
    await platform.stop();
    await redis.stop();
    await database.dispose();
  });

  async function protect(options: Pick<TollgateOptions, 'schema'> & Partial<TollgateOptions>): Promise<Tollgate> {
    const tollgate = await createTollgate({
      identify: ({ header }) => ({ user: header('x-user') ?? 'ann' }),
      postgres: database.url,
      redis: redis.url,
      deadlineMs: PATIENT_MS,
      usage: { flushMs: 50, decisionsPerSecond: 1000 },
      logger: QUIET,
      ...options,
    });
    protecting.push(tollgate);
    return tollgate;
  }
  const ask = async (query: string) => (await post(`${platform.url}/admin/graphql`, query, ADMIN)).body;
  const costOf = async (query: string, service = '') => {
    const { data } = await ask(
      `{ costExplain(input: { query: "${query}"${service} }) { explanation { cost } userErrors { field message } } }`,
    );
    const [error] = data.costExplain.userErrors;
    return data.costExplain.explanation?.cost ?? [error.field, error.message].flat().filter(Boolean).join(': ');
  };

  it('the platform reports that no schema is published until a server publishes its schema', async () => {
    expect((await ask('{ services { name } }')).data).toEqual({ services: [] });
    expect(await costOf(ITEMS)).toMatch(/no server has published its schema yet/);
    // The console uses `isWithoutSchema` to distinguish this state from a failure.
    const { errors } = await ask('{ schemaFields { nodes { coordinate } } }');
    expect(isWithoutSchema(errors[0])).toBe(true);
  });

  it('the platform explains, previews and simulates with the schema that a server published', async () => {
    // The bucket hardly refills during the test.
    const slow = 'name: "default", refillAmount: 1, refillPeriodMs: 3600000';
    const { data } = await ask(`mutation { tierUpdate(input: { ${slow} }) { userErrors { message } } }`);
    expect(data.tierUpdate.userErrors).toEqual([]);
    const shop = await protect({ schema: shopOf(5), service: 'shop' });
    expect(await costOf(ITEMS)).toBe(9);
    expect(await costOf(ITEMS, ', service: "shop"')).toBe(9);
    const api = new ApolloServer({ schema: shopOf(5), plugins: [shop.plugin()], stopOnTerminationSignals: false });
    await api.start();
    for (let asked = 0; asked < 3; asked++) await api.executeOperation({ query: ITEMS }, { contextValue: {} });
    // The preview reads the same bucket as the server, because both use the same Redis and the same
    // rules.
    const preview = `{ chargePreview(input: { query: "${ITEMS}", as: { user: "ann" } }) {
      preview { requestedCost limits { remaining limit } } } }`;
    const { requestedCost, limits } = (await ask(preview)).data.chargePreview.preview;
    expect(requestedCost).toBe(9);
    expect(limits[0].remaining).toBeLessThan(limits[0].limit);
    const draft = `{ name: "items", scope: USER, field: "Query.items", measure: CALLS,
      limits: [{ fixedWindow: { amount: 1, windowMs: 86400000 } }] }`;
    await until(
      'the decisions are stored',
      async () => {
        const { data } = await ask(
          `{ ruleSimulate(input: { rule: ${draft}, service: "shop" }) { simulation { decisions denied } } }`,
        );
        return data.ruleSimulate.simulation.decisions === 3 && data.ruleSimulate.simulation.denied === 2;
      },
      60_000,
      2000,
    );
    await api.stop();
  });

  it('the platform uses a newly published schema immediately', async () => {
    const old = await protect({ schema: shopOf(5), service: 'shop' });
    const [first] = (await ask('{ services { name hash publishedAt } }')).data.services;
    expect(await costOf(ITEMS)).toBe(9);
    await protect({ schema: shopOf(50), service: 'shop' });
    expect(await costOf(ITEMS)).toBe(54);
    const [second] = (await ask('{ services { name hash publishedAt } }')).data.services;
    expect(second.hash).not.toBe(first.hash);
    // An unchanged schema is not published again. If an earlier schema is published again, the
    // platform uses the API that it has cached for this schema.
    await old.close();
    await protect({ schema: shopOf(50), service: 'shop' });
    expect((await ask('{ services { name hash publishedAt } }')).data.services).toEqual([second]);
    await protect({ schema: shopOf(5), service: 'shop' });
    expect(await costOf(ITEMS)).toBe(9);
  });

  it('the platform requires the service if there are several, and finds each service by its name', async () => {
    await protect({ schema: shopOf(5), service: 'shop' });
    await protect({ schema: books, service: 'books' });
    expect(await costOf(ITEMS)).toBe('service: expected one of "books", "shop", got none');
    expect(await costOf(ITEMS, ', service: "shops"')).toBe('service: expected one of "books", "shop", got "shops"');
    expect(await costOf(ITEMS, ', service: "shop"')).toBe(9);
    expect(await costOf('{ books { title } }', ', service: "books"')).toBe(6);
    expect(await costOf('{ books { title } }', ', service: "shop"')).toMatch(/Cannot query field/);
  });

  it('the platform reports an unreadable schema, and uses the other schemas', async () => {
    await protect({ schema: shopOf(5), service: 'shop' });
    await database.db.query(
      `insert into service_schemas (service, hash, sdl, prices) values ('broken', repeat('0', 64), 'type Query {', '{}')`,
    );
    expect(await costOf(ITEMS, ', service: "broken"')).toMatch(/the schema that "broken" has published cannot be read/);
    expect(await costOf(ITEMS, ', service: "shop"')).toBe(9);
    const { errors } = await ask('{ fieldAccuracy { field suggestedWeight } }');
    expect(errors).toBeUndefined();
  });

  it('a server is the default service in its own admin API', async () => {
    const shop = await protect({ schema: shopOf(5), service: 'shop' });
    await protect({ schema: books, service: 'books' });
    const handler = await createAdminHandler({ tollgate: shop, token: ADMIN_TOKEN, logger: QUIET });
    const server = createServer(handler).listen(0, '127.0.0.1');
    try {
      const url = `http://127.0.0.1:${await portOf(server)}/graphql`;
      const { body } = await post(
        url,
        `{ own: costExplain(input: { query: "${ITEMS}" }) { explanation { cost } }
           other: costExplain(input: { query: "{ books { title } }", service: "books" }) { explanation { cost } }
           ownApi { service upstream } }`,
        ADMIN,
      );
      expect(body.data).toEqual({
        own: { explanation: { cost: 9 } },
        other: { explanation: { cost: 6 } },
        ownApi: { service: 'shop', upstream: null },
      });
      expect((await ask('{ ownApi { service } }')).data).toEqual({ ownApi: null });
    } finally {
      await handler.close();
      server.close();
      server.closeAllConnections();
    }
  });

  it('a server with a schema that is too large to publish still protects its API', async () => {
    const fields = Array.from({ length: 100 }, (_, index) => `"${'x'.repeat(90_000)}" f${index}: Int`);
    const errors: string[] = [];
    const huge = await protect({
      schema: buildSchema(`type Query { ${fields.join('\n')} }`),
      service: 'huge',
      logger: { ...QUIET, error: (_details, message) => errors.push(message) },
    });
    expect(huge.health()?.databaseAway).toBeUndefined();
    expect(errors).toEqual([expect.stringContaining('could not be published')]);
    expect((await ask('{ services { name } }')).data).toEqual({ services: [] });
  });

  it('an invalid service name and a service name without a database are rejected', async () => {
    const schema = shopOf(1);
    await expect(protect({ schema, service: 'a b' })).rejects.toThrow(/service: expected 1 to 64/);
    const identify = () => ({});
    await expect(createTollgate({ schema, identify, service: 'shop', logger: QUIET })).rejects.toThrow(/`postgres`/);
  });
});
