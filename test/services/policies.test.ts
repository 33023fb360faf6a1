import { buildSchema } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { ADMIN_TOKEN, type Platform, post, startPlatform } from '../helpers/platform.js';
import { startRedisServer, type TestServer } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const QUIET = { info() {}, warn() {}, error() {} };
const schema = buildSchema('type Query { search: Int, books: Int }');
const LIMITS = [{ algorithm: 'FIXED_WINDOW' as const, amount: 5, windowMs: 60_000 }];
const SEARCH = {
  name: 'search',
  scope: 'USER' as const,
  field: 'Query.search',
  measure: 'CALLS' as const,
  limits: LIMITS,
};
const GOLD = { name: 'gold', capacity: 9000, refillAmount: 90, refillPeriodMs: 1000 };
const TIERS = [{ name: 'basic', capacity: 1000, refillAmount: 50, isDefault: true }, GOLD];

/**
 * The protected servers run in this process. The platform that administers them is a separate
 * process without their code.
 */
describe('rules and tiers in the code of servers that a separate platform administers', () => {
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
    await database.db.query('delete from service_policies');
    await database.db.query('delete from service_schemas');
  });
  afterAll(async () => {
    await platform.stop();
    await redis.stop();
    await database.dispose();
  });

  async function protect(options: Partial<TollgateOptions>): Promise<Tollgate> {
    const tollgate = await createTollgate({
      schema,
      service: 'shop',
      postgres: database.url,
      redis: redis.url,
      logger: QUIET,
      ...options,
    });
    protecting.push(tollgate);
    return tollgate;
  }
  async function ask(query: string) {
    const { body } = await post(`${platform.url}/admin/graphql`, query, ADMIN);
    expect(body.errors).toBeUndefined();
    return body.data;
  }
  const listed = async () =>
    (await ask('{ rules { nodes { name source service } } }')).rules.nodes.map(
      ({ name, source, service }: Record<string, string>) => `${name} ${source} ${service}`,
    );

  it('rules in code are listed after stored rules, each with its service', async () => {
    await protect({ rules: [SEARCH, { ...SEARCH, name: 'logins', mode: 'SHADOW' }] });
    await protect({ service: 'books', rules: [{ ...SEARCH, name: 'reading', field: 'Query.books' }] });
    expect(await listed()).toEqual(['reading CODE books', 'search CODE shop', 'logins CODE shop']);
    const { rule } = await ask('{ rule(name: "search") { id scope field measure limits { __typename } version } }');
    expect(rule).toMatchObject({ scope: 'USER', field: 'Query.search', measure: 'CALLS', version: 1 });
    expect(await ask(`{ node(id: "${rule.id}") { id ... on Rule { name service } } }`)).toEqual({
      node: { id: rule.id, name: 'search', service: 'shop' },
    });
    const page = await ask('{ rules(first: 2, filter: { nameContains: "s" }) { totalCount nodes { name } } }');
    expect(page.rules).toEqual({ totalCount: 2, nodes: [{ name: 'search' }, { name: 'logins' }] });
  });

  it('a rule in code cannot be changed on the platform, and a stored rule of the same name overrides it', async () => {
    await protect({ rules: [SEARCH] });
    const { ruleSetMode } = await ask(
      'mutation { ruleSetMode(input: { name: "search", mode: OFF }) { rule { id } userErrors { code field message } } }',
    );
    expect(ruleSetMode).toEqual({
      rule: null,
      userErrors: [
        {
          code: 'DEFINED_IN_CODE',
          field: ['name'],
          message: expect.stringMatching(/^search is defined in code, in the `rules` of the servers of "shop":/),
        },
      ],
    });
    await ask(`mutation { ruleCreate(input: { name: "search", scope: USER, field: "Query.search", measure: CALLS,
      limits: [{ fixedWindow: { amount: 2, windowMs: 60000 } }] }) { userErrors { message } } }`);
    expect(await listed()).toEqual(['search STORED null']);
    await ask('mutation { ruleRetire(input: { name: "search" }) { userErrors { message } } }');
    expect(await listed()).toEqual(['search CODE shop']);
  });

  it('the last started server of a service defines the rules in code, and after it ends, another running server of the service does', async () => {
    await protect({ rules: [SEARCH] });
    const tried = await protect({ rules: [{ ...SEARCH, name: 'tried' }] });
    expect(await listed()).toEqual(['tried CODE shop']);
    await tried.close();
    await until('the first server has published its rules', async () => (await listed()).join() === 'search CODE shop');
  });

  it('rules in code disappear when no server of the service has reported for a day', async () => {
    const shop = await protect({ rules: [SEARCH] });
    await shop.close();
    const passes = (hours: number) =>
      database.db.query(`update service_policies set seen_at = seen_at - $1::bigint * interval '1 hour'`, [hours]);
    await passes(23);
    expect(await listed()).toEqual(['search CODE shop']);
    await passes(1);
    expect(await listed()).toEqual([]);
    await protect({ rules: [SEARCH] });
    expect(await listed()).toEqual(['search CODE shop']);
  });

  it('rules in code that this version cannot read are omitted, and the others are listed', async () => {
    // The server is closed, because a running server would publish its rules again.
    await (await protect({ rules: [SEARCH, { ...SEARCH, name: 'later' }] })).close();
    await database.db.query(
      `update service_policies set hash = repeat('0', 64), rules = jsonb_set(rules, '{1,measure}', '"PIXELS"')`,
    );
    expect(await listed()).toEqual(['search CODE shop']);
  });

  it('previews and simulations use no rules from the code of other services', async () => {
    await protect({ rules: [SEARCH] });
    await protect({ service: 'books' });
    const limitsOf = async (service: string) => {
      const { chargePreview } = await ask(
        `{ chargePreview(input: { query: "{ search }", as: { user: "ann" }, service: "${service}" }) {
            preview { limits { rule } } userErrors { message } } }`,
      );
      return chargePreview.preview.limits.map(({ rule }: { rule: string }) => rule);
    };
    expect(await limitsOf('shop')).toContain('search');
    expect(await limitsOf('books')).not.toContain('search');
    const draft = `{ name: "search", scope: USER, field: "Query.search", measure: CALLS,
      limits: [{ fixedWindow: { amount: 1, windowMs: 60000 } }] }`;
    const { ruleSimulate } = await ask(
      `{ ruleSimulate(input: { rule: ${draft}, replacesName: "search", service: "shop" }) {
          simulation { warnings } userErrors { field message } } }`,
    );
    expect(ruleSimulate).toEqual({ simulation: { warnings: [] }, userErrors: [] });
  });

  it('the admin API shows how a tier differs from the tier in code', async () => {
    await protect({ tiers: TIERS });
    const tier = async () =>
      (await ask('{ tier(name: "gold") { source inCode { service differences { path before after } } } }')).tier;
    expect(await tier()).toEqual({ source: 'CODE', inCode: [{ service: 'shop', differences: [] }] });
    await ask('mutation { tierUpdate(input: { name: "gold", capacity: 8000 }) { userErrors { message } } }');
    const differences = [{ path: 'capacity', before: 8000, after: 9000 }];
    expect(await tier()).toEqual({ source: 'STORED', inCode: [{ service: 'shop', differences }] });
    // The stored tier is in force, and the code of another server now agrees with it.
    await protect({ service: 'books', tiers: [TIERS[0]!, { ...GOLD, capacity: 8000 }] });
    expect(await tier()).toMatchObject({ source: 'CODE' });
    for (const tollgate of protecting.splice(0)) await tollgate.close();
    await database.db.query(`update service_policies set seen_at = seen_at - interval '1 day'`);
    expect(await tier()).toEqual({ source: 'STORED', inCode: [] });
  });
});
