import { ArgsType, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { FieldListing, SizeSource } from '../../cost/schema/field-price.js';
import { connectionOf, PageArgs } from '../schema/connection.js';
import { SERVICE } from './cost-explain-payload.js';

const Sources = {
  ARGUMENTS: 'ARGUMENTS',
  PARENT: 'PARENT',
  ASSUMED_SIZE: 'ASSUMED_SIZE',
  DEFAULT: 'DEFAULT',
} as const satisfies { [Source in SizeSource]: Source };

registerEnumType(Sources, {
  name: 'SizeSource',
  description: 'Where the size of a list comes from.',
  valuesConfig: {
    ARGUMENTS: { description: 'Its arguments say it; while they are left out, `assumedSize`.' },
    PARENT: { description: 'A field above it says it, such as that of a connection.' },
    ASSUMED_SIZE: { description: 'An annotation of the schema says it.' },
    DEFAULT: { description: 'Nothing says it: it is a guess, and `guessedPrices` says what to add.' },
  },
});

@ObjectType('SchemaField', { description: 'A field of a protected API as it is priced now.' })
export class SchemaFieldType implements FieldListing {
  @Field(() => String, { description: '`Type.field`.' })
  coordinate!: string;

  @Field(() => String, { description: 'What it returns, as SDL has it: `[Country!]!`.' })
  type!: string;

  @Field(() => Float, {
    nullable: true,
    description: 'What one call costs, as annotated; null: as the profile has it.',
  })
  weight!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'What one object that it returns costs, as annotated; null: as the profile has it.',
  })
  typeWeight!: number | null;

  @Field(() => Boolean, { description: 'A complexity function in code prices it.' })
  isComputed!: boolean;

  @Field(() => Sources, { nullable: true, description: 'Where the size of its list comes from; null: it is no list.' })
  sizeSource!: SizeSource | null;

  @Field(() => Boolean, {
    description:
      'The size comes from what arguments are named, of it or of a field above, and no annotation says so: `@listSize` makes sure.',
  })
  isSizeInferred!: boolean;

  @Field(() => [String], { description: 'The arguments that say how long its list is.' })
  sizeArguments!: readonly string[];

  @Field(() => Int, {
    nullable: true,
    description: 'How long its list is taken to be where neither an argument nor a field above says so.',
  })
  assumedSize!: number | null;
}

export const SchemaFieldConnectionType = connectionOf('SchemaField', SchemaFieldType, 'fields', { isCounted: true });

@ArgsType()
export class SchemaFieldsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Only coordinates that begin with this: `Query.`.' })
  startsWith?: string | null;

  @Field(() => String, { nullable: true, description: SERVICE })
  service?: string | null;
}
