import type { Db } from '../../postgres/db.js';
import { DEFAULT_RETENTION, type UsageRetention } from './usage-retention.js';

/**
 * Timeout for locks, in milliseconds. If a table is locked, a later run tries it again. Waiting for
 * the lock would block all statements queued behind it.
 */
const LOCK_TIMEOUT_MS = 2_000;
/**
 * Length of the longest partition, in days. A month is dropped only when all of its days are too
 * old. Until then, its rows and the names that they refer to are kept.
 */
const LONGEST_PARTITION_DAYS = 31;
/** Days of a week. A week is kept as long as its last day. */
const WEEK_DAYS = 7;
const NAMES_PER_STATEMENT = 10_000;
/** Maximum number of documents of denied operations: 160 MB at most. */
const MOST_DOCUMENTS = 10_000;

/**
 * Drops usage beyond its retention, and deletes names that nothing refers to anymore. Several
 * instances may run it at the same time.
 */
export async function dropOldUsage(db: Db, retention: UsageRetention = {}): Promise<void> {
  const { minutesDays, hoursDays, daysDays, eventsDays, decisionsDays } = { ...DEFAULT_RETENTION, ...retention };
  const weeksDays = daysDays + WEEK_DAYS;
  const tables = await db.query<{ parent: string }>('select parent from usage_partitioned order by parent');
  for (const { parent } of tables) {
    const days = daysOf(parent);
    await db.tx(async (tx) => {
      await tx.query(`select set_config('lock_timeout', $1, true)`, [String(LOCK_TIMEOUT_MS)]);
      await tx.query('select drop_usage_partitions($1, now() - make_interval(days => $2))', [parent, days]);
    });
  }
  // No batch can be in flight for 30 days.
  await db.query(`delete from usage_writers where stored_at < now() - interval '30 days'`);
  const unusedDays =
    Math.max(minutesDays, hoursDays, weeksDays, eventsDays, decisionsDays) + LONGEST_PARTITION_DAYS + 1;
  await forgetDocuments(db, eventsDays + 1);
  await forgetNames(db, 'usage_subjects', unusedDays);
  await forgetNames(db, 'usage_operations', unusedDays);

  function daysOf(table: string): number {
    if (table === 'events') return eventsDays;
    if (table === 'decisions') return decisionsDays;
    if (table.endsWith('_minute')) return minutesDays;
    if (table.endsWith('_week')) return weeksDays;
    return table.endsWith('_hour') ? hoursDays : daysDays;
  }
}

/**
 * Deletes documents that no event refers to anymore. If there are still too many, it deletes those
 * with the oldest last use.
 */
async function forgetDocuments(db: Db, unusedDays: number): Promise<void> {
  await db.query('delete from denied_documents where last_seen_on < current_date - $1::integer', [unusedDays]);
  await db.query(
    `delete from denied_documents where hash in (
      select hash from denied_documents order by last_seen_on desc, hash desc offset $1
    )`,
    [MOST_DOCUMENTS],
  );
}

async function forgetNames(db: Db, table: 'usage_subjects' | 'usage_operations', unusedDays: number): Promise<void> {
  for (;;) {
    const gone = await db.query(
      `delete from ${table} where id in (
        select id from ${table} where last_seen_on < current_date - $1::integer order by last_seen_on limit $2
      ) returning id`,
      [unusedDays, NAMES_PER_STATEMENT],
    );
    if (gone.length < NAMES_PER_STATEMENT) return;
  }
}
