import { Field, ObjectType } from 'type-graphql';
import type { Setting } from '../../services/setting.js';
import { JsonScalar } from '../schema/json-scalar.js';

@ObjectType('Setting', { description: 'A setting in force in the process that handles the request, without secrets.' })
export class SettingType implements Setting {
  @Field(() => String, { description: 'Name of the option of `createTollgate`: `cost.profile`.' })
  name!: string;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'Value of the setting. For Redis and PostgreSQL: whether the server is configured.',
  })
  value!: Setting['value'];

  @Field(() => String, {
    nullable: true,
    description: 'Unit of the value, such as `milliseconds`; null without a unit.',
  })
  unit!: string | null;
}
