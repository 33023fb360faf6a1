import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate, migrationStatus, readMigrationFiles } from '../../src/postgres/migrate.js';
import { DATABASES, emptyDatabase, openServerDatabase, type TestDatabase } from './databases.js';

const OWN_MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-migrations-'));
  writeFileSync(join(folder, '0001_first.sql'), 'create table first (id integer); insert into first values (1);');
  return () => rmSync(folder, { recursive: true, force: true });
});

async function tablesOf(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select table_name::text as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  return rows.map(({ name }) => name);
}

describe.each(DATABASES)('migrations on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    opened = await openDatabase('empty');
    db = opened.db;
  });
  afterAll(() => opened.dispose());
  beforeEach(() => emptyDatabase(db));

  it('the migrations are applied to an empty database, and none is applied a second time', async () => {
    expect(await migrate(db)).toEqual(expect.arrayContaining(['0001_tiers_subjects_keys_changes']));
    expect(await migrate(db)).toEqual([]);
    expect(await tablesOf(db)).toEqual(expect.arrayContaining(['api_keys', 'changes', 'subjects', 'tiers']));
  });

  it('a migration does not write to an up-to-date database, which may therefore be read-only', async () => {
    await migrate(db);
    await db.query('set default_transaction_read_only = on');
    try {
      expect(await migrate(db)).toEqual([]);
      await expect(migrate(db, { folder })).rejects.toThrow(/a modified copy migrated it/);
    } finally {
      await db.query('set default_transaction_read_only = off');
    }
  });

  it('after a migration with existing usage, weekly sums are used only from a week that starts at least seven days after the migration', async () => {
    const completeFrom = async () => {
      const [row] = await db.query<{ complete_from: Date }>(
        `select complete_from from usage_partitioned where parent = 'usage_subject_week'`,
      );
      return row!.complete_from.getTime();
    };
    await migrate(db);
    expect(await completeFrom()).toBe(0);
    await emptyDatabase(db);
    const before = join(folder, 'before');
    cpSync(OWN_MIGRATIONS, before, {
      recursive: true,
      filter: (path) => !/^\d/.test(basename(path)) || basename(path) < '0017',
    });
    await migrate(db, { folder: before });
    await db.query('select ensure_usage_partitions(now(), now())');
    await db.query(`insert into usage_subjects (tenant_id, kind, name) values ('', 'USER', 'ann')`);
    await db.query(`insert into usage_operations (type, name) values ('QUERY', 'Home')`);
    await db.query(`insert into usage_day select date_trunc('day', now(), 'UTC'), 1, 1, 'free', 1, 0, 0, 0, 1, 1, 0`);
    const later = readMigrationFiles().flatMap(({ name }) => (name >= '0017' ? [name] : []));
    expect(await migrate(db)).toEqual(later);
    expect(later[0]).toBe('0017_usage_by_week');
    const weekMs = 7 * 86_400_000;
    const from = await completeFrom();
    expect(from % weekMs).toBe(0);
    expect(from - Date.now()).toBeGreaterThan(weekMs);
    expect(from - Date.now()).toBeLessThanOrEqual(2 * weekMs);
    // Rows of today must have a partition for the current week, even if that week began in the
    // previous month.
    await db.query('select ensure_usage_partitions(now(), now())');
    await db.query(
      `insert into usage_subject_week select date_bin('1 week', now(), 'epoch'), 1, 'free', 1, 0, 0, 0, 1, 1, 0`,
    );
  });

  it('the migrations insert no tiers, callers or keys', async () => {
    await migrate(db);
    for (const table of ['tiers', 'subjects', 'api_keys', 'changes']) {
      expect(await db.query(`select * from ${table}`)).toEqual([]);
    }
  });

  it('the status lists applied and pending migrations without writing', async () => {
    expect(await migrationStatus(db, { folder })).toEqual({ applied: [], pending: ['0001_first'], problem: null });
    expect(await tablesOf(db)).toEqual([]);
    await migrate(db, { folder });
    writeFileSync(join(folder, '0002_second.sql'), 'create table second (id integer)');
    const status = await migrationStatus(db, { folder });
    expect(status).toEqual({
      applied: [{ number: 1, name: '0001_first', appliedAt: expect.any(Date) }],
      pending: ['0002_second'],
      problem: null,
    });
    expect(await migrate(db, { folder })).toEqual(['0002_second']);
  });

  it('a failed migration is rolled back, and it is applied once its file is corrected', async () => {
    writeFileSync(join(folder, '0002_second.sql'), 'create table second (id integer); select * from nowhere;');
    await expect(migrate(db, { folder })).rejects.toThrow(
      'Migration 0002_second failed and was rolled back: relation "nowhere" does not exist',
    );
    expect(await tablesOf(db)).toEqual(['first', 'schema_migrations']);
    writeFileSync(join(folder, '0002_second.sql'), 'create table second (id integer);');
    expect(await migrate(db, { folder })).toEqual(['0002_second']);
  });

  it('a database that is newer than the code is rejected', async () => {
    writeFileSync(join(folder, '0002_second.sql'), 'create table second (id integer)');
    await migrate(db, { folder });
    rmSync(join(folder, '0002_second.sql'));
    await expect(migrate(db, { folder })).rejects.toThrow('the database is newer than the code');
    const { problem } = await migrationStatus(db, { folder });
    expect(problem).toContain('0002_second');
  });

  it('a migration file that changed after it was applied is rejected, except for different line ends', async () => {
    const file = join(folder, '0001_first.sql');
    writeFileSync(file, 'create table first (\n  id integer\n);\n');
    await migrate(db, { folder });
    writeFileSync(file, 'create table first (\r\n  id integer\r\n);\r\n');
    expect(await migrate(db, { folder })).toEqual([]);
    appendFileSync(file, '-- and more');
    await expect(migrate(db, { folder })).rejects.toThrow(
      'The file of migration 0001_first changed after it was applied',
    );
  });

  it('a database with a different history is rejected', async () => {
    await migrate(db, { folder });
    rmSync(join(folder, '0001_first.sql'));
    writeFileSync(join(folder, '0001_other.sql'), 'create table other (id integer)');
    await expect(migrate(db, { folder })).rejects.toThrow('where this version of Tollgate has 0001_other');
  });

  it('migration files with duplicate numbers are rejected', async () => {
    writeFileSync(join(folder, '0001_twin.sql'), 'select 1');
    await expect(migrate(db, { folder })).rejects.toThrow('expected migration 2 here');
    expect(await tablesOf(db)).toEqual([]);
  });
});

