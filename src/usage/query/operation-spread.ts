import type { Queryable } from '../../postgres/db.js';
import type { UsageOperation } from './read-usage.js';
import type { TimeRange } from './time-range.js';

/** The distribution of cost and duration over single runs of an operation. */
export interface OperationSpread {
  /** Number of admissions that were evaluated. */
  decisions: number;
  p50Cost: number;
  p95Cost: number;
  p50DurationMs: number;
  p95DurationMs: number;
}

/**
 * Maximum number of decisions that are read, newest first, for a range of any length. The log
 * contains no sums, so each of these decisions is read.
 */
const MOST_DECISIONS = 20_000;

/**
 * Returns the distribution of cost and duration by operation, over the admissions among the newest
 * logged decisions. The cost is the actual cost, or the estimated cost if that is unknown. Each
 * result has the position of its operation in the list. Operations without such an admission are
 * omitted.
 */
export async function readOperationSpread(
  db: Queryable,
  operations: readonly UsageOperation[],
  { from, to }: TimeRange,
): Promise<{ place: number; spread: OperationSpread }[]> {
  const rows = await db.query<SpreadRow>(
    `with newest as (
       select operation_type, coalesce(operation_name, '') as operation_name, verdict,
         coalesce(actual_cost, estimated_cost) as cost, duration_ms
       from decisions where at >= $1 and at < $2 order by at desc, id desc limit $3
     ), asked as (
       select type, name, place from unnest($4::text[], $5::text[]) with ordinality as asked (type, name, place)
     )
     select place, count(*) as decisions,
       percentile_disc(0.5) within group (order by cost) as p50_cost,
       percentile_disc(0.95) within group (order by cost) as p95_cost,
       percentile_disc(0.5) within group (order by duration_ms) as p50_duration_ms,
       percentile_disc(0.95) within group (order by duration_ms) as p95_duration_ms
     from asked join newest on operation_type = type and operation_name = name and verdict = 'ADMITTED'
     group by place`,
    [from, to, MOST_DECISIONS, operations.map(({ type }) => type), operations.map(({ name }) => name ?? '')],
  );
  return rows.map(({ place, ...row }) => ({
    place: place - 1,
    spread: {
      decisions: row.decisions,
      p50Cost: row.p50_cost,
      p95Cost: row.p95_cost,
      p50DurationMs: row.p50_duration_ms,
      p95DurationMs: row.p95_duration_ms,
    },
  }));
}

interface SpreadRow {
  /** Position in the list, from 1. */
  place: number;
  decisions: number;
  p50_cost: number;
  p95_cost: number;
  p50_duration_ms: number;
  p95_duration_ms: number;
}
