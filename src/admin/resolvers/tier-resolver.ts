import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { historyPage } from '../context/history-page.js';
import { orNull, presentTier } from '../context/present-change.js';
import { presentDifference, toPayload, toPlain } from '../schema/change-input.js';
import { ChangeConnectionType } from '../schema/change-type.js';
import { MAX_TOTAL, PageArgs, toConnection, toPage } from '../schema/connection.js';
import { TierSources } from '../schema/enums.js';
import {
  TierConnectionType,
  TierCreateInput,
  TierInCodeType,
  TierPayload,
  TierRetireInput,
  TierType,
  TierUpdateInput,
} from '../types/tier-type.js';
import { declarationsOf } from '../types/tiers-in-code.js';

@Resolver(() => TierType)
export class TierResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => TierConnectionType, { description: 'The tiers, by name.' })
  async tiers(
    @Args(() => PageArgs) args: PageArgs,
    @Arg('retired', () => Boolean, { defaultValue: false, description: 'Those out of use, instead of those in use.' })
    retired: boolean,
  ) {
    const page = toPage(args);
    const rows = await this.sources.store.pageTiers({ retired }, { after: page.after ?? '', limit: page.limit });
    const all = { after: '', limit: MAX_TOTAL };
    const count = () => this.sources.store.count((pages) => pages.pageTiers({ retired }, all));
    return toConnection(page, rows, ({ name }) => name, presentTier, count);
  }

  @Requires('VIEWER')
  @Query(() => TierType, { nullable: true, description: 'The tier in use of that name; null when there is none.' })
  async tier(@Arg('name', () => String, { description: 'As in `Tier.name`.' }) name: string) {
    return orNull(await this.sources.store.getTier(name), presentTier);
  }

  @FieldResolver(() => ChangeConnectionType, { description: 'Who changed the tier, newest first.' })
  history(@Root() { name }: TierType, @Args(() => PageArgs) page: PageArgs, @Ctx() { loaders }: AdminContext) {
    return historyPage(loaders, 'TIER', name, page);
  }

  @FieldResolver(() => TierSources, { description: 'Where what is in force of it comes from.' })
  async source(@Root() { stored }: TierType, @Ctx() { loaders }: AdminContext): Promise<keyof typeof TierSources> {
    const declared = declarationsOf(stored, await loaders.tiersInCode());
    return declared.some(({ differences }) => differences.length === 0) ? 'CODE' : 'STORED';
  }

  @FieldResolver(() => [TierInCodeType], {
    description: 'What the code of each server that runs, or ran within a day, says of it; empty: none has it.',
  })
  async inCode(@Root() { stored }: TierType, @Ctx() { loaders }: AdminContext): Promise<TierInCodeType[]> {
    const declared = declarationsOf(stored, await loaders.tiersInCode());
    return declared.map(({ service, differences }) => ({ service, differences: differences.map(presentDifference) }));
  }

  @Requires('ADMIN')
  @Mutation(() => TierPayload, { nullable: true, description: 'Adds a tier.' })
  async tierCreate(
    @Arg('input', () => TierCreateInput, { description: 'The tier as it is to be.' }) input: TierCreateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.createTier(toPlain(input), actor), { tier: presentTier });
  }

  @Requires('ADMIN')
  @Mutation(() => TierPayload, {
    nullable: true,
    description: 'Changes a tier. In force everywhere within two seconds; nobody gets a fresh bucket by it.',
  })
  async tierUpdate(
    @Arg('input', () => TierUpdateInput, { description: 'The tier and what to change about it.' })
    input: TierUpdateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.updateTier(toPlain(input), actor), { tier: presentTier });
  }

  @Requires('ADMIN')
  @Mutation(() => TierPayload, { nullable: true, description: 'Takes a tier out of use that nobody is on.' })
  async tierRetire(
    @Arg('input', () => TierRetireInput, { description: 'The tier to take out of use.' }) input: TierRetireInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.retireTier(toPlain(input), actor), { tier: presentTier });
  }
}
