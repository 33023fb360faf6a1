import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { lockFolder } from '../runtime/files/lock-folder.js';
import { makeFolders } from '../runtime/files/make-folders.js';
import { makePrivate } from '../runtime/files/make-private.js';
import { loadOptional, notInstalled } from '../runtime/packages/load-optional.js';
import { StartError } from '../runtime/start-error.js';
import { type Db, type SqlValue, VALUE_PARSERS } from './db.js';
import { stopAfterAbort } from './stop-after-abort.js';
import { createTransactionScope } from './transaction-scope.js';
import { unpackReadyMade } from './unpack-ready-made.js';

export interface PgliteDbOptions {
  /** Folder of the data, created if it is missing. Nothing is written elsewhere. */
  folder: string;
  /**
   * Path of an archive with an empty data folder, which the first start unpacks.
   * @default that of `tollgate-platform`, if this package is installed
   */
  readyMade?: string;
}

/**
 * Opens PostgreSQL inside this process, for trials and development: one connection, 0.6 to 0.9 GB
 * of memory. It locks the folder, because a second process that opened it would destroy the data.
 */
export async function createPgliteDb({ folder, readyMade }: PgliteDbOptions): Promise<Db> {
  const unlock = await claim(folder);
  const pglite = await openPglite(folder, readyMade).catch((error: unknown) => {
    unlock();
    throw error;
  });
  // PGlite creates its files accessible to all users, regardless of the umask of the process.
  makePrivate(folder);
  const stopped = stopAfterAbort(pglite, folder);
  const scope = createTransactionScope();
  let closed: Promise<void> | undefined;

  return {
    isEmbedded: true,
    async query<Row>(sql: string, params?: readonly SqlValue[]) {
      scope.assertOutside('query');
      return run<Row>(pglite, sql, params);
    },
    async tx(inside, { isGuarded = true } = {}) {
      scope.assertOutside('tx');
      return pglite.transaction((tx) => {
        const use = () =>
          inside({
            query: <Row>(sql: string, params?: readonly SqlValue[]) => run<Row>(tx, sql, params),
            script: async (sql) => {
              await tx.exec(sql).catch(rethrowWithoutParameters);
            },
          });
        return isGuarded ? scope.run(use) : use();
      });
    },
    close() {
      // An aborted engine still holds its locks, so its shutdown would wait for them forever.
      closed ??= (stopped() ? Promise.resolve() : pglite.close()).finally(unlock);
      return closed;
    },
  };
}

/**
 * Locks the folder for this process.
 * @throws StartError with the reason if nothing can be stored in the folder
 */
async function claim(folder: string): Promise<() => void> {
  try {
    makeFolders(folder);
    return await lockFolder(folder);
  } catch (error) {
    if (error instanceof StartError || !(error instanceof Error && 'code' in error)) throw error;
    const isDenied = error.code === 'EACCES' || error.code === 'EPERM';
    const fix = isDenied
      ? 'Its owner has to be the user of this process: change the owner, or choose another data folder'
      : `${isDiskFull(folder, error) ? 'Free space on that disk, or choose' : 'Choose'} another data folder`;
    throw new StartError(`The embedded database cannot be stored in ${folder}: ${error.message}. ${fix}.`, {
      cause: error,
    });
  }
}

async function openPglite(folder: string, readyMade: string | undefined): Promise<PGlite> {
  const { PGlite } = await loadOptional('@electric-sql/pglite', 'An embedded database', importPglite);
  const data = join(folder, 'data');
  const initializing = join(folder, 'initialising'); // cspell:disable-line (the name on the disk of earlier starts)
  // A first start that was killed leaves an incomplete database, which cannot be opened. Nothing is
  // stored in it yet.
  if (existsSync(initializing)) rmSync(data, { recursive: true, force: true });
  const isNew = !existsSync(data);
  if (isNew) writeFileSync(initializing, '');
  const open = () => PGlite.create(data, { parsers: Object.fromEntries(VALUE_PARSERS) });
  let pglite: PGlite | undefined;
  try {
    // An archive of another version cannot be opened; PGlite then creates its own database.
    if (isNew && unpackReadyMade(data, readyMade))
      pglite = await open().catch(() => void rmSync(data, { recursive: true }));
    pglite ??= await open();
  } catch (error) {
    throw new StartError(describeDamage(data, error), { cause: error });
  }
  if (isNew) rmSync(initializing);
  return pglite;
}

async function run<Row>(on: PGlite | Transaction, sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
  const { rows } = await on.query<Row>(sql, [...params]).catch(rethrowWithoutParameters);
  // The statement blocked the event loop, so other work of the process runs before the next
  // statement.
  await turn();
  return rows;
}

async function importPglite() {
  try {
    return await import('@electric-sql/pglite');
  } catch (error) {
    throw notInstalled('@electric-sql/pglite', error);
  }
}

const MAJOR_VERSION = '18';

/**
 * Describes why a database cannot be opened. The error of PGlite is always that it failed to
 * initialize; the content of the folder is more informative.
 */
function describeDamage(data: string, error: unknown): string {
  if (isDiskFull(data, error)) {
    return `The embedded database in ${data} cannot be opened: its disk is full. Free space there; stored data is kept.`;
  }
  if (isOfThePackage(data, error)) {
    return `The embedded database cannot be started: ${error.message}. @electric-sql/pglite reads files next to its code, which a bundle lacks: exclude it from the bundle ("external"), or set DATABASE_URL.`;
  }
  const version = existsSync(join(data, 'PG_VERSION')) ? readFileSync(join(data, 'PG_VERSION'), 'utf8').trim() : '';
  const reason =
    version !== '' && version !== MAJOR_VERSION
      ? `it was created by PostgreSQL ${version.slice(0, 10)}, but this is ${MAJOR_VERSION}`
      : `it may be damaged (${error instanceof Error ? error.message : String(error)})`;
  return `The embedded database in ${data} cannot be opened: ${reason}. Move that folder to another place to start with an empty one.`;
}

/**
 * Free space that PostgreSQL needs to start, for a new file of its write-ahead log. On a full disk,
 * its error states only that PostgreSQL aborted.
 */
const ROOM_TO_START_BYTES = 16 * 1024 * 1024;

function isDiskFull(folder: string, error: unknown): boolean {
  if (error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code)))
    return true;
  try {
    const { bavail, bsize } = statfsSync(existsSync(folder) ? folder : dirname(folder));
    return bavail * bsize < ROOM_TO_START_BYTES;
  } catch {
    return false;
  }
}

/** Returns whether an error reports a missing file of the package, and not of the database. */
function isOfThePackage(data: string, error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') return false;
  return 'path' in error && typeof error.path === 'string' && !error.path.startsWith(data);
}

/**
 * Removes the statement and its parameters, which PGlite adds to an error, so that they do not
 * reach logs.
 */
function rethrowWithoutParameters(error: unknown): never {
  if (error instanceof Error) {
    for (const key of ['query', 'params', 'queryOptions']) Reflect.deleteProperty(error, key);
  }
  throw error;
}
