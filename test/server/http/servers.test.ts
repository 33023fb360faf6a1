import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createPgDb } from '../../../src/postgres/create-pg-db.js';
import { type Platform, post, runToEnd, startPlatform } from '../../helpers/platform.js';
import { startRedisServer, type TestServer, uniqueName } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';

const PRO = { 'x-api-key': 'demo-pro' };

let redis: TestServer;
let databaseUrl: string;

beforeAll(async () => {
  redis = await startRedisServer();
  databaseUrl = await createDatabase();
});
afterAll(async () => {
  await redis.stop();
});

async function createDatabase(): Promise<string> {
  const name = uniqueName('platform');
  const db = await createPgDb({ url: inject('databaseUrl') });
  await db.query(`create database ${name}`);
  await db.close();
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

describe('the platform on an external Redis and PostgreSQL', () => {
  it('four processes together admit exactly as many operations as the bucket holds', async () => {
    const env = { REDIS_URL: redis.url, DATABASE_URL: databaseUrl };
    const platforms: Platform[] = [await startPlatform({ env, args: ['--demo'] })];
    try {
      // The bucket has 100 tokens and does not refill during the test.
      const tier = 'name: "pro", capacity: 100, refillAmount: 1, refillPeriodMs: 86400000, maxCostPerOperation: null';
      const token = { authorization: 'Bearer an-admin-token-for-tests' };
      const update = `mutation { tierUpdate(input: { ${tier} }) { userErrors { message } } }`;
      const { body } = await post(`${platforms[0]?.url}/admin/graphql`, update, token);
      expect(body.data.tierUpdate.userErrors).toEqual([]);
      const others = Array.from({ length: 3 }, () => startPlatform({ env, args: ['--demo'] }));
      platforms.push(...(await Promise.all(others)));
      // The actual cost equals the estimated cost, so that no refund makes room for another
      // operation.
      const query = 'mutation { noteSave(input: { place: "SWE", text: "hej" }) { note { id } } }';
      const priced = await post(`${platforms[0]?.url}/graphql`, query, { 'x-api-key': 'demo-free' });
      const cost = priced.body.extensions.cost.requestedQueryCost;
      expect(priced.body.extensions.cost.actualQueryCost).toBe(cost);

      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => post(`${platforms[index % 4]?.url}/graphql`, query, PRO)),
      );
      const admitted = answers.filter(({ status }) => status === 200);
      expect(admitted).toHaveLength(Math.floor(100 / cost));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    } finally {
      // Each stop waits until the server closes its idle connections.
      expect(await Promise.all(platforms.map((platform) => platform.stop()))).toEqual([0, 0, 0, 0]);
    }
  });

  it('with an external Redis and PostgreSQL, there is no sample API, demo key or demo tier unless requested', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-servers-'));
    const env = { REDIS_URL: redis.url, DATABASE_URL: await createDatabase() };
    const platform = await startPlatform({ env, folder });
    try {
      expect((await fetch(`${platform.url}/graphql`, { method: 'POST' })).status).toBe(404);
      const token = { authorization: 'Bearer an-admin-token-for-tests' };
      const { body } = await post(`${platform.url}/admin/graphql`, '{ tiers { nodes { name } } }', token);
      const names = body.data.tiers.nodes.map((tier: { name: string }) => tier.name);
      expect(names).not.toContain('free');
      expect(names).not.toContain('pro');
      expect(platform.output()).not.toMatch(/demo-free|demo-pro/);
      expect(readdirSync(folder)).toEqual(['.tollgate']);
      const files = () => readdirSync(join(folder, '.tollgate')).join();
      await until('only the rules are stored there', () => files() === 'ruleset.json');
    } finally {
      expect(await platform.stop()).toBe(0);
    }
  });

  it('a start names the server that it cannot reach, without its password, and fails', async () => {
    const { status, output } = await runToEnd(['start', '--port', '4998'], {
      REDIS_URL: redis.url,
      DATABASE_URL: 'postgres://somebody:a-secret@127.0.0.1:1/none',
    });
    expect(status).not.toBe(0);
    expect(output).toMatch(/PostgreSQL/);
    expect(output).not.toMatch(/a-secret/);
  });
});

describe('tollgate migrate', () => {
  it('tollgate migrate applies pending migrations once and reports them', async () => {
    const env = { DATABASE_URL: await createDatabase() };
    expect((await runToEnd(['migrate', 'status'], env)).status).toBe(1);
    expect((await runToEnd(['migrate', 'up'], env)).output).toMatch(/Applied 0001/);
    expect((await runToEnd(['migrate', 'up'], env)).output).toMatch(/Already up to date/);
    expect((await runToEnd(['migrate', 'status'], env)).status).toBe(0);
    expect((await runToEnd(['migrate', 'up'], {})).output).toMatch(/DATABASE_URL: expected a URL/);
  });
});
