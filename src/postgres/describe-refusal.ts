import { sqlStateOf } from './db.js';

/**
 * Why a PostgreSQL that answers refuses the connection, with what to do about it; undefined for every other failure, such as
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
  return undefined;
}
