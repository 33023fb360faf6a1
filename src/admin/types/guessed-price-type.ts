import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { SERVICE } from './cost-explain-payload.js';

@ObjectType('GuessedPrice', {
  description: 'A list whose size is a guess, always or while its arguments are omitted.',
})
export class GuessedPriceType {
  @Field(() => String, { description: 'Coordinate of the field that returns the list: `Type.field`.' })
  coordinate!: string;

  @Field(() => String, { description: 'The size that is assumed, and the annotation to add.' })
  message!: string;
}

@ArgsType()
export class GuessedPricesArgs {
  @Field(() => Int, { defaultValue: 20, description: 'Maximum number of elements: 1 to 100.' })
  first!: number;

  @Field(() => String, { nullable: true, description: SERVICE })
  service?: string | null;
}
