import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRulesStore } from '../../../src/rules/store/rules-store.js';
import { ADMIN_TOKEN, type Platform, post, startPlatform } from '../../helpers/platform.js';
import { startRedisServer, type TestServer } from '../../helpers/servers.js';
import { openServerDatabase } from '../../postgres/databases.js';
import { countCases } from '../serve.js';
import { type OpenPlatform, PLATFORMS } from './platforms.js';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const QUERY = '{ country(code: "SE") { name } }';

describe.each(PLATFORMS)('the platform, $on', ({ open }) => {
  let platform: Platform;
  let forwarded: OpenPlatform['forwarded'];
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ platform, forwarded, close } = await open());
  });
  afterAll(() => close());

  const api = (body: Parameters<typeof post>[1], headers: Record<string, string> = {}) =>
    post(`${platform.url}/graphql`, body, { 'graphql-cost': 'report', ...headers });
  const admin = (body: Parameters<typeof post>[1]) => post(`${platform.url}/admin/graphql`, body, ADMIN);
  const updateFree = async (parameters: string) => {
    const { body } = await admin(
      `mutation { tierUpdate(input: { name: "free", ${parameters} }) { userErrors { code } } }`,
    );
    expect(body.data.tierUpdate.userErrors).toEqual([]);
  };

  it('A12: headers that claim an address do not change the identity of the caller', async (context) => {
    await updateFree('capacity: 1000, refillAmount: 1, refillPeriodMs: 86400000');
    const claims = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip'];
    const addresses = [
      '1.2.3.4',
      '::1',
      '127.0.0.1, 5.6.7.8',
      'for=1.2.3.4',
      '::ffff:9.9.9.9',
      '"; drop',
      'fe80::1%eth0',
    ];
    let left = 1000;
    for (const claim of claims) {
      for (const [index, address] of addresses.entries()) {
        const { status, body } = await api(QUERY, { [claim]: address.replace('1.2.3', `1.2.${index}`) });
        expect(status).toBe(200);
        expect(body.extensions.cost.throttleStatus.currentlyAvailable).toBe(--left);
      }
    }
    countCases(context, claims.length * addresses.length);
  });

  it('A14: wrong keys get 401 and cost their address a fee, until its budget is used up', async (context) => {
    const { body } = await api(QUERY);
    const { maximumAvailable, currentlyAvailable } = body.extensions.cost.throttleStatus;
    const tokens = 40;
    const capacity = maximumAvailable - currentlyAvailable + tokens;
    await updateFree(`capacity: ${capacity}`);
    const before = await forwarded?.();
    for (let index = 0; index < tokens; index++) {
      const headers =
        index % 2 === 0 ? { 'x-api-key': `guess-${index}` } : { authorization: `Bearer tg_guess_${index}` };
      const answer = await api(QUERY, headers as Record<string, string>);
      expect(answer.status).toBe(401);
      expect(answer.body.extensions.cost).toMatchObject({ fee: 1, throttleStatus: { maximumAvailable: capacity } });
      expect(answer.body.data).toBeUndefined();
    }
    const denied = await api(QUERY, { 'x-api-key': 'one-more' });
    expect(denied.status).toBe(429);
    expect(denied.headers.get('retry-after')).not.toBeNull();
    expect(await forwarded?.()).toBe(before);
    // A caller with a key has a separate bucket.
    expect((await api(QUERY, { 'x-api-key': 'demo-pro' })).status).toBe(200);
    await updateFree('capacity: 1000000, refillAmount: 1000000, refillPeriodMs: 1000');
    countCases(context, tokens + 1);
  });

  it.each([
    'NaN',
    '-1',
    '0',
    '1.5',
    '1e10',
    '"100"',
    'true',
    '[1]',
    '9007199254740993',
    '-2147483649',
    'Infinity',
  ])('A15: a tier with %s as capacity, refill amount or refill period is not saved', async (value) => {
    const before = (await admin('{ tier(name: "free") { capacity refillAmount refillPeriodMs } }')).body.data.tier;
    for (const field of ['capacity', 'refillAmount', 'refillPeriodMs']) {
      const mutation = `mutation { tierUpdate(input: { name: "free", ${field}: ${value} }) { userErrors { code } } }`;
      const { status, body } = await admin(mutation);
      expect(status).toBeLessThan(500);
      const problems = body.errors ?? body.data.tierUpdate.userErrors;
      expect(problems.length, JSON.stringify(body)).toBeGreaterThan(0);
    }
    const after = (await admin('{ tier(name: "free") { capacity refillAmount refillPeriodMs } }')).body.data.tier;
    expect(after).toEqual(before);
  });

  it('A22: values that callers choose never break a log line or become a metric label', async (context) => {
    const names = ['drop_table', 'x'.repeat(500), '__proto__'];
    const agents = ['=cmd|calc', '","level":60,"msg":"forged', 'a\tb', '{{jndi:ldap://x}}', '<script>', '%0aforged'];
    for (const name of names) await api(`query ${name} ${QUERY}`);
    for (const agent of agents) {
      const headers = { 'user-agent': agent, 'apollographql-client-name': agent, 'x-request-id': agent };
      expect((await api(QUERY, headers)).status).toBe(200);
      expect((await api(`{ ${'a'.repeat(20)} }`, headers)).status).toBe(400);
      await fetch(`${platform.url}/${encodeURIComponent(agent)}`, { headers: { connection: 'close' } });
    }
    const metrics = await (await fetch(`${platform.url}/metrics`)).text();
    for (const word of [...names, 'cmd|calc', 'forged', 'jndi', '<script>']) expect(metrics).not.toContain(word);
    const lines = platform
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
    expect(platform.output()).not.toMatch(/^forged/m);
    countCases(context, names.length + agents.length * 3);
  });
});

