import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, type RunningServer, startServer } from '../../../src/entry/server.js';
import { ADMIN_TOKEN, post, runToEnd } from '../../helpers/platform.js';
import { startRedisServer, type TestServer } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';
import { openServerDatabase, type TestDatabase } from '../../postgres/databases.js';

const QUIET = { info() {}, warn() {}, error() {} };
const NAMES = ['eu', 'us'] as const;
type Name = (typeof NAMES)[number];
const AMOUNT = 1000;

let redis: Record<Name, TestServer>;
const databases: TestDatabase[] = [];
const servers: RunningServer[] = [];
let urls: Record<Name, string>;
let envs: Record<Name, Record<string, string>>;

const schema = makeExecutableSchema({
  typeDefs: 'type Query { report: Int export: Int }',
  resolvers: { Query: { report: () => 1, export: () => 1 } },
});

beforeAll(async () => {
  redis = { eu: await startRedisServer(), us: await startRedisServer() };
  const entries: [Name, string][] = [];
  envs = { eu: {}, us: {} };
  for (const name of NAMES) {
    const other = name === 'eu' ? 'us' : 'eu';
    const database = await openServerDatabase('empty');
    databases.push(database);
    envs[name] = {
      REDIS_URL: redis[name].url,
      DATABASE_URL: database.url,
      TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
      TOLLGATE_REGION: name,
      TOLLGATE_REGION_SHARES: 'eu=50,us=50',
      TOLLGATE_REGION_REDIS_URLS: `${other}=${redis[other].url}`,
    };
    const config = loadConfig({ env: envs[name] });
    const server = await startServer({
      // Shorter intervals than the default, so that the test is short.
      config: { ...config, port: 0, region: { ...config.region!, exchangeMs: 500 } },
      logger: QUIET,
      schema,
      tiers: [{ name: 'free', capacity: 1e6, refillAmount: 1e6, refillPeriodMs: 1000, isDefault: true }],
      rules: [
        {
          name: 'reports',
          scope: 'GLOBAL',
          field: 'Query.report',
          measure: 'CALLS',
          regionMode: 'SPLIT',
          limits: [{ algorithm: 'FIXED_WINDOW', amount: AMOUNT, windowMs: 500 }],
        },
        {
          name: 'exports',
          scope: 'USER',
          field: 'Query.export',
          measure: 'CALLS',
          regionMode: 'WATCH',
          limits: [{ algorithm: 'TOKEN_BUCKET', capacity: 6, refillAmount: 1, refillPeriodMs: 3_600_000 }],
        },
      ],
    });
    servers.push(server);
    entries.push([name, `http://127.0.0.1:${server.port}`]);
  }
  urls = Object.fromEntries(entries) as Record<Name, string>;
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  for (const database of databases) await database.dispose();
  await Promise.all(Object.values(redis).map((server) => server.stop()));
});

