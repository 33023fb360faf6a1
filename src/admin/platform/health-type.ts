import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType('Health', { description: 'Whether the platform works as it should.' })
export class HealthType {
  @Field(() => Boolean, { description: 'There are no problems.' })
  ok!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'The number of the latest change that is stored; null: not known now.',
  })
  latestChange!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the latest change of a tier or rule that is in force in the process that answers; null: not known.',
  })
  rulesetVersion!: number | null;

  @Field(() => [String], { description: 'What is wrong, in words: a rule in the tables that is not valid, an outage.' })
  problems!: string[];
}
