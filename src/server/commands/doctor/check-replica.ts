import type { Db } from '../../../postgres/db.js';
import { placeOfPostgres } from '../../../postgres/place-of-postgres.js';
import { openPostgres, whyUnusable } from '../../../postgres/with-postgres.js';
import { readDatabaseId } from '../../../rules/live/stored-rules.js';
import { type Finding, finding } from './finding.js';

const SUBJECT = 'PostgreSQL replica';
/** Delay of a replica above which the check warns, in seconds. */
const DELAY_WARNING_S = 60;

/**
 * Checks that a URL leads to a replica of the database. Rejects only if `pg` is not installed.
 * @param url URL of the replica
 * @param primaryUrl URL of the database
 */
export async function checkReplica(url: string, primaryUrl: string): Promise<Finding[]> {
  const place = placeOfPostgres(url);
  const options = { maxConnections: 1, connectTimeoutMs: 10_000, statementTimeoutMs: 10_000 };
  const [db, primary] = await Promise.all([url, primaryUrl].map((each) => openPostgres({ url: each, ...options })));
  try {
    return [await judgeReplica(db!, place), ...(await compareIds(db!, primary!, place))];
  } catch (error) {
    return [
      finding(
        'WARNING',
        SUBJECT,
        `cannot connect to ${place}, so the primary answers the queries about usage: ${whyUnusable(error)}`,
      ),
    ];
  } finally {
    await Promise.all([db!.close(), primary!.close()]);
  }
}

async function judgeReplica(db: Db, place: string): Promise<Finding> {
  const [row] = await db.query<{ isStandby: boolean; delayS: number | null }>(
    `select pg_is_in_recovery() as "isStandby",
       extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as "delayS"`,
  );
  const { isStandby, delayS } = row!;
  if (!isStandby) return finding('WARNING', SUBJECT, `${place} is no standby: it accepts writes, like a primary`);
  if (delayS === null || delayS <= DELAY_WARNING_S) return finding('OK', SUBJECT, `answers at ${place}`);
  const delay = `${Math.round(delayS)} s`;
  return finding('WARNING', SUBJECT, `${place}: the last change it received is ${delay} old; reports lack later usage`);
}

/** Finds a replica of another database. If the primary does not respond, its own check reports that. */
async function compareIds(db: Db, primary: Db, place: string): Promise<Finding[]> {
  const [theirs, own] = await Promise.all([db, primary].map((each) => readDatabaseId(each).catch(() => undefined)));
  if (own === undefined || theirs === own) return [];
  const reason = theirs === undefined ? 'has no tables of Tollgate' : 'is a copy of another database';
  return [finding('FAILURE', SUBJECT, `${place} ${reason}: correct DATABASE_READ_URL`)];
}
