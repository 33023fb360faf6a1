import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
} from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import { findPathMistake } from '../annotations/find-path-mistake.js';
import type { FieldListSize, ListSize } from '../annotations/merge-list-sizes.js';
import { readSizedFields } from '../annotations/sized-fields.js';
import { checkSizedFields } from './check-sized-fields.js';
import type { createListGuesses } from './create-list-guesses.js';
import type { Holder } from './fields-of-name.js';
import { inheritedComplexity, inheritedListSize } from './inherited-complexity.js';

type Field = GraphQLField<unknown, unknown>;

interface FieldCheckOptions {
  readonly schema: GraphQLSchema;
  /** Annotations whose methods report mistakes. */
  readonly annotations: Annotations;
  /** The same annotations, whose methods report no mistakes. */
  readonly silent: Annotations;
  readonly defaultListSize: number;
  /** Collector of the lists that are priced by the default list size. */
  readonly guesses: ReturnType<typeof createListGuesses>;
  readonly report: (coordinate: string, message: string) => void;
  /** Returns the number of mistakes that have been reported. */
  readonly countMistakes: () => number;
}

/** Field with a `maxSize`, and the size of its list. */
interface BoundedField {
  readonly coordinate: string;
  readonly type: Holder;
  readonly field: Field;
  readonly maxSize: number;
  readonly listSize: FieldListSize | undefined;
}

interface FieldCheck {
  /** Checks the annotations of a field except its weight. */
  check(coordinate: string, type: Holder, field: Field): void;
  /** Fields with a `maxSize`, among those that have been checked. */
  readonly bounded: readonly BoundedField[];
}

/**
 * Creates a check of field annotations. It also collects the lists that are priced by the default
 * list size.
 */
export function createFieldCheck(options: FieldCheckOptions): FieldCheck {
  const { schema, annotations, silent, defaultListSize, guesses, report, countMistakes } = options;
  const bounded: BoundedField[] = [];

  function check(coordinate: string, type: Holder, field: Field): void {
    annotations.complexity(field, coordinate, defaultListSize);
    const isList = isListType(getNullableType(field.type));
    const mistakesBefore = countMistakes();
    const listSize = annotations.listSize(field, coordinate);
    const inherited = listSize ? undefined : inheritedListSize(silent, type, field);
    const inferred = annotations.inferredListSize(field);
    const maxSize = annotations.maxSize(field, coordinate);
    if (annotations.defaultSize(field, coordinate) !== undefined && !isList) {
      report(coordinate, 'defaultSize on a field that returns no list: put it on the list');
    }
    if (maxSize !== undefined) {
      bounded.push({ coordinate, type, field, maxSize, listSize: listSize ?? inherited ?? inferred });
    }
    // The length of an argument that may be a filter does not determine the number of items.
    const isSure = inferred !== undefined && inferred.exactLevels >= 0;
    const counted: FieldListSize | undefined = listSize ?? inherited ?? (isSure ? inferred : undefined);
    const isComposite = isCompositeType(getNamedType(field.type));
    const { multipliers, isComputed } = inheritedComplexity(silent, type, field, defaultListSize);
    if (counted === undefined) {
      if (!isList || isComputed || !isComposite) return;
      if (multipliers.length === 0) guesses.addUnsized(coordinate, type, field);
      else if (countMistakes() === mistakesBefore) {
        guesses.addCounted({ coordinate, type, field, counted: NO_SIZE, multipliers });
      }
      return;
    }
    if (listSize !== undefined) checkListSize(coordinate, field, listSize);
    if (!isComposite || inherited !== undefined || countMistakes() > mistakesBefore) return;
    // If a price function prices the whole list, the price does not depend on the size. A field
    // that is not a list may still size the lists below it.
    if (isComputed && isList) return;
    guesses.addCounted({ coordinate, type, field, counted, multipliers });
  }

  function checkListSize(coordinate: string, field: Field, listSize: ListSize): void {
    if (!isListType(getNullableType(field.type)) && listSize.sizedFields.length === 0) {
      report(coordinate, '@listSize on a field that returns no list and names no sizedFields');
    }
    for (const path of listSize.slicingArguments) {
      const mistake = findPathMistake(field, path, { opensScalars: false });
      if (mistake !== undefined) report(coordinate, `slicingArguments: ${mistake}`);
    }
    const sizedFields = readSizedFields(listSize.sizedFields);
    for (const mistake of checkSizedFields(schema, silent, getNamedType(field.type), sizedFields)) {
      report(coordinate, mistake);
    }
  }

  return { check, bounded };
}

const NO_SIZE: ListSize = {
  assumedSize: undefined,
  slicingArguments: [],
  sizedFields: [],
  requireOneSlicingArgument: undefined,
};
