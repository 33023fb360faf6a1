import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import { PATIENT } from '../helpers/patient.js';
import { ADMIN_TOKEN, type Platform, post, runToEnd, startPlatform } from '../helpers/platform.js';
import {
  findBinary,
  startPostgresReplica,
  startPostgresServer,
  startRedisServer,
  type TestServer,
} from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { runbookCommand } from './documents.js';

function stopLater<Server extends TestServer>(server: Server): Server {
  onTestFinished(() => server.stop());
  return server;
}

/** Runs a command of docs/runbook.md that begins with this text, and resolves to its output. */
async function run(start: string, env: Record<string, string>, cwd = tmpdir()): Promise<string> {
  const PATH = [dirname(findBinary('pg_dump')!), process.env['PATH']].join(delimiter);
  const options = { cwd, env: { ...process.env, ...env, PATH } };
  return (await promisify(execFile)('sh', ['-c', runbookCommand(start)], options)).stdout;
}

async function start(servers: { redis: TestServer; postgres: TestServer }, env: Record<string, string> = {}) {
  const platform = await startPlatform({
    env: { REDIS_URL: servers.redis.url, DATABASE_URL: servers.postgres.url, TOLLGATE_DEMO: 'true', ...env },
  });
  onTestFinished(async () => void (await platform.stop()));
  return platform;
}

const healthOf = async ({ url }: Platform): Promise<object> => (await (await fetch(`${url}/readyz`)).json()) as object;

async function change({ url }: Platform, text: string) {
  const { body } = await post(`${url}/admin/graphql`, text, { authorization: `Bearer ${ADMIN_TOKEN}` });
  expect(body.errors).toBeUndefined();
  return body.data;
}
const addTier = (platform: Platform, name: string) =>
  change(
    platform,
    `mutation { tierCreate(input: { name: "${name}", capacity: 5, refillAmount: 1, refillPeriodMs: 1000 }) { userErrors { message } } }`,
  );
const tiersOf = async (platform: Platform) =>
  (await change(platform, '{ tiers { nodes { name } } }')).tiers.nodes.map((one: { name: string }) => one.name);

describe('the recovery of docs/runbook.md', () => {
  it('after Redis was lost, an empty one at the same address is used without a restart', async () => {
    const postgres = stopLater(await startPostgresServer());
    const first = await startRedisServer();
    const platform = await start(
      { redis: first, postgres },
      { TOLLGATE_REDIS_DEADLINE_MS: '1000', TOLLGATE_BREAKER_MIN_CALLS: '1', TOLLGATE_BREAKER_PROBE_MS: '100' },
    );
    await until('the platform is healthy', async () => !('degraded' in (await healthOf(platform))));
    await first.stop();
    await until('the platform reports the fault', async () => {
      // The circuit breaker notices the fault by a call.
      const { status } = await post(`${platform.url}/graphql`, '{ __typename }');
      expect([200, 503]).toContain(status);
      return JSON.stringify(await healthOf(platform)).includes('Redis');
    });
    stopLater(await startRedisServer(['--port', String(first.port)]));
    await until('the platform uses the new Redis', async () => !('degraded' in (await healthOf(platform))));
    await until('a decision counts in Redis', async () => {
      const { status, body } = await post(`${platform.url}/graphql`, '{ __typename }');
      return status === 200 && body.extensions?.cost?.degraded !== true;
    });
  });

  it('after PostgreSQL was lost, the restored backup has the tiers of the time of the backup', async () => {
    const redis = stopLater(await startRedisServer());
    const lost = await startPostgresServer();
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-recovery-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const before = await start({ redis, postgres: lost });
    await addTier(before, 'kept');
    await run('pg_dump', { DATABASE_URL: lost.url }, folder);
    await before.stop();
    await lost.stop();
    const fresh = stopLater(await startPostgresServer());
    const NEW_DATABASE_URL = Object.assign(new URL(fresh.url), { pathname: '/tollgate' }).href;
    await run('createdb', { NEW_SERVER_URL: fresh.url, NEW_DATABASE_URL }, folder);
    const env = { REDIS_URL: redis.url, DATABASE_URL: NEW_DATABASE_URL, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN };
    const doctor = await runToEnd(['doctor'], env, folder);
    expect(doctor.output).toMatch(/^ok +PostgreSQL tables +up to date/m);
    expect(await tiersOf(await start({ redis, postgres: { ...fresh, url: NEW_DATABASE_URL } }))).toContain('kept');
  });

  it('after a failover of Redis, the promoted replica has the counters, and doctor accepts it', async () => {
    const primary = await startRedisServer();
    const replica = stopLater(await startRedisServer(['--replicaof', '127.0.0.1', String(primary.port)]));
    const window = { algorithm: 'FIXED_WINDOW', amount: 5, windowMs: 86_400_000_000 } as const;
    const limits = [{ ...window, id: 'kept', scope: 'GLOBAL', cost: 3 } as const];
    const open = (redis: TestServer) => {
      const limiter = createLimiter({ ...PATIENT, redis: redis.url });
      onTestFinished(() => limiter.close());
      return limiter;
    };
    const replication = (server: TestServer) =>
      promisify(execFile)('redis-cli', ['-u', server.url, 'info', 'replication']).then(({ stdout }) => stdout);
    await until('the replica is connected', async () => (await replication(replica)).includes('master_link_status:up'));
    const before = open(primary);
    expect(await before.charge({ subject: {}, limits })).toMatchObject({ admitted: true });
    await until('the replica has the charge', async () => {
      const offset = /master_repl_offset:(\d+)/.exec(await replication(primary))![1]!;
      return (await replication(primary)).includes(`offset=${offset},`);
    });
    const env = { REDIS_URL: replica.url, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    expect((await runToEnd(['doctor'], env)).output).toMatch(
      /^failure +Redis .*it is a replica and accepts no writes/m,
    );
    await before.close();
    await primary.stop();
    expect(await run('redis-cli', { REPLICA_URL: replica.url })).toBe('OK\n');
    expect((await runToEnd(['doctor'], env)).output).toMatch(/^ok +Redis +answers at/m);
    expect((await open(replica).peek({ subject: {}, limits }))[0]).toMatchObject({ used: 3, remaining: 2 });
  });

  it('after a failover of PostgreSQL, the platform starts on the promoted replica with all tiers', async () => {
    const redis = stopLater(await startRedisServer());
    const primary = await startPostgresServer();
    const before = await start({ redis, postgres: primary });
    const replica = stopLater(await startPostgresReplica(primary.url));
    await addTier(before, 'replicated');
    const psql = (sql: string) =>
      promisify(execFile)(findBinary('psql') ?? 'psql', [replica.url, '-Atc', sql]).then(({ stdout }) => stdout.trim());
    await until('the replica has the tier', async () => {
      return (await psql(`select count(*) from tiers where name = 'replicated'`)) === '1';
    });
    await before.stop();
    await primary.stop();
    expect(await run('psql "$REPLICA_DATABASE_URL"', { REPLICA_DATABASE_URL: replica.url })).toMatch(/\bt\b/);
    expect(await tiersOf(await start({ redis, postgres: replica }))).toContain('replicated');
  });
});
