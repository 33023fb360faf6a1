import { Args, Field, ID, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';

@ObjectType()
export class Track {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  title!: string;
}

@Resolver(() => Track)
export class TrackResolver {
  // Nothing says how long the list is: `limit` does, by its name.
  @Query(() => [Track])
  tracks(@Args('limit', { type: () => Int, defaultValue: 10 }) limit: number): Track[] {
    return Array.from({ length: limit }, (_, index) => ({ id: String(index + 1), title: `Track ${index + 1}` }));
  }
}
