import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { UsageGroup } from '../../usage/query/read-usage.js';
import { LEVEL_MS } from '../../usage/query/time-range.js';
import type { TopCursor } from '../../usage/query/top-request.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import {
  checkBuckets,
  checkDenialFilter,
  checkFirst,
  checkGroups,
  checkParts,
  checkRange,
  checkUsageFilter,
  MAX_DENIALS_MS,
} from '../context/check-usage-filter.js';
import { presentUsageCaller } from '../context/present-caller.js';
import { orNull } from '../context/present-change.js';
import {
  presentDenial,
  presentDeniedDocument,
  presentFieldDrift,
  presentUsage,
  presentViolation,
} from '../context/present-usage.js';
import { MAX_TOTAL, numbersAfter, type Page, toConnection, toPage } from '../schema/connection.js';
import { badQuery } from '../schema/to-client-error.js';
import { DenialConnectionType, DeniedDocumentType, ViolationConnectionType } from '../types/denial-type.js';
import {
  DenialArgs,
  GroupedUsageArgs,
  TopArgs,
  TopOperationArgs,
  TopUsageArgs,
  ViolationArgs,
} from '../types/usage-args.js';
import {
  FieldAccuracyType,
  OperationAccuracyType,
  TopCallerConnectionType,
  TopFieldConnectionType,
  TopIntegrationConnectionType,
  TopOperationConnectionType,
  TopRegionConnectionType,
  TopTenantConnectionType,
  UsageConnectionType,
} from '../types/usage-type.js';

