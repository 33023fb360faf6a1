import type { Queryable } from '../../postgres/db.js';
import type { UsageOperationType, UsageSubjectKind } from '../record/usage-levels.js';
import { tableOf, type UsageOperation, type UsageSubject } from './read-usage.js';
import type { RangePart } from './time-range.js';
import {
  columnsOf,
  conditionsOf,
  createParameters,
  type Parameters,
  type UsageColumn,
  type UsageFilter,
} from './usage-filter.js';

/** What the top of a list is found by. */
const USAGE_MEASURES = {
  ACTUAL_COST: 'actual_cost',
  ESTIMATED_COST: 'estimated_cost',
  REQUESTS: 'requests',
  DENIED: 'denied',
} as const;
export type UsageMeasure = keyof typeof USAGE_MEASURES;

export interface TopRequest {
  parts: readonly RangePart[];
  filter: UsageFilter;
  orderBy: UsageMeasure;
  limit: number;
  /** The list goes on behind this one. @default it begins */
  after?: TopCursor | undefined;
}

/** Where an entry stands in a ranking: what it is ordered by, and what tells it apart from others that have as much. */
export interface TopCursor {
  value: number;
  key: number | string;
}

interface UsageTotals {
  requests: number;
  denied: number;
  shadowDenied: number;
  estimatedCost: number;
  actualCost: number;
  deniedCost: number;
  /** Its part of all that was asked for, in what the list is ordered by: 0 to 1. */
  share: number;
  cursor: TopCursor;
}

export interface TopSubject extends UsageTotals {
  subject: UsageSubject;
}

export interface TopTenant extends UsageTotals {
  /** Null: callers without one. */
  tenant: string | null;
}

export interface TopOperation extends UsageTotals {
  operation: UsageOperation;
}

export interface TopField {
  field: string;
  requests: number;
  denied: number;
  estimatedCalls: number;
  actualCalls: number;
  estimatedCost: number;
  actualCost: number;
  share: number;
  cursor: TopCursor;
}

const TOTALS = ['requests', 'denied', 'shadow_denied', 'estimated_cost', 'actual_cost', 'denied_cost'] as const;
const FIELD_TOTALS = [
  'requests',
  'denied',
  'estimated_calls',
  'actual_calls',
  'estimated_cost',
  'actual_cost',
] as const;

type FieldTotalsRow = Record<(typeof FIELD_TOTALS)[number], number> & {
  share: number;
  field_id: number;
  coordinate: string;
};

type TotalsRow = Record<(typeof TOTALS)[number], number> & { share: number };

export async function readTopSubjects(db: Queryable, request: TopRequest): Promise<TopSubject[]> {
  const parameters = createParameters();
  const measure = measureOf(request);
  // Of very many subjects only what ranks them is added up, and the rest of those alone that are shown, by an index: minutes
  // have none for that.
  const isInSteps = request.parts.every(({ level }) => level !== 'minute');
  const others = isInSteps ? TOTALS.filter((column) => column !== measure) : [];
  const top = ranked('subject_id', isInSteps ? [measure] : TOTALS, request, parameters);
  const theirs = isInSteps
    ? `cross join lateral (
         select ${sums(others)}
         from (${unionOf([], others, request, parameters, { subject_id: 'top.subject_id' })}) as usage
       ) as theirs`
    : '';
  const rows = await db.query<
    TotalsRow & { subject_id: number; kind: UsageSubjectKind; name: string; tenant_id: string }
  >(
    `${top}
     select top.*${isInSteps ? ', theirs.*' : ''}, who.kind, who.name, who.tenant_id
     from top ${theirs} join usage_subjects who on who.id = top.subject_id
     order by ${order(request)}, subject_id`,
    parameters.values,
  );
  return rows.map(({ kind, name, tenant_id, ...row }) => ({
    ...toTotals(row, request, row.subject_id),
    subject: { kind, name: name || null, tenant: tenant_id || null },
  }));
}

export async function readTopTenants(db: Queryable, request: TopRequest): Promise<TopTenant[]> {
  const parameters = createParameters();
  const rows = await db.query<TotalsRow & { tenant_id: string }>(
    `with totals as (
       select tenant_id, ${quickSums(TOTALS)}, ${share(request)}
       from (${unionOf(['subject_id'], TOTALS, request, parameters)}) as usage
       join usage_subjects who on who.id = subject_id
       group by tenant_id
     )
     select * from totals ${behind('tenant_id', 'text', request, parameters)}
     order by ${order(request)}, tenant_id limit ${parameters.add(request.limit)}`,
    parameters.values,
  );
  return rows.map(({ tenant_id, ...row }) => ({ ...toTotals(row, request, tenant_id), tenant: tenant_id || null }));
}

