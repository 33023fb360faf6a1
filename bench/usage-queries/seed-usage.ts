import type { Queryable } from '../../src/postgres/db.js';

/**
 * Size of a database of usage. For each length of buckets (minute, hour or day), it sets the number
 * of days and the number of subjects in a bucket.
 */
export interface UsagePopulation {
  subjects: number;
  operationsPerSubject: number;
  minuteDays: number;
  minuteSubjects: number;
  hourDays: number;
  hourSubjects: number;
  dayDays: number;
  /** Number of subjects that are active on a day. @default all */
  daySubjects?: number;
  events: number;
}

/**
 * About 10 million rows: 3 days by minute and 35 days by hour, which are the default retention
 * times, and 90 days by day.
 */
export const TEN_MILLION: UsagePopulation = {
  subjects: 5_000,
  operationsPerSubject: 3,
  minuteDays: 3,
  minuteSubjects: 200,
  hourDays: 35,
  hourSubjects: 1_500,
  dayDays: 90,
  events: 1_000_000,
};

/** A small population, large enough for the planner to prefer suitable indexes. */
export const A_FEW: UsagePopulation = {
  subjects: 1_000,
  operationsPerSubject: 2,
  minuteDays: 1,
  minuteSubjects: 10,
  hourDays: 3,
  hourSubjects: 300,
  dayDays: 90,
  events: 150_000,
};

const OPERATIONS = 60;
const FIELDS = 200;
const RULES = 30;
const COUNTS = '10, 2, 1, 0, 400, 300, 50';
const SUMS =
  'sum(requests), sum(denied), sum(shadow_denied), sum(degraded), sum(estimated_cost), sum(actual_cost), sum(denied_cost)';

/**
 * Fills the tables of usage up to `until` with rows from `generate_series`. Resolves to the number
 * of rows. Needs a database whose statements may take minutes.
 */
export async function seedUsage(db: Queryable, until: Date, population: UsagePopulation): Promise<number> {
  const { subjects, events } = population;
  const days = Math.max(population.minuteDays, population.hourDays, population.dayDays);
  const from = new Date(until.getTime() - days * 86_400_000);
  await db.query('select ensure_usage_partitions($1, $2)', [from, until]);
  await db.query(
    `insert into usage_subjects (tenant_id, kind, name)
     select 'tenant-' || n % 200, case when n % 10 = 0 then 'API_KEY' else 'USER' end, 'caller-' || n
     from generate_series(1, $1::integer) n`,
    [subjects],
  );
  await db.query(
    `insert into usage_operations (type, name) select 'QUERY', 'Operation' || n from generate_series(1, ${OPERATIONS}) n`,
  );
  await db.query(`insert into usage_fields (coordinate) select 'Type.field' || n from generate_series(1, ${FIELDS}) n`);
  await db.query(`insert into usage_rules (name) select 'rule-' || n from generate_series(1, ${RULES}) n`);
  for (const level of ['minute', 'hour', 'day'] as const) {
    for (const [table, columns, source] of tablesOf(level, population)) {
      // The rows are inserted day by day, in key order, so that the memory use stays constant.
      const daysOfLevel = { minute: population.minuteDays, hour: population.hourDays, day: population.dayDays }[level];
      for (let day = daysOfLevel; day > 0; day--) {
        const first = new Date(until.getTime() - day * 86_400_000);
        const last = new Date(first.getTime() + 86_400_000 - 1);
        await db.query(
          `insert into ${table}_${level} select bucket, ${columns}
           from generate_series(
             date_trunc('${level}', $1::timestamptz + interval '1 ${level}' - interval '1 microsecond', 'UTC'), $2::timestamptz, interval '1 ${level}') bucket, ${source}`,
          [first, last],
        );
      }
    }
  }
  await db.query(
    `insert into usage_subject_week
     select date_bin('1 week', bucket, 'epoch'), subject_id, tier, ${SUMS}
     from usage_subject_day group by 1, 2, 3`,
  );
  await db.query(
    `insert into events (at, kind, code, rule, tenant_id, user_id, tier, operation_type, operation_name, degraded,
       requested_cost, scope, field, charge, limit_amount, used, remaining, retry_after_ms)
     select $1::timestamptz - n * $2::float8 * interval '1 millisecond', case n % 4 when 0 then 'SHADOW_DENIED' else 'DENIED' end,
       case when n % 4 > 0 then 'THROTTLED' end, 'rule-' || n % ${RULES} + 1, 'tenant-' || n % $4::integer % 200,
       'caller-' || n % $4::integer + 1, 'tier-' || n % 3, 'QUERY', 'Operation' || n % ${OPERATIONS} + 1, false, 40,
       'USER', '*', 40, 100, 80, 20, 1500
     from generate_series(1, $3::integer) n`,
    [until, (Math.min(30, days) * 86_400_000) / events, events, subjects],
  );
  // After this, the tables are in the same state as after days of use. Otherwise autovacuum would
  // run during the next measurement, on more rows than in practice.
  await db.query('vacuum (analyze)');
  const [row] = await db.query<{ rows: number }>(
    `select sum(reltuples)::bigint as rows from pg_class where relkind = 'r' and (relname like 'usage%\\_p2%' or relname like 'events\\_p2%')`,
  );
  return row!.rows;
}

/**
 * Returns for each table: its name, the columns after `bucket`, and the rows that are joined to
 * each bucket.
 */
function tablesOf(
  level: 'minute' | 'hour' | 'day',
  { subjects, operationsPerSubject, minuteSubjects, hourSubjects, daySubjects = subjects }: UsagePopulation,
): [string, string, string][] {
  const active = { minute: minuteSubjects, hour: hourSubjects, day: daySubjects }[level];
  // Each bucket has different subjects, because the active callers change over time.
  const who = `generate_series(1, ${active}) n, lateral (select (n + extract(epoch from bucket)::bigint / 60) % ${subjects} + 1 as subject) s`;
  const all: [string, string, string][] = [
    [
      'usage',
      `subject, (subject + k) % ${OPERATIONS} + 1, 'tier-' || subject % 3, ${COUNTS}`,
      `${who}, generate_series(1, ${operationsPerSubject}) k`,
    ],
    ['usage_operation', `n, 'tier-' || k, ${COUNTS}`, `generate_series(1, ${OPERATIONS}) n, generate_series(0, 2) k`],
    ['usage_field', 'n, 10, 2, 100, 60, 400, 300', `generate_series(1, ${FIELDS}) n`],
    ['usage_rule', 'n, 10, 2, 1, 400, 300, 50', `generate_series(1, ${RULES}) n`],
    ['usage_violation', `subject % ${RULES} + 1, subject, 2, 1, 50`, `${who} where n % 10 = 0`],
  ];
  if (level !== 'minute') all.push(['usage_subject', `subject, 'tier-' || subject % 3, ${COUNTS}`, who]);
  return all;
}
