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
  description: 'Source of the size of a list.',
  valuesConfig: {
    ARGUMENTS: { description: 'The arguments of the field. If they are omitted, `assumedSize`.' },
    PARENT: { description: 'A parent field, such as the field that returns the connection.' },
    ASSUMED_SIZE: { description: 'An annotation of the schema.' },
    DEFAULT: { description: 'No source: the size is a guess. `guessedPrices` shows which annotation to add.' },
  },
});

const Orders = { COORDINATE: 'COORDINATE', COST: 'COST' } as const;
type SchemaFieldOrder = keyof typeof Orders;

registerEnumType(Orders, {
  name: 'SchemaFieldOrder',
  description: 'Order of fields.',
  valuesConfig: {
    COORDINATE: { description: 'Sorted by coordinate.' },
    COST: { description: 'Most expensive first. Fields without a fixed cost (`cost` is null) come first.' },
  },
});

@ObjectType('SchemaField', { description: 'A field of a protected API with its current price.' })
export class SchemaFieldType implements FieldListing {
  @Field(() => String, { description: 'Coordinate of the field: `Type.field`.' })
  coordinate!: string;

  @Field(() => String, { description: 'Type that the field returns, in SDL: `[Country!]!`.' })
  type!: string;

  @Field(() => Float, {
    nullable: true,
    description: 'Annotated cost of one call; null if the cost profile sets it.',
  })
  weight!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Annotated cost of one returned value; for an interface or union, the highest of its types. Null if the cost profile sets it.',
  })
  typeWeight!: number | null;

  @Field(() => Boolean, { description: 'Whether a complexity function in code prices the field.' })
  isComputed!: boolean;

  @Field(() => Float, {
    nullable: true,
    description:
      'Cost of one call, without the returned objects and without arguments: `weight`, or else the default of the cost profile. Null if a function computes it.',
  })
  callCost!: number | null;

  @Field(() => Float, {
    description: 'Cost of each returned value; for an object, of the most expensive possible type.',
  })
  itemCost!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'Cost of one call with its returned objects, without arguments and nested fields. A list has its assumed size, or else the default size. Null if a function computes the cost, or if a parent field sets the size.',
  })
  cost!: number | null;

  @Field(() => Sources, {
    nullable: true,
    description: 'Source of the size of the returned list; null if the field does not return a list.',
  })
  sizeSource!: SizeSource | null;

  @Field(() => Boolean, {
    description:
      'Whether the size is inferred from the names of arguments, of the field or of a parent, without an annotation. Add `@listSize` to make it explicit.',
  })
  isSizeInferred!: boolean;

  @Field(() => [String], { description: 'The arguments that set the size of the returned list.' })
  sizeArguments!: readonly string[];

  @Field(() => Int, {
    nullable: true,
    description: 'Assumed size of the returned list if neither an argument nor a parent field sets it.',
  })
  assumedSize!: number | null;
}

export const SchemaFieldConnectionType = connectionOf('SchemaField', SchemaFieldType, 'fields', { isCounted: true });

@ArgsType()
export class SchemaFieldsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Prefix of the coordinates to list: `Query.`.' })
  startsWith?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Part of the coordinates to list, regardless of case: `search`.',
  })
  contains?: string | null;

  @Field(() => String, { nullable: true, description: SERVICE })
  service?: string | null;

  @Field(() => Orders, { defaultValue: 'COORDINATE', description: 'Order of the fields.' })
  orderBy!: SchemaFieldOrder;
}
