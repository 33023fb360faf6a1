import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgliteDb } from '../../src/postgres/create-pglite-db.js';
import type { Db } from '../../src/postgres/db.js';
import { isOutage } from '../../src/postgres/is-outage.js';
import { StartError } from '../../src/runtime/start-error.js';
import { copyEmbeddedDatabase } from '../helpers/embedded-folder.js';
import { fillDiskOf } from '../helpers/full-disk.js';

/** A statement that writes more to PostgreSQL's write-ahead log than fits on a full disk. */
const LOGGED = `select pg_logical_emit_message(true, 'test', repeat('a', 1000000))`;

describe('the embedded database', () => {
  let parent: string;
  let folder: string;
  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'));
    folder = join(parent, 'not', 'there', 'yet');
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it('the embedded database keeps its data in the given folder after a close', async () => {
    // A first start that was killed leaves these files. They are not a complete database and must
    // not be opened.
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'data', 'PG_VERSION'), '18\n');
    writeFileSync(join(folder, 'initialising'), '');

    const first = await createPgliteDb({ folder });
    await first.query('create table kept (id integer)');
    await first.query('insert into kept values (7)');
    await first.close();
    await first.close();

    const second = await createPgliteDb({ folder });
    expect(await second.query('select id from kept')).toEqual([{ id: 7 }]);
    await expect(createPgliteDb({ folder })).rejects.toThrow(`in use by process ${process.pid}`);
    await second.close();
    expect(readdirSync(folder)).toEqual(['data']);
  });

  it('the embedded database reports a folder that it cannot use', async () => {
    const file = join(parent, 'a-file');
    writeFileSync(file, '');
    const unusable = join(file, 'postgres');
    const rejection = await createPgliteDb({ folder: unusable }).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(StartError);
    expect(rejection).toMatchObject({
      message: `The embedded database cannot be stored in ${unusable}: ENOTDIR: not a directory, mkdir '${unusable}'. Choose another data folder.`,
    });
  });

  // Root may write everywhere, so the test switches to another user, which only root can do.
  const canBeAnother = process.getuid?.() === 0 && process.seteuid !== undefined;
  it.runIf(canBeAnother).each([
    ['the folder above it', 'of-root/postgres', 0o755],
    ['the folder', 'of-root', 0o755],
  ])('the embedded database reports that %s belongs to another user', async (_, path, mode) => {
    chmodSync(parent, 0o755);
    mkdirSync(join(parent, 'of-root'), { recursive: true, mode });
    process.seteuid!(65_534);
    try {
      await expect(createPgliteDb({ folder: join(parent, path) })).rejects.toMatchObject({
        isForUser: true,
        message: expect.stringMatching(/^The embedded database cannot be stored in .*: EACCES: .* change the owner/),
      });
    } finally {
      process.seteuid!(0);
    }
  });

  it.each<[string, (db: Db, sql: string) => Promise<unknown>]>([
    ['a statement', (db, sql) => db.query(sql)],
    ['a transaction', (db, sql) => db.tx((tx) => tx.query(sql))],
    ['a script', (db, sql) => db.tx((tx) => tx.script(sql))],
  ])('after a panic in %s, later statements fail immediately, and the next start has all committed data', async (_, run) => {
    const own = join(mkdtempSync(join(parent, 'panic-')), 'postgres');
    await copyEmbeddedDatabase(own, 'empty');
    const db = await createPgliteDb({ folder: own });
    await db.query('create table committed as select 1 as id');
    const makeRoom = fillDiskOf(process.pid);
    try {
      const panic = await run(db, LOGGED).catch((error: unknown) => error);
      expect(panic).toMatchObject({
        code: '57P02',
        message: expect.stringMatching(/^The embedded database in .* has stopped: .*File too large\. Free space/),
      });
      expect(isOutage(panic)).toBe(true);
      for (let i = 0; i < 2; i++) await expect(db.query('select 1')).rejects.toBe(panic);
      await expect(db.tx((tx) => tx.query('select 1'))).rejects.toBe(panic);
    } finally {
      makeRoom();
    }
    await expect(db.query('select 1')).rejects.toThrow('has stopped');
    await db.close();
    const next = await createPgliteDb({ folder: own });
    expect(await next.query('select id from committed')).toEqual([{ id: 1 }]);
    await next.close();
  });

  it('the embedded database reports a full disk as a full disk, and not as damaged data', async () => {
    const own = join(mkdtempSync(join(parent, 'full-')), 'postgres');
    const makeRoom = fillDiskOf(process.pid);
    try {
      const rejection = await createPgliteDb({ folder: own }).catch((error: unknown) => error);
      expect(rejection).toBeInstanceOf(StartError);
      expect(String(rejection)).toContain('its disk is full. Free space there; stored data is kept.');
    } finally {
      makeRoom();
    }
    await (await createPgliteDb({ folder: own })).close();
  });

  it('committed data survives a killed process, and a second process is rejected while the first one runs', async () => {
    const script = `
      import { createPgliteDb } from ${JSON.stringify(new URL('../../src/postgres/create-pglite-db.ts', import.meta.url).href)};
      const db = await createPgliteDb({ folder: ${JSON.stringify(folder)} });
      await db.query('insert into kept values (8)');
      console.log('committed');
      setInterval(() => {}, 1000);`;
    const file = join(parent, 'child.mts');
    writeFileSync(file, script);
    const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve, reject) => {
      child.stdout.once('data', () => resolve());
      child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
    });
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toMatch(`${child.pid}\n`);
    await expect(createPgliteDb({ folder })).rejects.toThrow(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await ended;

    expect(existsSync(join(folder, 'lock'))).toBe(true);
    const db = await createPgliteDb({ folder });
    expect(await db.query('select id from kept order by id')).toEqual([{ id: 7 }, { id: 8 }]);
    await db.close();
  });
});
