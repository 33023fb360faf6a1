import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../schema/json-scalar.js';

@ObjectType('OwnApi', { description: 'The API protected by the process that handles the request.' })
export class OwnApiType {
  @Field(() => String, { nullable: true, description: 'Its name in `services`; null if it is not published.' })
  service!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Host and path of the upstream if the process is a gateway; else null.',
  })
  upstream!: string | null;
}

@ObjectType('Service', { description: 'An API with a published schema, for explanations, previews and simulations.' })
export class ServiceType {
  @Field(() => String, { description: 'Name of the API, for the argument `service`.' })
  name!: string;

  @Field(() => String, { description: 'SHA-256 hash of the schema and its prices, in hexadecimal.' })
  hash!: string;

  @Field(() => DateTimeScalar, { description: 'Time at which a server published this schema and its prices.' })
  publishedAt!: Date;
}
