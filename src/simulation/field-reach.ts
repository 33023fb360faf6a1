import {
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/**
 * Relations between recorded coordinates according to the schema. They replace the document of the
 * operation, which is not recorded.
 */
export interface FieldReach {
  /**
   * Returns every coordinate by which a rule can match a field that was selected as `coordinate`.
   * For an interface, these include the coordinates of its object types. For an object, they
   * include those of its interfaces.
   */
  coordinatesOf(coordinate: string): readonly string[];
  /** Returns whether `child` can be selected on the objects that `parent` returns. */
  leadsTo(parent: string, child: string): boolean;
}

export function createFieldReach(schema: GraphQLSchema): FieldReach {
  const known = new Map<string, readonly string[]>();

  function runtimeTypes(typeName: string): readonly string[] {
    const type = schema.getType(typeName);
    if (isAbstractType(type)) return schema.getPossibleTypes(type).map(({ name }) => name);
    return type === undefined ? [] : [typeName];
  }

  function returned(coordinate: string): readonly string[] {
    const [typeName = '', field = ''] = coordinate.split('.');
    const type = schema.getType(typeName);
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const result = getNamedType(type.getFields()[field]?.type);
    return isCompositeType(result) ? runtimeTypes(result.name) : [];
  }

  return {
    coordinatesOf(coordinate) {
      const before = known.get(coordinate);
      if (before) return before;
      const [typeName = '', field = ''] = coordinate.split('.');
      const names = new Set([coordinate]);
      for (const name of runtimeTypes(typeName)) {
        const type = schema.getType(name);
        if (!isObjectType(type)) continue;
        names.add(`${name}.${field}`);
        for (const each of type.getInterfaces()) if (each.getFields()[field]) names.add(`${each.name}.${field}`);
      }
      const all = [...names];
      known.set(coordinate, all);
      return all;
    },
    leadsTo(parent, child) {
      const below = runtimeTypes(child.split('.')[0] ?? '');
      return returned(parent).some((name) => below.includes(name));
    },
  };
}
