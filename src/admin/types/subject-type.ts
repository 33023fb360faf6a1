import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ChangeInput, CreateInput, Payload, UpdateInput } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { BucketInput } from './bucket-input.js';
import { CallerType } from './caller-type.js';

const BILLING_ANCHOR =
  'First day of a billing period, as `YYYY-MM-DD`, for calendar windows with the anchor `SUBJECT`.';
const BillingAnchorField = (more: string) =>
  Field(() => String, { nullable: true, description: `${BILLING_ANCHOR} ${more}` });

@ObjectType('BucketOverride', { description: 'A bucket of a user or tenant that replaces the bucket of its tier.' })
class BucketOverrideType {
  @Field(() => Int, { description: 'Capacity in tokens.' })
  capacity!: number;

  @Field(() => Int, { description: 'Tokens that are refilled in each period.' })
  refillAmount!: number;

  @Field(() => SafeIntScalar, { description: 'Period of the refill in milliseconds.' })
  refillPeriodMs!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the bucket of the tier applies again; null if never.',
  })
  expiresAt!: Date | null;
}

@ObjectType('Subject', {
  implements: NodeType,
  description:
    'A stored user or tenant. A user that is not stored is on the tier of its tenant, else on the default tier.',
})
export class SubjectType extends NodeType {
  @Field(() => CallerType, { description: 'The user or the tenant.' })
  caller!: CallerType;

  @Field(() => BucketOverrideType, {
    nullable: true,
    description:
      'Bucket that replaces the bucket of the tier; null if there is none. An expired bucket is still shown here.',
  })
  override!: BucketOverrideType | null;

  @BillingAnchorField('Null if none is stored. The anchor of a tenant applies to its users.')
  billingAnchor!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of the last assignment of a tier.' })
  upgradedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time since which the subject is disabled; null while enabled.',
  })
  disabledAt!: Date | null;

  @Field(() => Int, { description: 'Version for `expectedVersion`. Each change raises it by one.' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'Time of the last change.' })
  updatedAt!: Date;

  /** Id in the store. */
  key!: number;

  /** Name of the tier that is assigned to the subject itself. */
  assignedTier!: string | null;
}

export const SubjectConnectionType = connectionOf('Subject', SubjectType, 'users and tenants', { isCounted: true });

@InputType('SubjectFilter', {
  description: 'Conditions for users and tenants. A user or tenant must meet all of them.',
})
export class SubjectFilterInput {
  @Field(() => String, { nullable: true, description: 'Only those with this assigned tier.' })
  tier?: string | null;

  @Field(() => String, { nullable: true, description: 'Only this tenant and its users.' })
  tenant?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Only disabled ones; `false`: only enabled ones.' })
  disabled?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Only those with a bucket that replaces the bucket of the tier and has not expired; `false`: only those without.',
  })
  overridden?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Only those whose id begins with this text.' })
  idStartsWith?: string | null;
}

/** Members of the inputs below for which null means missing. */
export const OPTIONAL_OF_CALLERS = [
  'comment',
  'idempotencyKey',
  'expectedVersion',
  'expiresAt',
  'user',
  'tenant',
  'name',
  'kind',
  'scopes',
];

/**
 * Members of the inputs of creations for which null means missing: also the tier, the bucket and the
 * billing anchor.
 */
export const OPTIONAL_AT_CREATION = [...OPTIONAL_OF_CALLERS, 'tier', 'bucket', 'billingAnchor'];

// Fields that several inputs share but cannot inherit from one class.
const UserField = () =>
  Field(() => String, { nullable: true, description: 'The id of a user. Default: the tenant itself.' });
const TenantField = () =>
  Field(() => String, { nullable: true, description: 'The id of a tenant; with `user`, the tenant of that user.' });
const TierField = () =>
  Field(() => String, {
    nullable: true,
    description: 'Name of the tier; null: the tier of its tenant, else the default tier.',
  });

@InputType('SubjectChangeInput', { description: 'The user or tenant that a change is about.' })
abstract class SubjectChangeInput extends UpdateInput {
  @UserField()
  user?: string | null;

  @TenantField()
  tenant?: string | null;
}

@InputType('SubjectAssignTierInput', {
  description: 'A user or a tenant, and its new tier. A subject that is not stored yet is created.',
})
export class SubjectAssignTierInput extends SubjectChangeInput {
  @TierField()
  tier?: string | null;
}

