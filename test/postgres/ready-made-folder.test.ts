import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, describe, expect, it } from 'vitest';
import { createPgliteDb } from '../../src/postgres/create-pglite-db.js';
import { INDEX_LENGTH_BYTES, unpackReadyMade } from '../../src/postgres/unpack-ready-made.js';

const ARCHIVE = fileURLToPath(new URL('../../packages/platform/embedded-postgres.br', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'tollgate-ready-made-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const IDENTIFIER = 'select system_identifier::text as id from pg_control_system()';
/** Query for all properties in which two empty databases may differ. */
const CONTENTS = `select current_setting('server_version') as version,
  (select array_agg(datname::text || ' ' || datcollate order by datname) from pg_database) as databases,
  (select array_agg(rolname::text order by rolname) from pg_roles) as roles,
  (select array_agg(nspname || '.' || relname order by nspname, relname) from pg_class c
     join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'v')) as relations,
  (select array_agg(name || '=' || setting order by name) from pg_settings
     where source not in ('session', 'client') and name <> 'data_directory') as settings`;

describe('the prebuilt data folder', () => {
  it('the prebuilt folder equals a folder that this version of PGlite creates', { timeout: 120_000 }, async () => {
    const own = await PGlite.create(join(parent, 'own'));
    const { rows } = await own.query(CONTENTS);
    await own.close();
    const db = await createPgliteDb({ folder: join(parent, 'unpacked') });
    expect(await db.query(CONTENTS)).toEqual(rows);
    await db.close();
  });

  it('each first start gets its own copy of the prebuilt folder', async () => {
    const identifiers = new Set<string>();
    for (const name of ['one', 'two']) {
      const db = await createPgliteDb({ folder: join(parent, name) });
      // A database that PGlite creates itself would have a new identifier each time.
      identifiers.add((await db.query<{ id: string }>(IDENTIFIER))[0]!.id);
      await db.query('create table kept (id integer)');
      await db.close();
    }
    expect(identifiers.size).toBe(1);
    const again = await createPgliteDb({ folder: join(parent, 'one') });
    expect(await again.query('select id from kept')).toEqual([]);
    await again.close();
  });

  it('the prebuilt folder is accessible only to its user, and its archive is small', () => {
    const folder = join(parent, 'modes');
    expect(unpackReadyMade(folder)).toBe(true);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      expect(mode & 0o077, entry.name).toBe(0);
    }
    expect(readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()).toBe('18');
    expect(statSync(ARCHIVE).size).toBeLessThan(2_000_000);
    const { files } = JSON.parse(
      readFileSync(fileURLToPath(new URL('../../packages/platform/package.json', import.meta.url)), 'utf8'),
    ) as { files: string[] };
    expect(files).toContain('embedded-postgres.br');
  });

  it('PGlite creates its own folder if it cannot open the prebuilt one', { timeout: 120_000 }, async () => {
    const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
    const bytes = brotliDecompressSync(readFileSync(ARCHIVE), { params });
    // Overwrites the contents, so that PGlite cannot open them, as if another version had written
    // the archive.
    bytes.fill(0, INDEX_LENGTH_BYTES + bytes.readUInt32BE(0));
    const other = join(parent, 'other.br');
    writeFileSync(other, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }));
    const db = await createPgliteDb({ folder: join(parent, 'fallen-back'), readyMade: other });
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    await db.close();
  });
});
