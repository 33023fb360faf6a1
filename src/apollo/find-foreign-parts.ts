import {
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
} from 'graphql';

/** Maximum number of parts to show. */
const MAX_SHOWN = 3;

/**
 * Returns the parts of the served schema that are missing in the priced schema or have another type
 * there. They would have no price or a wrong one. Returns an empty list if the served schema is
 * equal to the priced schema or a subset of it.
 */
export function findForeignParts(served: GraphQLSchema, priced: GraphQLSchema): string[] {
  if (served === priced) return [];
  const known = describe(priced);
  const foreign: string[] = [];
  for (const [coordinate, type] of describe(served)) {
    const here = known.get(coordinate);
    if (here === type) continue;
    foreign.push(here === undefined ? coordinate : `${coordinate} (${type}, not ${here})`);
    if (foreign.length > MAX_SHOWN) return [...foreign.slice(0, MAX_SHOWN), '...'];
  }
  return foreign;
}

/** Returns every coordinate of a schema that can affect a price, with its type. */
function describe(schema: GraphQLSchema): Map<string, string> {
  const places = new Map<string, string>();
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (root) places.set(root.name, 'a root');
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    const { name } = type;
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const each of type.getInterfaces()) places.set(`${name} implements ${each.name}`, 'an interface');
      for (const field of Object.values(type.getFields())) {
        places.set(`${name}.${field.name}`, String(field.type));
        for (const arg of field.args) places.set(`${name}.${field.name}(${arg.name}:)`, String(arg.type));
      }
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) places.set(`${name}.${field.name}`, String(field.type));
    } else if (isUnionType(type)) {
      for (const each of type.getTypes()) places.set(`${name} = ${each.name}`, 'a member');
    }
  }
  return places;
}
