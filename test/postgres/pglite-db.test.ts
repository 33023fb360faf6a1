import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgliteDb } from '../../src/postgres/pglite-db.js';

describe('Db embedded', () => {
  let parent: string;
  let folder: string;
  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'));
    folder = join(parent, 'not', 'there', 'yet');
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it('keeps its data in the folder given, and goes on with it after a close', async () => {
    // What a first start that was killed leaves behind is no database: it must not be opened.
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

  it('goes on with what was committed when its process is killed, and refuses a second process while it runs', async () => {
    const script = `
      import { createPgliteDb } from ${JSON.stringify(new URL('../../src/postgres/pglite-db.ts', import.meta.url).href)};
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
