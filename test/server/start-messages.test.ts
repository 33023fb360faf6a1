import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { startEmbeddedPlatform } from '../helpers/embedded-platform.js';
import { runToEnd, startPlatform } from '../helpers/platform.js';
import { freePort, startPostgresServer, startRedisServer, type TestServer, uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';

const folders: string[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-messages-'));
  folders.push(folder);
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

/**
 * Runs a start that fails for a reason that the user can fix. Returns its output, which must not
 * contain a stack trace.
 */
async function rejectionOf(env: Record<string, string> = {}, from: string = folder): Promise<string> {
  const { status, output } = await runToEnd(['start'], { PORT: String(await freePort()), ...env }, from);
  expect(status).toBe(1);
  expect(output).not.toMatch(/^\s+at /m);
  return output;
}

/**
 * Returns the name of a database that does not exist and its URL on the PostgreSQL server of the
 * tests.
 */
function absentDatabase(): { url: string; name: string } {
  const name = uniqueName('absent');
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, name };
}

describe('an embedded start', () => {
  it('a start names the process that uses the data folder in one line', async () => {
    // The test is slow, because it starts an embedded platform and tries to start a second one.
    const platform = await startEmbeddedPlatform();
    try {
      const place = join(platform.folder, '.tollgate', 'postgres');
      const { pid } = platform.process;
      expect(await rejectionOf({}, platform.folder)).toBe(
        `${place} is in use by process ${pid}. Stop that process or use another folder; if process ${pid} is not Tollgate, remove ${join(place, 'lock')}.\n`,
      );
    } finally {
      await platform.stop();
    }
  });

  it('if the data folder has another PostgreSQL version, a start names both versions and leaves the files unchanged', async () => {
    const data = join(folder, '.tollgate', 'postgres', 'data');
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(join(data, 'PG_VERSION'), '16\n', { mode: 0o600 });
    for (const _time of [1, 2]) {
      expect(await rejectionOf()).toMatch(
        /The embedded database in .*data cannot be opened: it was created by PostgreSQL 16, but this is 18\. Move that folder to another place/,
      );
    }
  });

  it.runIf(process.getuid?.() !== 0)('a start reports missing write permission for the data folder', async () => {
    chmodSync(folder, 0o500);
    expect(await rejectionOf()).toMatch(/^TOLLGATE_DATA_DIR: .* cannot be used: EACCES/);
  });

  it('a start fails and names the setting if the data folder is not a folder', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await rejectionOf({ TOLLGATE_DATA_DIR: join(folder, 'file') })).toMatch(
      /^TOLLGATE_DATA_DIR: .*file cannot be used: EEXIST/,
    );
    // No folder can be created at this path.
    const nowhere = process.platform === 'linux' ? '/proc/tollgate/data' : join(folder, 'file', 'below');
    expect(await rejectionOf({ TOLLGATE_DATA_DIR: nowhere })).toMatch(
      /^TOLLGATE_DATA_DIR: .* cannot be used: ENO(ENT|TDIR)/,
    );
    // The platform also uses the data folder if Redis and PostgreSQL are external.
    const servers = { REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    expect(await rejectionOf({ TOLLGATE_DATA_DIR: join(folder, 'file'), ...servers })).toMatch(
      /^TOLLGATE_DATA_DIR: .*file cannot be used: .* one below \/tmp .*stores the last valid rules$/m,
    );
  });
});

