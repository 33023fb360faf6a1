import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { PolicyStep } from '../../rules/store/planned-step.js';
import { CreateInput, DifferenceType, UserErrorType } from '../schema/change-input.js';
import { SafeIntScalar } from '../schema/json-scalar.js';

const StepKinds = { TIER: 'tier', RULE: 'rule' } as const satisfies Record<string, PolicyStep['kind']>;
registerEnumType(StepKinds, {
  name: 'PolicyStepKind',
  description: 'What a step of a policy is about.',
  valuesConfig: { TIER: { description: 'A tier.' }, RULE: { description: 'A rule.' } },
});

const PolicyActions = { CREATE: 'CREATE', UPDATE: 'UPDATE', RETIRE: 'RETIRE' } as const;
registerEnumType(PolicyActions, {
  name: 'PolicyAction',
  description: 'What happens to one tier or rule.',
  valuesConfig: {
    CREATE: { description: 'The document has it, the store does not.' },
    UPDATE: { description: 'Both have it, and they differ.' },
    RETIRE: { description: 'The store has it, the document does not, and `prune` was asked for.' },
  },
});

@InputType('PolicySyncInput', { description: 'Makes tiers and rules what a document says: all of it, or nothing.' })
export class PolicySyncInput extends CreateInput {
  @Field(() => String, {
    description:
      'YAML or JSON with `tiers` and `rules`, as `schema/policy.schema.json` defines it. What it does not name stays as it is, unless `prune`.',
  })
  document!: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Retire the rules and tiers that the document does not name.',
  })
  prune!: boolean;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description:
      'The `version` that a dry run has answered: `STALE_VERSION` if a tier or a rule was changed since, so that what is done is what was planned.',
  })
  expectedVersion?: number | null;
}

@ObjectType('PolicyStep', { description: 'What happens to one tier or rule.' })
class PolicyStepType {
  @Field(() => PolicyActions, { description: 'What happens to it.' })
  action!: keyof typeof PolicyActions;

  @Field(() => StepKinds, { description: 'Whether it is about a tier or about a rule.' })
  kind!: PolicyStep['kind'];

  @Field(() => String, { description: 'The name of the tier or rule.' })
  name!: string;

  @Field(() => [DifferenceType], { description: 'What is different afterwards.' })
  differences!: DifferenceType[];

  @Field(() => [String], { description: 'What you may not have meant.' })
  warnings!: string[];
}

@ObjectType('PolicyPlan', { description: 'How the store gets from what it has to what the document says.' })
class PolicyPlanType {
  @Field(() => [PolicyStepType], { description: 'What changes; empty: nothing.' })
  steps!: PolicyStepType[];

  @Field(() => Int, { description: 'How many tiers and rules are as the document says already.' })
  unchanged!: number;

  @Field(() => String, { description: 'The same for people, as `tollgate rules plan` prints it.' })
  text!: string;
}

@ObjectType('PolicySyncPayload', { description: 'What became of a document.' })
export class PolicySyncPayload {
  @Field(() => PolicyPlanType, { nullable: true, description: 'What changes, or was changed; null with user errors.' })
  plan!: PolicyPlanType | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description:
      'The number of the latest change of a tier or a rule, for `expectedVersion`; null where it was not read.',
  })
  version!: number | null;

  @Field(() => Boolean, { description: 'It was done, not only planned.' })
  applied!: boolean;

  @Field(() => [UserErrorType], { description: 'What is wrong with the document, all of it; nothing was changed.' })
  userErrors!: UserErrorType[];
}
