import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { PolicyStep } from '../../rules/store/planned-step.js';
import { CreateInput, DifferenceType, UserErrorType } from '../schema/change-input.js';
import { SafeIntScalar } from '../schema/json-scalar.js';

const StepKinds = { TIER: 'tier', RULE: 'rule' } as const satisfies Record<string, PolicyStep['kind']>;
registerEnumType(StepKinds, {
  name: 'PolicyStepKind',
  description: 'Kind of object that a step of a policy changes.',
  valuesConfig: { TIER: { description: 'A tier.' }, RULE: { description: 'A rule.' } },
});

const PolicyActions = { CREATE: 'CREATE', UPDATE: 'UPDATE', RETIRE: 'RETIRE' } as const;
registerEnumType(PolicyActions, {
  name: 'PolicyAction',
  description: 'Change of one tier or rule.',
  valuesConfig: {
    CREATE: { description: 'Creates an object that the document has and the store does not have.' },
    UPDATE: { description: 'Updates an object that differs between the document and the store.' },
    RETIRE: { description: 'Retires an object that only the store has, because `prune` is set.' },
  },
});

@InputType('PolicySyncInput', {
  description: 'A document with tiers and rules. Tollgate applies all of it or, if it has errors, nothing.',
})
export class PolicySyncInput extends CreateInput {
  @Field(() => String, {
    description:
      'YAML or JSON with `tiers` and `rules`, as `schema/policy.schema.json` defines it. Objects that the document does not name stay unchanged, unless `prune` is true.',
  })
  document!: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to retire the rules and tiers that the document does not name.',
  })
  prune!: boolean;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description:
      'The `version` from a dry run. If a tier or a rule changed since then, the error is `STALE_VERSION`. This ensures that the applied steps are the planned steps.',
  })
  expectedVersion?: number | null;
}

@ObjectType('PolicyStep', { description: 'Change of one tier or rule.' })
class PolicyStepType {
  @Field(() => PolicyActions, { description: 'Action on the tier or rule.' })
  action!: keyof typeof PolicyActions;

  @Field(() => StepKinds, { description: 'Whether this step changes a tier or a rule.' })
  kind!: PolicyStep['kind'];

  @Field(() => String, { description: 'Name of the tier or rule.' })
  name!: string;

  @Field(() => [DifferenceType], { description: 'Members that this step changes.' })
  differences!: DifferenceType[];

  @Field(() => [String], { description: 'Possible mistakes in this step.' })
  warnings!: string[];
}

@ObjectType('PolicyPlan', { description: 'The steps that change the store to match the document.' })
class PolicyPlanType {
  @Field(() => [PolicyStepType], { description: 'The changes; empty if there are none.' })
  steps!: PolicyStepType[];

  @Field(() => Int, { description: 'Number of tiers and rules that already match the document.' })
  unchanged!: number;

  @Field(() => String, { description: 'The plan as text, as `tollgate rules plan` prints it.' })
  text!: string;
}

@ObjectType('PolicySyncPayload', { description: 'Result of the sync of a document.' })
export class PolicySyncPayload {
  @Field(() => PolicyPlanType, {
    nullable: true,
    description: 'The planned or applied changes; null with user errors.',
  })
  plan!: PolicyPlanType | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Number of the latest change of a tier or a rule, for `expectedVersion`; null if it was not read.',
  })
  version!: number | null;

  @Field(() => Boolean, { description: 'Whether the plan was applied.' })
  applied!: boolean;

  @Field(() => [UserErrorType], {
    description: 'All errors in the document; empty on success. With errors, nothing changes.',
  })
  userErrors!: UserErrorType[];
}
