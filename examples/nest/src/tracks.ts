import { Args, Field, ID, Int, ObjectType, Query, Resolver, Subscription } from '@nestjs/graphql';

@ObjectType()
export class Track {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  title!: string;
}

@Resolver(() => Track)
export class TrackResolver {
  // Without an annotation, Tollgate infers the size of the list from the argument `limit`.
  @Query(() => [Track])
  tracks(@Args('limit', { type: () => Int, defaultValue: 10 }) limit: number): Track[] {
    return Array.from({ length: limit }, (_, index) => ({ id: String(index + 1), title: `Track ${index + 1}` }));
  }

  @Subscription(() => [Track])
  async *played(@Args('limit', { type: () => Int, defaultValue: 10 }) limit: number) {
    for (let turn = 0; turn < 2; turn++) yield { played: this.tracks(Math.min(limit, 3)) };
  }
}
