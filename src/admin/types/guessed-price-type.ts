import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { SERVICE } from './cost-explain-payload.js';

@ObjectType('GuessedPrice', {
  description:
    'A list whose price is a guess: nothing says how long it is, always or while its arguments are left out.',
})
export class GuessedPriceType {
  @Field(() => String, { description: 'Of the field that returns the list: `Type.field`.' })
  coordinate!: string;

  @Field(() => String, { description: 'What counts instead, and the annotation to add.' })
  message!: string;
}

@ArgsType()
export class GuessedPricesArgs {
  @Field(() => Int, { defaultValue: 20, description: 'How many at most: 1 to 100.' })
  first!: number;

  @Field(() => String, { nullable: true, description: SERVICE })
  service?: string | null;
}
