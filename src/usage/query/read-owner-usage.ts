import type { Queryable } from '../../postgres/db.js';
import type { UsageLevel } from '../record/usage-levels.js';
import type { TimeRange } from './time-range.js';
import { sums } from './top-request.js';

/** A user, with or without a tenant, or a tenant with all of its callers. */
export interface UsageOwner {
  user: string | null;
  tenant: string | null;
}

export interface OwnerUsage {
  /** Position of the owner in the list of owners, from 0. */
  owner: number;
  /** Start of the minute, hour or day that the numbers are for. */
  bucket: Date;
  requests: number;
  denied: number;
  shadowDenied: number;
  estimatedCost: number;
  actualCost: number;
  deniedCost: number;
}

const COLUMNS = ['requests', 'denied', 'shadow_denied', 'estimated_cost', 'actual_cost', 'denied_cost'];

/**
 * Returns the usage of each of several owners per minute, hour or day, oldest first, in one
 * statement. Each owner gets at most `limit` entries. Times without usage have no entry.
 */
export async function readOwnerUsage(
  db: Queryable,
  owners: readonly UsageOwner[],
  { range, level, limit }: { range: TimeRange; level: UsageLevel; limit: number },
): Promise<OwnerUsage[]> {
  const table = level === 'minute' ? 'usage_minute' : `usage_subject_${level}`;
  const rows = await db.query<OwnerSqlRow>(
    `select wanted.owner::integer - 1 as owner, page.*
     from unnest($1::text[], $2::text[]) with ordinality as wanted (user_id, tenant_id, owner)
     cross join lateral (
       select bucket, ${sums(COLUMNS)} from ${table}
       where bucket >= $3 and bucket < $4 and subject_id = any(array(
         select id from usage_subjects who
         where wanted.user_id is not null and who.kind = 'USER' and who.name = wanted.user_id
           and who.tenant_id = coalesce(wanted.tenant_id, '')
         union all
         select id from usage_subjects who where wanted.user_id is null and who.tenant_id = wanted.tenant_id
       ))
       group by bucket order by bucket limit $5
     ) as page
     order by wanted.owner, page.bucket`,
    [owners.map(({ user }) => user), owners.map(({ tenant }) => tenant), range.from, range.to, limit],
  );
  return rows.map((row) => ({
    owner: row.owner,
    bucket: row.bucket,
    requests: row.requests,
    denied: row.denied,
    shadowDenied: row.shadow_denied,
    estimatedCost: row.estimated_cost,
    actualCost: row.actual_cost,
    deniedCost: row.denied_cost,
  }));
}

interface OwnerSqlRow {
  owner: number;
  bucket: Date;
  requests: number;
  denied: number;
  shadow_denied: number;
  estimated_cost: number;
  actual_cost: number;
  denied_cost: number;
}
