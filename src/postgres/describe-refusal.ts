import { sqlStateOf } from './db.js';

/**
 * Why a PostgreSQL that answers cannot be used, with what to do about it; undefined for every other failure, such as
 * a server that does not answer. It names neither the database nor the user: it may be read by strangers.
 */
export function describeRefusal(error: unknown): string | undefined {
  const state = sqlStateOf(error);
  if (state === '3D000') {
    return 'the server answers, but has no database of that name: create it, or correct the name in DATABASE_URL';
  }
  if (state?.startsWith('28')) {
    return `the server answers, but does not let this user in (SQLSTATE ${state}): correct the user and the password in DATABASE_URL`;
  }
  if (state === '25006') {
    return 'the server answers, but takes no writes: it is a standby, or was set to read-only, as some are when their disk is full';
  }
  if (state === '53300') {
    return 'the server answers, but has no connection left: raise its max_connections, or have fewer instances';
  }
  return undefined;
}
