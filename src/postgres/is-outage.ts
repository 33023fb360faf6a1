import { sqlStateOf } from './db.js';

/**
 * SQLSTATE classes and codes of an outage: connection, authorization, no such database, resources,
 * shutdown, timeouts, read-only transaction.
 */
const OUTAGES = /^(08|28|3D000|53|57|55P03|25006)/;

/**
 * Returns whether the database does not respond, or rejects every statement of this client. Any
 * other error is caused by the statement.
 */
export function isOutage(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return OUTAGES.test(state);
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  if (!(error instanceof Error)) return false;
  if ('syscall' in error) return true;
  // The driver and its pool set no code for these errors.
  return /connection terminated|timeout exceeded when trying to connect|query read timeout|pool after calling end|PGlite is closed/i.test(
    error.message,
  );
}