describe('a missing database on a reachable server', () => {
  it('start and doctor distinguish a missing database from an unreachable server', async () => {
    const { url, name } = absentDatabase();
    const env = { REDIS_URL: inject('redisUrl'), DATABASE_URL: url };
    const missing = new RegExp(`/${name}: the server answers, but has no database of that name: create it`);
    const rejection = await rejectionOf(env);
    expect(rejection).toMatch(missing);
    expect(rejection).not.toMatch(/does not answer/);
    expect((await runToEnd(['doctor'], env, folder)).output).toMatch(missing);

    const away = { ...env, DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/${name}` };
    expect(await rejectionOf(away)).toMatch(
      /DATABASE_URL: PostgreSQL cannot be used at .*ECONNREFUSED.*; there is no snapshot/,
    );
    expect((await runToEnd(['doctor'], away, folder)).output).toMatch(/ECONNREFUSED/);
  });

  it('a start fails if the database is missing, even with a snapshot, and /readyz of a running instance reports it', async () => {
    const { url, name } = absentDatabase();
    const db = await createPgDb({ url: inject('databaseUrl') });
    try {
      await db.query(`create database ${name}`);
      const env = { REDIS_URL: inject('redisUrl'), DATABASE_URL: url };
      const platform = await startPlatform({ env, folder });
      try {
        const ready = async () => (await fetch(`${platform.url}/readyz`, { headers: { connection: 'close' } })).text();
        await db.query(`drop database ${name} with (force)`);
        await until('/readyz reports the missing database', async () =>
          /PostgreSQL has been unusable since .*: the server answers, but has no database/.test(await ready()),
        );
        // Unauthenticated callers can read `/readyz`, so it must not name the database.
        expect(await ready()).not.toContain(name);
        expect(await rejectionOf(env)).toMatch(/^DATABASE_URL: .*has no database of that name/m);
      } finally {
        await platform.stop();
      }
    } finally {
      await db.query(`drop database if exists ${name} with (force)`);
      await db.close();
    }
  });

  it('a start distinguishes missing privileges and a missing schema from a missing database', async () => {
    const { url, name } = absentDatabase();
    const user = uniqueName('reader');
    const db = await createPgDb({ url: inject('databaseUrl') });
    try {
      await db.query(`create database ${name}`);
      await db.query(`create role ${user} login password 'secret'`);
      const asUser = new URL(url);
      asUser.username = user;
      asUser.password = 'secret';
      const env = { REDIS_URL: inject('redisUrl') };
      const denied = await rejectionOf({ ...env, DATABASE_URL: asUser.href });
      expect(denied).toMatch(/^DATABASE_URL: .*lacks rights that Tollgate needs.*permission denied for schema public/m);
      const missing = new URL(url);
      missing.searchParams.set('options', '-c search_path=absent');
      expect(await rejectionOf({ ...env, DATABASE_URL: missing.href })).toMatch(/^DATABASE_URL: .*search_path/m);
    } finally {
      await db.query(`drop database if exists ${name} with (force)`);
      await db.query(`drop role if exists ${user}`);
      await db.close();
    }
  });

  it('a start reports a possibly missing database if pg_hba.conf admits users per database', async () => {
    const server = await startPostgresServer();
    try {
      const db = await createPgDb({ url: server.url });
      const [{ hba_file: hba }] = (await db.query<{ hba_file: string }>('show hba_file')) as [{ hba_file: string }];
      await db.query(`copy (select 'host postgres all 127.0.0.1/32 trust') to '${hba}'`);
      await db.query('select pg_reload_conf()');
      await db.close();
      const env = { REDIS_URL: inject('redisUrl'), DATABASE_URL: server.url.replace('/postgres', '/absent') };
      await until('the new pg_hba.conf is in force', async () => {
        const { output } = await runToEnd(['doctor'], env, folder);
        return !output.includes('no database of that name');
      });
      const rejection = await rejectionOf(env);
      expect(rejection).toMatch(
        /^DATABASE_URL: .*\/absent: .*the database may not exist\. Create it, correct the name/m,
      );
      expect(rejection).not.toMatch(/rejects this user|ready/);
    } finally {
      await server.stop();
    }
  });

  it('a start distinguishes a rejected user from a missing database', async () => {
    const url = new URL(inject('databaseUrl'));
    url.username = uniqueName('nobody');
    const rejection = await rejectionOf({ REDIS_URL: inject('redisUrl'), DATABASE_URL: url.href });
    expect(rejection).toMatch(/the server answers, but rejects this user \(SQLSTATE 28/);
  });
});

describe('a Redis that rejects the settings', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startRedisServer(['--requirepass', 'secret', '--databases', '2']);
    const admin = new Redis(server.url.replace('://', '://:secret@'));
    await admin.call('ACL', 'SETUSER', 'elsewhere', 'on', '>secret', '~other:*', '&*', '+@all');
    await admin.call('ACL', 'SETUSER', 'scriptless', 'on', '>secret', '~*', '&*', '+@all', '-@scripting');
    admin.disconnect();
  });
  afterAll(() => server.stop());

  it.each([
    ['a wrong Redis password', 'redis://:wrong@', '', /WRONGPASS/],
    ['an unknown Redis user', 'redis://unknown:secret@', '', /WRONGPASS/],
    ['no Redis password', 'redis://', '', /NOAUTH/],
    ['an unknown Redis database', 'redis://:secret@', '/99', /database 99/],
    ['a Redis user without access to the keys', 'redis://elsewhere:secret@', '', /NOPERM/],
    ['a Redis user without scripts', 'redis://scriptless:secret@', '', /NOPERM/],
  ])('a start with %s fails and names the setting', async (_, credentials, path, reason) => {
    const env = { REDIS_URL: server.url.replace('redis://', credentials) + path, DATABASE_URL: inject('databaseUrl') };
    const rejection = await rejectionOf(env);
    expect(rejection).toMatch(/^REDIS_URL: Redis at 127\.0\.0\.1:\d+ answers, but rejects this user: .*Correct /m);
    expect(rejection).toMatch(reason);
    expect(rejection).not.toMatch(/:(wrong|secret)@/);
  });

  it('a start with a pool whose Redis rejects the login fails and names the setting', async () => {
    const env = {
      REDIS_URL: inject('redisUrl'),
      DATABASE_URL: inject('databaseUrl'),
      TOLLGATE_POOLS: 'reports=anonymous',
      REDIS_URL_REPORTS: server.url,
    };
    expect(await rejectionOf(env)).toMatch(/^REDIS_URL_REPORTS: Redis at .*NOAUTH/m);
  });
});
