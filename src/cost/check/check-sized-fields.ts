import { type GraphQLNamedType, type GraphQLSchema, getNamedType, getNullableType, isListType } from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import type { SizedFields } from '../annotations/sized-fields.js';
import { fieldsOfName } from './fields-of-name.js';

/** Returns the mistakes in the `sizedFields` of a field that returns `type`. */
export function* checkSizedFields(
  schema: GraphQLSchema,
  annotations: Annotations,
  type: GraphQLNamedType,
  fields: SizedFields,
): Generator<string> {
  for (const name of new Set([...fields, ...fields.below.keys()])) {
    const found = fieldsOfName(schema, type, name);
    if (found.length === 0) yield `sizedFields: ${type.name} has no field "${name}"`;
    for (const { holder, field } of found) {
      const coordinate = `${holder.name}.${name}`;
      if (fields.has(name) && !isListType(getNullableType(field.type)))
        yield `sizedFields: ${coordinate} is not a list`;
      const below = fields.below.get(name);
      if (below === undefined) continue;
      const own = annotations.listSize(field, coordinate) ?? annotations.inferredListSize(field);
      if (own?.sizedFields.length) {
        yield `sizedFields: ${coordinate} has its own @listSize with sizedFields: name the fields only there`;
      }
      yield* checkSizedFields(schema, annotations, getNamedType(field.type), below);
    }
  }
}
