import type { Queryable } from '../../postgres/db.js';
import type { UsageLevel, UsageOperationType, UsageSubjectKind } from '../record/usage-levels.js';
import type { RangePart, TimeRange } from './time-range.js';
import {
  columnsOf,
  conditionsOf,
  createParameters,
  type Parameters,
  type UsageColumn,
  type UsageFilter,
} from './usage-filter.js';

export type UsageGroup = 'CALLER' | 'TENANT' | 'TIER' | 'OPERATION' | 'FIELD' | 'RULE' | 'INTEGRATION' | 'REGION';

export interface UsageSubject {
  kind: UsageSubjectKind;
  /** Name of the caller. Null for callers that are counted together. */
  name: string | null;
  tenant: string | null;
}

export interface UsageOperation {
  type: UsageOperationType;
  name: string | null;
}

/**
 * The sums of one group in one minute, hour or day. A member is null if the request does not group
 * by it, or if it is not counted per field or rule.
 */
export interface GroupedUsage {
  /** Start of the minute, hour or day. */
  bucket: Date;
  subject: UsageSubject | null;
  /** Id of the tenant. '' stands for callers without a tenant. */
  tenant: string | null;
  tier: string | null;
  operation: UsageOperation | null;
  field: string | null;
  rule: string | null;
  /** '' stands for operations that the processes themselves execute. */
  integration: string | null;
  /** '' stands for operations of servers without a region. */
  region: string | null;
  requests: number;
  denied: number;
  shadowDenied: number | null;
  degraded: number | null;
  estimatedCost: number;
  actualCost: number;
  deniedCost: number | null;
  estimatedCalls: number | null;
  actualCalls: number | null;
  /** Cursor for `after`: the next page starts after this entry. */
  cursor: string;
}

export interface UsageRequest {
  /** Range to read, aligned to the level. */
  range: TimeRange;
  level: UsageLevel;
  /** Groups: CALLER, TENANT, TIER and OPERATION in any combination; FIELD, RULE, INTEGRATION or REGION alone. */
  groupBy: readonly UsageGroup[];
  filter: UsageFilter;
  after: string | undefined;
  limit: number;
}

/**
 * Key of each group, the type of the key, and the column of the usage tables that it needs. The
 * order is that of the primary keys.
 */
const KEYS = {
  RULE: { key: 'rule_id', type: 'integer', column: 'rule_id' },
  FIELD: { key: 'field_id', type: 'integer', column: 'field_id' },
  CALLER: { key: 'subject_id', type: 'bigint', column: 'subject_id' },
  TENANT: { key: 'tenant_id', type: 'text', column: 'subject_id' },
  OPERATION: { key: 'operation_id', type: 'integer', column: 'operation_id' },
  TIER: { key: 'tier', type: 'text', column: 'tier' },
  INTEGRATION: { key: 'integration', type: 'text', column: 'integration' },
  REGION: { key: 'region', type: 'text', column: 'region' },
} as const satisfies Record<UsageGroup, { key: string; type: string; column: UsageColumn }>;

type Key = (typeof KEYS)[UsageGroup];

/**
 * Returns a page of usage per minute, hour or day, oldest first. The order of the groups in one
 * such period has no meaning, but it is stable.
 * @throws RangeError for a cursor of another list
 */
export async function readUsage(db: Queryable, request: UsageRequest): Promise<GroupedUsage[]> {
  const { range, level, groupBy, filter, after, limit } = request;
  const keys = Object.entries(KEYS)
    .filter(([group]) => groupBy.includes(group as UsageGroup))
    .map(([, key]): Key => key);
  const columns = [...keys.map(({ column }) => column), ...columnsOf(filter)];
  const byTenant = groupBy.includes('TENANT');
  const parameters = createParameters();
  const conditions = [
    `bucket >= ${parameters.add(range.from)} and bucket < ${parameters.add(range.to)}`,
    ...conditionsOf(filter, parameters),
    ...(after === undefined ? [] : [isBehind(after, keys, parameters)]),
  ];
  const group = ['bucket', ...keys.map(({ key }) => key)].join(', ');
  const rows = await db.query<UsageSqlRow>(
    `with page as (
       select ${group}, ${sumsOf(columns)}
       from ${tableOf(columns, level)}${byTenant ? ' join usage_subjects on usage_subjects.id = subject_id' : ''}
       where ${conditions.join(' and ')}
       group by ${group} ${havingOf(columns)} order by ${group} limit ${parameters.add(limit)}
     )
     select page.*${keys.map(namesOf).join('')}
     from page${keys.map(joinOf).join('')}
     order by ${group}`,
    parameters.values,
  );
  return rows.map((row) => toGroup(row, keys));
}

/** Returns the smallest table that has the columns, or the SQL of rows in its place. */
export function tableOf(columns: readonly UsageColumn[], level: RangePart['level']): string {
  const ofSome = OF_SOME.find((column) => columns.includes(column));
  if (ofSome !== undefined) return rowsOfSome(ofSome, level);
  if (columns.includes('field_id')) return `usage_field_${level}`;
  if (columns.includes('rule_id')) {
    return columns.includes('subject_id') ? `usage_violation_${level}` : `usage_rule_${level}`;
  }
  if (!columns.includes('subject_id')) return `usage_operation_${level}`;
  return columns.includes('operation_id') || level === 'minute' ? `usage_${level}` : `usage_subject_${level}`;
}

const COUNTS = ['requests', 'denied', 'shadow_denied', 'degraded', 'estimated_cost', 'actual_cost', 'denied_cost'];