/** Returns the share that the metrics of a region show, in percent. */
async function shareOf(name: Name): Promise<number> {
  const text = await (await fetch(`${urls[name]}/metrics`)).text();
  return Number(new RegExp(`^tollgate_region_share_percent\\{region="${name}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
}

describe('two platforms with a Redis each and TOLLGATE_REGION_REDIS_URLS', () => {
  it('the region with all the demand gets the share of the other, and the shares never sum to more than 100', async () => {
    expect(await shareOf('eu')).toBeLessThanOrEqual(50);
    let most = 0;
    await until(
      'the shares have moved',
      async () => {
        expect((await post(`${urls.eu}/graphql`, '{ report }')).status).toBe(200);
        // Only `eu` receives. If it receives between the two reads, the sum is too small, not too large.
        const eu = await shareOf('eu');
        most = Math.max(most, eu + (await shareOf('us')));
        return eu >= 60;
      },
      120_000,
    );
    expect(most).toBeLessThanOrEqual(100);
    await until('no gift is on its way', async () => (await shareOf('eu')) + (await shareOf('us')) === 100);
    expect(await shareOf('us')).toBeLessThanOrEqual(40);
    // The numbers of the admin API are those of the region of the platform that responds.
    const { rule, quota } = await admin(
      'us',
      `{
        rule(name: "reports") { inRegion { region limits } }
        quota(subject: { ip: "192.0.2.7" }) { limits { rule limit wholeLimit region } }
      }`,
    );
    expect(rule.inRegion.region).toBe('us');
    expect(rule.inRegion.limits[0]).toBeLessThanOrEqual(AMOUNT * 0.4);
    const [reports] = quota.limits.filter((limit: { rule: string }) => limit.rule === 'reports');
    expect(reports).toMatchObject({ wholeLimit: AMOUNT, region: 'us' });
    expect(reports.limit).toBeLessThanOrEqual(AMOUNT * 0.4);
    const { output } = await runToEnd(['doctor'], envs.eu);
    expect(output).toMatch(/^ok +region eu +uses \d+ % instead of 50 %, and the last exchange was \d\.\d s ago$/m);
    expect(output).toMatch(/^ok +region us +uses \d+ % instead of 50 %, and the last exchange was \d\.\d s ago$/m);
  }, 200_000);

  it('a caller who moves between regions pays for all operations, and a stopped exchange is reported', async () => {
    const send = async (name: Name) => (await post(`${urls[name]}/graphql`, '{ export }')).status;
    let admitted = 0;
    // At the worst, each region admits the whole bucket before it reads the counts of the other.
    await until('the caller is denied in both regions', async () => {
      const statuses = [await send('eu'), await send('us')];
      admitted += statuses.filter((status) => status === 200).length;
      return statuses.every((status) => status === 429);
    });
    expect(admitted).toBeGreaterThanOrEqual(6);
    expect(admitted).toBeLessThanOrEqual(12);
    await until('the usage and the denials of the region are stored', async () => {
      const { usage, topRegions, denials } = await admin(
        'eu',
        `{
          usage(groupBy: [REGION], filter: { region: "eu" }) { nodes { region requests denied } }
          topRegions { nodes { region share } }
          denials(filter: { rule: "exports" }) { nodes { region } }
        }`,
      );
      // Both sums are of the same operations: each of them has a region.
      expect(topRegions.nodes).toEqual(usage.nodes.length === 0 ? [] : [{ region: 'eu', share: 1 }]);
      expect(denials.nodes.every(({ region }: { region: string }) => region === 'eu')).toBe(true);
      return denials.nodes.length > 0 && usage.nodes.some(({ denied }: { denied: number }) => denied > 0);
    });
    const metrics = await (await fetch(`${urls.eu}/metrics`)).text();
    expect(metrics).toMatch(/^tollgate_region_counts_age_seconds\{region="us"\} \d/m);
    expect(await degradedOf('eu')).toBeUndefined();
    await redis.us.stop();
    await until('the platform reports the region', async () => {
      const problems = (await degradedOf('eu')) ?? [];
      return problems.some((problem) => /^the counts of region us were not read for \d+ s: /.test(problem));
    });
    await until('doctor warns of the region', async () => {
      const { output } = await runToEnd(['doctor'], envs.eu);
      expect(output).toMatch(/^failure +region us +cannot read its share at /m);
      return /^warning +region eu +has not read the counts of region us for \d/m.test(output);
    });
  }, 120_000);
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
async function admin(name: Name, query: string): Promise<any> {
  const { body } = await post(`${urls[name]}/admin/graphql`, query, { authorization: `Bearer ${ADMIN_TOKEN}` });
  expect(body.errors).toBeUndefined();
  return body.data;
}

async function degradedOf(name: Name): Promise<string[] | undefined> {
  const body = (await (await fetch(`${urls[name]}/readyz`)).json()) as { degraded?: string[] };
  return body.degraded;
}
