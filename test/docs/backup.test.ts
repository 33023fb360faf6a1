import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ADMIN_TOKEN, post, runToEnd, startPlatform } from '../helpers/platform.js';
import { findBinary, freePort } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';
import { runbookCommand } from './documents.js';

describe('the backup of docs/runbook.md', () => {
  let database: Awaited<ReturnType<typeof openServerDatabase>>;
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await openServerDatabase('empty');
    folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'));
    env = { REDIS_URL: inject('redisUrl'), DATABASE_URL: database.url };
  });
  afterAll(async () => {
    await database.dispose();
    rmSync(folder, { recursive: true });
  });

  async function shell(command: string) {
    const PATH = [dirname(findBinary('pg_dump')!), process.env['PATH']].join(delimiter);
    await promisify(execFile)('sh', ['-c', command], { cwd: folder, env: { ...process.env, ...env, PATH } });
  }

  it('a restored database has the rules and callers of the backup, and none of later changes and migrations', async () => {
    let platform = await startPlatform({ env });
    const change = async (text: string) => {
      const { body } = await post(`${platform.url}/admin/graphql`, text, { authorization: `Bearer ${ADMIN_TOKEN}` });
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    const tier = (name: string) =>
      change(
        `mutation { tierCreate(input: { name: "${name}", capacity: 5, refillAmount: 1, refillPeriodMs: 1000 }) { userErrors { message } } }`,
      );
    const names = async () =>
      (await change('{ tiers { nodes { name } } }')).tiers.nodes.map((one: { name: string }) => one.name);

    await tier('before');
    await shell(runbookCommand('pg_dump'));
    await tier('after');
    expect(await names()).toEqual(expect.arrayContaining(['before', 'after']));
    await platform.stop();

    // A newer version has migrated the database, so this version does not start.
    const { db } = database;
    await db.query('create table of_the_future ()');
    await db.query(`insert into schema_migrations (number, name, checksum) values (9999, '9999_of_the_future', 'x')`);
    const downgraded = await runToEnd(['migrate', 'status'], env);
    expect(downgraded.output).toMatch(/9999_of_the_future.*newer than the code/);
    const refused = await runToEnd(['start'], {
      ...env,
      TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
      PORT: String(await freePort()),
    });
    expect(refused).toMatchObject({ status: 1, output: expect.stringMatching(/9999/) });

    await shell(runbookCommand('psql "$DATABASE_URL"'));
    expect(await db.query(`select to_regclass('of_the_future') as name`)).toEqual([{ name: null }]);
    platform = await startPlatform({ env });
    expect(await names()).toContain('before');
    expect(await names()).not.toContain('after');
    await platform.stop();
  });

  it('a copy of the data folder of a stopped platform is a backup of the embedded database', async () => {
    const original = join(folder, 'original');
    let platform = await startPlatform({
      folder: mkdtempSync(join(folder, 'working-')),
      env: { TOLLGATE_DATA_DIR: original },
    });
    const tier = `mutation { tierCreate(input: { name: "kept", capacity: 5, refillAmount: 1, refillPeriodMs: 1000 }) { userErrors { message } } }`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    await post(`${platform.url}/admin/graphql`, tier, headers);
    await platform.stop();
    const copy = join(folder, 'copy');
    cpSync(original, copy, { recursive: true });
    rmSync(original, { recursive: true });
    platform = await startPlatform({ folder: mkdtempSync(join(folder, 'working-')), env: { TOLLGATE_DATA_DIR: copy } });
    const { body } = await post(`${platform.url}/admin/graphql`, '{ tiers { nodes { name } } }', headers);
    expect(body.data.tiers.nodes).toContainEqual({ name: 'kept' });
    await platform.stop();
  });
});
