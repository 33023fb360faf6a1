import { Field, ObjectType, registerEnumType } from 'type-graphql';
import type { UserErrorCode } from '../rules/store/outcome.js';

const UserErrorCodes = {
  INVALID: 'INVALID',
  NOT_FOUND: 'NOT_FOUND',
  ALREADY_EXISTS: 'ALREADY_EXISTS',
  STALE_VERSION: 'STALE_VERSION',
  IN_USE: 'IN_USE',
  KEY_REUSED: 'KEY_REUSED',
} as const satisfies { [Code in UserErrorCode]: Code };

registerEnumType(UserErrorCodes, {
  name: 'UserErrorCode',
  description: 'Why an input was not taken.',
  valuesConfig: {
    INVALID: { description: 'A value is not what the field takes; the message says what it takes.' },
    NOT_FOUND: { description: 'What the input names does not exist.' },
    ALREADY_EXISTS: { description: 'What the input names exists already.' },
    STALE_VERSION: {
      description: 'Somebody else changed the object since the expected version. The payload carries it as it is now.',
    },
    IN_USE: { description: 'Something else needs it; the message says what.' },
    KEY_REUSED: { description: 'Another request was made under the same `idempotencyKey`.' },
  },
});

@ObjectType('UserError', { description: 'One reason why an input was not taken. Nothing was changed.' })
export class UserErrorType {
  @Field(() => UserErrorCodes, { description: 'The reason, for programs.' })
  code!: UserErrorCode;

  @Field(() => [String], { description: 'The path of the field inside `input`; empty for the input as a whole.' })
  field!: string[];

  @Field(() => String, { description: 'The reason, for people: what was expected and what came.' })
  message!: string;
}
