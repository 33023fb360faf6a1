import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../context/admin-context.js';
import { orNull, presentRule } from '../context/present-change.js';
import { presentDeniedDocument } from '../context/present-usage.js';
import { DateTimeScalar } from '../schema/json-scalar.js';
import { DenialType, DeniedDocumentType, DeniedOperationType, ViolationType } from '../types/denial-type.js';
import { RuleType } from '../types/rule-type.js';

const RULE = {
  nullable: true,
  description: 'Rule named `ruleName`; null for a tier, or if no rule has the name.',
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
      'The document of the operation; null if it was not stored. A document is not stored if it is too long, if it has no price, or if there are too many new documents in one minute. A setting can also turn the storage of documents off.',
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

  @FieldResolver(() => [DeniedOperationType], {
    description:
      'The operations of the stored denials, most denials first; at most 5. Under many denials, the stored ones are a sample.',
  })
  async operations(@Root() violation: ViolationType, @Ctx() { loaders }: AdminContext) {
    return loaders.deniedOperations.load(storedOf(violation));
  }

  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of the last stored denial in the range; null if none is stored.',
  })
  async lastAt(@Root() violation: ViolationType, @Ctx() { loaders }: AdminContext) {
    const [first] = await loaders.deniedOperations.load(storedOf(violation));
    return first?.groupLastAt ?? null;
  }
}

function storedOf({ ruleName, subject, range }: ViolationType) {
  return { rule: ruleName, subject, range };
}
