import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createPgDb } from '../../src/postgres/pg-db.js';
import { createPgliteDb } from '../../src/postgres/pglite-db.js';
import { copyEmbeddedDatabase } from '../helpers/embedded-folder.js';
import { uniqueName } from '../helpers/servers.js';

/** An empty database of the caller's own. */
export interface TestDatabase {
  db: Db;
  /** Closes `db` and removes everything. */
  dispose(): Promise<void>;
}

/** Both implementations of `Db`, for `describe.each`: what holds on one must hold on the other. */
export const DATABASES = [
  { database: 'PostgreSQL', openDatabase: openServerDatabase },
  { database: 'PGlite', openDatabase: openEmbeddedDatabase },
] as const;

export async function openServerDatabase(): Promise<TestDatabase & { url: string }> {
  const name = uniqueName('tollgate_test');
  const admin = await createPgDb({ url: inject('databaseUrl'), maxConnections: 1 });
  await admin.query(`create database ${name}`);
  const address = new URL(inject('databaseUrl'));
  address.pathname = `/${name}`;
  const db = await createPgDb({ url: address.href });
  return {
    db,
    url: address.href,
    async dispose() {
      await db.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.close();
    },
  };
}

export async function openEmbeddedDatabase(): Promise<TestDatabase & { folder: string }> {
  const parent = mkdtempSync(join(tmpdir(), 'tollgate-pglite-'));
  const folder = join(parent, 'database');
  await copyEmbeddedDatabase(folder);
  const db = await createPgliteDb({ folder });
  return {
    db,
    folder,
    async dispose() {
      await db.close();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** As if the database had just been created. */
export async function emptyDatabase(db: Db): Promise<void> {
  await db.query('drop schema public cascade');
  await db.query('create schema public');
}

/** All rows but those that the migrations themselves bring; numbers begin again. */
const EMPTY_TABLES = `do $$
  declare
    one text;
    waits boolean;
  begin
    alter table changes disable trigger changes_append_only;
    loop
      waits := false;
      for one in
        select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname not in ('schema_migrations', 'usage_partitioned')
      loop
        begin
          execute format('delete from %I', one);
        exception when foreign_key_violation then
          -- Those that refer to it come first.
          waits := true;
        end;
      end loop;
      exit when not waits;
    end loop;
    alter table changes enable trigger changes_append_only;
    for one in select sequencename from pg_sequences where schemaname = 'public' and last_value is not null loop
      perform setval(one::regclass, 1, false);
    end loop;
  end $$`;

/** As if the database had just been created and migrated, in a tenth of the time: its schema stays, all rows go. */
export async function migrateAfresh(db: Db): Promise<void> {
  await migrate(db);
  await db.tx((tx) => tx.script(EMPTY_TABLES));
}
