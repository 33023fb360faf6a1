// This import must come first: the decorators of the modules below need it when they load.
import 'reflect-metadata';
import { z } from 'zod';
import { describeProblems } from '../../model/describe-problems.js';
import { membersOf, oneOf, satisfying } from '../../rules/policy/validators.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import type { GroupedUsage, UsageGroup } from '../../usage/query/read-usage.js';
import { LEVEL_MS } from '../../usage/query/time-range.js';
import type { UsageReader } from '../../usage/query/usage-reader.js';
import type { AdminCaller } from '../context/admin-context.js';
import { checkRole } from '../context/check-role.js';
import { checkBuckets, checkGroups, checkUsageFilter } from '../context/check-usage-filter.js';
import { createDenialRecord } from '../context/create-denial-record.js';
import { presentUsageCaller } from '../context/present-caller.js';
import { Buckets, Groups, type UsageBucket } from '../schema/enums.js';
import { parseMoment } from '../schema/json-scalar.js';
import { badQuery } from '../schema/to-client-error.js';

/** Columns of an export, in order. A column without data for the requested groups is omitted. */
const COLUMNS = [
  'from',
  'to',
  'tenant',
  'callerKind',
  'caller',
  'tier',
  'operationType',
  'operation',
  'field',
  'rule',
  'integration',
  'region',
  'requests',
  'denied',
  'shadowDenied',
  'degraded',
  'estimatedCost',
  'actualCost',
  'deniedCost',
  'estimatedCalls',
  'actualCalls',
] as const;
type Column = (typeof COLUMNS)[number];

export type ExportRow = Record<Column, string | number | null>;

export interface UsageExport {
  columns: readonly Column[];
  /** Yields the rows page by page, so that memory use does not depend on their number. */
  pages(): AsyncGenerator<ExportRow[]>;
}

const ALWAYS: readonly Column[] = ['from', 'to', 'requests', 'denied', 'estimatedCost', 'actualCost'];
const OF_CALLERS: readonly Column[] = ['shadowDenied', 'degraded', 'deniedCost'];
const BY_GROUP: Readonly<Record<UsageGroup, readonly Column[]>> = {
  CALLER: ['tenant', 'callerKind', 'caller'],
  TENANT: ['tenant'],
  TIER: ['tier'],
  OPERATION: ['operationType', 'operation'],
  FIELD: ['field', 'estimatedCalls', 'actualCalls'],
  RULE: ['rule', 'shadowDenied', 'deniedCost'],
  INTEGRATION: ['integration'],
  REGION: ['region'],
};

/** Number of rows of each page. Only the last page can have fewer. */
export const PAGE_SIZE = 1000;

const moment = satisfying(isMoment, 'a time such as 2026-01-31T00:00:00Z, or a day such as 2026-01-31');
const optionalText = z.string().optional();
const parameters = membersOf({
  from: moment.optional(),
  to: moment.optional(),
  bucket: oneOf(Object.values(Buckets)).optional(),
  groupBy: z
    .string()
    .transform((text) => text.split(',').filter((group) => group !== ''))
    .pipe(z.array(oneOf(Object.values(Groups))))
    .optional(),
  user: optionalText,
  apiKey: optionalText,
  ip: optionalText,
  tenant: optionalText,
  tier: optionalText,
  operation: optionalText,
  field: optionalText,
  rule: optionalText,
  integration: optionalText,
  region: optionalText,
});

export type ExportUsage = ReturnType<typeof createUsageExporter>;

/**
 * Creates the export of the complete result of the query `usage`, for billing programs. The
 * parameters of the request select the data.
 */
export function createUsageExporter({ store, usage }: { store: RulesStore; usage: UsageReader }) {
  const record = createDenialRecord({ store });
  return async (caller: AdminCaller, query: object): Promise<UsageExport> => {
    await checkRole(caller, 'usage', 'VIEWER', record);
    const parsed = parameters.safeParse(query);
    if (!parsed.success) throw badQuery(describeProblems('query', query, parsed.error).join('; ') + hintOf(query));
    const { from, to, bucket, groupBy: groups = [], ...filterInput } = parsed.data;
    if (to !== undefined && from === undefined)
      throw badQuery('query.from: required when `to` is set, such as from=2026-01-01');
    const asked =
      from === undefined ? null : { from: parseMoment(from), to: to === undefined ? null : parseMoment(to) };
    const { range, level } = checkBuckets(asked, bucket as UsageBucket | undefined, usage);
    const groupBy = checkGroups(groups);
    const filter = checkUsageFilter(filterInput, groupBy);
    const isOfCallers = !groupBy.includes('FIELD') && !groupBy.includes('RULE');
    const shown = new Set([
      ...ALWAYS,
      ...(isOfCallers ? OF_CALLERS : []),
      ...groupBy.flatMap((group) => BY_GROUP[group]),
    ]);
    return {
      columns: COLUMNS.filter((column) => shown.has(column)),
      async *pages() {
        let after: string | undefined;
        for (;;) {
          const rows = await usage.usage({ range, level, groupBy, filter, after, limit: PAGE_SIZE });
          if (rows.length > 0) yield rows.map((row) => toExportRow(row, LEVEL_MS[level]));
          if (rows.length < PAGE_SIZE) return;
          after = rows.at(-1)!.cursor;
        }
      },
    };
  };
}

/** Returns a hint if a time zone lost its plus sign. In a URL, a plus stands for a space. */
function hintOf(query: object): string {
  const hasLostPlus = Object.values(query).some(
    (value) => typeof value === 'string' && /T\S{1,20} \d\d:?\d\d$/.test(value),
  );
  return hasLostPlus ? '; in a URL, write + as %2B' : '';
}

function isMoment(text: string): boolean {
  try {
    parseMoment(text);
    return true;
  } catch {
    return false;
  }
}

function toExportRow(row: GroupedUsage, bucketMs: number): ExportRow {
  const caller = row.subject && presentUsageCaller(row.subject);
  return {
    from: row.bucket.toISOString(),
    to: new Date(row.bucket.getTime() + bucketMs).toISOString(),
    tenant: row.subject ? row.subject.tenant : row.tenant,
    callerKind: caller?.kind ?? null,
    caller: caller?.name ?? null,
    tier: row.tier,
    operationType: row.operation?.type ?? null,
    operation: row.operation?.name ?? null,
    field: row.field,
    rule: row.rule,
    integration: row.integration,
    region: row.region,
    requests: row.requests,
    denied: row.denied,
    shadowDenied: row.shadowDenied,
    degraded: row.degraded,
    estimatedCost: row.estimatedCost,
    actualCost: row.actualCost,
    deniedCost: row.deniedCost,
    estimatedCalls: row.estimatedCalls,
    actualCalls: row.actualCalls,
  };
}
