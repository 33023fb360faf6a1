import { GraphQLScalarType } from 'graphql';
import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { ChangedEntity } from '../../rules/store/changes.js';
import { DifferenceType } from './change.js';
import { connectionOf, NodeType } from './connection.js';
import { DateTimeScalar } from './scalars.js';

export const JsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
});

const Entities = {
  TIER: 'TIER',
  RULE: 'RULE',
  SUBJECT: 'SUBJECT',
  API_KEY: 'API_KEY',
  ADMIN_TOKEN: 'ADMIN_TOKEN',
  ACCESS: 'ACCESS',
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
    ACCESS: { description: 'An attempt that was denied; the key is the operation. Nothing was changed.' },
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

  @Field(() => String, {
    description:
      '`CREATE`, `UPDATE`, `RETIRE`, `RESTORE`, `OVERRIDE`, `RESET_QUOTA`, `DISABLE`, `ENABLE`, `ROTATE`, `REVOKE`, or `DENIED`.',
  })
  action!: string;

  @Field(() => String, { description: 'Who made it: the name of the token, or of the administrator.' })
  actor!: string;

  @Field(() => String, {
    description:
      'How they proved it: `ADMIN_TOKEN`, `COMMAND_LINE`, `SERVER` (to the server that the API is mounted in); `SYSTEM` is Tollgate itself, `NONE` an address that guessed tokens.',
  })
  authMethod!: string;

  @Field(() => String, { nullable: true, description: 'Why, in the words of the actor.' })
  comment!: string | null;

  @Field(() => DateTimeScalar, { description: 'When it came into force.' })
  changedAt!: Date;

  @Field(() => JsonScalar, { nullable: true, description: 'The whole object before; null: it did not exist.' })
  before!: Record<string, unknown> | null;

  @Field(() => JsonScalar, { nullable: true, description: 'The whole object after.' })
  after!: Record<string, unknown> | null;

  @Field(() => [DifferenceType], { description: 'What differs between the two.' })
  differences!: DifferenceType[];
}

export const ChangeConnectionType = connectionOf('Change', ChangeType, 'changes');

@InputType('ChangeFilter', { description: 'Which changes; all conditions together.' })
export class ChangeFilterInput {
  @Field(() => Entities, { nullable: true, description: 'Changes of this kind of object.' })
  entity?: ChangedEntity | null;

  @Field(() => String, { nullable: true, description: 'Of the thing with this `Change.key`.' })
  key?: string | null;

  @Field(() => String, { nullable: true, description: 'Changes that this actor has made.' })
  actor?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'From this moment on.' })
  since?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Before this moment.' })
  until?: Date | null;
}
