import { sqlStateOf } from './db.js';

/** SQLSTATE classes: connection, who may connect, no such database, resources, shutdown, timeouts. */
const OUTAGES = /^(08|28|3D000|53|57|55P03|25006)/;

/** Whether the database does not answer, or answers nobody like us; any other failure is about what was asked. */
export function isOutage(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return OUTAGES.test(state);
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  if (!(error instanceof Error)) return false;
  if ('syscall' in error) return true;
  // The driver and its pool name no code for these.
  return /connection terminated|timeout exceeded when trying to connect|query read timeout|pool after calling end|PGlite is closed/i.test(
    error.message,
  );
}
