import { type GraphQLCompositeType, type GraphQLField, isUnionType } from 'graphql';

/** Field with the type that defines it. */
export interface LocatedField {
  readonly definition: GraphQLField<unknown, unknown>;
  readonly type: GraphQLCompositeType;
  readonly coordinate: string;
}

/**
 * Returns the field itself, followed by the fields with the same name on the interfaces of its
 * type.
 */
export function inheritedFields(
  type: GraphQLCompositeType,
  own: GraphQLField<unknown, unknown>,
): readonly LocatedField[] {
  const { name } = own;
  const interfaces = isUnionType(type) ? [] : type.getInterfaces();
  const inherited = interfaces.flatMap((each) => {
    const definition = each.getFields()[name];
    return definition === undefined ? [] : [{ definition, type: each, coordinate: `${each.name}.${name}` }];
  });
  return [{ definition: own, type, coordinate: `${type.name}.${name}` }, ...inherited];
}

/** Returns the first value that `read` returns for any of the fields. */
export function firstOf<T>(
  fields: readonly LocatedField[],
  read: (definition: GraphQLField<unknown, unknown>, coordinate: string) => T | undefined,
): T | undefined {
  for (const { definition, coordinate } of fields) {
    const value = read(definition, coordinate);
    if (value !== undefined) return value;
  }
  return undefined;
}
