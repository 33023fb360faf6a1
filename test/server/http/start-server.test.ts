import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, type RunningServer, type StartServerOptions, startServer } from '../../../src/entry/server.js';
import { copyEmbeddedDatabase } from '../../helpers/embedded-folder.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import { startRedisServer, type TestServer } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';
import { openServerDatabase, type TestDatabase } from '../../postgres/databases.js';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const QUIET = { info() {}, warn() {}, error() {} };

let redis: TestServer;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.stop());

const databases: TestDatabase[] = [];
const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const database of databases.splice(0)) await database.dispose();
});

async function start(options: StartServerOptions = {}, settings: Record<string, string> = {}): Promise<string> {
  const database = await openServerDatabase('empty');
  databases.push(database);
  const env = {
    REDIS_URL: redis.url,
    DATABASE_URL: database.url,
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_REDIS_DEADLINE_MS: String(PATIENT_MS),
    ...settings,
  };
  const server = await startServer({ config: { ...loadConfig({ env }), port: 0 }, logger: QUIET, ...options });
  running.push(server);
  return `http://127.0.0.1:${server.port}`;
}

/** A schema whose resolvers return the values that they received. */
const whoAmI = makeExecutableSchema({
  typeDefs: `
    type Query { me: Me }
    type Me { user: String, agent: String }
  `,
  resolvers: {
    Query: { me: (_root, _args, { subject, agent }) => ({ user: subject.user ?? null, agent }) },
  },
});

