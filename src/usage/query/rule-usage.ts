import type { Queryable } from '../../postgres/db.js';
import type { UsageLevel } from '../record/usage-levels.js';
import {
  type Denial,
  type DenialCursor,
  toViolation,
  type Violation,
  type ViolationCursor,
  type ViolationRow,
} from './read-denials.js';
import type { RangePart, TimeRange } from './time-range.js';
import { sums } from './top-request.js';
import { createParameters, type Parameters } from './usage-filter.js';

/** A result with the position of its rule in the list of names, from 0. */
export interface OfRule {
  rule: number;
}

export interface RuleUsage extends OfRule {
  /** Start of the minute, hour or day that the numbers are for. */
  bucket: Date;
  requests: number;
  denied: number;
  shadowDenied: number;
  /** Estimated cost, in the measure of the rule. The other costs are in that measure too. */
  estimatedCost: number;
  actualCost: number;
  deniedCost: number;
}

export interface DenialCounts {
  denied: number;
  shadowDenied: number;
}

const COLUMNS = ['requests', 'denied', 'shadow_denied', 'estimated_cost', 'actual_cost', 'denied_cost'];

/**
 * Returns the usage of each of several rules per minute, hour or day, oldest first, in one
 * statement. Each rule gets at most `limit` entries. Times without usage have no entry.
 */
export async function readRuleUsage(
  db: Queryable,
  names: readonly string[],
  { range, level, limit }: { range: TimeRange; level: UsageLevel; limit: number },
): Promise<RuleUsage[]> {
  const rows = await db.query<OfRule & { bucket: Date } & Record<string, number>>(
    `select wanted.place::integer - 1 as rule, page.*
     from unnest($1::text[]) with ordinality as wanted (name, place)
     cross join lateral (
       select bucket, ${sums(COLUMNS)} from usage_rule_${level}
       where bucket >= $2 and bucket < $3 and rule_id = (select id from usage_rules known where known.name = wanted.name)
       group by bucket order by bucket limit $4
     ) as page
     order by wanted.place, page.bucket`,
    [names, range.from, range.to, limit],
  );
  return rows.map((row) => ({
    rule: row.rule,
    bucket: row.bucket,
    requests: row['requests']!,
    denied: row['denied']!,
    shadowDenied: row['shadow_denied']!,
    estimatedCost: row['estimated_cost']!,
    actualCost: row['actual_cost']!,
    deniedCost: row['denied_cost']!,
  }));
}

/**
 * Returns the number of operations that each of several rules denied, and of those that it would
 * have denied if it were not in shadow. Rules without such operations are omitted.
 */
export async function readRuleDenialCounts(
  db: Queryable,
  names: readonly string[],
  parts: readonly RangePart[],
): Promise<(OfRule & DenialCounts)[]> {
  const parameters = createParameters();
  const wanted = parameters.add(names);
  const union = unionOf('usage_rule', ['rule_id', 'denied', 'shadow_denied'], parts, wanted, parameters);
  return db.query(
    `select array_position(${wanted}::text[], known.name) - 1 as rule, sum(denied)::bigint as denied,
       sum(shadow_denied)::bigint as "shadowDenied"
     from (${union}) as usage join usage_rules known on known.id = rule_id
     group by known.name having sum(denied + shadow_denied) > 0`,
    parameters.values,
  );
}

/**
 * Returns a page of the denials of each of several rules, newest first, in one statement. `place`
 * is the position of the rule in the list of names, from 0.
 */
export function readRuleDenials(
  db: Queryable,
  names: readonly string[],
  { range, after, limit }: { range: TimeRange; after: DenialCursor | undefined; limit: number },
): Promise<(Denial & { place: number })[]> {
  const parameters = createParameters();
  const wanted = parameters.add(names);
  const conditions = [
    'rule = wanted.name',
    `at >= ${parameters.add(range.from)} and at < ${parameters.add(range.to)}`,
    `kind in ('DENIED', 'SHADOW_DENIED')`,
  ];
  if (after) {
    conditions.push(`(at, id) < (${parameters.add(after.at)}::timestamptz, ${parameters.add(after.id)}::bigint)`);
  }
  return db.query<Denial & { place: number }>(
    `select page.*, wanted.place::integer - 1 as place
     from unnest(${wanted}::text[]) with ordinality as wanted (name, place)
     cross join lateral (
       select * from events where ${conditions.join(' and ')}
       order by at desc, id desc limit ${parameters.add(limit)}
     ) as page
     order by wanted.place, page.at desc, page.id desc`,
    parameters.values,
  );
}

/**
 * Returns a page of the callers that each of several rules denied, most denials first, in one
 * statement. Shares refer to all denials of the rule.
 */
export async function readRuleViolations(
  db: Queryable,
  names: readonly string[],
  {
    parts,
    after,
    limit,
  }: { parts: readonly RangePart[]; after: Pick<ViolationCursor, 'count' | 'subjectId'> | undefined; limit: number },
): Promise<Violation[]> {
  const parameters = createParameters();
  const wanted = parameters.add(names);
  const columns = ['denied', 'shadow_denied', 'denied_cost'];
  const union = unionOf('usage_violation', ['rule_id', 'subject_id', ...columns], parts, wanted, parameters);
  const count = 'denied + shadow_denied';
  const behind = () =>
    `where (-(${count}), subject_id) > (-${parameters.add(after!.count)}::bigint, ${parameters.add(after!.subjectId)}::bigint)`;
  const rows = await db.query<ViolationRow>(
    `with totals as (
       select rule_id, subject_id, ${sums(columns)},
         (sum(${count}) / nullif(sum(sum(${count})) over (partition by rule_id), 0))::float8 as share
       from (${union}) as violation group by rule_id, subject_id
     ), ranked as (
       select *, row_number() over (partition by rule_id order by ${count} desc, subject_id) as rank
       from totals ${after ? behind() : ''}
     )
     select ranked.*, known.name as rule, who.kind, who.name, who.tenant_id
     from ranked join usage_rules known on known.id = rule_id join usage_subjects who on who.id = subject_id
     where rank <= ${parameters.add(limit)}
     order by rule_id, rank`,
    parameters.values,
  );
  return rows.map(toViolation);
}

/**
 * Returns the SQL of the rows of these rules. Each part of the range is read from its own table.
 */
function unionOf(
  table: 'usage_rule' | 'usage_violation',
  columns: readonly string[],
  parts: readonly RangePart[],
  names: string,
  parameters: Parameters,
): string {
  const ofRules = `rule_id = any(array(select id from usage_rules where name = any(${names}::text[])))`;
  return parts
    .map(({ from, to, level }) => {
      const range = `bucket >= ${parameters.add(from)} and bucket < ${parameters.add(to)}`;
      return `select ${columns.join(', ')} from ${table}_${level} where ${range} and ${ofRules}`;
    })
    .join(' union all ');
}
