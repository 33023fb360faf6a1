import { Field, ObjectType } from 'type-graphql';
import type { Setting } from '../../services/setting.js';
import { JsonScalar } from '../schema/json-scalar.js';

@ObjectType('Setting', { description: 'A setting in force in the process that answers. Secrets are no part of it.' })
export class SettingType implements Setting {
  @Field(() => String, { description: 'The name of the option of `createTollgate`: `cost.profile`.' })
  name!: string;

  @Field(() => JsonScalar, { nullable: true, description: 'Its value; of a Redis or PostgreSQL whether it is there.' })
  value!: Setting['value'];

  @Field(() => String, {
    nullable: true,
    description: 'What its number counts: `milliseconds`; null: it is no number of anything.',
  })
  unit!: string | null;
}
