import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../admin-context.js';
import type { AdminService } from '../admin-service.js';
import { ChangeConnectionType } from '../schema/change-types.js';
import { PageArgs } from '../schema/connection.js';
import { historyPage } from '../schema/history.js';
import {
  TierConnectionType,
  TierCreateInput,
  TierPayload,
  TierRetireInput,
  TierType,
  TierUpdateInput,
} from './tier-types.js';

@Resolver(() => TierType)
export class TierResolver {
  constructor(private readonly service: AdminService) {}

  @Query(() => TierConnectionType, { description: 'The tiers, by name.' })
  tiers(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('retired', () => Boolean, { defaultValue: false, description: 'Those out of use, instead of those in use.' })
    retired: boolean,
    @Ctx() context: AdminContext,
  ) {
    return this.service.tiers(context, page, retired);
  }

  @Query(() => TierType, { nullable: true, description: 'The tier in use of that name; null when there is none.' })
  tier(@Arg('name', () => String, { description: 'As in `Tier.name`.' }) name: string, @Ctx() context: AdminContext) {
    return this.service.tier(context, name);
  }

  @FieldResolver(() => ChangeConnectionType, { description: 'Who changed the tier, newest first.' })
  history(@Root() { name }: TierType, @Args(() => PageArgs) page: PageArgs, @Ctx() { loaders }: AdminContext) {
    return historyPage(loaders, 'TIER', name, page);
  }

  @Mutation(() => TierPayload, { nullable: true, description: 'Adds a tier.' })
  tierCreate(
    @Arg('input', () => TierCreateInput, { description: 'The new tier.' }) input: TierCreateInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.tierCreate(context, input);
  }

  @Mutation(() => TierPayload, {
    nullable: true,
    description: 'Changes a tier. In force everywhere within two seconds; nobody gets a fresh bucket by it.',
  })
  tierUpdate(
    @Arg('input', () => TierUpdateInput, { description: 'The tier and what to change about it.' })
    input: TierUpdateInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.tierUpdate(context, input);
  }

  @Mutation(() => TierPayload, { nullable: true, description: 'Takes a tier out of use that nobody is on.' })
  tierRetire(
    @Arg('input', () => TierRetireInput, { description: 'Which one.' }) input: TierRetireInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.tierRetire(context, input);
  }
}
