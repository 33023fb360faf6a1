import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import type { AdminContext } from '../admin-context.js';
import type { AdminService } from '../admin-service.js';
import { RuleSimulateInput, RuleSimulationPayload } from '../rules/simulation-types.js';
import { DenialConnectionType, ViolationConnectionType } from './denial-types.js';
import { DenialArgs, GroupedUsageArgs, TopArgs, TopUsageArgs, ViolationArgs } from './usage-inputs.js';
import {
  FieldAccuracyType,
  OperationAccuracyType,
  TopConsumerType,
  TopFieldType,
  TopOperationType,
  UsageConnectionType,
} from './usage-types.js';

@Resolver()
export class UsageResolver {
  constructor(private readonly service: AdminService) {}

  @Query(() => UsageConnectionType, {
    description:
      'What was used, in buckets of time, oldest first. Buckets in which nothing was asked for are left out.',
  })
  usage(@Args(() => GroupedUsageArgs) args: GroupedUsageArgs, @Ctx() context: AdminContext) {
    return this.service.usage(context, args);
  }

  @Query(() => [TopConsumerType], { description: 'The callers who used the most.' })
  topConsumers(@Args(() => TopUsageArgs) args: TopUsageArgs, @Ctx() context: AdminContext) {
    return this.service.topConsumers(context, args);
  }

  @Query(() => [TopConsumerType], { description: 'The tenants that used the most, each with all its callers.' })
  topTenants(@Args(() => TopUsageArgs) args: TopUsageArgs, @Ctx() context: AdminContext) {
    return this.service.topTenants(context, args);
  }

  @Query(() => [TopOperationType], { description: 'The operations that used the most.' })
  topOperations(@Args(() => TopUsageArgs) args: TopUsageArgs, @Ctx() context: AdminContext) {
    return this.service.topOperations(context, args);
  }

  @Query(() => [TopFieldType], { description: 'The fields that used the most, without what is selected below them.' })
  topFields(@Args(() => TopUsageArgs) args: TopUsageArgs, @Ctx() context: AdminContext) {
    return this.service.topFields(context, args);
  }

  @Query(() => DenialConnectionType, { description: 'What was denied, by which rule, with its numbers; newest first.' })
  denials(@Args(() => DenialArgs) args: DenialArgs, @Ctx() context: AdminContext) {
    return this.service.denials(context, args);
  }

  @Query(() => ViolationConnectionType, { description: 'Which rules denied whom, and how often; most often first.' })
  violations(@Args(() => ViolationArgs) args: ViolationArgs, @Ctx() context: AdminContext) {
    return this.service.violations(context, args);
  }

  @Query(() => [OperationAccuracyType], {
    description: 'How far estimates lie from what operations came to: the most tokens first.',
  })
  operationAccuracy(@Args(() => TopArgs) args: TopArgs, @Ctx() context: AdminContext) {
    return this.service.operationAccuracy(context, args);
  }

  @Query(() => [FieldAccuracyType], {
    description:
      'How far the prices of fields lie from what their calls came to, and what to set: the most tokens first.',
  })
  fieldAccuracy(@Args(() => TopArgs) args: TopArgs, @Ctx() context: AdminContext) {
    return this.service.fieldAccuracy(context, args);
  }

  @Query(() => RuleSimulationPayload, {
    description:
      'Whom a draft of a rule would have denied, by the decisions of the last day or less. Nothing is saved or charged.',
  })
  ruleSimulate(
    @Arg('input', () => RuleSimulateInput, { description: 'The draft, and what to try it on.' })
    input: RuleSimulateInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.ruleSimulate(context, input);
  }
}
