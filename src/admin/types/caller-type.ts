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
  description: 'Kinds of identity of a caller.',
  valuesConfig: {
    USER: { description: 'The id of a user.' },
    TENANT: { description: 'The id of a tenant: all of its users and keys.' },
    API_KEY: { description: 'An API key without a user.' },
    ANONYMOUS: { description: 'Only an address.' },
    OTHER: {
      description: 'Callers that are counted together, because too many different callers arrived in one minute.',
    },
  },
});

@ObjectType('Caller', { description: 'The caller of operations.' })
export class CallerType {
  @Field(() => Kinds, { description: 'Kind of identity in `name`.' })
  kind!: CallerKind;

  @Field(() => String, {
    nullable: true,
    description: 'The identity that the caller is counted by; null if this is not a single caller.',
  })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'The id of the user.' })
  user!: string | null;

  @Field(() => String, { nullable: true, description: 'The id of the tenant.' })
  tenant!: string | null;

  @Field(() => String, { nullable: true, description: 'The prefix of the API key; null if it was not recorded.' })
  apiKey!: string | null;

  @Field(() => String, { nullable: true, description: 'The address; null if it was not recorded.' })
  ip!: string | null;
}
