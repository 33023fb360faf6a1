import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../schema/json-scalar.js';

@ObjectType('Service', { description: 'An API whose schema can be spoken of: explained, previewed, simulated with.' })
export class ServiceType {
  @Field(() => String, { description: 'For the argument `service`.' })
  name!: string;

  @Field(() => String, { description: 'Of the schema and its prices: SHA-256, in hexadecimal.' })
  hash!: string;

  @Field(() => DateTimeScalar, { description: 'When a server was started that brought this schema.' })
  publishedAt!: Date;
}