describe('four processes on one Redis', () => {
  const RUNS = Number(process.env['ABUSE_RUNS'] ?? 5);
  /** A mutation whose actual cost equals its estimate, so that no refund admits another charge. */
  const WRITE = 'mutation { noteSave(input: { place: "SWE", text: "hej" }) { note { id } } }';
  let redis: TestServer;
  let platforms: Platform[] = [];
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    redis = await startRedisServer();
    const database = await openServerDatabase();
    dispose = database.dispose;
    const env = { REDIS_URL: redis.url, DATABASE_URL: database.url };
    platforms = [await startPlatform({ env, args: ['--demo'] })];
    const { body } = await post(`${platforms[0]!.url}/graphql`, WRITE, { 'x-api-key': 'demo-pro' });
    const { requestedQueryCost, actualQueryCost } = body.extensions.cost;
    expect(actualQueryCost).toBe(requestedQueryCost);
    // The bucket holds ten writes and does not refill during the test. Each run has its own caller.
    const tier = `name: "pro", capacity: ${10 * requestedQueryCost}, refillAmount: 1, refillPeriodMs: 86400000`;
    await post(
      `${platforms[0]!.url}/admin/graphql`,
      `mutation { tierUpdate(input: { ${tier} }) { userErrors { code } } }`,
      ADMIN,
    );
    const store = createRulesStore(database.db);
    const actor = { name: 'test', authMethod: 'SYSTEM' as const };
    for (let run = 0; run < RUNS; run++) {
      const user = `racer-${run}`;
      await store.upsertSubject({ user, tier: 'pro' }, actor);
      await store.createApiKey({ user, name: 'race', known: { prefix: user, secret: user } }, actor);
    }
    platforms.push(...(await Promise.all([1, 2, 3].map(() => startPlatform({ env, args: ['--demo'] })))));
  });
  afterAll(async () => {
    for (const platform of platforms) expect(await platform.stop()).toBe(0);
    await dispose();
    await redis.stop();
  });

  it('A16: four processes admit exactly ten of 200 concurrent charges that each cost a tenth of the bucket', async (context) => {
    for (let run = 0; run < RUNS; run++) {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          post(`${platforms[index % 4]!.url}/graphql`, WRITE, { 'x-api-key': `racer-${run}` }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(190);
    }
    countCases(context, RUNS * 200);
  });
});
