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
  /** Annotations that report the mistakes they find. */
  readonly annotations: Annotations;
  /** The same annotations without reports. */
  readonly silent: Annotations;
  readonly defaultListSize: number;
  /** Collector of the lists whose size is a guess. */
  readonly guesses: ReturnType<typeof createListGuesses>;
  readonly report: (coordinate: string, message: string) => void;
  /** Returns the number of mistakes reported up to now. */
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
  /** Fields with a `maxSize` that were checked up to now. */
  readonly bounded: readonly BoundedField[];
}

/** Creates a check of field annotations that also collects the lists whose size is a guess. */
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
    // An argument that may be a filter does not show how many items it selects.
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
    // The size does not count if an author's function prices the list as a whole. Lists below a
    // field that is not a list may still take their size from it.
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