@Resolver()
export class UsageResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => UsageConnectionType, {
    description: 'The usage in buckets of time, oldest first. Buckets without operations are omitted.',
  })
  async usage(@Args(() => GroupedUsageArgs) args: GroupedUsageArgs) {
    const page = toPage(args);
    const groupBy = checkGroups(args.groupBy);
    const filter = checkUsageFilter(args.filter, groupBy);
    const { usage } = this.sources;
    const buckets = checkBuckets(args.range, args.bucket, usage);
    const rows = await usage.usage({ ...buckets, groupBy, filter, ...page }).catch(asBadCursor);
    return toConnection(page, rows, ({ cursor }) => cursor, presentUsage(LEVEL_MS[buckets.level]));
  }

  @Requires('VIEWER')
  @Query(() => TopCallerConnectionType, { description: 'The callers with the highest usage, the highest first.' })
  async topCallers(@Args(() => TopUsageArgs) args: TopUsageArgs) {
    const { page, request } = this.checkTop(args, []);
    const rows = await this.sources.usage.topSubjects(request);
    return toRanking(page, rows, ({ subject, ...row }) => ({ ...row, caller: presentUsageCaller(subject) }));
  }

  @Requires('VIEWER')
  @Query(() => TopTenantConnectionType, {
    description: 'The tenants with the highest usage, including all their callers, the highest first.',
  })
  async topTenants(@Args(() => TopUsageArgs) args: TopUsageArgs) {
    const { page, request } = this.checkTop(args, [], 'text');
    return toRanking(page, await this.sources.usage.topTenants(request), (row) => row);
  }

  @Requires('VIEWER')
  @Query(() => TopOperationConnectionType, { description: 'The operations with the highest usage, the highest first.' })
  async topOperations(@Args(() => TopOperationArgs) args: TopOperationArgs) {
    const { page, request } = this.checkTop(args, []);
    const isRegistered = args.registered ?? undefined;
    return toRanking(page, await this.sources.usage.topOperations({ ...request, isRegistered }), (row) => row);
  }

  @Requires('VIEWER')
  @Query(() => TopIntegrationConnectionType, {
    description:
      'The usage by the integration of the decision service that asked for it, and of all other operations, the highest first.',
  })
  async topIntegrations(@Args(() => TopUsageArgs) args: TopUsageArgs) {
    const { page, request } = this.checkTop(args, ['INTEGRATION'], 'text');
    return toRanking(page, await this.sources.usage.topIntegrations(request), (row) => row);
  }

  @Requires('VIEWER')
  @Query(() => TopRegionConnectionType, {
    description: 'The usage by region, and of all servers without a region, the highest first.',
  })
  async topRegions(@Args(() => TopUsageArgs) args: TopUsageArgs) {
    const { page, request } = this.checkTop(args, ['REGION'], 'text');
    return toRanking(page, await this.sources.usage.topRegions(request), (row) => row);
  }

  @Requires('VIEWER')
  @Query(() => TopFieldConnectionType, {
    description: 'The fields with the highest usage, the highest first. Costs exclude nested fields.',
  })
  async topFields(@Args(() => TopUsageArgs) args: TopUsageArgs) {
    const { page, request } = this.checkTop(args, ['FIELD']);
    return toRanking(page, await this.sources.usage.topFields(request), (row) => row);
  }

  @Requires('VIEWER')
  @Query(() => DenialConnectionType, {
    description:
      'The denied operations, each with its rule and numbers, newest first. Under many denials, this is a sample; `violations` counts all.',
  })
  async denials(@Args(() => DenialArgs) args: DenialArgs) {
    const page = toPage(args);
    const range = checkRange(args.range, MAX_DENIALS_MS);
    const filter = checkDenialFilter(args.filter);
    const [atMs, id] = numbersAfter(page, 2) ?? [];
    const after = atMs === undefined ? undefined : { at: new Date(atMs), id: id! };
    const { usage } = this.sources;
    const rows = await usage.denials({ range, filter, after, limit: page.limit });
    const count = () => usage.countDenials({ range, filter, after: undefined, limit: MAX_TOTAL });
    return toConnection(page, rows, ({ at, id }) => `${at.getTime()},${id}`, presentDenial, count);
  }

  @Requires('VIEWER')
  @Query(() => DeniedDocumentType, {
    nullable: true,
    description: 'The document of denied operations; null if it is no longer stored.',
  })
  async deniedDocument(
    @Arg('id', () => ID, { description: 'The id of the document, from a denial.' }) id: string,
    @Ctx() { loaders }: AdminContext,
  ): Promise<DeniedDocumentType | null> {
    return orNull(await loaders.deniedDocument.load(id), presentDeniedDocument);
  }

  @Requires('VIEWER')
  @Query(() => ViolationConnectionType, {
    description:
      'The rules and the callers that they denied, or would have denied in `SHADOW`, ordered by denials, the highest first.',
  })
  async violations(@Args(() => ViolationArgs) args: ViolationArgs) {
    const page = toPage(args);
    const { usage } = this.sources;
    const filter = checkDenialFilter(args.filter);
    const [count, ruleId, subjectId] = numbersAfter(page, 3) ?? [];
    const after = count === undefined ? undefined : { count, ruleId: ruleId!, subjectId: subjectId! };
    const parts = checkParts(args.range, usage);
    const rows = await usage.violations({ parts, filter, after, limit: page.limit });
    const cursorOf = (row: (typeof rows)[number]) => [row.denied + row.shadowDenied, row.ruleId, row.subjectId].join();
    return toConnection(page, rows, cursorOf, presentViolation(parts));
  }

  @Requires('VIEWER')
  @Query(() => [OperationAccuracyType], {
    description: 'Estimated and actual cost by operation. Operations with the largest difference in tokens come first.',
  })
  async operationAccuracy(@Args(() => TopArgs) args: TopArgs) {
    const { usage } = this.sources;
    const parts = checkParts(args.range, usage);
    const rows = await usage.operationDrift({ parts, filter: {}, limit: checkFirst(args.first) });
    return rows.map((row) => ({ ...row, ratio: row.actualCost / row.estimatedCost }));
  }

  @Requires('VIEWER')
  @Query(() => [FieldAccuracyType], {
    description:
      'Estimated and actual cost by field, with suggested annotations. Fields whose price causes the largest difference in tokens come first.',
  })
  async fieldAccuracy(@Args(() => TopArgs) args: TopArgs) {
    const { usage, apis } = this.sources;
    const parts = checkParts(args.range, usage);
    const rows = await usage.fieldDrift({ parts, filter: {}, limit: checkFirst(args.first) });
    const all = rows.length > 0 ? await apis.all() : [];
    const priceOf = (field: string) => all.map((api) => api.fieldPrice(field)).find((price) => price !== null) ?? null;
    return rows.map((row) => presentFieldDrift(row, priceOf(row.field)));
  }

  private checkTop(args: TopUsageArgs, groupBy: readonly UsageGroup[], keys: 'number' | 'text' = 'number') {
    const page = toPage(args);
    const filter = checkUsageFilter(args.filter, groupBy);
    const { orderBy } = args;
    const parts = checkParts(args.range, this.sources.usage);
    return { page, request: { parts, filter, orderBy, limit: page.limit, after: topAfter(page, keys) } };
  }
}

/** Returns a page of a ranking. */
function toRanking<Row extends { cursor: TopCursor }, Shown>(
  page: Page,
  rows: readonly Row[],
  present: (row: Row) => Shown,
) {
  return toConnection(page, rows, ({ cursor: { value, key } }) => `${value},${key}`, present);
}

/**
 * Returns the position at which a page of a ranking starts.
 * @throws GraphQLError for the cursor of another list
 */
function topAfter({ after }: Page, keys: 'number' | 'text'): TopCursor | undefined {
  if (after === undefined) return undefined;
  const [, value, key] = /^(\d{1,16}),(.*)$/s.exec(after) ?? [];
  const isKey = keys === 'text' ? key !== undefined : /^\d{1,10}$/.test(key ?? '');
  if (!isKey || !Number.isSafeInteger(Number(value)))
    throw badQuery('after: expected the endCursor of a page of this list');
  return { value: Number(value), key: keys === 'text' ? key! : Number(key) };
}

function asBadCursor(error: unknown): never {
  if (error instanceof RangeError) throw badQuery('after: expected the endCursor of a page of this list');
  throw error;
}
