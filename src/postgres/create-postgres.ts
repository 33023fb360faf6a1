import { findMistakes, type OptionTable, rejectMistakes } from '../options/find-mistakes.js';
import { required, wholeNumber } from '../options/option-kinds.js';
import { loadOptional } from '../runtime/packages/load-optional.js';
import type { PgDbOptions } from './create-pg-db.js';
import type { Db } from './db.js';
import { postgresUrlOption } from './postgres-option.js';

const MAX_TIMEOUT_MS = 3_600_000;

const TABLE: OptionTable<PgDbOptions> = {
  url: required(postgresUrlOption),
  readUrl: postgresUrlOption,
  // A report would block the admin API if there were a single connection.
  maxConnections: wholeNumber(2, 1000),
  maxLookupConnections: wholeNumber(1, 1000),
  connectTimeoutMs: wholeNumber(1, MAX_TIMEOUT_MS),
  statementTimeoutMs: wholeNumber(1, MAX_TIMEOUT_MS),
  closeTimeoutMs: wholeNumber(1, MAX_TIMEOUT_MS),
};

/**
 * Creates the database for the option `postgres` of `createTollgate`, with the sizes of its pools
 * and its deadlines. It connects on first use. The code that creates the database must close it,
 * after it has closed the Tollgates that use it.
 * @throws TypeError that lists every mistake in the options, or names the missing package `pg`.
 * @example
 * const postgres = await createPostgres({ url: process.env.DATABASE_URL, maxConnections: 10 });
 * const tollgate = await createTollgate({ schema, postgres });
 */
export async function createPostgres(options: PgDbOptions): Promise<Db> {
  rejectMistakes('createPostgres', findMistakes(options, TABLE));
  const { createPgDb } = await import('./create-pg-db.js');
  return loadOptional('pg', 'createPostgres', () => createPgDb(options));
}
