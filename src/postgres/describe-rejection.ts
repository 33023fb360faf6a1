import { sqlStateOf } from './db.js';
import { isOutage } from './is-outage.js';

/**
 * Returns why a PostgreSQL server that responds cannot be used, with a fix. Returns undefined for
 * every other error, such as a server that does not respond. The text contains neither the name of
 * the database nor the user, because the text may be public.
 */
export function describeRejection(error: unknown): string | undefined {
  const state = stateOf(error);
  if (state === '3D000') {
    return 'the server answers, but has no database of that name: create it, or correct the name in DATABASE_URL';
  }
  if (state === '28000' && /pg_hba\.conf/.test(String(error))) {
    return 'the server answers, but its pg_hba.conf does not admit this combination of user, database and address: the database may not exist. Create it, correct the name and the user in DATABASE_URL, or add the combination to pg_hba.conf';
  }
  if (state?.startsWith('28')) {
    return `the server answers, but rejects this user (SQLSTATE ${state}): correct the user and the password in DATABASE_URL`;
  }
  if (state === '42501') {
    return 'the server answers, but this user lacks rights that Tollgate needs: run "tollgate migrate up" as the owner of the tables, or grant the rights to the user in DATABASE_URL';
  }
  if (state === '3F000') {
    return 'the server answers, but has no schema to create tables in: create it, or correct search_path in DATABASE_URL';
  }
  if (state === '25006') {
    return 'the server answers, but accepts no writes: it is a standby, or it is read-only, for example because its disk is full';
  }
  if (state === '53300') {
    return 'the server answers, but has no connection left: raise its max_connections, or run fewer instances';
  }
  return undefined;
}

/**
 * Returns whether an error is a mistake in the settings rather than an outage. A start fails on a
 * mistake, and continues without PostgreSQL in an outage. A mistake, such as an untrusted
 * certificate, does not resolve by itself.
 */
export function isSettingMistake(error: unknown): boolean {
  const isRejected = /^(28|3D000|3F000|42501)/.test(stateOf(error) ?? '');
  return isRejected || /unsupported startup parameter/.test(String(error)) || !isOutage(error);
}

/**
 * Returns the SQLSTATE of an error. PgBouncer uses the same SQLSTATE for all rejections, so this
 * function reads its messages.
 */
function stateOf(error: unknown): string | undefined {
  const state = sqlStateOf(error);
  if (state !== '08P01' || !(error instanceof Error)) return state;
  if (error.message.startsWith('no such database')) return '3D000';
  return /authentication failed|no such user/.test(error.message) ? '28000' : state;
}
