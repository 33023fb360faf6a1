import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { AdminRole } from '../../rules/store/create-admin-token-store.js';
import { ChangeInput, Payload } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { DateTimeScalar } from '../schema/json-scalar.js';
import { Roles } from './admin-token-type.js';

@ObjectType('ConsoleSession', {
  implements: NodeType,
  description:
    'A browser session that is logged in to the console with a token. The session ends when the token expires or is revoked.',
})
export class ConsoleSessionType extends NodeType {
  @Field(() => String, { description: 'The name of the token; `admin` for the token from the settings.' })
  name!: string;

  @Field(() => Roles, { description: 'Role of the session.' })
  role!: AdminRole;

  @Field(() => DateTimeScalar, {
    description: 'Time at which the session was opened. It ends at most twelve hours later.',
  })
  openedAt!: Date;

  @Field(() => DateTimeScalar, {
    description: 'Time of the last use, to the minute. Without another use, the session ends half an hour later.',
  })
  usedAt!: Date;
}

export const ConsoleSessionConnectionType = connectionOf('ConsoleSession', ConsoleSessionType, 'open sessions', {
  isCounted: true,
});

@InputType('ConsoleSessionEndInput', { description: 'The session to end.' })
export class ConsoleSessionEndInput extends ChangeInput {
  @Field(() => ID, { description: 'The id of the session.' })
  id!: string;
}

@ObjectType('ConsoleSessionPayload', { description: 'Result of a change to a session.' })
export class ConsoleSessionPayload extends Payload {
  @Field(() => ConsoleSessionType, { nullable: true, description: 'The session, as it was before it ended.' })
  consoleSession!: ConsoleSessionType | null;
}
