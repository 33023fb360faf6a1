import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { type PgBouncer, startPgBouncer } from '../helpers/pgbouncer.js';
import { ADMIN_TOKEN, post, runToEnd, startPlatform } from '../helpers/platform.js';
import { freePort, uniqueName } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';
import { codeBlocks } from './documents.js';

/** Returns the settings of docs/runbook.md, except addresses and users, which the test sets. */
function documentedSettings(): string[] {
  const block = codeBlocks().find(({ language, code }) => language === 'ini' && code.includes('[pgbouncer]'))!;
  const section = block.code.slice(block.code.indexOf('[pgbouncer]')).split('\n').slice(1);
  return section.filter((line) => line !== '' && !/^(listen_|auth_)/.test(line));
}

describe('PgBouncer with the documented settings', () => {
  let database: Awaited<ReturnType<typeof openServerDatabase>>;
  let pooler: PgBouncer;
  beforeAll(async () => {
    database = await openServerDatabase('empty');
    expect(documentedSettings()).toEqual(['pool_mode = transaction']);
    pooler = await startPgBouncer(database.url, documentedSettings());
  });
  afterAll(async () => {
    await pooler.stop();
    await database.dispose();
  });

  it('migrate, start and doctor work through PgBouncer with the documented settings', async () => {
    const env = { REDIS_URL: inject('redisUrl'), DATABASE_URL: pooler.urlOf(database.url) };
    const migrated = await runToEnd(['migrate', 'up'], env);
    expect(migrated).toMatchObject({ status: 0, output: expect.stringMatching(/^Applied 0001_/) });
    const platform = await startPlatform({ env });
    try {
      const change =
        'mutation { tierCreate(input: { name: "t", capacity: 5, refillAmount: 1, refillPeriodMs: 1000 }) { userErrors { message } } }';
      const answer = await post(`${platform.url}/admin/graphql`, change, { authorization: `Bearer ${ADMIN_TOKEN}` });
      expect(answer.body.data).toEqual({ tierCreate: { userErrors: [] } });
      expect(await (await fetch(`${platform.url}/readyz`)).text()).not.toContain('PostgreSQL');
    } finally {
      await platform.stop();
    }
    const doctor = await runToEnd(['doctor'], { ...env, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN });
    expect(doctor.output).toMatch(/^ok +PostgreSQL tables +up to date/m);
  });

  it('statements of a transaction end at their deadline through PgBouncer, also if the URL sets the deadline', async () => {
    const url = `${pooler.urlOf(database.url)}?statement_timeout=500&application_name=x`;
    const db = await createPgDb({ url, connectTimeoutMs: 60_000 });
    const many = Array.from({ length: 20 }, (_, i) => db.query<{ i: number }>('select $1::int as i', [i]));
    expect((await Promise.all(many)).map(([row]) => row!.i)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    await expect(db.tx((tx) => tx.query('select pg_sleep(30)'))).rejects.toMatchObject({ code: '57014' });
    expect(await db.tx((tx) => tx.query('show statement_timeout'))).toEqual([{ statement_timeout: '500ms' }]);
    // The next client of the same server connection has no timeout of Tollgate.
    expect(await db.query('show statement_timeout')).toEqual([{ statement_timeout: '0' }]);
    await db.close();
  });

  it('the error explains which startup parameter PgBouncer rejects', async () => {
    const absent = new URL(pooler.urlOf(database.url));
    absent.searchParams.set('options', '-c geqo=off');
    const env = { REDIS_URL: inject('redisUrl'), DATABASE_URL: absent.href, PORT: String(await freePort()) };
    for (const command of [['start'], ['migrate', 'status'], ['doctor']]) {
      const { status, output } = await runToEnd(command, env);
      expect(status, output).toBe(1);
      expect(output).toContain('unsupported startup parameter');
    }
  });

  it('the error distinguishes a missing database from a missing PgBouncer', async () => {
    const absent = new URL(pooler.urlOf(database.url));
    absent.pathname = `/${uniqueName('absent')}`;
    const env = { REDIS_URL: inject('redisUrl'), DATABASE_URL: absent.href, PORT: String(await freePort()) };
    const { status, output } = await runToEnd(['start'], env);
    expect(status).toBe(1);
    expect(output).toContain('has no database of that name: create it, or correct the name in DATABASE_URL');
  });
});
