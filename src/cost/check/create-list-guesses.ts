import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import { type FieldListSize, lacksSize } from '../annotations/merge-list-sizes.js';
import { listsErrors } from '../annotations/page-lists.js';
import type { SchemaModel } from '../schema/schema-model.js';
import { defaultValueOf } from '../values/coerce-input.js';
import type { FieldOfType, Holder } from './fields-of-name.js';
import type { SizesFromAbove } from './find-sized-lists.js';
import type { ListGuess, ListPlace } from './list-guess.js';
import { listsBelow, namesOfSized } from './lists-below.js';
import { hasNoSize, reachOfList } from './reach-of-list.js';
import { annotationText, suggestedSize } from './suggested-size.js';

type Field = GraphQLField<unknown, unknown>;

interface ListGuessesOptions {
  readonly schema: GraphQLSchema;
  readonly model: SchemaModel;
  readonly annotations: Annotations;
  readonly sizes: SizesFromAbove;
  readonly defaultListSize: number;
  readonly requiresSlicing: boolean;
}

/**
 * Field with the size that applies to its lists. The size is from the annotation of the field, from
 * that of an interface, or from arguments of the field.
 */
interface CountedField {
  readonly coordinate: string;
  readonly type: Holder;
  readonly field: Field;
  readonly counted: FieldListSize;
  /** Multipliers of `@complexity`. If there are any, the number of items depends on them only. */
  readonly multipliers: readonly string[];
}

/** Lists of a schema that are priced by the default list size. */
interface ListGuesses {
  /**
   * Adds a list that has no annotation and no sizing arguments. Its size is a guess unless fields
   * above it set the size on every path to it.
   */
  addUnsized(coordinate: string, type: Holder, field: Field): void;
  /**
   * Adds a field whose size is from an annotation or from arguments. Its size is a guess if an
   * operation may omit these arguments.
   */
  addCounted(counted: CountedField): void;
  /** Returns all guesses. Lists that never have a size come first. */
  all(): ListGuess[];
}

export function createListGuesses(options: ListGuessesOptions): ListGuesses {
  const { model, annotations, defaultListSize, requiresSlicing } = options;
  const fallback = `the default list size (${defaultListSize}) is used`;
  const suggestion = { assumedSize: defaultListSize, requiresSlicing };
  const always: ListGuess[] = [];
  const sometimes: ListGuess[] = [];

  function addUnsized(coordinate: string, type: Holder, field: Field): void {
    const place = placeOf(type, field);
    const reached = reachOfList(options, type, field);
    if (reached === undefined || isDefaultGiven(place)) return;
    const { via, isSizedElsewhere } = reached;
    const assumed = `assumedSize: ${place.isErrors ? 1 : defaultListSize}`;
    // Do not suggest an annotation on the list itself if it has a size on other paths: the
    // annotation would replace that size.
    const message =
      via === undefined
        ? `this list has no known size: ${fallback}; add @listSize(${assumed}) with its maximum length`
        : `this list has no known size below ${via.text}: ${fallback}; add @listSize(${assumed}, sizedFields: ["${field.name}"]) to ${via.first} with its maximum length`;
    always.push({ coordinate, kind: 'ALWAYS', message, lists: [place], arguments: [], isSizedElsewhere });
  }

  function addCounted(each: CountedField): void {
    const { type, field, counted, multipliers } = each;
    const isList = isListType(getNullableType(field.type));
    if (lacksSize(counted) && multipliers.length === 0) addHalf(each);
    else addAbsence({ ...each, multipliers: isList ? multipliers : [] }, isList ? [placeOf(type, field)] : undefined);
  }

  /**
   * Adds a field whose `@listSize` has neither an `assumedSize` nor `slicingArguments`. Such an
   * annotation disables inference, so the list has no size at all.
   */
  function addHalf({ coordinate, type, field, counted }: CountedField): void {
    const { sizedFields } = counted;
    const isList = isListType(getNullableType(field.type));
    // On a field that is not a list, such an annotation leaves the lists in its `sizedFields`
    // without a size. Lists that have another size are not guesses.
    const lists = isList
      ? [placeOf(type, field)]
      : listsBelow(options, field, counted).filter(isLeftUnsized).map(placeIn);
    if (lists.every(isDefaultGiven)) return;
    if (isList && reachOfList(options, type, field) === undefined) return;
    const slicingArguments = annotations.inferredListSize(field)?.slicingArguments ?? [];
    const whole = annotationText(suggestedSize({ slicingArguments, sizedFields }, suggestion));
    const message = `@listSize has neither an assumedSize nor slicingArguments: ${fallback} in every operation; write ${whole} with the maximum length`;
    always.push({ coordinate, kind: 'ALWAYS', message, lists, arguments: [], isSizedElsewhere: true });
  }

  /**
   * Adds a field whose sizing arguments may all be absent, unless the schema has a size for that
   * case. If `@complexity` has multipliers, these are the sizing arguments.
   */
  function addAbsence({ coordinate, field, counted, multipliers }: CountedField, own: ListPlace[] | undefined): void {
    const { assumedSize, slicingArguments, requireOneSlicingArgument = requiresSlicing } = counted;
    if (assumedSize !== undefined || (slicingArguments.length > 0 && requireOneSlicingArgument)) return;
    const paths = multipliers.length > 0 ? multipliers : slicingArguments;
    if (paths.some((path) => isAlwaysGiven(field.args, path.split('.')))) return;
    const lists = own ?? listsBelow(options, field, counted).map(placeIn);
    if (lists.length > 0 && lists.every(isDefaultGiven)) return;
    const names = paths.join(', ');
    const absent = paths.length === 1 ? `${names} is not` : `none of ${names} is`;
    const size = { ...counted, sizedFields: namesOfSized(annotations, field, counted) };
    const added = annotationText(suggestedSize(size, suggestion));
    const message = `if ${absent} given, ${fallback}; add ${added} with the maximum length in that case`;
    sometimes.push({ coordinate, kind: 'SOMETIMES', message, lists, arguments: paths, isSizedElsewhere: true });
  }

  function isLeftUnsized({ holder, field }: FieldOfType): boolean {
    if (!isCompositeType(getNamedType(field.type))) return false;
    return hasNoSize(model.composite(holder.name)?.field(field.name));
  }

  function isDefaultGiven({ owner, name }: ListPlace): boolean {
    return model.composite(owner)?.field(name)?.isDefaultGiven === true;
  }

  return { addUnsized, addCounted, all: () => [...always, ...sometimes] };
}

function placeIn({ holder, field }: FieldOfType): ListPlace {
  return placeOf(holder, field);
}

function placeOf({ name: owner }: Holder, field: Field): ListPlace {
  return { owner, name: field.name, isErrors: listsErrors(field) };
}

/**
 * Returns whether every operation has a value at the path. Each input of the path must be required.
 * For the last one, a non-null default is enough, although a caller can then still pass null.
 */
export function isAlwaysGiven(
  inputs: readonly (GraphQLArgument | GraphQLInputField)[],
  [name, ...below]: readonly string[],
): boolean {
  const input = inputs.find((each) => each.name === name);
  if (input === undefined) return false;
  const { type } = input;
  const defaultValue = defaultValueOf(input);
  const isRequired = isNonNullType(type);
  if (below.length === 0) return isRequired || (defaultValue !== undefined && defaultValue !== null);
  const object = getNullableType(type);
  return isRequired && isInputObjectType(object) && isAlwaysGiven(Object.values(object.getFields()), below);
}
