import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { MAX_COST } from '../../model/limit-parameters.js';
import { ChangeInput, CreateInput, Payload, UpdateInput } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';

@ObjectType('BucketOverride', { description: 'A bucket that a user or tenant has in place of its tier’s.' })
class BucketOverrideType {
  @Field(() => Int, { description: 'Tokens that fit into it.' })
  capacity!: number;

  @Field(() => Int, { description: 'Tokens that flow back in each period.' })
  refillAmount!: number;

  @Field(() => SafeIntScalar, { description: 'The period of the refill in milliseconds.' })
  refillPeriodMs!: number;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the tier’s bucket is back; null: never.' })
  expiresAt!: Date | null;
}

@ObjectType('Subject', {
  implements: NodeType,
  description: 'A user or a tenant of which something is stored. All others are on the default tier.',
})
export class SubjectType extends NodeType {
  @Field(() => CallerType, { description: 'The user, or the tenant as a whole.' })
  caller!: CallerType;

  @Field(() => BucketOverrideType, {
    nullable: true,
    description: 'Its own bucket, as it was set, also when it has expired; null: the tier’s.',
  })
  override!: BucketOverrideType | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When a tier was last assigned to it.' })
  upgradedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Since when it is shut out; null: it is not.' })
  disabledAt!: Date | null;

  @Field(() => Int, { description: 'Rises by one with each change. Send it back as `expectedVersion`.' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'When it was stored.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it was last changed.' })
  updatedAt!: Date;

  /** Id in the store. */
  key!: number;

  /** Name of the tier that is assigned to the subject itself. */
  assignedTier!: string | null;
}

export const SubjectConnectionType = connectionOf('Subject', SubjectType, 'users and tenants', { isCounted: true });

@ObjectType('ApiKey', { implements: NodeType, description: 'What is known of an API key: everything but the key.' })
export class ApiKeyType extends NodeType {
  @Field(() => String, { description: 'The public part of the key: what it begins with.' })
  prefix!: string;

  @Field(() => String, { description: 'For the people who administer it.' })
  name!: string;

  @Field(() => [String], { description: 'What the key is for; Tollgate passes them on.' })
  scopes!: string[];

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it stops being good; null: never.' })
  expiresAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was last seen, give or take a minute; null: not yet.',
  })
  lastUsedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was revoked; null: it was not.' })
  revokedAt!: Date | null;

  @Field(() => DateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;

  /** Id of the holder in the store. */
  subjectId!: number;
}

export const ApiKeyConnectionType = connectionOf('ApiKey', ApiKeyType, 'API keys');

@InputType('SubjectFilter', { description: 'Which users and tenants; all conditions together.' })
export class SubjectFilterInput {
  @Field(() => String, { nullable: true, description: 'Those to which this tier is assigned.' })
  tier?: string | null;

  @Field(() => String, { nullable: true, description: 'Of this tenant, and the tenant itself.' })
  tenant?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Shut out, or not.' })
  disabled?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'With a bucket of their own that has not expired, or without.' })
  overridden?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Those with an id that begins with this.' })
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
  'scopes',
];

/** The same for creations, where a null bucket or tier also means missing. */
export const OPTIONAL_AT_CREATION = [...OPTIONAL_OF_CALLERS, 'tier', 'bucket'];

// Fields that several inputs share but cannot inherit from one class.
const UserField = () =>
  Field(() => String, { nullable: true, description: 'The id of a user. Left out: the tenant as a whole.' });
const TenantField = () =>
  Field(() => String, { nullable: true, description: 'The id of a tenant; with `user`, the tenant of that user.' });
const TierField = () =>
  Field(() => String, {
    nullable: true,
    description: 'The name of the tier; null: the tenant’s, else the default one.',
  });

@InputType('SubjectChangeInput', { description: 'The user or tenant that a change is about.' })
abstract class SubjectChangeInput extends UpdateInput {
  @UserField()
  user?: string | null;

  @TenantField()
  tenant?: string | null;
}

@InputType('SubjectAssignTierInput', {
  description: 'Puts a user or a tenant on a tier; stores it if it is not stored yet.',
})
export class SubjectAssignTierInput extends SubjectChangeInput {
  @TierField()
  tier?: string | null;
}

@InputType('TierAssignmentInput', { description: 'The tier that one user or tenant is to be on.' })
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

@InputType('SubjectAssignTiersInput', { description: 'Puts many users and tenants on tiers: all of them, or none.' })
export class SubjectAssignTiersInput extends ChangeInput {
  @Field(() => [TierAssignmentInput], {
    description:
      'There are 1 to 500, each of another user or tenant. `userErrors` name them by their place: `assignments.3.tier`.',
  })
  assignments!: TierAssignmentInput[];
}

@ObjectType('SubjectAssignTiersPayload', { description: 'What became of many assignments.' })
export class SubjectAssignTiersPayload extends Payload {
  @Field(() => Int, { nullable: true, description: 'How many are on another tier than before; null with user errors.' })
  assigned!: number | null;

