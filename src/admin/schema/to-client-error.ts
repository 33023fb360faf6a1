import { GraphQLError } from 'graphql';
import { errorOf } from '../../model/errors.js';
import { sqlStateOf } from '../../postgres/db.js';
import { isOutage } from '../../postgres/is-outage.js';
import { ReportsBusy } from '../../postgres/limit-reports.js';

/**
 * Returns the error that a caller receives for a failure on our side. It has status 503 if the
 * database is unavailable or busy with reports, else 500. Database messages quote stored values, so
 * they are never passed on. They stay in `originalError`, for the log.
 */
export function toClientError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const expected = UNSTORABLE[sqlStateOf(error) ?? ''];
  if (expected !== undefined) return badQuery(`expected ${expected}`);
  const originalError = error instanceof Error ? error : new Error(String(error));
  if (error instanceof ReportsBusy) {
    const message = 'Too many reports are running: try again in a moment, or request fewer reports or a shorter range';
    return errorOf('UNAVAILABLE', message, { originalError });
  }
  if (isOutage(error)) {
    return errorOf('UNAVAILABLE', 'The database is unavailable: try again in a moment', { originalError });
  }
  return new GraphQLError('Internal server error', {
    originalError,
    extensions: { code: 'INTERNAL_SERVER_ERROR', http: { status: 500 } },
  });
}

/** Returns the error for a query that is invalid whatever data is stored. */
export function badQuery(message: string): GraphQLError {
  return errorOf('BAD_USER_INPUT', message);
}

/** Returns the error for a change of the counters if it is unknown whether it was applied. */
export function countersUnavailable(): GraphQLError {
  return errorOf('UNAVAILABLE', 'The counters are unavailable: try again in a moment');
}

const NO_NUL = 'strings without NUL and without unpaired surrogates';
const NO_OTHER_YEAR = 'times in the years 1000 to 9999';

/** Expected values, by the SQLSTATE with which PostgreSQL rejects a value that it cannot store. */
const UNSTORABLE: Readonly<Record<string, string>> = {
  '22021': NO_NUL,
  '22P05': NO_NUL,
  '22003': 'numbers and cursors in the range that this API returns',
  '22007': NO_OTHER_YEAR,
  '22008': NO_OTHER_YEAR,
};