describe('startServer with a given API', () => {
  it('startServer serves the given API to callers with stored keys and shows its schema to the admin API', async () => {
    const url = await start({
      schema: whoAmI,
      context: ({ headers }) => ({ agent: headers['user-agent'] }),
      tiers: [{ name: 'small', capacity: 5, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    });
    const change = `mutation {
      subjectAssignTier(input: { user: "ann", tier: "small" }) { userErrors { message } }
      apiKeyCreate(input: { user: "ann", name: "test" }) { secret userErrors { message } }
    }`;
    const { body } = await post(`${url}/admin/graphql`, change, ADMIN);
    const key = { 'x-api-key': body.data.apiKeyCreate.secret, 'user-agent': 'a test' };
    const answer = await post(`${url}/graphql`, '{ me { user agent } }', key);
    expect(answer.body.data).toEqual({ me: { user: 'ann', agent: 'a test' } });
    expect(answer.body.extensions.cost).toMatchObject({
      requestedQueryCost: 1,
      throttleStatus: { maximumAvailable: 5, currentlyAvailable: 4 },
    });
    const explain = '{ costExplain(input: { query: "{ me { user } }" }) { explanation { fields { coordinate } } } }';
    const explained = await post(`${url}/admin/graphql`, explain, ADMIN);
    expect(
      explained.body.data.costExplain.explanation.fields.map(({ coordinate }: { coordinate: string }) => coordinate),
    ).toEqual(['Query.me', 'Me.user']);
    // The sample API is absent: neither its publicly known key nor its tiers exist.
    expect((await post(`${url}/graphql`, '{ me { user } }', { 'x-api-key': 'demo-pro' })).status).toBe(401);
    const { tiers } = (await post(`${url}/admin/graphql`, '{ tiers { nodes { name } } }', ADMIN)).body.data;
    expect(tiers.nodes).toEqual([{ name: 'small' }]);
  });

  it('startServer runs `prepare` before it accepts requests, and closes everything when `prepare` fails', async () => {
    const prepared: string[] = [];
    const url = await start({
      schema: whoAmI,
      async prepare({ store }) {
        for (const { name } of await store!.listTiers()) prepared.push(name);
      },
    });
    expect(prepared).toEqual(['default']);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await expect(start({ prepare: () => Promise.reject(new Error('not now')) })).rejects.toThrow('not now');
  });

  it('operations that a stop interrupts are recorded, even if they settle after their connection has closed', async () => {
    const slow = makeExecutableSchema({
      typeDefs: 'type Query { slow: Int }',
      resolvers: {
        Query: {
          slow: (_root, _args, { clientGone }: { clientGone: AbortSignal }) =>
            new Promise((resolve) => {
              begun = true;
              clientGone.addEventListener('abort', () => setTimeout(() => resolve(1), 50));
            }),
        },
      },
    });
    let begun = false;
    await start({ schema: slow }, { TOLLGATE_SHUTDOWN_TIMEOUT_MS: '100' });
    const server = running.pop()!;
    const cut = post(`http://127.0.0.1:${server.port}/graphql`, '{ slow }').catch(() => 'cut');
    await until('the operation runs', () => begun);
    await server.stop();
    expect(await cut).toBe('cut');
    const rows = await databases[0]!.db.query('select sum(requests)::integer as requests from usage_minute');
    expect(rows).toEqual([{ requests: 1 }]);
  });

  describe('startServer in embedded mode', () => {
    const BROWSER = { accept: 'text/html', 'sec-fetch-dest': 'document' };
    const folders: string[] = [];
    afterEach(() => {
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    });

    async function startEmbedded(settings: Record<string, string> = {}) {
      const folder = mkdtempSync(join(tmpdir(), 'tollgate-own-'));
      folders.push(folder);
      const env = { TOLLGATE_DATA_DIR: join(folder, 'data'), TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN, ...settings };
      await copyEmbeddedDatabase(join(folder, 'data', 'postgres'));
      const logged: string[] = [];
      const keep = (...values: unknown[]) => void logged.push(JSON.stringify(values));
      const server = await startServer({
        schema: whoAmI,
        config: { ...loadConfig({ env }), port: 0 },
        logger: { info: keep, warn: keep, error: keep },
      });
      running.push(server);
      const url = `http://127.0.0.1:${server.port}`;
      return { url, server, logged, page: async () => (await fetch(`${url}/graphql`, { headers: BROWSER })).text() };
    }
    const withTypo = async (url: string) => (await post(`${url}/graphql`, '{ mee { user } }')).body.errors[0].message;

    it('an embedded server of a given API runs in production mode and reveals nothing to unauthenticated callers', async () => {
      const { url, server, logged, page } = await startEmbedded();
      expect(await page()).not.toMatch(/demo|<html/i);
      expect(await withTypo(url)).not.toContain('Did you mean');
      const { body } = await post(`${url}/graphql`, '{ __schema { queryType { name } } }');
      expect(body.data).toBeUndefined();
      expect(server.consolePath).toBe('/console/');
      expect(logged.join()).not.toContain('code');
      expect((await post(`${url}/graphql`, '{ me { user } }', { 'x-api-key': 'demo-free' })).status).toBe(401);
      const sample = await post(`${url}/admin/graphql`, '{ demoTraffic { isOn } }', ADMIN);
      expect(sample.body.data).toEqual({ demoTraffic: null });
    });

    it('with production mode off, an embedded server helps developers and shows nothing of the sample API', async () => {
      const { url, server, page } = await startEmbedded({ TOLLGATE_PRODUCTION: 'false' });
      expect(await withTypo(url)).toContain('Did you mean "me"?');
      expect(server.consolePath).toMatch(/#code=/);
      expect(await page()).not.toContain('demo');
    });

    it('startServer rejects the setting TOLLGATE_DEMO', async () => {
      await expect(startEmbedded({ TOLLGATE_DEMO: 'true' })).rejects.toThrow(
        'TOLLGATE_DEMO: expected false or unset, got true. startServer serves a given API',
      );
    });
  });

  it('startServer without an API serves only the admin API', async () => {
    const url = await start();
    expect((await post(`${url}/graphql`, '{ __typename }')).status).toBe(404);
    expect((await post(`${url}/admin/graphql`, '{ health { ok } }', ADMIN)).body.data).toEqual({
      health: { ok: true },
    });
  });
});
