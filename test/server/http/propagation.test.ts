import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgDb } from '../../../src/postgres/create-pg-db.js';
import type { Db } from '../../../src/postgres/db.js';
import type { Actor } from '../../../src/rules/store/create-change-log.js';
import { createRulesStore, type RulesStore } from '../../../src/rules/store/rules-store.js';
import { ADMIN_TOKEN, type Platform, post, runToEnd, startPlatform } from '../../helpers/platform.js';
import { startRedisServer, type TestServer } from '../../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';
import { openServerDatabase } from '../../postgres/databases.js';

const ADMIN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };
const TOKEN = { authorization: `Bearer ${ADMIN_TOKEN}` };
/**
 * The platform guarantees that a committed change is in force within two seconds. These tests allow
 * more time, because four test files run in parallel on two processors. `bench/propagation.ts`
 * measures the guarantee.
 */
const IN_FORCE_MS = 10_000;
/** Waits until a change is in force. Each check pays for operations, so it is not repeated at once. */
const untilInForce = (what: string, holds: () => Promise<boolean>) => until(what, holds, IN_FORCE_MS, 50);
const ISSUER = 'https://issuer.test/';

let redis: TestServer;
let database: Awaited<ReturnType<typeof openServerDatabase>>;
let way: TcpProxy;
/** A store that writes directly to the database, without a message about its changes. */
let store: RulesStore;
let db: Db;
let here: Platform;
let there: Platform;
let tokenOf: (user: string, expires?: string) => Promise<string>;
const closers: (() => Promise<unknown>)[] = [];
let settings: { env: Record<string, string>; args: string[] };

