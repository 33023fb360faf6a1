import { loadOptional } from '../runtime/packages/load-optional.js';
import { StartError } from '../runtime/start-error.js';
import { createPgDb, type PgDbOptions } from './create-pg-db.js';
import type { Db } from './db.js';
import { describeRejection } from './describe-rejection.js';
import { isOutage } from './is-outage.js';
import { placeOfPostgres } from './place-of-postgres.js';

/**
 * Runs a command on the PostgreSQL of a URL. Throws a StartError with host, port, database name and
 * reason if the database cannot be used. No message contains the user or the password.
 */
export async function withPostgres<Result>(url: string, run: (db: Db) => Promise<Result>): Promise<Result> {
  const db = await openPostgres({ url });
  let hasAnswered = false;
  try {
    await db.query('select 1');
    hasAnswered = true;
    return await run(db);
  } catch (error) {
    // An error of the first statement, such as a certificate error, concerns the connection
    // regardless of its code.
    if (hasAnswered && !isOutage(error)) throw error;
    throw new StartError(`PostgreSQL cannot be used at ${placeOfPostgres(url)}: ${whyUnusable(error)}`, {
      cause: error,
    });
  } finally {
    await db.close();
  }
}

/**
 * Opens the database of a command, whose URL is a setting. Throws a `TypeError` if `pg` is not
 * installed.
 */
export function openPostgres(options: PgDbOptions): Promise<Db> {
  return loadOptional('pg', 'DATABASE_URL', () => createPgDb(options));
}

/** Returns why a database cannot be used, from its error, with a fix if one is known. */
export function whyUnusable(error: unknown): string {
  const rejection = describeRejection(error);
  if (rejection !== undefined) return rejection;
  if (error instanceof AggregateError) return error.errors.map(whyUnusable).join('; ');
  return error instanceof Error ? error.message : String(error);
}