describe('indexes that are built concurrently', () => {
  let server: Awaited<ReturnType<typeof openServerDatabase>>;
  beforeAll(async () => {
    server = await openServerDatabase('empty');
  });
  afterAll(() => server.dispose());

  const USAGE = '$1, 1, 1, $2, 1, 0, 0, 0, 1, 1, 0';
  const HOUR = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);

  it('a concurrent index on usage blocks no writer, and the next start completes an interrupted index', async () => {
    const { db } = server;
    const before = join(folder, 'before');
    cpSync(OWN_MIGRATIONS, before, {
      recursive: true,
      filter: (path) => !/^\d/.test(basename(path)) || basename(path) < '0016',
    });
    await migrate(db, { folder: before });
    await db.query(`select ensure_usage_partitions(now() - interval '40 days', now())`);
    const [partition] = await db.query<{ name: string }>(
      `select 'usage_hour_p' || to_char(now() at time zone 'UTC', 'YYYYMM') as name`,
    );
    const write = `insert into ${partition!.name} values (${USAGE})`;
    let migrating: Promise<unknown> = Promise.resolve();
    const builds = `from pg_stat_activity
      where datname = current_database() and query like 'create index concurrently%' and wait_event_type = 'Lock'`;
    const other = await createPgDb({ url: server.url, statementTimeoutMs: 60_000 });
    const writer = await createPgDb({ url: server.url, maxConnections: 1 });
    await writer.tx(async (tx) => {
      await tx.query(write, [HOUR, 'writes for long']);
      migrating = migrate(server.db).catch((error: Error) => error);
      // Within one transaction, pg_stat_activity always returns the same rows. Therefore, another
      // connection reads it.
      await expect.poll(() => other.query(`select 1 as one ${builds}`)).toHaveLength(1);
      // This write waits neither for the index nor for the open transaction.
      await other.query(write, [HOUR, 'writes meanwhile']);
      await other.query(`select pg_terminate_backend(pid) ${builds}`);
    });
    await Promise.all([writer.close(), other.close()]);
    expect(await migrating).toMatchObject({
      message: expect.stringContaining(
        'Migration 0016_usage_of_operations failed; when it runs again, it continues where it stopped',
      ),
    });
    const rest = readdirSync(OWN_MIGRATIONS).filter((name) => /^\d/.test(name) && name >= '0016');
    expect(await migrate(db)).toEqual(rest.sort().map((name) => basename(name, '.sql')));
    const indexes = await db.query<{ name: string; isWhole: boolean }>(
      `select relname as name, indisvalid as "isWhole" from pg_index join pg_class on pg_class.oid = indexrelid
       where relname like 'usage_hour%operation_id_bucket_idx' order by 1`,
    );
    expect(indexes.length).toBeGreaterThan(2);
    expect(indexes.filter(({ isWhole }) => !isWhole)).toEqual([]);
  });

  it('a concurrent index needs a separate file, because that file runs outside a transaction', async () => {
    writeFileSync(
      join(folder, '0002_second.sql'),
      'create index concurrently first_id_idx on first (id); drop table first;',
    );
    await emptyDatabase(server.db);
    await expect(migrate(server.db, { folder })).rejects.toThrow(
      /expected "create index concurrently .*got "drop table first"/,
    );
    writeFileSync(join(folder, '0002_second.sql'), 'create index concurrently first_id_idx on first (id);');
    expect(await migrate(server.db, { folder })).toEqual(['0002_second']);
  });
});

