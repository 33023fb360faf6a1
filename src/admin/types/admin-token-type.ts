import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import type { AdminRole } from '../../rules/store/create-admin-token-store.js';
import { ChangeInput, CreateInput, Payload } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';

export const Roles = { DECIDER: 'DECIDER', VIEWER: 'VIEWER', OPERATOR: 'OPERATOR', ADMIN: 'ADMIN' } as const satisfies {
  [Role in AdminRole]: Role;
};

registerEnumType(Roles, {
  name: 'AdminRole',
  description:
    'Permissions of an administrator. Each role includes the permissions of the roles before it, except those of DECIDER.',
  valuesConfig: {
    DECIDER: {
      description: 'May only ask for decisions and settle them. For servers, not for people.',
    },
    VIEWER: { description: 'May read everything except admin tokens, console sessions and settings.' },
    OPERATOR: { description: 'May also change the tiers, buckets and keys of callers, and the modes of rules.' },
    ADMIN: { description: 'May do everything, including changes to tiers, rules, policies and admin tokens.' },
  },
});

@ObjectType('AdminToken', {
  implements: NodeType,
  description: 'The stored data of an admin token, without the token itself.',
})
export class AdminTokenType extends NodeType {
  @Field(() => String, {
    description: 'Name of the holder, which is also the `actor` of changes made with this token.',
  })
  name!: string;

  @Field(() => Roles, { description: 'Role of the holder.' })
  role!: AdminRole;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the token expires; null if it never expires.',
  })
  expiresAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the token was revoked; null if it is not revoked.',
  })
  revokedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'Time at which another token replaced this one. A replaced token stays valid until it expires. Null if none replaced it.',
  })
  replacedAt!: Date | null;

  @Field(() => DateTimeScalar, { description: 'Time of creation.' })
  createdAt!: Date;
}

export const AdminTokenConnectionType = connectionOf('AdminToken', AdminTokenType, 'admin tokens', {
  isCounted: true,
});

@InputType('AdminTokenCreateInput', { description: 'A new admin token.' })
export class AdminTokenCreateInput extends CreateInput {
  @Field(() => String, { description: 'Name of the holder, 1 to 100 characters. Unique among the tokens in use.' })
  name!: string;

  @Field(() => Roles, { description: 'Role of the holder.' })
  role!: AdminRole;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the token expires. Default: it never expires.',
  })
  expiresAt?: Date | null;
}

@InputType('AdminTokenChangeInput', { description: 'Reference to the admin token to change.' })
abstract class AdminTokenChangeInput extends ChangeInput {
  @Field(() => ID, { nullable: true, description: 'The id of the token. Set either this or `name`.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'The name of the token. Set either this or `id`.' })
  name?: string | null;
}

@InputType('AdminTokenRevokeInput', {
  description:
    'Input that revokes a token permanently. With `name`, all tokens of that name are revoked, including a replaced one.',
})
export class AdminTokenRevokeInput extends AdminTokenChangeInput {}

@InputType('AdminTokenRotateInput', {
  description: 'Input that replaces a token with a new one of the same name and role.',
})
export class AdminTokenRotateInput extends AdminTokenChangeInput {
  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Milliseconds for which the old token stays valid, up to 90 days. Default: 0.',
  })
  overlapMs?: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the new token expires. Default: the expiry of the old token.',
  })
  expiresAt?: Date | null;
}

@ObjectType('AdminTokenPayload', { description: 'Result of a change to an admin token.' })
export class AdminTokenPayload extends Payload {
  @Field(() => AdminTokenType, { nullable: true, description: 'The token, without its secret.' })
  adminToken!: AdminTokenType | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The token itself, for the header `Authorization: Bearer`. It is shown only once and never stored. Null after a dry run or a revocation, or when a repeated request created nothing.',
  })
  secret!: string | null;
}
