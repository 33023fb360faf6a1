import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readTextFiles } from '../runtime/packages/read-text-files.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { buildConcurrently, readConcurrentIndexes, withoutConcurrently } from './build-concurrently.js';
import { type Db, type Queryable, sqlStateOf, type Tx } from './db.js';
import { OWN_MIGRATIONS } from './own-migrations.js';

interface MigrateOptions {
  /** Folder of the `.sql` files. @default the `migrations` folder of this package */
  folder?: string;
  /** Maximum wait for another instance that migrates, in milliseconds. @default 60000 */
  lockTimeoutMs?: number;
}

interface MigrationStatus {
  applied: { number: number; name: string; appliedAt: Date }[];
  /** Names of the files that are not applied yet. */
  pending: string[];
  /**
   * Reason why this code must not run on this database. Null if it may run after the pending files
   * are applied.
   */
  problem: string | null;
}

interface AppliedRow {
  number: number;
  name: string;
  checksum: string;
  applied_at: Date;
}

/**
 * Migrates the database to this code, and resolves with the names of the files that this call
 * applied. Each file runs in its own transaction. A file of indexes that are built concurrently
 * runs outside a transaction, and continues where it stopped. Several instances may call this at
 * the same time: only one of them applies each file.
 * @throws Error when a file fails, when an applied file was changed, and when the database is newer
 * than the code. A failed file leaves no changes, except indexes that were built concurrently.
 */
export async function migrate(db: Db, { folder, lockTimeoutMs = 60_000 }: MigrateOptions = {}): Promise<string[]> {
  const files = readMigrationFiles(folder);
  // If nothing is pending, no write statement runs, not even `create table if not exists`. The
  // database may be read-only, or its tables may belong to another user.
  const { pending, problem } = await statusOf(db, files);
  if (problem) throw new Error(problem);
  if (pending.length === 0) return [];
  const done: string[] = [];
  for (;;) {
    const name = await txWithLock(db, lockTimeoutMs, async (tx) => {
      await tx.script(`create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
      const applied = await readApplied(tx);
      const problem = findProblem(applied, files);
      if (problem) throw new Error(problem);
      const next = files[applied.length];
      if (next) await apply(db, tx, next);
      return next?.name;
    });
    if (name === undefined) return done;
    done.push(name);
  }
}

/** Returns the applied and the pending files. It writes nothing, not even on an empty database. */
export async function migrationStatus(
  db: Db,
  { folder }: Pick<MigrateOptions, 'folder'> = {},
): Promise<MigrationStatus> {
  return statusOf(db, readMigrationFiles(folder));
}

async function statusOf(db: Db, files: readonly MigrationFile[]): Promise<MigrationStatus> {
  const [table] = await db.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as "exists"`,
  );
  const rows = table?.exists ? await readApplied(db) : [];
  return {
    applied: rows.map(({ number, name, applied_at }) => ({ number, name, appliedAt: applied_at })),
    pending: files.slice(rows.length).map(({ name }) => name),
    problem: findProblem(rows, files) ?? null,
  };
}

const LOCK_POLL_MS = 100;

/**
 * Runs a transaction that holds the lock of migrations. PostgreSQL releases the lock if the process
 * dies.
 *
 * Each attempt to get the lock is a separate transaction, because one long transaction could
 * deadlock. An instance that builds an index concurrently holds the lock, and waits for all
 * transactions with an older snapshot. It would then wait for the transaction that waits for it.
 */
async function txWithLock<Result>(db: Db, timeoutMs: number, run: (tx: Tx) => Promise<Result>): Promise<Result> {
  const startedAtMs = performance.now();
  for (;;) {
    const done = await db.tx(async (tx) => {
      const [row] = await tx.query<{ locked: boolean }>(
        `select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.migrate}) as locked`,
      );
      return row!.locked ? { result: await run(tx) } : undefined;
    });
    if (done) return done.result;
    if (performance.now() - startedAtMs > timeoutMs) {
      throw new Error(`Another instance has been migrating this database for more than ${timeoutMs} ms`);
    }
    await sleep(LOCK_POLL_MS);
  }
}

async function apply(db: Db, tx: Tx, { number, name, sql, checksum }: MigrationFile): Promise<void> {
  const indexes = readConcurrentIndexes(sql);
  const { alone } = db;
  try {
    if (indexes.length === 0) await tx.script(sql);
    // A database without `alone` is the embedded one, which has no other users during the
    // migration.
    else if (!alone) await tx.script(withoutConcurrently(sql));
    else for (const index of indexes) await buildConcurrently(index, { tx, alone });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const outcome =
      indexes.length === 0 ? 'failed and was rolled back' : 'failed; when it runs again, it continues where it stopped';
    const failure = new Error(`Migration ${name} ${outcome}: ${reason}`, { cause: error });
    throw Object.assign(failure, { code: sqlStateOf(error) });
  }
  await tx.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ]);
}

function readApplied(on: Queryable): Promise<AppliedRow[]> {
  return on.query<AppliedRow>('select number, name, checksum, applied_at from schema_migrations order by number');
}

function findProblem(applied: readonly AppliedRow[], files: readonly MigrationFile[]): string | undefined {
  for (const [index, row] of applied.entries()) {
    const file = files[index];
    if (!file) {
      return `The database has migration ${row.name}, which this version of Tollgate does not know: the database is newer than the code. Run the newer version, or restore a backup from before the upgrade.`;
    }
    if (file.name !== row.name) {
      return `The database has migration ${row.name} where this version of Tollgate has ${file.name}: another version or a modified copy migrated it. Use that one, or another database.`;
    }
    if (file.checksum !== row.checksum) {
      return `The file of migration ${row.name} changed after it was applied. Restore the file, and put the change into a new migration.`;
    }
  }
  return undefined;
}

interface MigrationFile {
  /** Number of the file, from 1 without gaps. */
  number: number;
  /** Name of the file without its extension: `0001_tiers_subjects_keys`. */
  name: string;
  sql: string;
  /**
   * SHA-256 of the text in hexadecimal, computed with `\n` as line ending, so that it does not
   * depend on the checkout.
   */
  checksum: string;
}

/**
 * Returns the migration files in order: those of this package, or of a folder. Throws if their
 * numbers are not consecutive from 1.
 */
export function readMigrationFiles(folder?: string): MigrationFile[] {
  const texts = folder === undefined ? OWN_MIGRATIONS : readTextFiles(pathToFileURL(join(folder, '/')), '.sql');
  const names = Object.keys(texts).sort();
  return names.map((file, index) => {
    const number = index + 1;
    if (!new RegExp(`^${String(number).padStart(4, '0')}_[a-z0-9_]+\\.sql$`).test(file)) {
      throw new Error(
        `${join(folder ?? 'migrations', file)}: expected migration ${number} here, named like 0001_lower_case.sql`,
      );
    }
    const sql = texts[file]!.replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(sql).digest('hex');
    return { number, name: file.slice(0, -'.sql'.length), sql, checksum };
  });
}
