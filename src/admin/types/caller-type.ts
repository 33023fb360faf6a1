import { Field, ObjectType, registerEnumType } from 'type-graphql';

export type CallerKind = 'USER' | 'TENANT' | 'API_KEY' | 'ANONYMOUS' | 'OTHER';

const Kinds = {
  USER: 'USER',
  TENANT: 'TENANT',
  API_KEY: 'API_KEY',
  ANONYMOUS: 'ANONYMOUS',
  OTHER: 'OTHER',
} as const satisfies { [Kind in CallerKind]: Kind };

registerEnumType(Kinds, {
  name: 'CallerKind',
  description: 'What a caller is known by.',
  valuesConfig: {
    USER: { description: 'The id of a user.' },
    TENANT: { description: 'The id of a tenant: all of its users and keys.' },
    API_KEY: { description: 'An API key that stands for no user.' },
    ANONYMOUS: { description: 'Nothing but an address.' },
    OTHER: { description: 'Callers that are not told apart: too many different ones came in one minute.' },
  },
});

@ObjectType('Caller', { description: 'Who asks, wherever this API speaks of them.' })
export class CallerType {
  @Field(() => Kinds, { description: 'Which of the members below is the name of the caller.' })
  kind!: CallerKind;

  @Field(() => String, {
    nullable: true,
    description: 'What the caller is counted by; null: no one caller is meant.',
  })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'The id of the user.' })
  user!: string | null;

  @Field(() => String, { nullable: true, description: 'The id of the tenant.' })
  tenant!: string | null;

  @Field(() => String, { nullable: true, description: 'The prefix of the API key, where it was recorded.' })
  apiKey!: string | null;

  @Field(() => String, { nullable: true, description: 'The address, where it was recorded.' })
  ip!: string | null;
}
