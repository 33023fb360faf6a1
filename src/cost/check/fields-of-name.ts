import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';

/** Type that has fields. */
export type Holder = GraphQLObjectType | GraphQLInterfaceType;

/** Field with one of the types that have it. */
export interface FieldOfType {
  readonly holder: Holder;
  readonly field: GraphQLField<unknown, unknown>;
}

/** Returns the fields with this name on a type and on the object types that its values can have. */
export function fieldsOfName(schema: GraphQLSchema, type: GraphQLNamedType, name: string): FieldOfType[] {
  const holders = isUnionType(type)
    ? type.getTypes()
    : isInterfaceType(type)
      ? [type, ...schema.getPossibleTypes(type)]
      : [type];
  return holders.flatMap((holder) => {
    if (!isObjectType(holder) && !isInterfaceType(holder)) return [];
    const field = holder.getFields()[name];
    return field === undefined ? [] : [{ holder, field }];
  });
}
