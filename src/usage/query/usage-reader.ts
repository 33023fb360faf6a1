import { countRows } from '../../postgres/count-rows.js';
import type { Connections, Queryable } from '../../postgres/db.js';
import type { UsageRetention } from '../record/usage-retention.js';
import { readFieldDrift, readOperationDrift } from './operation-drift.js';
import { readOperationSpread } from './operation-spread.js';
import { readDecisions } from './read-decisions.js';
import { readDenials, readDeniedDocuments, readViolations } from './read-denials.js';
import { type DeniedGroup, readDeniedOperations } from './read-denied-operations.js';
import { readOperationDocuments } from './read-operation-documents.js';
import { readOwnerUsage, type UsageOwner } from './read-owner-usage.js';
import { readUsage, type UsageOperation, type UsageRequest } from './read-usage.js';
import { readRuleDenialCounts, readRuleDenials, readRuleUsage, readRuleViolations } from './rule-usage.js';
import { levelOfRange, type RangePart, type TimeRange, withWeeks } from './time-range.js';
import {
  readTopFields,
  readTopIntegrations,
  readTopOperations,
  readTopRegions,
  readTopSubjects,
  readTopTenants,
  type TopIntegration,
  type TopOperation,
  type TopOperationRequest,
  type TopRegion,
  type TopRequest,
  type TopSubject,
  type TopTenant,
} from './top-request.js';
import { columnsOf } from './usage-filter.js';

type Page<Read extends (db: Queryable, request: never) => unknown> = Parameters<Read>[1];

export type UsageReader = ReturnType<typeof createUsageReader>;

/**
 * Creates all queries about the usage in one database.
 * @param retention retention times of that database. Ranges for which minutes or hours are no
 * longer stored use a coarser level.
 */
export function createUsageReader(db: Connections, retention?: UsageRetention) {
  let weeksCompleteFrom: Date | undefined;

  /** Uses the weekly sums where possible. Weekly sums exist only per caller and tier. */
  async function byWeeks(request: TopRequest): Promise<TopRequest> {
    const { parts, filter } = request;
    if (columnsOf(filter).some((column) => column !== 'subject_id' && column !== 'tier')) return request;
    if (!parts.some(({ level }) => level === 'day')) return request;
    // The value is set when the table is created and never changes.
    weeksCompleteFrom ??= await readCompleteFrom(db, 'usage_subject_week');
    return { ...request, parts: withWeeks(parts, weeksCompleteFrom) };
  }

  /** Reads sums of very many callers over weeks, with the settings of `FOR_MANY_GROUPS`. */
  function ofMany<Row>(
    request: TopRequest,
    read: (db: Queryable, request: TopRequest) => Promise<Row[]>,
  ): Promise<Row[]> {
    if (!request.parts.some(({ level }) => level === 'week')) return read(db, request);
    return db.tx(
      async (tx) => {
        await tx.query(FOR_MANY_GROUPS);
        return read(tx, request);
      },
      { isGuarded: false },
    );
  }

  return {
    levelOf: (range: TimeRange) => levelOfRange(range, Date.now(), retention),
    usage: (request: UsageRequest) => readUsage(db, request),
    ownerUsage: (owners: readonly UsageOwner[], page: Parameters<typeof readOwnerUsage>[2]) =>
      readOwnerUsage(db, owners, page),
    ruleUsage: (names: readonly string[], page: Parameters<typeof readRuleUsage>[2]) => readRuleUsage(db, names, page),
    ruleDenials: (names: readonly string[], page: Parameters<typeof readRuleDenials>[2]) =>
      readRuleDenials(db, names, page),
    ruleViolations: (names: readonly string[], page: Parameters<typeof readRuleViolations>[2]) =>
      readRuleViolations(db, names, page),
    ruleDenialCounts: (names: readonly string[], parts: readonly RangePart[]) => readRuleDenialCounts(db, names, parts),
    topSubjects: async (request: TopRequest): Promise<TopSubject[]> => ofMany(await byWeeks(request), readTopSubjects),
    topTenants: async (request: TopRequest): Promise<TopTenant[]> => ofMany(await byWeeks(request), readTopTenants),
    topOperations: (request: TopOperationRequest): Promise<TopOperation[]> => readTopOperations(db, request),
    topRegions: (request: TopRequest): Promise<TopRegion[]> => readTopRegions(db, request),
    topIntegrations: (request: TopRequest): Promise<TopIntegration[]> => readTopIntegrations(db, request),
    topFields: (request: TopRequest) => readTopFields(db, request),
    denials: (request: Page<typeof readDenials>) => readDenials(db, request),
    countDenials: (request: Page<typeof readDenials>) => countRows(db, (on) => readDenials(on, request)),
    deniedDocuments: (hashes: readonly string[]) => readDeniedDocuments(db, hashes),
    deniedOperations: (groups: readonly DeniedGroup[], range: TimeRange) => readDeniedOperations(db, groups, range),
    violations: (request: Page<typeof readViolations>) => readViolations(db, request),
    operationDrift: (request: Page<typeof readOperationDrift>) => readOperationDrift(db, request),
    fieldDrift: (request: Page<typeof readFieldDrift>) => readFieldDrift(db, request),
    operationSpread: (operations: readonly UsageOperation[], range: TimeRange) =>
      readOperationSpread(db, operations, range),
    operationDocuments: (operations: readonly UsageOperation[]) => readOperationDocuments(db, operations),
    decisions: (range: TimeRange, limit: number, readsAnchors?: boolean) =>
      readDecisions(db, range, limit, readsAnchors),
  };
}

/**
 * Settings for many groups. The groups of 100,000 callers take 14 MB, more than PostgreSQL's
 * default before a statement writes to disk. Parallel workers are disabled: on two cores, they
 * double the processor time and save no time.
 */
const FOR_MANY_GROUPS = `select set_config('work_mem', '32MB', true), set_config('max_parallel_workers_per_gather', '0', true)`;

async function readCompleteFrom(db: Queryable, table: string): Promise<Date> {
  const [row] = await db.query<{ complete_from: Date }>(
    'select complete_from from usage_partitioned where parent = $1',
    [table],
  );
  return row!.complete_from;
}
