import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { OperationSpread } from '../../usage/query/operation-spread.js';
import { alignRange } from '../../usage/query/time-range.js';
import type { AdminContext } from '../context/admin-context.js';
import { checkRange } from '../context/check-usage-filter.js';
import { TimeRangeInput } from '../types/usage-args.js';
import { OperationSpreadType, TopOperationType } from '../types/usage-type.js';

/**
 * Statistics of an operation that are computed from single decisions. A list of operations is
 * resolved with one statement.
 */
@Resolver(() => TopOperationType)
export class TopOperationResolver {
  @FieldResolver(() => OperationSpreadType, {
    nullable: true,
    description:
      'How far apart single runs are: of the newest 20000 decisions of all operations in this time that were logged. The log is kept for a day and, under load, of a share of the callers. Null: none of these are of this operation. At most two different ranges in one request.',
  })
  async spread(
    @Root() { operation }: TopOperationType,
    @Arg('range', () => TimeRangeInput, { nullable: true, description: 'Which time; left out: the last 24 hours.' })
    range: TimeRangeInput | undefined,
    @Ctx() { loaders }: AdminContext,
  ): Promise<OperationSpread | null> {
    // The range is aligned to minutes, so that all rows of a list ask for the same range.
    return loaders.operationSpread.load({ operation, range: alignRange(checkRange(range), 'minute') });
  }
}
