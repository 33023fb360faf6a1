import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { createPgliteDb } from '../../src/postgres/create-pglite-db.js';
import type { Db, Queryable } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { prepareUsage } from '../../src/usage/record/start-usage.js';
import { copyEmbeddedDatabase, type DatabaseState } from '../helpers/embedded-folder.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { uniqueName } from '../helpers/servers.js';

/** Deadlines of statements, of which many wait for each other's locks on a busy machine. */
const PATIENT = { connectTimeoutMs: PATIENT_MS, statementTimeoutMs: 120_000 };

/** A database for one test. */
export interface TestDatabase {
  db: Db;
  /** Closes `db` and deletes the database. */
  dispose(): Promise<void>;
}

/** Both implementations of `Db`, for `describe.each`. They must behave identically. */
export const DATABASES = [
  { database: 'PostgreSQL', openDatabase: openServerDatabase },
  { database: 'PGlite', openDatabase: openEmbeddedDatabase },
] as const;

export async function openServerDatabase(state: DatabaseState = 'migrated'): Promise<TestDatabase & { url: string }> {
  const name = uniqueName('tollgate_test');
  const admin = await createPgDb({ ...PATIENT, url: inject('databaseUrl'), maxConnections: 1 });
  const template = state === 'migrated' ? await migratedTemplate(admin) : 'template1';
  await admin.query(`create database ${name} template ${template}`);
  const url = urlOf(name);
  const db = await createPgDb({ ...PATIENT, url });
  return {
    db,
    url,
    async dispose() {
      await db.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.close();
    },
  };
}

/**
 * Returns the name of a migrated database that serves as the template of other databases. It has no
 * connections. The first call creates it for the whole test run.
 */
async function migratedTemplate(admin: Db): Promise<string> {
  const name = inject('templateDatabase');
  const isThere = async (on: Queryable) =>
    (await on.query('select from pg_database where datname = $1', [name])).length > 0;
  if (await isThere(admin)) return name;
  const making = uniqueName('tollgate_making');
  await admin.query(`create database ${making}`);
  const db = await createPgDb({ ...PATIENT, url: urlOf(making) });
  await migrate(db);
  await prepareUsage(db);
  await db.close();
  await admin.query(`alter database ${making} rename to ${name}`).catch(async (error: unknown) => {
    // Another worker may have created the database in the meantime.
    if (!(await isThere(admin))) throw error;
    await admin.query(`drop database ${making} with (force)`);
  });
  return name;
}

function urlOf(database: string): string {
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${database}`;
  return url.href;
}

export async function openEmbeddedDatabase(
  state: DatabaseState = 'migrated',
): Promise<TestDatabase & { folder: string }> {
  const parent = mkdtempSync(join(tmpdir(), 'tollgate-pglite-'));
  const folder = join(parent, 'database');
  await copyEmbeddedDatabase(folder, state);
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

/** Resets the database to the state after its creation. */
export async function emptyDatabase(db: Db): Promise<void> {
  await db.query('drop schema public cascade');
  await db.query('create schema public');
}

/**
 * Deletes all rows except those that the migrations themselves insert, and restarts the sequences.
 */
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
          -- Rows that refer to this table must be deleted first.
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

/**
 * Resets the database to the state after its migration: all rows are deleted, and the schema stays.
 * This takes a tenth of the time of a new migration.
 */
export async function migrateAfresh(db: Db): Promise<void> {
  await migrate(db);
  await db.tx((tx) => tx.script(EMPTY_TABLES));
}
