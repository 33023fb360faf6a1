import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../admin-context.js';
import type { AdminService } from '../admin-service.js';
import { ChangeConnectionType } from '../schema/change-types.js';
import { PageArgs } from '../schema/connection.js';
import { historyPage } from '../schema/history.js';
import {
  RuleConnectionType,
  RuleCreateInput,
  RuleFilterInput,
  RulePayload,
  RuleRestoreInput,
  RuleRetireInput,
  RuleSetModeInput,
  RuleType,
  RuleUpdateInput,
} from './rule-types.js';

@Resolver(() => RuleType)
export class RuleResolver {
  constructor(private readonly service: AdminService) {}

  @Query(() => RuleConnectionType, { description: 'The rules, oldest first.' })
  rules(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => RuleFilterInput, { nullable: true, description: 'Only these.' })
    filter: RuleFilterInput | undefined,
    @Ctx() context: AdminContext,
  ) {
    return this.service.rules(context, page, filter);
  }

  @Query(() => RuleType, {
    nullable: true,
    description: 'The rule with this id, also when it is retired; or the rule in use of this name.',
  })
  rule(
    @Arg('id', () => ID, { nullable: true, description: 'As in `Rule.id`.' }) id: string | undefined,
    @Arg('name', () => String, { nullable: true, description: 'As in `Rule.name`.' }) name: string | undefined,
    @Ctx() context: AdminContext,
  ) {
    return this.service.rule(context, { id: id ?? null, name: name ?? null });
  }

  @FieldResolver(() => ChangeConnectionType, {
    description: 'Who changed the rule, newest first. `ruleRestore` goes back to a `version` of it.',
  })
  history(@Root() { key }: RuleType, @Args(() => PageArgs) page: PageArgs, @Ctx() { loaders }: AdminContext) {
    return historyPage(loaders, 'RULE', key, page);
  }

  @Mutation(() => RulePayload, { nullable: true, description: 'Adds a rule. In force everywhere within two seconds.' })
  ruleCreate(
    @Arg('input', () => RuleCreateInput, { description: 'The new rule.' }) input: RuleCreateInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.ruleCreate(context, input);
  }

  @Mutation(() => RulePayload, {
    nullable: true,
    description: 'Changes a rule. Counters go on, but where algorithm, window or what is counted becomes another one.',
  })
  ruleUpdate(
    @Arg('input', () => RuleUpdateInput, { description: 'The rule and what to change about it.' })
    input: RuleUpdateInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.ruleUpdate(context, input);
  }

  @Mutation(() => RulePayload, { nullable: true, description: 'Switches a rule off, to shadow, or on.' })
  ruleSetMode(
    @Arg('input', () => RuleSetModeInput, { description: 'The rule and its mode.' }) input: RuleSetModeInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.ruleSetMode(context, input);
  }

  @Mutation(() => RulePayload, { nullable: true, description: 'Takes a rule out of use.' })
  ruleRetire(
    @Arg('input', () => RuleRetireInput, { description: 'Which one.' }) input: RuleRetireInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.ruleRetire(context, input);
  }

  @Mutation(() => RulePayload, { nullable: true, description: 'Undoes: brings a rule, or an earlier version, back.' })
  ruleRestore(
    @Arg('input', () => RuleRestoreInput, { description: 'Which rule, and which version.' }) input: RuleRestoreInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.ruleRestore(context, input);
  }
}
