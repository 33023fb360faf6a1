import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { buildSchema } from 'graphql';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRegionExchange } from '../../src/limiter/exchange/region-exchange.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { judgeClock } from '../../src/server/commands/doctor/finding.js';
import { publishedSchemaOf } from '../../src/services/published-schema.js';
import { publishSchema } from '../../src/services/published-service.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { runToEnd } from '../helpers/platform.js';
import { startRedisServer, type TestServer } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';

let redis: TestServer;
let database: Awaited<ReturnType<typeof openServerDatabase>>;
beforeAll(async () => {
  redis = await startRedisServer();
  database = await openServerDatabase();
});
afterAll(async () => {
  await redis.stop();
  await database.dispose();
});

const TOKEN = { TOLLGATE_ADMIN_TOKEN: 'an-admin-token-for-tests' };
const doctor = (env: Record<string, string>) =>
  runToEnd(['doctor'], { TOLLGATE_DATA_DIR: mkdtempSync(join(tmpdir(), 'tollgate-doctor-')), ...TOKEN, ...env });

/** Returns the lines that report failures, so that a failed test shows them. */
const failuresIn = (output: string) => output.match(/^failure.*$/gm);

describe('tollgate doctor', () => {
  it('doctor reports no failure for healthy servers and exits with 0', async () => {
    await migrate(database.db);
    const { status, output } = await doctor({ REDIS_URL: redis.url, DATABASE_URL: database.url });
    expect(output).toMatch(/^ok +Redis version +\d+\.\d+/m);
    expect(output).toMatch(/^ok +Redis scripts +give the same decisions as this process in 7 steps$/m);
    expect(output).toMatch(/^ok +Redis eviction +noeviction/m);
    expect(output).toMatch(/^ok +Redis cluster +not a cluster/m);
    expect(output).toMatch(/^(ok|warning) +Redis latency +.* ms median/m);
    expect(output).toMatch(/^ok +Redis clock/m);
    expect(output).toContain(`data version ${process.versions['tz']}\n`);
    expect(output).toMatch(/^ok +PostgreSQL version +\d+/m);
    expect(output).toMatch(/^ok +PostgreSQL clock/m);
    expect(output).toMatch(/^ok +PostgreSQL tables +up to date/m);
    expect(output).toMatch(/^ok +rules +none are stored/m);
    expect(output).toMatch(/\n0 failures, (1 warning|[02-9] warnings)\n$/);
    expect([status, failuresIn(output)]).toEqual([0, null]);
  });

  it('doctor checks the Redis of each region, and whether the regions have the same shares', async () => {
    const other = await startRedisServer();
    const settings = {
      REDIS_URL: redis.url,
      DATABASE_URL: database.url,
      TOLLGATE_REGION: 'eu',
      TOLLGATE_REGION_SHARES: 'eu=60,us=40',
      TOLLGATE_REGION_REDIS_URLS: `us=${other.url}`,
    };
    const exchange = (shares: Record<string, number>) => {
      const region = { name: 'us', shares, redis: { eu: redis.url } };
      return createRegionExchange({ region, redis: other.url, deadlineMs: PATIENT_MS, now: undefined });
    };
    const same = exchange({ eu: 60, us: 40 });
    await same.opened;
    const { output } = await doctor(settings);
    expect(output).toMatch(/^warning +region eu +answers at .*, but has no share yet: start its instances$/m);
    expect(output).toMatch(/^ok +region us +uses 40 % instead of 40 %, and the last exchange was \d+\.\d s ago$/m);
    await same.close();
    const client = new Redis(other.url);
    await client.del('tg:{region:us}:leader');
    client.disconnect();
    const different = exchange({ eu: 50, us: 50 });
    await different.opened;
    const changed = await doctor(settings);
    expect(changed.output).toMatch(/^failure +region us +has other shares \(eu=50,us=50;floor=5\) than this instance/m);
    await different.close();
    await other.stop();
    const away = await doctor(settings);
    expect(away.output).toMatch(/^failure +region us +cannot read its share at /m);
    expect(away.status).toBe(1);
  });

  it('doctor reports a Redis database that does not exist', async () => {
    const { status, output } = await doctor({ REDIS_URL: `${redis.url}/99`, DATABASE_URL: database.url });
    expect(output).toMatch(/^failure +Redis +cannot connect to .*: cannot use database 99 of Redis/m);
    expect(output).toMatch(/\n1 failure, /);
    expect(status).toBe(1);
  });

  it('doctor warns of stored rules that have no effect on the published schemas', async () => {
    await migrate(database.db);
    const store = createRulesStore(database.db);
    const actor = { name: 'test', authMethod: 'SYSTEM' as const };
    await store.ensureTiers([{ name: 'free', capacity: 1, refillAmount: 1, isDefault: true }], actor);
    const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 1, windowMs: 1000 }];
    const rule = { scope: 'USER' as const, measure: 'CALLS' as const, limits };
    await store.createRule({ ...rule, name: 'misspelled', field: 'Query.serch' }, actor);
    const servers = { REDIS_URL: redis.url, DATABASE_URL: database.url };
    const unknown = await doctor(servers);
    expect(unknown.output).toMatch(/^ok +rules +1 stored, no server has published a schema/m);
    await publishSchema(database.db, publishedSchemaOf('shop', buildSchema('type Query { search: Int }')));
    await store.updateTier({ name: 'free', capacity: null }, actor);
    const { status, output } = await doctor(servers);
    expect(output).toMatch(/^warning +tiers +callers without an assigned tier have no bucket, .* tier free has none$/m);
    expect(output).toMatch(/^warning +rules +rule "misspelled" has no effect: .* did you mean Query\.search\?$/m);
    expect([status, failuresIn(output)]).toEqual([0, null]);
    await database.db.query('truncate rules, service_schemas cascade');
  });

  it('doctor warns of running instances that do not know a feature of a stored tier', async () => {
    await migrate(database.db);
    const servers = { REDIS_URL: redis.url, DATABASE_URL: database.url };
    expect((await doctor(servers)).output).toMatch(/^ok +instances +the running ones know all features/m);
    const actor = { name: 'test', authMethod: 'SYSTEM' as const };
    const tier = { name: 'monthly', capacity: 1, refillAmount: 1, budget: { amount: 5, every: 'MONTH' as const } };
    await createRulesStore(database.db).createTier(tier, actor);
    await database.db.query(
      `insert into instances (id, version, host, pid, divisor, problems, started_at)
       values ('AAAAAAAAAAA1', '0.0.9', 'web-1', 4711, 1, '[]', now())`,
    );
    expect((await doctor(servers)).output).toMatch(
      /^warning +instances +running instances do not know .*budget.*: web-1 \(process 4711, version 0\.0\.9\); until/m,
    );
    await database.db.query('truncate tiers, instances cascade');
  });

  it('doctor reports a Redis that evicts counters, and tables that do not exist yet', async () => {
    const small = await startRedisServer(['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru']);
    const empty = await openServerDatabase('empty');
    try {
      const { status, output } = await doctor({ REDIS_URL: small.url, DATABASE_URL: empty.url });
      expect(output).toMatch(/^failure +Redis eviction +maxmemory-policy is allkeys-lru: .*set noeviction/m);
      expect(output).toMatch(/^warning +PostgreSQL tables +pending: 0001/m);
      expect(status).toBe(1);
    } finally {
      await small.stop();
      await empty.dispose();
    }
  });

  it('doctor reports a data directory that the permission model of Node.js does not allow to write', async () => {
    // Node 24 has renamed the flag.
    const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
    const NODE_OPTIONS = `${flag} --allow-fs-read=*`;
    const { status, output } = await doctor({ NODE_OPTIONS });
    expect(output).toMatch(
      /^failure +data directory +.* cannot be written: Node was started without --allow-fs-write/m,
    );
    expect(status).toBe(1);
    const TOLLGATE_DATA_DIR = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'));
    const allowed = await doctor({
      TOLLGATE_DATA_DIR,
      NODE_OPTIONS: `${NODE_OPTIONS} --allow-fs-write=${TOLLGATE_DATA_DIR}/*`,
    });
    expect(allowed.output).toMatch(/^ok +data directory/m);
  });

  it('doctor reports a cluster without hash slots, even if the URL does not declare a cluster', async () => {
    const node = await startRedisServer(['--cluster-enabled', 'yes']);
    try {
      const plain = await doctor({ REDIS_URL: node.url, DATABASE_URL: database.url });
      expect(plain.output).toMatch(/^failure +Redis cluster +.*redis-cluster:\/\//m);
      const cluster = await doctor({
        REDIS_URL: node.url.replace('redis://', 'redis-cluster://'),
        DATABASE_URL: database.url,
      });
      expect(cluster.output).toMatch(/^failure +Redis/m);
      expect(cluster.status).toBe(1);
    } finally {
      await node.stop();
    }
  });

  it('doctor distinguishes a replica from a Redis that rejects the credentials', async () => {
    const replica = await startRedisServer(['--replicaof', '127.0.0.1', new URL(redis.url).port]);
    try {
      const { output } = await doctor({ REDIS_URL: replica.url, DATABASE_URL: database.url });
      expect(output).toMatch(/^failure +Redis +answers at .*, but it is a replica and accepts no writes$/m);
      const guessed = replica.url.replace('redis://', 'redis://nobody:a-secret@');
      const rejected = await doctor({ REDIS_URL: guessed, DATABASE_URL: database.url });
      expect(rejected.output).toMatch(/^failure +Redis +cannot connect to .*: WRONGPASS /m);
      expect(rejected.output).not.toMatch(/a-secret/);
    } finally {
      await replica.stop();
    }
  });

  it('doctor reports a TLS mismatch between Redis and its URL, with the URL to use', async () => {
    const plain = redis.url.replace('redis://', 'rediss://');
    const secure = createTlsServer({}).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const { port } = secure.address() as AddressInfo;
    const [first, second] = await Promise.all([
      doctor({ REDIS_URL: plain, DATABASE_URL: database.url }),
      doctor({
        REDIS_URL: `redis://127.0.0.1:${port}`,
        DATABASE_URL: database.url,
        TOLLGATE_POOLS: 'writes=type:MUTATION',
        REDIS_URL_WRITES: `redis-cluster://127.0.0.1:${port}`,
      }),
    ]);
    secure.close();
    expect(first.output).toMatch(/^failure +Redis +.*uses no TLS: use a URL with redis:\/\//m);
    expect(second.output).toMatch(/^failure +Redis +.*accepts only TLS: use a URL with rediss:\/\//m);
    expect(second.output).toMatch(
      /^failure +Redis writes +.*accepts only TLS, which a URL with redis-cluster:\/\/ does not use/m,
    );
  });

  it('doctor checks the Redis of each pool', async () => {
    const { status, output } = await doctor({
      REDIS_URL: redis.url,
      DATABASE_URL: database.url,
      TOLLGATE_POOLS: 'reports=field:Query.countries;writes=type:MUTATION',
      REDIS_URL_REPORTS: `${redis.url}/1`,
      REDIS_URL_WRITES: 'redis://:a-secret@127.0.0.1:1',
    });
    expect(output).toMatch(/^ok +Redis reports eviction +noeviction/m);
    expect(output).toMatch(/^failure +Redis writes +cannot connect to 127\.0\.0\.1:1: /m);
    expect(output).not.toMatch(/a-secret/);
    expect(status).toBe(1);
  });

  it('doctor names unreachable servers without their passwords, and every mistake in the settings', async () => {
    const away = await doctor({
      REDIS_URL: 'redis://:a-secret@127.0.0.1:1',
      DATABASE_URL: 'postgres://somebody:a-secret@127.0.0.1:1/none',
    });
    expect(away.output).toMatch(/^failure +Redis +cannot connect to 127\.0\.0\.1:1: .*ECONNREFUSED/m);
    expect(away.output).toMatch(/^failure +PostgreSQL +cannot connect to 127\.0\.0\.1:1\/none: .*ECONNREFUSED/m);
    expect(away.output).not.toMatch(/a-secret/);
    expect(away.status).toBe(1);
    const wrong = await doctor({ PORT: 'many', TOLLGATE_TRUSTED_PROXIES: 'true' });
    expect(wrong.output).toMatch(/^failure +settings +PORT: expected a whole number/m);
    expect(wrong.output).toMatch(/^failure +settings +TOLLGATE_TRUSTED_PROXIES: expected the number of proxies/m);
    expect(wrong.status).toBe(1);
  });

  it('doctor reports embedded mode when no server is set', async () => {
    const { status, output } = await doctor({});
    expect(output).toMatch(/^ok +settings +embedded/m);
    expect([status, failuresIn(output)]).toEqual([0, null]);
  });
});

describe('the clock check of doctor', () => {
  it.each([
    [0, 'OK'],
    [900, 'OK'],
    [-900, 'OK'],
    [3000, 'WARNING'],
    [-3000, 'WARNING'],
    [60_000, 'FAILURE'],
    [-60_000, 'FAILURE'],
  ])('the result for a clock that differs by %s ms is %s', (offByMs, level) => {
    expect(judgeClock('clock', 1_000_000 + offByMs, 1_000_000, 1_000_000).level).toBe(level);
  });

  it('the clock check allows for the latency of the response', () => {
    expect(judgeClock('clock', 1_000_000, 996_000, 1_004_000).level).toBe('OK');
  });
});