beforeAll(async () => {
  redis = await startRedisServer();
  database = await openServerDatabase();
  way = await startTcpProxy(database.url);
  const keys = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256' };
  const issuer = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  closers.push(async () => issuer.close());
  tokenOf = (user, expires = '5 minutes') =>
    new SignJWT({ sub: user })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(ISSUER)
      .setAudience('tollgate')
      .setExpirationTime(expires)
      .sign(keys.privateKey);
  settings = {
    env: {
      REDIS_URL: redis.url,
      DATABASE_URL: way.url,
      TOLLGATE_JWT_JWKS_URL: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/`,
      TOLLGATE_JWT_ISSUER: ISSUER,
      TOLLGATE_JWT_AUDIENCE: 'tollgate',
      TOLLGATE_JWT_ALGORITHMS: 'ES256',
      TOLLGATE_TRUSTED_PROXIES: '1',
      LOG_LEVEL: 'fatal',
    },
    args: ['--demo'],
  };
  [here, there] = await Promise.all([startPlatform(settings), startPlatform(settings)]);
  db = await createPgDb({ url: database.url, maxConnections: 2 });
  store = createRulesStore(db);
});
afterAll(async () => {
  await Promise.all([here.stop(), there.stop()]);
  await db.close();
  for (const close of closers) await close();
  await way.close();
  await database.dispose();
  await redis.stop();
});

const QUERY = '{ country(code: "SE") { name } }';
const ask = (platform: Platform, headers: Record<string, string>, query = QUERY) =>
  post(`${platform.url}/graphql`, query, headers);
const costOf = async (platform: Platform, headers: Record<string, string> = { 'x-api-key': 'demo-pro' }) =>
  (await ask(platform, { 'graphql-cost': 'report', ...headers })).body.extensions.cost;

async function newKey(user: string, tier: string): Promise<{ header: { 'x-api-key': string }; prefix: string }> {
  await store.upsertSubject({ user, tier }, ADMIN);
  const created = await store.createApiKey({ user }, ADMIN);
  if (!created.ok || created.value.secret === null) throw new Error(JSON.stringify(created));
  return { header: { 'x-api-key': created.value.secret }, prefix: created.value.apiKey.prefix };
}

/** Revokes a key as the admin API does, but directly in the database, without any notification. */
async function revoke(prefix: string): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query('update api_keys set revoked_at = now() where prefix = $1', [prefix]);
    await tx.query(
      `insert into changes (entity, entity_key, action, actor, auth_method) values ('API_KEY', $1, 'REVOKE', 'ann', 'ADMIN_TOKEN')`,
      [prefix],
    );
  });
}

describe('two processes on one Redis and one PostgreSQL', () => {
  it('a change takes effect immediately in the process that made it, and within two seconds in the other process', async () => {
    const { body } = await post(
      `${here.url}/admin/graphql`,
      'mutation { tierUpdate(input: { name: "pro", capacity: 54321 }) { userErrors { message } } }',
      TOKEN,
    );
    expect(body.data.tierUpdate.userErrors).toEqual([]);
    expect((await costOf(here)).throttleStatus.maximumAvailable).toBe(54_321);
    const changed = async () => (await costOf(there)).throttleStatus.maximumAvailable === 54_321;
    await untilInForce('the capacity is in force there', changed);
  });

  it('a new rule and the removal of a rule take effect in both processes without a change message', async () => {
    const rule = await store.createRule(
      {
        name: 'countries',
        scope: 'USER',
        field: 'Query.country',
        measure: 'CALLS',
        limits: [{ algorithm: 'FIXED_WINDOW', amount: 100_000, windowMs: 86_400_000 }],
      },
      ADMIN,
    );
    if (!rule.ok) throw new Error(JSON.stringify(rule.userErrors));
    const hasRule = async (platform: Platform) =>
      (await costOf(platform)).limits.some((limit: { rule: string }) => limit.rule === 'countries');
    const both = async () => (await Promise.all([hasRule(here), hasRule(there)])).every(Boolean);
    await untilInForce('the rule is in force in both', both);
    await store.retireRule({ id: rule.value.id }, ADMIN);
    const neither = async () => !(await Promise.all([hasRule(here), hasRule(there)])).some(Boolean);
    await untilInForce('the rule is in force in neither', neither);
  });

  it('the used tokens of a caller still count after a new capacity, a new tier or a restart', async () => {
    const { header } = await newKey('spender', 'free');
    // The buckets of both tiers refill almost nothing during the test.
    for (const name of ['pro', 'free']) {
      await store.updateTier({ name, refillAmount: 1, refillPeriodMs: 3_600_000 }, ADMIN);
    }
    for (const platform of [here, there]) {
      const isSlow = async () => (await costOf(platform, header)).throttleStatus.restoreRate < 0.001;
      await untilInForce('the slow refill is in force', isSlow);
    }
    const spend = () =>
      ask(here, header, 'mutation { noteSave(input: { place: "SWE", text: "hej" }) { note { id } } }');
    for (let times = 0; times < 5; times++) expect((await spend()).status).toBe(200);
    const used = async (platform: Platform) => {
      const { maximumAvailable, currentlyAvailable } = (await costOf(platform, header)).throttleStatus;
      return { maximumAvailable, used: maximumAvailable - currentlyAvailable };
    };
    const before = await used(there);
    expect(before.used).toBeGreaterThanOrEqual(50);

    await store.updateTier({ name: 'free', capacity: before.maximumAvailable + 500 }, ADMIN);
    const raised = async () => (await used(there)).maximumAvailable === before.maximumAvailable + 500;
    await untilInForce('the new capacity is in force', raised);
    expect((await used(there)).used).toBeGreaterThanOrEqual(before.used);

    await there.stop();
    there = await startPlatform(settings);
    expect((await used(there)).maximumAvailable).toBe(before.maximumAvailable + 500);
    expect((await used(there)).used).toBeGreaterThanOrEqual(before.used);

    await store.upsertSubject({ user: 'spender', tier: 'pro' }, ADMIN);
    await untilInForce('the new tier applies', async () => (await costOf(here, header)).tier === 'pro');
    expect((await used(here)).maximumAvailable).toBe(54_321);
    expect((await used(here)).used).toBeGreaterThanOrEqual(before.used);
    await store.upsertSubject({ user: 'spender', tier: 'free' }, ADMIN);
    await untilInForce('the old tier applies again', async () => (await costOf(here, header)).tier === 'free');
    expect((await used(here)).used).toBeGreaterThanOrEqual(before.used);
  });

  it('a revoked key and a disabled subject are rejected in both processes within two seconds', async () => {
    const { header, prefix } = await newKey('leaver', 'free');
    for (const platform of [here, there]) expect((await ask(platform, header)).status).toBe(200);
    const isRejected = async () => {
      const answers = await Promise.all([ask(here, header), ask(there, header)]);
      return answers.every(({ status, body }) => status === 401 && body.data === undefined);
    };
    await store.disableSubject({ user: 'leaver' }, ADMIN);
    await untilInForce('the caller is disabled', isRejected);
    await store.disableSubject({ user: 'leaver', disabled: false }, ADMIN);
    await untilInForce('the caller is enabled', async () => (await ask(there, header)).status === 200);
    await revoke(prefix);
    await untilInForce('the key is rejected', isRejected);
  });
});

describe.each([
  { how: 'by message', publish: '+publish' },
  { how: 'by polling, because no message arrives', publish: '-publish' },
])('changes by the admin API that the other process learns $how', ({ publish }) => {
  const allow = async (permission: string) => {
    const client = new Redis(redis.url);
    await client.call('ACL', 'SETUSER', 'default', permission);
    client.disconnect();
  };
  beforeAll(() => allow(publish));
  afterAll(() => allow('+publish'));

  async function admin(mutation: string) {
    const { body } = await post(`${here.url}/admin/graphql`, `mutation { ${mutation} }`, TOKEN);
    expect(body.errors).toBeUndefined();
    const [payload] = Object.values(body.data) as { userErrors: unknown[] }[];
    expect(payload!.userErrors).toEqual([]);
    return body.data;
  }

  it('a ruleUpdate takes effect immediately in its process, within two seconds in the other, and is never reverted', async () => {
    const name = `countries ${publish}`;
    const limits = (amount: number) => `[{ fixedWindow: { amount: ${amount}, windowMs: 86400000 } }]`;
    const { ruleCreate } = await admin(
      `ruleCreate(input: { name: "${name}", scope: USER, field: "Query.country", measure: CALLS, limits: ${limits(100_000)} }) { rule { id } userErrors { message } }`,
    );
    const { id } = ruleCreate.rule;
    const limitAt = async (platform: Platform): Promise<number> =>
      (await costOf(platform)).limits.find(({ rule }: { rule: string }) => rule === name)?.limit ?? 0;
    let seen = 0;
    for (const amount of [200_000, 300_000, 400_000]) {
      await admin(`ruleUpdate(input: { id: "${id}", limits: ${limits(amount)} }) { userErrors { message } }`);
      expect(await limitAt(here)).toBe(amount);
      const isThere = async () => {
        const limit = await limitAt(there);
        expect(limit).toBeGreaterThanOrEqual(seen);
        seen = limit;
        return limit === amount;
      };
      await untilInForce('the limit is in force there', isThere);
    }
    await admin(`ruleRetire(input: { id: "${id}" }) { userErrors { message } }`);
  });

  it('a change of the budget and the fields of a key is in force within two seconds in both processes', async () => {
    // The budgets are large, because the test sends requests until a change is in force.
    const user = `grantor ${publish}`;
    await admin(`subjectAssignTier(input: { user: "${user}", tier: "pro" }) { userErrors { message } }`);
    const { apiKeyCreate } = await admin(
      `apiKeyCreate(input: { user: "${user}", budget: { capacity: 50000, refillAmount: 100, refillPeriodMs: 86400000 } }) { apiKey { id } secret userErrors { message } }`,
    );
    const header = { 'x-api-key': apiKeyCreate.secret };
    const budgetAt = async (platform: Platform) => {
      const { keyStatus } = (await ask(platform, header)).body.extensions.cost;
      return keyStatus?.maximumAvailable;
    };
    expect([await budgetAt(here), await budgetAt(there)]).toEqual([50_000, 50_000]);
    const update = (members: string) =>
      admin(`apiKeyUpdate(input: { id: "${apiKeyCreate.apiKey.id}", ${members} }) { userErrors { message } }`);
    await update('budget: { capacity: 70000, refillAmount: 100, refillPeriodMs: 86400000 }');
    expect(await budgetAt(here)).toBe(70_000);
    await untilInForce('the budget is in force there', async () => (await budgetAt(there)) === 70_000);
    await update('budget: { calendar: { amount: 1000000, every: YEAR } }');
    const amountAt = async (platform: Platform) => (await ask(platform, header)).body.extensions.cost.keyBudget?.amount;
    expect(await amountAt(here)).toBe(1_000_000);
    await untilInForce('the calendar is in force there', async () => (await amountAt(there)) === 1_000_000);
    await update('fields: ["Query.countriesConnection"]');
    expect((await ask(here, header)).status).toBe(403);
    await untilInForce('the fields are in force there', async () => (await ask(there, header)).status === 403);
    await update('fields: null, budget: null');
    expect(await budgetAt(here)).toBeUndefined();
    await untilInForce('the fields are open there', async () => (await ask(there, header)).status === 200);
  });

  it('an apiKeyRevoke ends the key immediately in its process and within two seconds in the other', async () => {
    const user = `leaver ${publish}`;
    await admin(`subjectAssignTier(input: { user: "${user}", tier: "free" }) { userErrors { message } }`);
    const { apiKeyCreate } = await admin(
      `apiKeyCreate(input: { user: "${user}" }) { apiKey { id } secret userErrors { message } }`,
    );
    const header = { 'x-api-key': apiKeyCreate.secret };
    expect((await ask(here, header)).status).toBe(200);
    await untilInForce('the key is accepted there', async () => (await ask(there, header)).status === 200);
    await admin(`apiKeyRevoke(input: { id: "${apiKeyCreate.apiKey.id}" }) { userErrors { message } }`);
    expect((await ask(here, header)).status).toBe(401);
    await untilInForce('the key is rejected there', async () => (await ask(there, header)).status === 401);
  });
});

describe('a file of tiers', () => {
  const QUERY_OF_850 = '{ countries(first: 50) { borders { name } } }';
  /**
   * Ceilings that are one below the amounts of the operation: 850 tokens, 850 objects, a type cost
   * of 851 and a field cost of 51.
   */
  const CEILINGS = [
    ['maxCostPerOperation', 'TOKENS', 849],
    ['maxNodesPerOperation', 'NODES', 849],
    ['maxTypeCostPerOperation', 'TYPE_COST', 850],
    ['maxFieldCostPerOperation', 'FIELD_COST', 50],
  ] as const;

  it('a tier file sets and removes cost ceilings in both processes within two seconds', async () => {
    const write = (areSet: boolean): string => {
      const file = join(here.folder, `tiers-${areSet}.yaml`);
      const tiers = CEILINGS.map(
        ([ceiling, unit, maximum]) =>
          `  - { name: by-${unit}, capacity: 100000, refillAmount: 1, refillPeriodMs: 1000${areSet ? `, ${ceiling}: ${maximum}` : ''} }\n`,
      );
      writeFileSync(file, `tiers:\n${tiers.join('')}`);
      return file;
    };
    const rules = async (action: 'plan' | 'apply', file: string): Promise<string> => {
      const { status, output } = await runToEnd(['rules', action, file], { DATABASE_URL: database.url });
      expect(status, output).toBe(0);
      return output;
    };
    await rules('apply', write(false));
    const keys = await Promise.all(CEILINGS.map(([, unit]) => newKey(`user-of-${unit}`, `by-${unit}`)));
    const answers = (platform: Platform) =>
      Promise.all(keys.map(async ({ header }) => (await ask(platform, header, QUERY_OF_850)).body));
    const are = (what: boolean) => async () =>
      [...(await answers(here)), ...(await answers(there))].every(({ errors }) => (errors !== undefined) === what);
    await untilInForce('the tiers without ceilings are in force', are(false));

    const planned = await rules('plan', write(true));
    for (const [ceiling, , maximum] of CEILINGS) expect(planned).toMatch(new RegExp(`${ceiling}.*\\b${maximum}\\b`));
    expect(await are(false)()).toBe(true);

    await rules('apply', write(true));
    await untilInForce('all operations are rejected in both', are(true));
    for (const platform of [here, there]) {
      expect((await answers(platform)).map(({ errors }) => errors[0].extensions)).toMatchObject(
        CEILINGS.map(([, unit, maximum]) => {
          return { code: 'MAX_COST_EXCEEDED', unit, limit: maximum, cost: maximum + 1, deniedBy: `tier:by-${unit}` };
        }),
      );
    }
    await rules('apply', write(false));
    await untilInForce('no operation is rejected any more', are(false));
  });
});

describe('the identity of a caller', () => {
  it('a caller with a valid token gets their stored tier, and a caller with an invalid credential is rejected', async () => {
    await store.upsertSubject({ user: 'ada', tier: 'pro' }, ADMIN);
    const bearer = async (token: Promise<string>) => ({ authorization: `Bearer ${await token}` });
    expect((await costOf(here, await bearer(tokenOf('ada')))).tier).toBe('pro');
    expect((await costOf(here, await bearer(tokenOf('nobody-stored')))).tier).toBe('free');
    for (const headers of [
      await bearer(tokenOf('ada', '1 minute ago')),
      { authorization: 'Bearer nonsense' },
      { authorization: 'Basic YTpi' },
      { authorization: 'Bearer' },
      { 'x-api-key': '' },
    ]) {
      const { status, body } = await ask(here, headers);
      expect([status, body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
    }
  });

  it('a caller without credentials is identified by the address before the trusted proxy', async () => {
    const left = async (forwardedFor: string) =>
      (await costOf(here, { 'x-forwarded-for': forwardedFor })).throttleStatus.currentlyAvailable;
    const first = await left('203.0.113.1');
    expect(await left('198.51.100.1, 203.0.113.1')).toBeLessThan(first);
    expect(await left('198.51.100.2, ::ffff:203.0.113.1')).toBeLessThan(first - 1);
    expect(await left('203.0.113.2')).toBe(first);
    const network = await left('2001:db8:1:2::1');
    expect(await left('2001:db8:1:2:ffff::1')).toBeLessThan(network);
    expect(await left('2001:db8:1:3::1')).toBe(network);
  });
});

// These tests run last, because they make PostgreSQL unavailable for both platforms.
describe('an outage of PostgreSQL', () => {
  it('during a PostgreSQL outage, known callers continue, unknown keys get 503, and a new process starts with the last rules', async () => {
    // The test is slow, because a stop waits up to five seconds for usage to be stored.
    const known = await newKey('known', 'pro');
    expect((await ask(here, known.header)).status).toBe(200);
    await way.set({ kind: 'refuse' });

    expect((await costOf(here, known.header)).tier).toBe('pro');
    const unknown = await newKey('unknown', 'pro');
    const unavailable = await ask(here, unknown.header);
    expect(unavailable.status).toBe(503);
    expect(unavailable.body.errors[0].extensions.code).toBe('IDENTITY_UNAVAILABLE');
    expect(unavailable.headers.get('retry-after')).toBe('1');
    expect(unavailable.body.data).toBeUndefined();
    expect((await costOf(here, { authorization: `Bearer ${await tokenOf('never-seen')}` })).tier).toBe('free');
    const ready = async (platform: Platform): Promise<{ status: string; degraded?: string[] }> =>
      JSON.parse(await (await fetch(`${platform.url}/readyz`)).text());
    await until('/readyz reports the outage', async () =>
      JSON.stringify(await ready(here)).includes('PostgreSQL has been unavailable'),
    );
    expect((await ready(here)).status).toBe('ready');

    await there.stop();
    const cold = await startPlatform({ ...settings, folder: here.folder });
    try {
      expect(JSON.stringify(await ready(cold))).toMatch(/PostgreSQL has been unavailable/);
      // The new process reads a copy of this user from Redis.
      expect((await costOf(cold, known.header)).tier).toBe('pro');
      expect((await costOf(cold, known.header)).throttleStatus.maximumAvailable).toBe(54_321);

      await way.set({ kind: 'pass' });
      await until('the new key is known', async () => (await ask(cold, unknown.header)).status === 200);
      await until('the new process has recovered', async () => (await ready(cold)).degraded === undefined);
      await until('the other process has recovered too', async () => (await ask(here, unknown.header)).status === 200);
    } finally {
      expect(await cold.stop()).toBe(0);
    }
  });
});