@InputType('TierAssignmentInput', { description: 'The new tier of one user or tenant.' })
class TierAssignmentInput {
  @UserField()
  user?: string | null;

  @TenantField()
  tenant?: string | null;

  @TierField()
  tier?: string | null;

  @Field(() => Int, { nullable: true, description: 'The `version` of the subject that the change is based on.' })
  expectedVersion?: number | null;
}

@InputType('SubjectAssignTiersInput', {
  description: 'New tiers of many users and tenants. Tollgate applies all of them, or none.',
})
export class SubjectAssignTiersInput extends ChangeInput {
  @Field(() => [TierAssignmentInput], {
    description:
      'The assignments, 1 to 500, each for a different user or tenant. `userErrors` identify them by index: `assignments.3.tier`.',
  })
  assignments!: TierAssignmentInput[];
}

@ObjectType('SubjectAssignTiersPayload', { description: 'Result of many assignments.' })
export class SubjectAssignTiersPayload extends Payload {
  @Field(() => Int, { nullable: true, description: 'Number of subjects whose tier changed; null with user errors.' })
  assigned!: number | null;

  @Field(() => Int, { nullable: true, description: 'Number of these subjects that were not stored before.' })
  created!: number | null;

  @Field(() => Int, { nullable: true, description: 'Number of subjects that were already on their tier.' })
  unchanged!: number | null;
}

@InputType('SubjectSetOverrideInput', {
  description: 'A user or a tenant, and the bucket that replaces the bucket of its tier, temporarily or permanently.',
})
export class SubjectSetOverrideInput extends SubjectChangeInput {
  @Field(() => BucketInput, {
    nullable: true,
    description:
      'The bucket that replaces the bucket of the tier. Spent tokens stay spent. Null restores the bucket of the tier.',
  })
  bucket?: BucketInput | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the bucket of the tier applies again. Default: never.',
  })
  expiresAt?: Date | null;
}

@InputType('SubjectCreateInput', {
  description:
    'A user or a tenant that is not stored yet. `subjectAssignTier` also creates subjects, but it changes the tier of existing ones.',
})
export class SubjectCreateInput extends CreateInput {
  @UserField()
  user?: string | null;

  @TenantField()
  tenant?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the tier. Default: the tier of its tenant, or else the default tier.',
  })
  tier?: string | null;

  @Field(() => BucketInput, {
    nullable: true,
    description: 'Bucket of the subject that replaces the bucket of its tier.',
  })
  bucket?: BucketInput | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the bucket of the tier applies again. Default: never.',
  })
  expiresAt?: Date | null;

  @BillingAnchorField('Not for a user of a tenant. Default: none.')
  billingAnchor?: string | null;
}

@InputType('SubjectSetBillingAnchorInput', {
  description:
    'A tenant, or a user without a tenant, and its billing anchor. The anchor of a tenant applies to all its users.',
})
export class SubjectSetBillingAnchorInput extends SubjectChangeInput {
  @BillingAnchorField('Null removes it.')
  billingAnchor?: string | null;
}

@InputType('SubjectDeleteInput', {
  description:
    'A stored user or tenant to delete. A deleted user is on the tier of its tenant, else on the default tier. Revoke its valid API keys first.',
})
export class SubjectDeleteInput extends SubjectChangeInput {}

@ObjectType('SubjectDeletePayload', { description: 'Result of a deletion.' })
export class SubjectDeletePayload extends Payload {
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the deleted object, or of the object that a dry run would delete; null with user errors.',
  })
  deletedId!: string | null;

  @Field(() => SubjectType, {
    nullable: true,
    description: 'With user errors: the unchanged subject, if it is stored.',
  })
  subject!: SubjectType | null;
}

@InputType('SubjectDisableInput', {
  description: 'A user, or a tenant with all its users, to disable or to enable.',
})
export class SubjectDisableInput extends SubjectChangeInput {
  @Field(() => Boolean, { defaultValue: true, description: '`true` disables the user or tenant, `false` enables it.' })
  disabled?: boolean;
}

@ObjectType('SubjectPayload', { description: 'Result of a change to a user or tenant.' })
export class SubjectPayload extends Payload {
  @Field(() => SubjectType, {
    nullable: true,
    description:
      'The subject after the change, or after a planned change in a dry run. With user errors: the unchanged subject.',
  })
  subject!: SubjectType | null;
}
