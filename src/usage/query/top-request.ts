import type { Queryable } from '../../postgres/db.js';
import type { UsageOperationType, UsageSubjectKind } from '../record/usage-levels.js';
import { hasDocument } from './read-operation-documents.js';
import { havingOf, tableOf, type UsageOperation, type UsageSubject } from './read-usage.js';
import type { RangePart } from './time-range.js';
import {
  columnsOf,
  conditionsOf,
  createParameters,
  type Parameters,
  type UsageColumn,
  type UsageFilter,
} from './usage-filter.js';

/** Measures that a ranking can be ordered by, with their columns. */
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
  /** Cursor after which the list continues. @default the start of the list */
  after?: TopCursor | undefined;
}

/** Position of an entry in a ranking: its value, and its key to order entries with equal values. */
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
  /** Share of this entry in the total of the ranking's measure: 0 to 1. */
  share: number;
  cursor: TopCursor;
}

export interface TopSubject extends UsageTotals {
  subject: UsageSubject;
}

export interface TopTenant extends UsageTotals {
  /** Id of the tenant. Null stands for callers without a tenant. */
  tenant: string | null;
}

export interface TopOperation extends UsageTotals {
  operation: UsageOperation;
}

export interface TopIntegration extends UsageTotals {
  /** Name of the integration. Null stands for operations that the processes themselves execute. */
  integration: string | null;
}

export interface TopRegion extends UsageTotals {
  /** Name of the region. Null stands for operations of servers without a region. */
  region: string | null;
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
  // The query has two steps, because there may be many subjects. The first step sums only the
  // ranking's measure. The second reads the other sums by an index, only for the subjects on the
  // page. The tables by minute have no such index.
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
     select * from totals where ${behind('tenant_id', 'text', request, parameters)}
     order by ${order(request)}, tenant_id limit ${parameters.add(request.limit)}`,
    parameters.values,
  );
  return rows.map(({ tenant_id, ...row }) => ({ ...toTotals(row, request, tenant_id), tenant: tenant_id || null }));
}

export interface TopOperationRequest extends TopRequest {
  /** Whether a published document has the listed operations. @default all operations are listed */
  isRegistered?: boolean | undefined;
}

export async function readTopOperations(db: Queryable, request: TopOperationRequest): Promise<TopOperation[]> {
  const { isRegistered } = request;
  const parameters = createParameters();
  const condition = `${isRegistered ? '' : 'not '}${hasDocument('totals.operation_id')}`;
  const top = ranked('operation_id', TOTALS, request, parameters, isRegistered === undefined ? 'true' : condition);
  const rows = await db.query<TotalsRow & { operation_id: number; type: UsageOperationType; name: string }>(
    `${top}
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

export async function readTopIntegrations(db: Queryable, request: TopRequest): Promise<TopIntegration[]> {
  const parameters = createParameters();
  const rows = await db.query<TotalsRow & { integration: string }>(
    `${ranked('integration', TOTALS, request, parameters)}
     select * from top order by ${order(request)}, integration`,
    parameters.values,
  );
  return rows.map(({ integration, ...row }) => ({
    ...toTotals(row, request, integration),
    integration: integration || null,
  }));
}

export async function readTopRegions(db: Queryable, request: TopRequest): Promise<TopRegion[]> {
  const parameters = createParameters();
  const rows = await db.query<TotalsRow & { region: string }>(
    `${ranked('region', TOTALS, request, parameters)}
     select * from top order by ${order(request)}, region`,
    parameters.values,
  );
  return rows.map(({ region, ...row }) => ({ ...toTotals(row, request, region), region: region || null }));
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

const TYPES: Readonly<Record<UsageColumn, string>> = {
  subject_id: 'bigint',
  operation_id: 'integer',
  tier: 'text',
  field_id: 'integer',
  rule_id: 'integer',
  integration: 'text',
  region: 'text',
};

/**
 * Returns the SQL `with top as (...)`: the sums by one key, largest first.
 * @param condition SQL condition for listed entries. The shares refer to all entries.
 */
function ranked(
  key: UsageColumn,
  columns: readonly string[],
  request: TopRequest,
  parameters: Parameters,
  condition = 'true',
): string {
  return `with totals as (
    select ${key}, ${quickSums(columns)}, ${share(request)}
    from (${unionOf([key], columns, request, parameters)}) as usage
    group by ${key} ${havingOf([key])}
  ), top as (
    select * from totals where ${condition} and ${behind(key, TYPES[key], request, parameters)}
    order by ${order(request)}, ${key} limit ${parameters.add(request.limit)}
  )`;
}

/**
 * Returns the SQL condition for entries after the cursor. It applies after the grouping, because
 * shares refer to all groups.
 */
function behind(key: string, type: string, { after, orderBy }: TopRequest, parameters: Parameters): string {
  if (!after) return 'true';
  const [value, behindKey] = [parameters.add(after.value), parameters.add(after.key)];
  return `(-${USAGE_MEASURES[orderBy]}, ${key}) > (-${value}::bigint, ${behindKey}::${type})`;
}

/**
 * Returns the SQL of the rows of a range, from the levels of its parts.
 * @param only columns, each with the expression that it has to equal
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
 * Returns the SQL of sums for many groups. PostgreSQL adds bigints as numeric. Adding floating
 * point numbers takes less than two thirds of that time, and is exact up to 2^53.
 */
function quickSums(columns: readonly string[]): string {
  return columns.map((column) => `sum(${column}::float8)::bigint as ${column}`).join(', ');
}

/**
 * Returns the SQL of the share. The window function runs before the conditions of a page, so that
 * it sees all groups.
 */
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
