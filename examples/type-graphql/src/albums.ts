import { Arg, Directive, Field, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';

@ObjectType()
class Track {
  @Field()
  title!: string;
}

@ObjectType()
class Album {
  @Field(() => ID)
  id!: string;

  @Field()
  title!: string;

  // Declares the price of each call of an expensive field, in tokens.
  @Directive('@cost(weight: "5")')
  @Field()
  review!: string;

  // No argument determines the size of this list, so the annotation declares its maximum.
  @Directive('@listSize(assumedSize: 12)')
  @Field(() => [Track])
  tracks!: Track[];
}

const albumAt = (index: number) => ({ id: String(index), title: `Album ${index}`, review: 'Worth a second listen.' });

@Resolver(() => Album)
export class AlbumResolver {
  @Query(() => [Album])
  albums(@Arg('take', () => Int, { nullable: true }) take?: number): Omit<Album, 'tracks'>[] {
    return Array.from({ length: Math.min(take ?? 10, 100) }, (_, index) => albumAt(index));
  }

  @FieldResolver(() => [Track])
  tracks(@Root() album: Album): Track[] {
    return Array.from({ length: 12 }, (_, index) => ({ title: `${album.title}, track ${index + 1}` }));
  }
}
