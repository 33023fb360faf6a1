import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../context/admin-context.js';
import { orNull, presentRule } from '../context/present-change.js';
import { presentDeniedDocument } from '../context/present-usage.js';
import { DenialType, DeniedDocumentType, ViolationType } from '../types/denial-type.js';
import { RuleType } from '../types/rule-type.js';

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

  @FieldResolver(() => DeniedDocumentType, {
    nullable: true,
    description:
      'What was asked for. Null: it was not kept, as it was too long, one of too many new ones in a minute, never got a price, or as documents are not to be kept.',
  })
  async document(
    @Root() { documentHash }: DenialType,
    @Ctx() { loaders }: AdminContext,
  ): Promise<DeniedDocumentType | null> {
    const found = documentHash === null ? null : await loaders.deniedDocument.load(documentHash);
    return orNull(found, presentDeniedDocument);
  }
}

@Resolver(() => ViolationType)
export class ViolationResolver {
  @FieldResolver(() => RuleType, RULE)
  async rule(@Root() { ruleName }: ViolationType, @Ctx() { loaders }: AdminContext) {
    return orNull(await loaders.ruleByName.load(ruleName), presentRule);
  }
}
