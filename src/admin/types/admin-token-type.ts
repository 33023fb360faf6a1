import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import type { AdminRole } from '../../rules/store/create-admin-token-store.js';
import { ChangeInput, CreateInput, Payload } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';

export const Roles = { VIEWER: 'VIEWER', OPERATOR: 'OPERATOR', ADMIN: 'ADMIN' } as const satisfies {
  [Role in AdminRole]: Role;
};

registerEnumType(Roles, {
  name: 'AdminRole',
  description: 'What an administrator may do; each may all that the ones before it may.',
  valuesConfig: {
    VIEWER: { description: 'Look at everything but the tokens of administrators.' },
    OPERATOR: { description: 'Run the day: tiers, buckets and keys of callers, modes of rules.' },
    ADMIN: { description: 'Everything: tiers, rules, policies, administrators.' },
  },
});

@ObjectType('AdminToken', {
  implements: NodeType,
  description: 'What is known of an administrator’s token: all but the token.',
})
export class AdminTokenType extends NodeType {
  @Field(() => String, { description: 'Who holds it: the `actor` of what is changed with it.' })
  name!: string;

  @Field(() => Roles, { description: 'What may be done with it.' })
  role!: AdminRole;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it stops being good; null: never.' })
  expiresAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was revoked; null: it was not.' })
  revokedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When another token took its place; it is good beside that one until it expires. Null: none did.',
  })
  replacedAt!: Date | null;

  @Field(() => DateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;
}

export const AdminTokenConnectionType = connectionOf('AdminToken', AdminTokenType, 'tokens of administrators', {
  isCounted: true,
});

@InputType('AdminTokenCreateInput', { description: 'A new token for an administrator.' })
export class AdminTokenCreateInput extends CreateInput {
  @Field(() => String, { description: 'Who will hold it, 1 to 100 characters. Unique among the tokens in use.' })
  name!: string;

  @Field(() => Roles, { description: 'What may be done with it.' })
  role!: AdminRole;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it stops being good; left out: never.' })
  expiresAt?: Date | null;
}

@InputType('AdminTokenChangeInput', { description: 'Which token of an administrator a change is about.' })
abstract class AdminTokenChangeInput extends ChangeInput {
  @Field(() => ID, { nullable: true, description: 'The id of the token; or its name.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'The name of the token, in place of its id.' })
  name?: string | null;
}

@InputType('AdminTokenRevokeInput', {
  description: 'Ends a token for ever; by its name also the one that it took the place of.',
})
export class AdminTokenRevokeInput extends AdminTokenChangeInput {}

@InputType('AdminTokenRotateInput', {
  description: 'Makes a new token of the same name and role in place of an old one.',
})
export class AdminTokenRotateInput extends AdminTokenChangeInput {
  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'How long the old token is still good, up to 90 days; left out: 0.',
  })
  overlapMs?: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the new token stops being good; left out: when the old one would have.',
  })
  expiresAt?: Date | null;
}

@ObjectType('AdminTokenPayload', { description: 'What became of a change to an administrator’s token.' })
export class AdminTokenPayload extends Payload {
  @Field(() => AdminTokenType, { nullable: true, description: 'The token, without its secret.' })
  adminToken!: AdminTokenType | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The token itself, for the header `Authorization: Bearer`. It is shown this once and kept nowhere. Null after a dry run, and when a repeated request made nothing.',
  })
  secret!: string | null;
}
