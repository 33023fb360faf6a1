import { Arg, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { checkFirst } from '../context/check-usage-filter.js';
import { LimitQuotaType, QuotaType } from '../types/quota-type.js';

@Resolver(() => QuotaType)
export class QuotaResolver {
  @FieldResolver(() => [LimitQuotaType], {
    description:
      'The limits that can apply to operations of the subject. With `first`, only those with the smallest share left.',
  })
  limits(
    @Root() { limits }: QuotaType,
    @Arg('first', () => Int, {
      nullable: true,
      description:
        'Maximum number of limits, 1 to 100: those with the smallest share left, in the order of the complete list. Default: all.',
    })
    first: number | null | undefined,
  ): LimitQuotaType[] {
    return (first ?? null) === null ? limits : fewestLeft(limits, checkFirst(first!));
  }
}

/**
 * Returns the limits with the smallest remaining share. They keep the order of the complete list,
 * so that the order in a view does not change when the view refreshes.
 */
function fewestLeft(limits: LimitQuotaType[], count: number): LimitQuotaType[] {
  if (limits.length <= count) return limits;
  const part = ({ remaining, limit }: LimitQuotaType) => (limit > 0 ? remaining / limit : 0);
  const fewest = new Set(limits.toSorted((a, b) => part(a) - part(b)).slice(0, count));
  return limits.filter((one) => fewest.has(one));
}