  @Field(() => Int, { nullable: true, description: 'How many of those were not stored before.' })
  created!: number | null;

  @Field(() => Int, { nullable: true, description: 'How many were on their tier already.' })
  unchanged!: number | null;
}

@InputType('BucketInput', { description: 'A token bucket.' })
class BucketInput {
  @Field(() => Int, { description: `Tokens that fit into it, 1 to ${MAX_COST}.` })
  capacity!: number;

  @Field(() => Int, { description: 'Whole tokens that flow back, evenly, in each period.' })
  refillAmount!: number;

  @Field(() => SafeIntScalar, { description: 'The period of the refill in milliseconds.' })
  refillPeriodMs!: number;
}

@InputType('SubjectSetOverrideInput', {
  description: 'Gives a user or a tenant a bucket of its own, for a while or for good.',
})
export class SubjectSetOverrideInput extends SubjectChangeInput {
  @Field(() => BucketInput, {
    nullable: true,
    description: 'In place of the tier’s bucket: what was spent stays spent. Null gives the tier’s bucket back.',
  })
  bucket?: BucketInput | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the tier’s bucket is back; left out: never.' })
  expiresAt?: Date | null;
}

@InputType('SubjectCreateInput', {
  description:
    'Stores a user or a tenant that is not stored yet. `subjectAssignTier` stores one too, but for whom it finds it changes the tier.',
})
export class SubjectCreateInput extends CreateInput {
  @UserField()
  user?: string | null;

  @TenantField()
  tenant?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name of its tier. Left out: the tenant’s, else the default one.',
  })
  tier?: string | null;

  @Field(() => BucketInput, { nullable: true, description: 'A bucket of its own, in place of the tier’s.' })
  bucket?: BucketInput | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the tier’s bucket is back; left out: never.' })
  expiresAt?: Date | null;
}

@InputType('SubjectDeleteInput', {
  description:
    'Removes what is stored about a user or a tenant, who is on the default tier then. Good API keys of it have to be revoked first.',
})
export class SubjectDeleteInput extends SubjectChangeInput {}

@ObjectType('SubjectDeletePayload', { description: 'What became of a removal.' })
export class SubjectDeletePayload extends Payload {
  @Field(() => ID, {
    nullable: true,
    description: 'The id of what was removed, or would be after a dry run; null with user errors.',
  })
  deletedId!: string | null;

  @Field(() => SubjectType, { nullable: true, description: 'With user errors: the subject as it is, if it is stored.' })
  subject!: SubjectType | null;
}

@InputType('SubjectDisableInput', {
  description: 'Shuts a user, or a tenant with all its users, out; or lets it in again.',
})
export class SubjectDisableInput extends SubjectChangeInput {
  @Field(() => Boolean, { defaultValue: true, description: '`false` lets it in again.' })
  disabled?: boolean;
}

@ObjectType('SubjectPayload', { description: 'What became of a change to a user or tenant.' })
export class SubjectPayload extends Payload {
  @Field(() => SubjectType, {
    nullable: true,
    description: 'As it is now, or would be; with user errors: as it is.',
  })
  subject!: SubjectType | null;
}

@InputType('ApiKeyCreateInput', { description: 'A new key for a user or tenant that is stored.' })
export class ApiKeyCreateInput extends CreateInput {
  @Field(() => String, { nullable: true, description: 'The id of a user. Left out: a key of the tenant as a whole.' })
  user?: string | null;

  @TenantField()
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'For the people who administer it, up to 100 characters.' })
  name?: string;

  @Field(() => [String], { nullable: true, description: 'What the key is for; Tollgate passes them on.' })
  scopes?: string[];

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it stops being good; left out: never.' })
  expiresAt?: Date | null;
}

@InputType('ApiKeyChangeInput', { description: 'Which API key a change is about.' })
export abstract class ApiKeyChangeInput extends ChangeInput {
  @Field(() => ID, { nullable: true, description: 'The id of the key; or its prefix.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'The prefix of the key, in place of its id.' })
  prefix?: string | null;
}

@InputType('ApiKeyRotateInput', { description: 'Makes a new key in place of an old one.' })
export class ApiKeyRotateInput extends ApiKeyChangeInput {
  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'How long the old key is still good, up to 90 days; left out: 0.',
  })
  overlapMs?: number;
}

@InputType('ApiKeyRevokeInput', { description: 'Ends a key, everywhere within two seconds and for ever.' })
export class ApiKeyRevokeInput extends ApiKeyChangeInput {}

@ObjectType('ApiKeyPayload', { description: 'What became of a change to an API key.' })
export class ApiKeyPayload extends Payload {
  @Field(() => ApiKeyType, { nullable: true, description: 'The key, or the new key, without its secret.' })
  apiKey!: ApiKeyType | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The new key itself, for the header `x-api-key`. It is shown this once and kept nowhere. Null after a dry run, and when a repeated request made nothing.',
  })
  secret!: string | null;
}
