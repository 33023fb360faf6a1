import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import type { FieldModel, SchemaModel } from '../schema/schema-model.js';
import type { Holder } from './fields-of-name.js';
import type { SizesFromAbove } from './find-sized-lists.js';

/** Fields that return an object with the list and do not size the list. */
interface Via {
  readonly first: string;
  readonly text: string;
}

/**
 * Returns data about the paths on which a list has no size. Returns undefined if there are no such
 * paths, or if some `sizedFields` annotation names the list.
 */
export function reachOfList(
  { schema, model, sizes }: { schema: GraphQLSchema; model: SchemaModel; sizes: SizesFromAbove },
  type: Holder,
  { name }: GraphQLField<unknown, unknown>,
): { via: Via | undefined; isSizedElsewhere: boolean } | undefined {
  const objects = isObjectType(type)
    ? [type]
    : schema.getPossibleTypes(type).filter((each) => hasNoSize(model.composite(each.name)?.field(name)));
  const isAny = (among: ReadonlySet<string>) => objects.some((each) => among.has(`${each.name}.${name}`));
  // If the schema names a list in `sizedFields`, its authors have considered its size. Such a list
  // is not reported.
  if (!isAny(sizes.unsized) || isAny(sizes.annotated)) return undefined;
  return { via: isAny(sizes.exact) ? viaOf(sizes, objects) : undefined, isSizedElsewhere: isAny(sizes.sized) };
}

/**
 * Returns the fields that return an object with the list and do not size it. Returns undefined if
 * there are none. Also returns undefined if any of them leads to lists whose size a field above
 * sets. An annotation on it would replace that size.
 */
function viaOf(sizes: SizesFromAbove, objects: readonly GraphQLObjectType[]): Via | undefined {
  const fields = new Set(objects.flatMap(({ name }) => [...(sizes.returnedUnsized.get(name) ?? [])]));
  const [first] = fields;
  if (first === undefined || [...fields].some((each) => sizes.handingOn.has(each))) return undefined;
  const more = fields.size - 1;
  return { first, text: more === 0 ? first : `${first} and ${more} more ${more === 1 ? 'field' : 'fields'}` };
}

/** Returns whether nothing but the default list size determines the size of this list. */
export function hasNoSize(field: FieldModel | undefined): boolean {
  if (field === undefined || field.complexity !== undefined) return false;
  return field.fallbackSource === 'fallback' && (field.slicing.length === 0 || field.exactLevels < 0);
}
