import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { AdminRole } from '../../rules/store/create-admin-token-store.js';
import { ChangeInput, Payload } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { DateTimeScalar } from '../schema/json-scalar.js';
import { Roles } from './admin-token-type.js';

@ObjectType('ConsoleSession', {
  implements: NodeType,
  description: 'A browser that is logged in to the console with a token. It ends with the token.',
})
export class ConsoleSessionType extends NodeType {
  @Field(() => String, { description: 'The name of the token; `admin`: the token of the settings.' })
  name!: string;

  @Field(() => Roles, { description: 'What may be done in it.' })
  role!: AdminRole;

  @Field(() => DateTimeScalar, { description: 'When it was opened. It ends after twelve hours.' })
  openedAt!: Date;

  @Field(() => DateTimeScalar, {
    description: 'When it was used last, to the minute. It ends half an hour after that.',
  })
  usedAt!: Date;
}

export const ConsoleSessionConnectionType = connectionOf('ConsoleSession', ConsoleSessionType, 'open sessions', {
  isCounted: true,
});

@InputType('ConsoleSessionEndInput', { description: 'Logs a browser out.' })
export class ConsoleSessionEndInput extends ChangeInput {
  @Field(() => ID, { description: 'The id of the session.' })
  id!: string;
}

@ObjectType('ConsoleSessionPayload', { description: 'What became of a session.' })
export class ConsoleSessionPayload extends Payload {
  @Field(() => ConsoleSessionType, { nullable: true, description: 'The session, as it was before it ended.' })
  consoleSession!: ConsoleSessionType | null;
}
