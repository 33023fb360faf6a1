import type { Queryable } from '../../postgres/db.js';
import type { UsageOperationType } from '../record/usage-levels.js';
import type { UsageOperation, UsageSubject } from './read-usage.js';
import type { TimeRange } from './time-range.js';

/** One rule and one caller that it denied, or would have denied in shadow. */
export interface DeniedGroup {
  rule: string;
  subject: UsageSubject;
}

/** The stored denials of one operation in a group. */
export interface DeniedOperation {
  /** Position of the group in the list of groups, from 0. */
  place: number;
  operation: UsageOperation;
  /** Number of denials of this operation among the group's 1000 newest stored denials. */
  stored: number;
  /** Time of the newest stored denial of this operation. */
  lastAt: Date;
  /** Time of the newest stored denial of the group. */
  groupLastAt: Date;
}

/**
 * Maximum number of stored denials that are read per group, the newest first. It bounds the cost
 * for a caller that one rule denies all the time.
 */
const MOST_DENIALS = 1000;
/** Maximum number of operations per group. */
const MOST_OPERATIONS = 5;

/**
 * Returns the operations of the stored denials of each group, most denials first, in one statement.
 * Each kind of caller is identified by different columns and has its own index, so the statement
 * has one part for each kind.
 */
export async function readDeniedOperations(
  db: Queryable,
  groups: readonly DeniedGroup[],
  { from, to }: TimeRange,
): Promise<DeniedOperation[]> {
  const ofKind = (kind: UsageSubject['kind'], caller: string) =>
    `select at, operation_type, operation_name from events
     where wanted.kind = '${kind}' and ${caller} and rule = wanted.rule and at >= $5 and at < $6
       and kind in ('DENIED', 'SHADOW_DENIED') and tenant_id is not distinct from wanted.tenant`;
  const rows = await db.query<{
    place: number;
    type: UsageOperationType;
    name: string | null;
    stored: number;
    last_at: Date;
    group_last_at: Date;
  }>(
    `select wanted.place::integer - 1 as place, found.*
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality
       as wanted (rule, kind, name, tenant, place)
     cross join lateral (
       select operation_type as type, operation_name as name, count(*)::integer as stored, max(at) as last_at,
         max(max(at)) over () as group_last_at
       from (
         ${ofKind('USER', 'user_id = wanted.name')}
         union all ${ofKind('API_KEY', 'user_id is null and api_key = wanted.name')}
         union all ${ofKind('IP', 'user_id is null and api_key is null and ip = wanted.name')}
         order by at desc limit ${MOST_DENIALS}
       ) as newest
       group by operation_type, operation_name
       order by count(*) desc, max(at) desc limit ${MOST_OPERATIONS}
     ) as found
     order by wanted.place, found.stored desc, found.last_at desc`,
    [
      groups.map(({ rule }) => rule),
      groups.map(({ subject }) => subject.kind),
      groups.map(({ subject }) => subject.name),
      groups.map(({ subject }) => subject.tenant),
      from,
      to,
    ],
  );
  return rows.map(({ place, type, name, stored, last_at, group_last_at }) => ({
    place,
    operation: { type, name },
    stored,
    lastAt: last_at,
    groupLastAt: group_last_at,
  }));
}
