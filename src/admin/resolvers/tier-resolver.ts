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
    @Arg('retired', () => Boolean, {
      defaultValue: false,
      description: 'Whether to list retired tiers instead of tiers in use.',
    })
    retired: boolean,
  ) {
    const page = toPage(args);
    const rows = await this.sources.store.pageTiers({ retired }, { after: page.after ?? '', limit: page.limit });
    const all = { after: '', limit: MAX_TOTAL };
    const count = () => this.sources.store.count((pages) => pages.pageTiers({ retired }, all));
    return toConnection(page, rows, ({ name }) => name, presentTier, count);
  }

  @Requires('VIEWER')
  @Query(() => TierType, { nullable: true, description: 'The tier in use with this name; null if there is none.' })
  async tier(@Arg('name', () => String, { description: 'A value of `Tier.name`.' }) name: string) {
    return orNull(await this.sources.store.getTier(name), presentTier);
  }

  @FieldResolver(() => ChangeConnectionType, { description: 'The changes of the tier, newest first.' })
  history(@Root() { name }: TierType, @Args(() => PageArgs) page: PageArgs, @Ctx() { loaders }: AdminContext) {
    return historyPage(loaders, 'TIER', name, page);
  }

  @FieldResolver(() => TierSources, { description: 'Source of the values of the tier.' })
  async source(@Root() { stored }: TierType, @Ctx() { loaders }: AdminContext): Promise<keyof typeof TierSources> {
    const declared = declarationsOf(stored, await loaders.tiersInCode());
    return declared.some(({ differences }) => differences.length === 0) ? 'CODE' : 'STORED';
  }

  @FieldResolver(() => [TierInCodeType], {
    description:
      'The declarations of the tier in the code of servers that run now or ran within the last day; empty if there are none.',
  })
  async inCode(@Root() { stored }: TierType, @Ctx() { loaders }: AdminContext): Promise<TierInCodeType[]> {
    const declared = declarationsOf(stored, await loaders.tiersInCode());
    return declared.map(({ service, differences }) => ({ service, differences: differences.map(presentDifference) }));
  }

  @Requires('ADMIN')
  @Mutation(() => TierPayload, { nullable: true, description: 'Creates a tier.' })
  async tierCreate(
    @Arg('input', () => TierCreateInput, { description: 'The new tier.' }) input: TierCreateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.createTier(toPlain(input), actor), { tier: presentTier });
  }

  @Requires('ADMIN')
  @Mutation(() => TierPayload, {
    nullable: true,
    description: 'Changes a tier. The change is in force everywhere within two seconds, and spent tokens stay spent.',
  })
  async tierUpdate(
    @Arg('input', () => TierUpdateInput, { description: 'The tier and the members to change.' })
    input: TierUpdateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.updateTier(toPlain(input), actor), { tier: presentTier });
  }

  @Requires('ADMIN')
  @Mutation(() => TierPayload, {
    nullable: true,
    description: 'Retires a tier permanently, if no rule, user or tenant uses it.',
  })
  async tierRetire(
    @Arg('input', () => TierRetireInput, { description: 'The tier to retire.' }) input: TierRetireInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.retireTier(toPlain(input), actor), { tier: presentTier });
  }
}
