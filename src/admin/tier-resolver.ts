import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { RulesStore } from '../rules/store.js';
import type { Outcome } from '../rules/store-outcome.js';
import type { AdminContext } from './admin-context.js';
import { TierCreateInput, TierPayload, TierType, TierUpdateInput } from './tier-types.js';

@Resolver(() => TierType)
export class TierResolver {
  constructor(private readonly store: RulesStore) {}

  @Query(() => [TierType], { description: 'All tiers, by name.' })
  tiers(): Promise<TierType[]> {
    return this.store.listTiers();
  }

  @Query(() => TierType, { nullable: true, description: 'The tier of that name; null when there is none.' })
  tier(@Arg('name', () => String, { description: 'As in `Tier.name`.' }) name: string): Promise<TierType | null> {
    return this.store.getTier(name);
  }

  @Mutation(() => TierPayload, { description: 'Adds a tier.' })
  async tierCreate(
    @Arg('input', () => TierCreateInput, { description: 'The new tier.' }) input: TierCreateInput,
    @Ctx() { actor }: AdminContext,
  ): Promise<TierPayload> {
    return toPayload(await this.store.createTier(input, actor));
  }

  @Mutation(() => TierPayload, {
    description: 'Changes a tier. In force from the next operation on; nobody gets a fresh bucket by it.',
  })
  async tierUpdate(
    @Arg('input', () => TierUpdateInput, { description: 'The tier and what to change about it.' })
    input: TierUpdateInput,
    @Ctx() { actor }: AdminContext,
  ): Promise<TierPayload> {
    return toPayload(await this.store.updateTier(input, actor));
  }
}

function toPayload(outcome: Outcome<TierType>): TierPayload {
  return outcome.ok
    ? { tier: outcome.value, userErrors: [] }
    : { tier: outcome.current, userErrors: outcome.userErrors };
}
