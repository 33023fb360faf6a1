import { type GraphQLSchema, getNamedType, getNullableType, isCompositeType, isListType } from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import { createPageLists } from '../annotations/page-lists.js';
import type { SchemaProblem } from '../annotations/schema-problem.js';
import { findSizeLikeArguments } from '../annotations/size-like-arguments.js';
import type { SizingArgument } from '../annotations/sizing-arguments.js';
import type { SchemaModel } from '../schema/schema-model.js';
import { allFields } from './all-fields.js';
import { isAlwaysGiven } from './create-list-guesses.js';
import type { Holder } from './fields-of-name.js';
import { namesOfSized } from './lists-below.js';
import { annotationText, entryOf, suggestedSize } from './suggested-size.js';

interface SizeLikeFieldsOptions {
  readonly schema: GraphQLSchema;
  readonly model: SchemaModel;
  readonly annotations: Annotations;
  readonly excluded: ReadonlySet<SizingArgument>;
  readonly defaultListSize: number;
  readonly requiresSlicing: boolean;
}

/**
 * Returns a warning for each field whose lists have no known size, although an integer argument of
 * the field looks like that size. A caller could otherwise request any number of items at the price
 * of the default list size.
 */
export function findSizeLikeFields({ schema, model, annotations, ...options }: SizeLikeFieldsOptions): SchemaProblem[] {
  const { excluded, defaultListSize, requiresSlicing } = options;
  const mutations = schema.getMutationType();
  const isAnnotated = (holder: Holder, { name }: { readonly name: string }): boolean =>
    [holder, ...holder.getInterfaces()].some((each) => {
      const field = each.getFields()[name];
      return field !== undefined && annotations.listSize(field, `${each.name}.${name}`) !== undefined;
    });
  // If page lists are not inferred, they are found here, because the suggested annotation has to
  // name them.
  const pages = annotations.pages ?? createPageLists({ schema, isAnnotated, hasSizingArguments: () => false });

  return allFields(schema).flatMap(({ type, field, coordinate }): SchemaProblem[] => {
    if (field.args.length === 0 || !isCompositeType(getNamedType(field.type))) return [];
    if (annotations.inferredListSize(field) !== undefined || isAnnotated(type, field)) return [];
    // The warning about the interface is enough, because an annotation there applies to this field.
    if (type.getInterfaces().some((each) => each.getFields()[field.name] !== undefined)) return [];
    if (model.composite(type.name)?.field(field.name)?.complexity !== undefined) return [];
    const slicingArguments = findSizeLikeArguments(field, { excluded, isMutation: type === mutations });
    if (slicingArguments.length === 0) return [];
    const isList = isListType(getNullableType(field.type));
    const sizedFields = isList ? [] : namesOfSized({ pages }, field, { sizedFields: [], sizesPages: true });
    if (!isList && sizedFields.length === 0) return [];
    const isGiven = slicingArguments.some((path) => isAlwaysGiven(field.args, path.split('.')));
    const assumedSize = isGiven ? undefined : defaultListSize;
    const size = suggestedSize({ slicingArguments, sizedFields }, { assumedSize, requiresSlicing });
    const names = slicingArguments.join(', ');
    const looks =
      slicingArguments.length === 1
        ? 'looks like a list size, but the price does not depend on it'
        : 'look like list sizes, but the price does not depend on them';
    return [
      {
        severity: 'warning',
        coordinate,
        message: `${names} ${looks}; add ${annotationText(size)}`,
        entry: entryOf(coordinate, size),
      },
    ];
  });
}
