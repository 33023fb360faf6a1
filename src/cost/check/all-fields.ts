import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';

interface FieldOfSchema {
  readonly type: GraphQLObjectType | GraphQLInterfaceType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly coordinate: string;
}

/** Returns the fields of all object and interface types of a schema, without introspection. */
export function allFields(schema: GraphQLSchema): FieldOfSchema[] {
  const types = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType | GraphQLInterfaceType =>
      !isIntrospectionType(type) && (isObjectType(type) || isInterfaceType(type)),
  );
  return types.flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({ type, field, coordinate: `${type.name}.${field.name}` })),
  );
}
