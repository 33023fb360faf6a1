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
  DOCUMENTS: 'DOCUMENTS',
} as const satisfies { [Name in ChangedEntity]: Name };

registerEnumType(Entities, {
  name: 'ChangedEntity',
  description: 'Kinds of changed objects.',
  valuesConfig: {
    TIER: { description: 'A tier; the key is its name.' },
    RULE: { description: 'A rule.' },
    SUBJECT: {
      description: 'A user or a tenant. For a reset of a quota, and for ended subscriptions: the named caller.',
    },
    API_KEY: { description: 'An API key; the key is its prefix.' },
    ADMIN_TOKEN: { description: 'An admin token.' },
    SESSION: { description: 'A session of the console; the key is the number of the session.' },
    SCHEMA: {
      description:
        'The schema or the prices of an API behind gateways; the key is its address. The differences are named by coordinate.',
    },
    DOCUMENTS: {
      description: 'A version of an app with its registered documents; the key is the app and the version.',
    },
    ACCESS: { description: 'An attempt that was denied; the key is the operation. Nothing changed.' },
  },
});

const Actions = {
  CREATE: 'CREATE',
  UPDATE: 'UPDATE',
  RETIRE: 'RETIRE',
  RESTORE: 'RESTORE',
  OVERRIDE: 'OVERRIDE',
  RESET_QUOTA: 'RESET_QUOTA',
  END_STREAMS: 'END_STREAMS',
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
  description: 'Actions of changes.',
  valuesConfig: {
    CREATE: { description: 'The object was created.' },
    UPDATE: { description: 'The object was changed.' },
    RETIRE: { description: 'The object was retired.' },
    RESTORE: { description: 'The object was restored, or returned to an earlier version.' },
    OVERRIDE: { description: 'The caller received its own bucket, or its bucket was removed.' },
    RESET_QUOTA: { description: 'The quotas of the caller were reset.' },
    END_STREAMS: { description: 'Open subscriptions or WebSockets of the caller were ended.' },
    DISABLE: { description: 'The caller was disabled.' },
    ENABLE: { description: 'The caller was enabled again.' },
    ROTATE: { description: 'A new key replaced the key.' },
    REVOKE: { description: 'The object was revoked permanently.' },
    DELETE: { description: 'The object was deleted. Only the record of changes still contains it.' },
    LOGIN: { description: 'A browser logged in to the console.' },
    LOGOUT: { description: 'A session of the console ended, by its user or by an admin.' },
    DENIED: { description: 'An attempt was denied. Nothing changed.' },
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
  description: 'Methods of authentication of an actor.',
  valuesConfig: {
    ADMIN_TOKEN: { description: 'An admin token.' },
    SERVER: { description: 'The authentication of the server that mounts the API.' },
    COMMAND_LINE: { description: 'Access to the settings of the platform, on the command line.' },
    SYSTEM: { description: 'None: Tollgate itself made the change.' },
    NONE: { description: 'None: an address that guessed tokens.' },
  },
});

@ObjectType('Change', {
  implements: NodeType,
  description: 'One entry of the record of changes. Entries cannot be changed or deleted.',
})
export class ChangeType extends NodeType {
  @Field(() => Int, { description: 'Number of the change. It rises in the order in which changes come into force.' })
  number!: number;

  @Field(() => Entities, { description: 'Kind of the changed object.' })
  entity!: ChangedEntity;

  @Field(() => String, { description: 'Key of the changed object, such as a name, a prefix or a database id.' })
  key!: string;

  @Field(() => Actions, { description: 'Action on the object.' })
  action!: ChangeRecord['action'];

  @Field(() => String, { description: 'Name of the token or of the administrator that made the change.' })
  actor!: string;

  @Field(() => AuthMethods, { description: 'Method of authentication of the actor.' })
  authMethod!: Actor['authMethod'];

  @Field(() => String, { nullable: true, description: 'Reason for the change, from the actor.' })
  comment!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time at which the change came into force.' })
  changedAt!: Date;

  // These have no `@Field` here, because `ChangeResolver` decides which roles may see them.
  before!: Record<string, unknown> | null;
  after!: Record<string, unknown> | null;
  differences!: DifferenceType[];
}

export const ChangeConnectionType = connectionOf('Change', ChangeType, 'changes', { isCounted: true });

@InputType('ChangeFilter', { description: 'Conditions for changes. A change must meet all of them.' })
export class ChangeFilterInput {
  @Field(() => Entities, { nullable: true, description: 'Only changes of this kind of object.' })
  entity?: ChangedEntity | null;

  @Field(() => String, { nullable: true, description: 'Only changes of the object with this `Change.key`.' })
  key?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only changes of objects with this current or former name. The name is that of a tier, a rule or a token; the id of a user or a tenant; the prefix of an API key; a denied operation; or the address of an API behind gateways.',
  })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Only changes by this actor.' })
  actor?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only changes at or after this time.' })
  since?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only changes before this time.' })
  until?: Date | null;
}
