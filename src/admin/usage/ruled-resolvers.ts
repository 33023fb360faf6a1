import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../admin-context.js';
import { orNull, presentRule } from '../present.js';
import { RuleType } from '../rules/rule-types.js';
import { DenialType, ViolationType } from './denial-types.js';

const RULE = {
  nullable: true,
  description: 'The rule of that name; null: it is a tier’s, or none is stored.',
} as const;

@Resolver(() => DenialType)
export class DenialResolver {
  @FieldResolver(() => RuleType, RULE)
  async rule(@Root() { ruleName }: DenialType, @Ctx() { loaders }: AdminContext) {
    return orNull(await loaders.ruleByName.load(ruleName), presentRule);
  }
}

@Resolver(() => ViolationType)
export class ViolationResolver {
  @FieldResolver(() => RuleType, RULE)
  async rule(@Root() { ruleName }: ViolationType, @Ctx() { loaders }: AdminContext) {
    return orNull(await loaders.ruleByName.load(ruleName), presentRule);
  }
}
