import type { Queryable } from '../../postgres/db.js';
import type { EventRow, UsageSubjectKind } from '../record/usage-levels.js';
import type { UsageSubject } from './read-usage.js';
import type { TimeRange } from './time-range.js';
import { sums, type TopRequest, unionOf } from './top-request.js';
import { createParameters } from './usage-filter.js';

/** Conditions for denials. A denial must match all of them. */
export interface DenialFilter {
  rule?: string;
  user?: string;
  /** API key of callers without a user. `ip` is the address of callers with neither. */
  apiKey?: string;
  ip?: string;
  tenant?: string;
  operation?: string;
  /** Integration that asked for the decision. */
  integration?: string;
  /** Whether to return only denials by shadow rules (true), or only real denials (false). */
  shadow?: boolean;
}

export type Denial = EventRow & { kind: 'DENIED' | 'SHADOW_DENIED'; rule: string };

/** Position of a denial in a list. The next page starts after it. */
export interface DenialCursor {
  at: Date;
  id: number;
}

/** Returns a page of denials, newest first. */
export function readDenials(
  db: Queryable,
  request: { range: TimeRange; filter: DenialFilter; after: DenialCursor | undefined; limit: number },
): Promise<Denial[]> {
  const { range, filter, after, limit } = request;
  const { rule, user, apiKey, ip, tenant, operation, integration, shadow } = filter;
  const parameters = createParameters();
  const kinds = shadow === undefined ? `('DENIED', 'SHADOW_DENIED')` : shadow ? `('SHADOW_DENIED')` : `('DENIED')`;
  const conditions = [`at >= ${parameters.add(range.from)} and at < ${parameters.add(range.to)}`, `kind in ${kinds}`];
  const is = (column: string, value: string | undefined, besides = '') => {
    if (value !== undefined) conditions.push(`${column} = ${parameters.add(value)}${besides}`);
  };
  is('rule', rule);
  is('user_id', user);
  is('api_key', apiKey, ' and user_id is null');
  is('ip', ip, ' and user_id is null and api_key is null');
  is('tenant_id', tenant);
  is('operation_name', operation);
  is('integration', integration);
  if (after)
    conditions.push(`(at, id) < (${parameters.add(after.at)}::timestamptz, ${parameters.add(after.id)}::bigint)`);
  return db.query<Denial>(
    `select * from events where ${conditions.join(' and ')} order by at desc, id desc limit ${parameters.add(limit)}`,
    parameters.values,
  );
}

/** Returns the documents of denied operations, without the values that callers wrote into them. */
export function readDeniedDocuments(
  db: Queryable,
  hashes: readonly string[],
): Promise<{ hash: string; text: string }[]> {
  return db.query('select hash, text from denied_documents where hash = any($1::text[])', [hashes]);
}

/** The denials of a subject by a rule, including those that a shadow rule would have made. */
export interface Violation {
  rule: string;
  subject: UsageSubject;
  denied: number;
  shadowDenied: number;
  /** Estimated cost of the operations in both counts, in tokens. */
  deniedCost: number;
  /** Share of this entry in the number of all denials in its list: 0 to 1. */
  share: number;
  ruleId: number;
  subjectId: number;
}

/** Position of an entry in a list. The next page starts after it. */
export type ViolationCursor = Pick<Violation, 'ruleId' | 'subjectId'> & { count: number };

/** Returns a page of the pairs of a rule and a caller that it denied, most denials first. */
export async function readViolations(
  db: Queryable,
  { after, limit, ...range }: Pick<TopRequest, 'parts' | 'filter' | 'limit'> & { after: ViolationCursor | undefined },
): Promise<Violation[]> {
  const parameters = createParameters();
  const columns = ['denied', 'shadow_denied', 'denied_cost'];
  const union = unionOf(['rule_id', 'subject_id'], columns, range, parameters);
  const count = 'denied + shadow_denied';
  const behind = () =>
    `where (-(${count}), rule_id, subject_id) > (-${parameters.add(after!.count)}::bigint,
       ${parameters.add(after!.ruleId)}::integer, ${parameters.add(after!.subjectId)}::bigint)`;
  const rows = await db.query<ViolationRow>(
    `with totals as (
       select rule_id, subject_id, ${sums(columns)},
         (sum(${count}) / nullif(sum(sum(${count})) over (), 0))::float8 as share
       from (${union}) as violation group by rule_id, subject_id
     ), page as (
       select * from totals ${after ? behind() : ''}
       order by ${count} desc, rule_id, subject_id limit ${parameters.add(limit)}
     )
     select page.*, rule.name as rule, who.kind, who.name, who.tenant_id
     from page join usage_rules rule on rule.id = rule_id join usage_subjects who on who.id = subject_id
     order by denied + shadow_denied desc, rule_id, subject_id`,
    parameters.values,
  );
  return rows.map(toViolation);
}

export function toViolation(row: ViolationRow): Violation {
  return {
    rule: row.rule,
    subject: { kind: row.kind, name: row.name || null, tenant: row.tenant_id || null },
    denied: row.denied,
    shadowDenied: row.shadow_denied,
    deniedCost: row.denied_cost,
    share: row.share ?? 0,
    ruleId: row.rule_id,
    subjectId: row.subject_id,
  };
}

/** A row of the sums of one rule and one caller, with their names. */
export interface ViolationRow {
  rule_id: number;
  subject_id: number;
  rule: string;
  kind: UsageSubjectKind;
  name: string;
  tenant_id: string;
  denied: number;
  shadow_denied: number;
  denied_cost: number;
  share: number | null;
}