export async function readTopOperations(db: Queryable, request: TopRequest): Promise<TopOperation[]> {
  const parameters = createParameters();
  const rows = await db.query<TotalsRow & { operation_id: number; type: UsageOperationType; name: string }>(
    `${ranked('operation_id', TOTALS, request, parameters)}
     select top.*, operation.type, operation.name
     from top join usage_operations operation on operation.id = operation_id
     order by ${order(request)}, operation_id`,
    parameters.values,
  );
  return rows.map(({ type, name, ...row }) => ({
    ...toTotals(row, request, row.operation_id),
    operation: { type, name: name || null },
  }));
}

export async function readTopFields(db: Queryable, request: TopRequest): Promise<TopField[]> {
  const parameters = createParameters();
  const rows = await db.query<FieldTotalsRow>(
    `${ranked('field_id', FIELD_TOTALS, request, parameters)}
     select top.*, field.coordinate from top join usage_fields field on field.id = field_id
     order by ${order(request)}, field_id`,
    parameters.values,
  );
  return rows.map((row) => ({
    field: row.coordinate,
    requests: row.requests,
    denied: row.denied,
    estimatedCalls: row.estimated_calls,
    actualCalls: row.actual_calls,
    estimatedCost: row.estimated_cost,
    actualCost: row.actual_cost,
    share: row.share,
    cursor: { value: row[measureOf(request)], key: row.field_id },
  }));
}

/** `with top as (...)`: the sums by one key, the largest first. */
function ranked(key: UsageColumn, columns: readonly string[], request: TopRequest, parameters: Parameters): string {
  return `with totals as (
    select ${key}, ${quickSums(columns)}, ${share(request)}
    from (${unionOf([key], columns, request, parameters)}) as usage
    group by ${key}
  ), top as (
    select * from totals ${behind(key, key === 'subject_id' ? 'bigint' : 'integer', request, parameters)}
    order by ${order(request)}, ${key} limit ${parameters.add(request.limit)}
  )`;
}

/** Only what stands behind the cursor. Not among the groups' own conditions: shares are parts of all of them. */
function behind(key: string, type: string, { after, orderBy }: TopRequest, parameters: Parameters): string {
  if (!after) return '';
  const [value, behindKey] = [parameters.add(after.value), parameters.add(after.key)];
  return `where (-${USAGE_MEASURES[orderBy]}, ${key}) > (-${value}::bigint, ${behindKey}::${type})`;
}

/**
 * The rows of a range from the levels that its parts are read from.
 * @param only columns that are to equal an expression
 */
export function unionOf(
  keys: readonly UsageColumn[],
  columns: readonly string[],
  { parts, filter }: Pick<TopRequest, 'parts' | 'filter'>,
  parameters: Parameters,
  only: Partial<Record<UsageColumn, string>> = {},
): string {
  const asked = [...keys, ...(Object.keys(only) as UsageColumn[]), ...columnsOf(filter)];
  const equal = Object.entries(only).map(([column, expression]) => `${column} = ${expression}`);
  return parts
    .map(({ from, to, level }) => {
      const range = `bucket >= ${parameters.add(from)} and bucket < ${parameters.add(to)}`;
      const conditions = [range, ...equal, ...conditionsOf(filter, parameters)].join(' and ');
      return `select ${[...keys, ...columns].join(', ')} from ${tableOf(asked, level)} where ${conditions}`;
    })
    .join(' union all ');
}

export function sums(columns: readonly string[]): string {
  return columns.map((column) => `sum(${column})::bigint as ${column}`).join(', ');
}

/**
 * The same for many groups, in less than two thirds of the time: as floating point, exact up to 2^53. PostgreSQL adds bigints up as
 * numeric.
 */
function quickSums(columns: readonly string[]): string {
  return columns.map((column) => `sum(${column}::float8)::bigint as ${column}`).join(', ');
}

/** The window comes before the conditions of a page: it sees all groups. */
function share({ orderBy }: TopRequest): string {
  const measure = USAGE_MEASURES[orderBy];
  const sum = `sum(${measure}::float8)`;
  return `coalesce(${sum} / nullif(sum(${sum}) over (), 0), 0) as share`;
}

function order({ orderBy }: TopRequest): string {
  return `${USAGE_MEASURES[orderBy]} desc`;
}

function measureOf({ orderBy }: TopRequest) {
  return USAGE_MEASURES[orderBy];
}

function toTotals(row: TotalsRow, request: TopRequest, key: TopCursor['key']): UsageTotals {
  return {
    requests: row.requests,
    denied: row.denied,
    shadowDenied: row.shadow_denied,
    estimatedCost: row.estimated_cost,
    actualCost: row.actual_cost,
    deniedCost: row.denied_cost,
    share: row.share,
    cursor: { value: row[measureOf(request)], key },
  };
}
