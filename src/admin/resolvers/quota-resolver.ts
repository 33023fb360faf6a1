import { Arg, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { checkFirst } from '../context/check-usage-filter.js';
import { LimitQuotaType, QuotaType } from '../types/quota-type.js';

@Resolver(() => QuotaType)
export class QuotaResolver {
  @FieldResolver(() => [LimitQuotaType], {
    description:
      'Every limit that applies to the subject whatever it asks for; with `first`, those of which least is left.',
  })
  limits(
    @Root() { limits }: QuotaType,
    @Arg('first', () => Int, {
      nullable: true,
      description:
        'How many at most, those with the smallest part left, in the order of the whole list: 1 to 100. Left out: all.',
    })
    first: number | null | undefined,
  ): LimitQuotaType[] {
    return (first ?? null) === null ? limits : fewestLeft(limits, checkFirst(first!));
  }
}

/**
 * Returns the limits with the smallest remaining share. They keep the order of the whole list, so
 * that a view that refreshes does not reorder.
 */
function fewestLeft(limits: LimitQuotaType[], count: number): LimitQuotaType[] {
  if (limits.length <= count) return limits;
  const part = ({ remaining, limit }: LimitQuotaType) => (limit > 0 ? remaining / limit : 0);
  const fewest = new Set(limits.toSorted((a, b) => part(a) - part(b)).slice(0, count));
  return limits.filter((one) => fewest.has(one));
}