describe('migrations by several instances', () => {
  let server: Awaited<ReturnType<typeof openServerDatabase>>;
  beforeAll(async () => {
    server = await openServerDatabase('empty');
  });
  afterAll(() => server.dispose());
  beforeEach(() => emptyDatabase(server.db));

  it('each migration is applied once if eight instances start at the same time', async () => {
    cpSync(OWN_MIGRATIONS, folder, { recursive: true });
    rmSync(join(folder, '0001_first.sql'));
    const instances = await Promise.all(
      Array.from({ length: 8 }, () => createPgDb({ url: server.url, maxConnections: 1 })),
    );
    const applied = await Promise.all(instances.map((db) => migrate(db, { folder })));
    await Promise.all(instances.map((db) => db.close()));
    const { applied: recorded, pending } = await migrationStatus(server.db, { folder });
    expect(applied.flat().sort()).toEqual(recorded.map(({ name }) => name));
    expect(pending).toEqual([]);
  });

  it('a migration is rolled back if its instance dies, and the next instance applies it', async () => {
    writeFileSync(join(folder, '0002_slow.sql'), 'create table slow (id integer); select pg_sleep(3600);');
    const dying = await createPgDb({ url: server.url, maxConnections: 1 });
    const failure = migrate(dying, { folder }).catch((error: unknown) => error);
    const asleep = `from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await expect.poll(() => server.db.query(`select 1 as one ${asleep}`)).toHaveLength(1);

    const waiting = migrate(server.db, { folder, lockTimeoutMs: 50 });
    await expect(waiting).rejects.toThrow('Another instance has been migrating this database for more than 50 ms');

    await server.db.query(`select pg_terminate_backend(pid) ${asleep}`);
    expect(await failure).toMatchObject({ message: expect.stringContaining('Migration 0002_slow failed') });
    await dying.close();

    expect(await tablesOf(server.db)).toEqual(['first', 'schema_migrations']);
    writeFileSync(join(folder, '0002_slow.sql'), 'create table slow (id integer);');
    expect(await migrate(server.db, { folder })).toEqual(['0002_slow']);
  });
});
