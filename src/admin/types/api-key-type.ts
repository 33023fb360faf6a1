import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { type CalendarBudget, MAX_COST } from '../../model/limit-parameters.js';
import type { KeyKind } from '../../model/subject.js';
import { ChangeInput, CreateInput, Payload, UpdateInput } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { KeyKinds } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CalendarBudgetInput } from './calendar-window-input.js';
import { CalendarBudgetType } from './calendar-window-type.js';

const NULL_OF_CALENDARS = 'null for a calendar budget';

@ObjectType('ApiKeyBudget', {
  description:
    'A budget that an API key is charged in addition to the limits of its holder: a bucket, or a calendar budget.',
})
class ApiKeyBudgetType {
  @Field(() => Int, { nullable: true, description: `Capacity in tokens; ${NULL_OF_CALENDARS}.` })
  capacity?: number;

  @Field(() => Int, { nullable: true, description: `Tokens that are refilled in each period; ${NULL_OF_CALENDARS}.` })
  refillAmount?: number;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: `Period of the refill in milliseconds; ${NULL_OF_CALENDARS}.`,
  })
  refillPeriodMs?: number;

  @Field(() => CalendarBudgetType, { nullable: true, description: 'The calendar budget; null for a bucket.' })
  calendar?: CalendarBudget;
}

@InputType('ApiKeyBudgetInput', {
  description:
    'Budget of an API key. Set either `calendar`, or the members of a bucket: `capacity`, `refillAmount` and `refillPeriodMs`.',
})
class ApiKeyBudgetInput {
  @Field(() => Int, { nullable: true, description: `Capacity in tokens, 1 to ${MAX_COST}.` })
  capacity?: number | null;

  @Field(() => Int, { nullable: true, description: 'Whole tokens that are refilled evenly in each period.' })
  refillAmount?: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'Period of the refill in milliseconds.' })
  refillPeriodMs?: number | null;

  @Field(() => CalendarBudgetInput, { nullable: true, description: 'Amount for each period of the calendar.' })
  calendar?: CalendarBudgetInput | null;
}

@ObjectType('ApiKey', { implements: NodeType, description: 'The stored data of an API key, without the key itself.' })
export class ApiKeyType extends NodeType {
  @Field(() => String, { description: 'Public prefix of the key.' })
  prefix!: string;

  @Field(() => String, { description: 'Note for administrators.' })
  name!: string;

  @Field(() => KeyKinds, { description: 'Kind of program that uses the key.' })
  kind!: KeyKind;

  @Field(() => ApiKeyBudgetType, { nullable: true, description: 'The budget of the key; null if it has none.' })
  budget!: ApiKeyBudgetType | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Fields that operations with the key may select: `Type.field` or `Type.*`; null for all fields. Fields of root types must be listed. On another type with a listed field, operations may select only listed fields.',
  })
  fields!: string[] | null;

  @Field(() => [String], { description: 'Scopes of the key. Tollgate passes them on and does not check them.' })
  scopes!: string[];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the key expires; null if it never expires.',
  })
  expiresAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of the last use, accurate to about a minute; null if the key was never used.',
  })
  lastUsedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the key was revoked; null if it is not revoked.',
  })
  revokedAt!: Date | null;

  @Field(() => Int, { description: 'Version for `expectedVersion`. Each change raises it by one.' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'Time of creation.' })
  createdAt!: Date;

  /** Id of the holder in the store. */
  subjectId!: number;
}

export const ApiKeyConnectionType = connectionOf('ApiKey', ApiKeyType, 'API keys');

const BudgetField = () =>
  Field(() => ApiKeyBudgetInput, {
    nullable: true,
    description: 'Budget, charged in addition to the limits of the holder; null: none.',
  });
const FieldsField = () =>
  Field(() => [String], {
    nullable: true,
    description: 'Up to 200 fields that operations may select; null: all.',
  });

@InputType('ApiKeyCreateInput', { description: 'A new API key for a stored user or tenant.' })
export class ApiKeyCreateInput extends CreateInput {
  @Field(() => String, {
    nullable: true,
    description: 'The id of a user. Default: the key belongs to the tenant itself.',
  })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'The id of a tenant; with `user`, the tenant of that user.' })
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'Name for administrators, up to 100 characters.' })
  name?: string;

  @Field(() => KeyKinds, { nullable: true, description: 'Kind of program that uses the key. Default: `SERVICE`.' })
  kind?: KeyKind | null;

  @BudgetField()
  budget?: ApiKeyBudgetInput | null;

  @FieldsField()
  fields?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Scopes of the key. Tollgate passes them on and does not check them.',
  })
  scopes?: string[];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the key expires. Default: it never expires.',
  })
  expiresAt?: Date | null;
}

@InputType('ApiKeyUpdateInput', {
  description: 'A change of an API key. Members that are missing stay as they are.',
})
export class ApiKeyUpdateInput extends UpdateInput {
  @Field(() => ID, { nullable: true, description: 'The id of the key. Set either this or `prefix`.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'The prefix of the key. Set either this or `id`.' })
  prefix?: string | null;

  @Field(() => String, { nullable: true, description: 'Name for administrators, up to 100 characters.' })
  name?: string;

  @Field(() => KeyKinds, { nullable: true, description: 'Kind of program that uses the key.' })
  kind?: KeyKind | null;

  @BudgetField()
  budget?: ApiKeyBudgetInput | null;

  @FieldsField()
  fields?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Scopes of the key. Tollgate passes them on and does not check them.',
  })
  scopes?: string[];

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time at which the key expires; null for never.' })
  expiresAt?: Date | null;
}

@InputType('ApiKeyChangeInput', { description: 'The API key that a change is about.' })
export abstract class ApiKeyChangeInput extends ChangeInput {
  @Field(() => ID, { nullable: true, description: 'The id of the key. Set either this or `prefix`.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'The prefix of the key. Set either this or `id`.' })
  prefix?: string | null;
}

@InputType('ApiKeyRotateInput', { description: 'The API key to replace with a new one.' })
export class ApiKeyRotateInput extends ApiKeyChangeInput {
  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Milliseconds for which the old key stays valid, up to 90 days. Default: 0.',
  })
  overlapMs?: number;
}

@InputType('ApiKeyRevokeInput', {
  description: 'The API key to revoke permanently. It becomes invalid everywhere within two seconds.',
})
export class ApiKeyRevokeInput extends ApiKeyChangeInput {}

@ObjectType('ApiKeyPayload', { description: 'Result of a change to an API key.' })
export class ApiKeyPayload extends Payload {
  @Field(() => ApiKeyType, {
    nullable: true,
    description: 'The key, without its secret. After a rotation: the new key.',
  })
  apiKey!: ApiKeyType | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The new key itself, for the header `x-api-key`. It is shown only once and never stored. Null after a dry run or a revocation, or when a repeated request created nothing.',
  })
  secret!: string | null;
}
