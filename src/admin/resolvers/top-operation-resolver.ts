import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { OperationSpread } from '../../usage/query/operation-spread.js';
import { alignRange } from '../../usage/query/time-range.js';
import type { AdminContext } from '../context/admin-context.js';
import { checkRange } from '../context/check-usage-filter.js';
import { RegisteredDocumentNameType } from '../types/denial-type.js';
import { TimeRangeInput } from '../types/usage-args.js';
import { OperationSpreadType, TopOperationType } from '../types/usage-type.js';

/**
 * Statistics of an operation that are computed from single decisions, and its registered documents.
 * A list of operations is resolved with one statement for each.
 */
@Resolver(() => TopOperationType)
export class TopOperationResolver {
  @FieldResolver(() => OperationSpreadType, {
    nullable: true,
    description:
      'Percentiles of this operation, from the newest 20000 logged decisions of all operations in the range. The log covers a day and, under load, only a share of the callers. Null if none of these decisions belongs to this operation. A request can contain at most two different ranges.',
  })
  async spread(
    @Root() { operation }: TopOperationType,
    @Arg('range', () => TimeRangeInput, { nullable: true, description: 'Time range. Default: the last 24 hours.' })
    range: TimeRangeInput | undefined,
    @Ctx() { loaders }: AdminContext,
  ): Promise<OperationSpread | null> {
    // The range is aligned to minutes, so that all rows of a list request the same range and share
    // one statement.
    return loaders.operationSpread.load({ operation, range: alignRange(checkRange(range), 'minute') });
  }

  @FieldResolver(() => [RegisteredDocumentNameType], {
    description:
      'The published documents whose operation has this type and name, up to 5, those published last first. The usage also contains other documents with this name.',
  })
  documents(
    @Root() { operation }: TopOperationType,
    @Ctx() { loaders }: AdminContext,
  ): Promise<RegisteredDocumentNameType[]> {
    return loaders.operationDocuments.load(operation);
  }
}