/** Columns whose tables have rows only for some operations. */
const OF_SOME = ['integration', 'region'] as const satisfies UsageColumn[];

/**
 * Returns the SQL of the usage by integration or region. Only decisions for other servers have rows
 * by integration, and only servers with a region write rows by region. The sums of the other
 * operations, whose integration or region is '', are the sums of all operations minus those rows.
 */
function rowsOfSome(column: (typeof OF_SOME)[number], level: RangePart['level']): string {
  const rows = (value: string, sign: '' | '-', table: string) =>
    `select bucket, ${value} as ${column}, ${COUNTS.map((count) => `${sign}${count} as ${count}`).join(', ')}
     from ${table}_${level}`;
  return `(${[
    rows(column, '', `usage_${column}`),
    rows(`''`, '', 'usage_operation'),
    rows(`''`, '-', `usage_${column}`),
  ].join(' union all ')}) as of_some`;
}

/** Returns the SQL condition that drops groups without operations: `rowsOfSome` may sum to 0. */
export function havingOf(columns: readonly UsageColumn[]): string {
  return OF_SOME.some((column) => columns.includes(column)) ? 'having sum(requests) > 0' : '';
}

const SUMS = {
  all: ['requests', 'denied', 'estimated_cost', 'actual_cost'],
  field_id: ['estimated_calls', 'actual_calls'],
  rule_id: ['shadow_denied', 'denied_cost'],
  usage: ['shadow_denied', 'degraded', 'denied_cost'],
} as const;

function sumsOf(columns: readonly UsageColumn[]): string {
  const own = columns.includes('field_id') ? 'field_id' : columns.includes('rule_id') ? 'rule_id' : 'usage';
  return [...SUMS.all, ...SUMS[own]].map((column) => `sum(${column})::bigint as ${column}`).join(', ');
}

function namesOf({ key }: Key): string {
  if (key === 'subject_id') return ', who.kind, who.name as subject_name, who.tenant_id as subject_tenant';
  if (key === 'operation_id') return ', operation.type as operation_type, operation.name as operation_name';
  if (key === 'field_id') return ', field.coordinate as field';
  return key === 'rule_id' ? ', rule.name as rule' : '';
}

function joinOf({ key }: Key): string {
  if (key === 'subject_id') return ' join usage_subjects who on who.id = subject_id';
  if (key === 'operation_id') return ' join usage_operations operation on operation.id = operation_id';
  if (key === 'field_id') return ' join usage_fields field on field.id = field_id';
  return key === 'rule_id' ? ' join usage_rules rule on rule.id = rule_id' : '';
}

function isBehind(after: string, keys: readonly Key[], parameters: Parameters): string {
  const values = parseCursor(after, keys);
  const types = ['timestamptz', ...keys.map(({ type }) => type)];
  const row = values.map((value, index) => `${parameters.add(value)}::${types[index]}`).join(', ');
  return `(${['bucket', ...keys.map(({ key }) => key)].join(', ')}) > (${row})`;
}

function parseCursor(after: string, keys: readonly Key[]): (string | number | Date)[] {
  try {
    const [bucketMs, ...values] = JSON.parse(after) as unknown[];
    const isRight =
      typeof bucketMs === 'number' &&
      Math.abs(bucketMs) < 8.64e15 &&
      values.length === keys.length &&
      values.every((value, index) =>
        keys[index]!.type === 'text' ? typeof value === 'string' : Number.isSafeInteger(value),
      );
    if (isRight) return [new Date(bucketMs), ...(values as (string | number)[])];
  } catch {
    // A malformed cursor is reported below.
  }
  throw new RangeError('expected the cursor of a page of the same list');
}

interface UsageSqlRow {
  bucket: Date;
  requests: number;
  denied: number;
  estimated_cost: number;
  actual_cost: number;
  shadow_denied?: number;
  degraded?: number;
  denied_cost?: number;
  estimated_calls?: number;
  actual_calls?: number;
  subject_id?: number;
  operation_id?: number;
  field_id?: number;
  rule_id?: number;
  tenant_id?: string;
  tier?: string;
  kind?: UsageSubjectKind;
  subject_name?: string;
  subject_tenant?: string;
  operation_type?: UsageOperationType;
  operation_name?: string;
  field?: string;
  rule?: string;
  integration?: string;
  region?: string;
}

function toGroup(row: UsageSqlRow, keys: readonly Key[]): GroupedUsage {
  const { kind, subject_name, subject_tenant, operation_type, operation_name } = row;
  return {
    bucket: row.bucket,
    subject: kind ? { kind, name: subject_name || null, tenant: subject_tenant || null } : null,
    tenant: row.tenant_id ?? null,
    tier: row.tier ?? null,
    operation: operation_type ? { type: operation_type, name: operation_name || null } : null,
    field: row.field ?? null,
    rule: row.rule ?? null,
    integration: row.integration ?? null,
    region: row.region ?? null,
    requests: row.requests,
    denied: row.denied,
    shadowDenied: row.shadow_denied ?? null,
    degraded: row.degraded ?? null,
    estimatedCost: row.estimated_cost,
    actualCost: row.actual_cost,
    deniedCost: row.denied_cost ?? null,
    estimatedCalls: row.estimated_calls ?? null,
    actualCalls: row.actual_calls ?? null,
    cursor: JSON.stringify([row.bucket.getTime(), ...keys.map(({ key }) => row[key])]),
  };
}
