import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Actor, ChangedEntity, ChangeRecord } from '../../rules/store/create-change-log.js';
import type { DifferenceType } from './change-input.js';
import { connectionOf, NodeType } from './connection.js';
import { DateTimeScalar } from './json-scalar.js';

const Entities = {
  TIER: 'TIER',
  RULE: 'RULE',
  SUBJECT: 'SUBJECT',
  API_KEY: 'API_KEY',
  ADMIN_TOKEN: 'ADMIN_TOKEN',
  SESSION: 'SESSION',
  ACCESS: 'ACCESS',
  SCHEMA: 'SCHEMA',
} as const satisfies { [Name in ChangedEntity]: Name };

registerEnumType(Entities, {
  name: 'ChangedEntity',
  description: 'What a change is about.',
  valuesConfig: {
    TIER: { description: 'A tier; the key is its name.' },
    RULE: { description: 'A rule.' },
    SUBJECT: { description: 'A user or a tenant; or, of a quota that was reset, the caller who was named.' },
    API_KEY: { description: 'An API key; the key is its prefix.' },
    ADMIN_TOKEN: { description: 'The token of an administrator.' },
    SESSION: { description: 'A browser that logged in to the console, or out; the key is the number of the session.' },
    SCHEMA: {
      description:
        'An API behind gateways, by its address: it has another schema, or other prices. What differs is named by coordinate.',
    },
    ACCESS: { description: 'An attempt that was denied; the key is the operation. Nothing was changed.' },
  },
});

const Actions = {
  CREATE: 'CREATE',
  UPDATE: 'UPDATE',
  RETIRE: 'RETIRE',
  RESTORE: 'RESTORE',
  OVERRIDE: 'OVERRIDE',
  RESET_QUOTA: 'RESET_QUOTA',
  DISABLE: 'DISABLE',
  ENABLE: 'ENABLE',
  ROTATE: 'ROTATE',
  REVOKE: 'REVOKE',
  DELETE: 'DELETE',
  LOGIN: 'LOGIN',
  LOGOUT: 'LOGOUT',
  DENIED: 'DENIED',
} as const satisfies { [Name in ChangeRecord['action']]: Name };

registerEnumType(Actions, {
  name: 'ChangeAction',
  description: 'What was done to the object.',
  valuesConfig: {
    CREATE: { description: 'It was made.' },
    UPDATE: { description: 'It was changed.' },
    RETIRE: { description: 'It was taken out of use.' },
    RESTORE: { description: 'It was put back into use, or to an earlier version.' },
    OVERRIDE: { description: 'The caller got a bucket of their own, or lost it.' },
    RESET_QUOTA: { description: 'The caller got full quotas again.' },
    DISABLE: { description: 'The caller was shut out.' },
    ENABLE: { description: 'The caller was let in again.' },
    ROTATE: { description: 'A key took its place.' },
    REVOKE: { description: 'It was ended for ever.' },
    DELETE: { description: 'It was removed; only the record of changes still has it.' },
    LOGIN: { description: 'A browser logged in to the console.' },
    LOGOUT: { description: 'The session of a browser was ended, by who had it or by an admin.' },
    DENIED: { description: 'Nothing: the attempt was denied.' },
  },
});

export const AuthMethods = {
  ADMIN_TOKEN: 'ADMIN_TOKEN',
  SERVER: 'SERVER',
  COMMAND_LINE: 'COMMAND_LINE',
  SYSTEM: 'SYSTEM',
  NONE: 'NONE',
} as const satisfies { [Name in Actor['authMethod']]: Name };

registerEnumType(AuthMethods, {
  name: 'AuthMethod',
  description: 'How an actor proved who they are.',
  valuesConfig: {
    ADMIN_TOKEN: { description: 'By the token of an administrator.' },
    SERVER: { description: 'To the server that the API is mounted in.' },
    COMMAND_LINE: { description: 'By having the settings of the platform, on the command line.' },
    SYSTEM: { description: 'It is Tollgate itself.' },
    NONE: { description: 'Not at all: an address that guessed tokens.' },
  },
});

@ObjectType('Change', {
  implements: NodeType,
  description: 'One entry of the record of changes. Nobody can alter or remove it.',
})
export class ChangeType extends NodeType {
  @Field(() => Int, { description: 'Rises with every change, in the order in which they came into force.' })
  number!: number;

  @Field(() => Entities, { description: 'What kind of thing was changed.' })
  entity!: ChangedEntity;

  @Field(() => String, { description: 'Which object: a name, a prefix, or a number of the store.' })
  key!: string;

  @Field(() => Actions, { description: 'What the change did to the object.' })
  action!: ChangeRecord['action'];

  @Field(() => String, { description: 'Who made it: the name of the token, or of the administrator.' })
  actor!: string;

  @Field(() => AuthMethods, { description: 'How the actor proved who they are.' })
  authMethod!: Actor['authMethod'];

  @Field(() => String, { nullable: true, description: 'Why, in the words of the actor.' })
  comment!: string | null;

  @Field(() => DateTimeScalar, { description: 'When it came into force.' })
  changedAt!: Date;

  // These are not fields of their own: `ChangeResolver` decides which roles may see them.
  before!: Record<string, unknown> | null;
  after!: Record<string, unknown> | null;
  differences!: DifferenceType[];
}

export const ChangeConnectionType = connectionOf('Change', ChangeType, 'changes', { isCounted: true });

@InputType('ChangeFilter', { description: 'Which changes; all conditions together.' })
export class ChangeFilterInput {
  @Field(() => Entities, { nullable: true, description: 'Changes of this kind of object.' })
  entity?: ChangedEntity | null;

  @Field(() => String, { nullable: true, description: 'Of the thing with this `Change.key`.' })
  key?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Of what has or had this name: a tier, a rule, a token; the id of a user or a tenant; the prefix of an API key; a denied operation; the address of an API behind gateways.',
  })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Changes that this actor has made.' })
  actor?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'From this moment on.' })
  since?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Before this moment.' })
  until?: Date | null;
}
