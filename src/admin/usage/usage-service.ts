import type { FieldPrice } from '../../cost/field-price.js';
import type { FieldDrift } from '../../usage/query/cost-drift.js';
import type { Denial } from '../../usage/query/denials.js';
import type { GroupedUsage } from '../../usage/query/read-usage.js';
import { LEVEL_MS } from '../../usage/query/time-range.js';
import type { UsageReader } from '../../usage/query/usage-reader.js';
import type { AdminContext } from '../admin-context.js';
import { badQuery } from '../bad-query.js';
import { type Page, toConnection, toPage } from '../schema/connection.js';
import { suggestPrice } from '../suggest-price.js';
import {
  checkBuckets,
  checkDenialFilter,
  checkFirst,
  checkGroups,
  checkParts,
  checkRange,
  checkUsageFilter,
} from './check-usage.js';
import type { DenialType } from './denial-types.js';
import type { DenialArgs, GroupedUsageArgs, TopArgs, TopUsageArgs, ViolationArgs } from './usage-inputs.js';
import type { FieldAccuracyType, UsageType } from './usage-types.js';

/** The price of a field of the protected schema, as far as it can be set; null for one that it does not have. */
export type FieldPriceOf = (coordinate: string) => FieldPrice | null;

const MAX_DENIALS_MS = 31 * 86_400_000;

/** What can be asked about usage; the check of roles comes with the rest of the service. */
export function createUsageOperations({ usage, fieldPriceOf }: { usage: UsageReader; fieldPriceOf: FieldPriceOf }) {
  async function topConsumers(args: TopUsageArgs, read: UsageReader['topSubjects']) {
    const { orderBy, first } = args;
    const filter = checkUsageFilter(args.filter, []);
    return read({ parts: checkParts(args.range, usage), filter, orderBy, limit: checkFirst(first) });
  }

  return {
    async usage(_context: AdminContext, args: GroupedUsageArgs) {
      const page = toPage(args);
      const groupBy = checkGroups(args.groupBy);
      const filter = checkUsageFilter(args.filter, groupBy);
      const buckets = checkBuckets(args.range, args.bucket, usage);
      const rows = await usage.usage({ ...buckets, groupBy, filter, ...page }).catch(asBadCursor);
      return toConnection(page, rows, ({ cursor }) => cursor, presentUsage(LEVEL_MS[buckets.level]));
    },

    topConsumers: (_context: AdminContext, args: TopUsageArgs) => topConsumers(args, usage.topSubjects),
    topTenants: (_context: AdminContext, args: TopUsageArgs) => topConsumers(args, usage.topTenants),

    async topOperations(_context: AdminContext, { range, first, orderBy, filter }: TopUsageArgs) {
      const checked = checkUsageFilter(filter, []);
      return usage.topOperations({
        parts: checkParts(range, usage),
        filter: checked,
        orderBy,
        limit: checkFirst(first),
      });
    },

    async topFields(_context: AdminContext, { range, first, orderBy, filter }: TopUsageArgs) {
      const checked = checkUsageFilter(filter, ['FIELD']);
      return usage.topFields({ parts: checkParts(range, usage), filter: checked, orderBy, limit: checkFirst(first) });
    },

    async denials(_context: AdminContext, args: DenialArgs) {
      const page = toPage(args);
      const range = checkRange(args.range, MAX_DENIALS_MS);
      const [atMs, id] = numbersAfter(page, 2) ?? [];
      const after = atMs === undefined ? undefined : { at: new Date(atMs), id: id! };
      const rows = await usage.denials({ range, filter: checkDenialFilter(args.filter), after, limit: page.limit });
      return toConnection(page, rows, ({ at, id }) => `${at.getTime()},${id}`, presentDenial);
    },

    async violations(_context: AdminContext, args: ViolationArgs) {
      const page = toPage(args);
      const filter = checkDenialFilter(args.filter);
      const [count, ruleId, subjectId] = numbersAfter(page, 3) ?? [];
      const after = count === undefined ? undefined : { count, ruleId: ruleId!, subjectId: subjectId! };
      const rows = await usage.violations({ parts: checkParts(args.range, usage), filter, after, limit: page.limit });
      const cursorOf = (row: (typeof rows)[number]) =>
        [row.denied + row.shadowDenied, row.ruleId, row.subjectId].join();
      return toConnection(page, rows, cursorOf, (row) => row);
    },

    async operationAccuracy(_context: AdminContext, { range, first }: TopArgs) {
      const rows = await usage.operationDrift({
        parts: checkParts(range, usage),
        filter: {},
        limit: checkFirst(first),
      });
      return rows.map((row) => ({ ...row, ratio: row.actualCost / row.estimatedCost }));
    },

    async fieldAccuracy(_context: AdminContext, { range, first }: TopArgs) {
      const rows = await usage.fieldDrift({ parts: checkParts(range, usage), filter: {}, limit: checkFirst(first) });
      return rows.map((row) => presentFieldDrift(row, fieldPriceOf(row.field)));
    },
  };
}

function presentUsage(bucketMs: number): (row: GroupedUsage) => UsageType {
  return ({ bucket, cursor: _cursor, tenant, ...row }) => ({
    ...row,
    tenant: tenant || null,
    from: bucket,
    to: new Date(bucket.getTime() + bucketMs),
  });
}

function presentDenial(row: Denial): DenialType {
  return {
    at: row.at,
    rule: row.rule,
    shadow: row.kind === 'SHADOW_DENIED',
    code: row.code,
    user: row.user_id,
    tenant: row.tenant_id,
    apiKey: row.api_key,
    ip: row.ip,
    tier: row.tier,
    operation: { type: row.operation_type, name: row.operation_name },
    client: row.client,
    degraded: row.degraded,
    requestedCost: row.requested_cost,
    scope: row.scope,
    field: row.field,
    charge: row.charge,
    limit: row.limit_amount,
    used: row.used,
    remaining: row.remaining,
    retryAfterMs: row.retry_after_ms,
  };
}

function presentFieldDrift(row: FieldDrift, price: FieldPrice | null): FieldAccuracyType {
  const { estimatedCalls, actualCalls, estimatedCost, actualCost } = row;
  const estimatedCostPerCall = estimatedCalls === 0 ? null : estimatedCost / estimatedCalls;
  const actualCostPerCall = actualCalls === 0 ? null : actualCost / actualCalls;
  return {
    ...row,
    ratio: actualCost / estimatedCost,
    estimatedCostPerCall,
    actualCostPerCall,
    ...suggestPrice(price, estimatedCostPerCall, actualCostPerCall),
  };
}

/** The numbers of a cursor. @throws GraphQLError for one of another list */
function numbersAfter({ after }: Page, count: number): number[] | undefined {
  if (after === undefined) return undefined;
  const numbers = after.split(',').map(Number);
  if (numbers.length === count && numbers.every(Number.isSafeInteger)) return numbers;
  throw badQuery('after: expected the endCursor of a page of this list');
}

function asBadCursor(error: unknown): never {
  if (error instanceof RangeError) throw badQuery('after: expected the endCursor of a page of this list');
  throw error;
}
