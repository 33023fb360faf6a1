import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { type AnnotationsOptions, createAnnotations, type SchemaProblem } from '../annotations/annotations.js';
import { findPathMistake } from '../annotations/find-path-mistake.js';
import type { FieldListSize, ListSize } from '../annotations/merge-list-sizes.js';
import { readSizedFields, type SizedFields } from '../annotations/sized-fields.js';
import type { ExpandedOverlay } from '../overlay/expand-overlay.js';
import { meantCoordinate } from '../overlay/meant-coordinate.js';
import type { SchemaModel } from '../schema/schema-model.js';
import type { Tariff } from '../settings/profile.js';
import { checkMaxSize, type MaxSizeCheck } from './check-max-size.js';
import { createListGuesses, fieldsOfName } from './create-list-guesses.js';
import { findSizedLists } from './find-sized-lists.js';
import { findUnpricedSizes } from './find-unpriced-sizes.js';
import { findUnreadForms } from './find-unread-forms.js';
import type { ListGuess } from './list-guess.js';

interface CheckOptions extends Omit<AnnotationsOptions, 'report' | 'overlay'> {
  overlay: ExpandedOverlay;
  /** Builds the model of the schema with these prices. */
  modelOf: (prices: ExpandedOverlay['prices']) => SchemaModel;
  tariffs: readonly Tariff[];
  /** What is said of an overlay that does not fit. @default 'error' */
  mistakesOfOverlay: SchemaProblem['severity'] | undefined;
  defaultListSize: number;
  requiresSlicing: boolean;
}

export interface CheckedSchema {
  /**
   * Errors are mistakes. Warnings are the lists that nothing gives a size, first those that never have one, then those that have
   * none while their arguments are left out; then annotations that have no effect: one for each, with its coordinate.
   */
  readonly problems: SchemaProblem[];
  /** Those of the warnings that are about the size of lists. */
  readonly guesses: readonly ListGuess[];
}

/** Reads every annotation of a schema. */
export function checkCostSchema(schema: GraphQLSchema, options: CheckOptions): CheckedSchema {
  const { overlay } = options;
  const { problems, guesses } = findProblems(schema, { ...options, overlay: overlay.prices });
  return { problems: attribute(schema, withoutRepeats(problems, overlay), options), guesses };
}

/** Tells the mistakes of the overlay, which come first, from those of the schema. */
function attribute(schema: GraphQLSchema, found: SchemaProblem[], options: CheckOptions): SchemaProblem[] {
  const { overlay, mistakesOfOverlay: severity = 'error' } = options;
  const isError = (problem: SchemaProblem) => problem.severity === 'error';
  if (overlay.problems.length === 0 && (overlay.keys.size === 0 || !found.some(isError))) return found;
  // What is wrong without the overlay too is a mistake in the schema.
  const idOf = ({ coordinate, message }: SchemaProblem) => `${coordinate}: ${message}`;
  const inSchema = new Set(
    findProblems(schema, { ...options, overlay: {} })
      .problems.filter(isError)
      .map(idOf),
  );
  const ofOverlay = ({ coordinate, message }: SchemaProblem): SchemaProblem => {
    const overlayKey = overlay.keys.get(coordinate) ?? coordinate;
    return { severity, coordinate, message, overlayKey };
  };
  const known = [...overlay.problems, ...found].map((problem) =>
    isError(problem) && !inSchema.has(idOf(problem)) ? ofOverlay(problem) : problem,
  );
  // Mistakes of the overlay come first.
  return [
    ...known.filter(({ overlayKey }) => overlayKey !== undefined),
    ...known.filter(({ overlayKey }) => !overlayKey),
  ];
}

/** Leaves out what the key of an interface causes at its implementers, and is named at the interface already. */
function withoutRepeats(all: readonly SchemaProblem[], { keys }: ExpandedOverlay): SchemaProblem[] {
  const idOf = (coordinate: string, message: string) => `${coordinate}: ${message}`;
  const ids = new Set(all.map(({ coordinate, message }) => idOf(coordinate, message)));
  return all.filter(({ coordinate, message }) => {
    const key = keys.get(coordinate) ?? coordinate;
    return key === coordinate || !ids.has(idOf(key, message));
  });
}

interface FindOptions extends Omit<CheckOptions, 'overlay' | 'mistakesOfOverlay'> {
  overlay: ExpandedOverlay['prices'];
}

function findProblems(schema: GraphQLSchema, options: FindOptions): CheckedSchema {
  const { defaultListSize, requiresSlicing, modelOf, tariffs, ...read } = options;
  const { overlay } = read;
  const problems: SchemaProblem[] = [];
  const report = (problem: SchemaProblem): void => void problems.push(problem);
  const error = (coordinate: string, message: string): void => report({ severity: 'error', coordinate, message });
  const annotations = createAnnotations({ ...read, report });
  const silent = createAnnotations(read);
  const coordinates = new Set<string>();
  const model = modelOf(overlay);
  const sizes = findSizedLists(model);
  const guesses = createListGuesses({ schema, model, annotations: silent, sizes, defaultListSize, requiresSlicing });
  const bounded: (Omit<MaxSizeCheck, 'isSized'> & { coordinate: string; type: Holder })[] = [];

  const weigh = (element: Parameters<typeof annotations.weight>[0], coordinate: string): void => {
    coordinates.add(coordinate);
    annotations.weight(element, coordinate);
  };

  const weighInput = (...[input, coordinate]: Parameters<typeof annotations.inputWeight>): void => {
    coordinates.add(coordinate);
    annotations.inputWeight(input, coordinate);
  };

  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isObjectType(type) || isLeafType(type)) weigh(type, type.name);
    else refuseWeight(type);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) weighInput(field, `${type.name}.${field.name}`);
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) checkField(`${type.name}.${field.name}`, type, field);
  }
  for (const directive of schema.getDirectives()) {
    for (const argument of directive.args) weighInput(argument, `@${directive.name}(${argument.name}:)`);
  }
  for (const coordinate of Object.keys(overlay)) {
    if (coordinates.has(coordinate)) continue;
    error(
      coordinate,
      `the overlay names something that the schema does not have${meantCoordinate(coordinate, coordinates)}`,
    );
  }
  for (const { coordinate, type, ...each } of bounded) {
    const mistake = checkMaxSize({ ...each, isSized: isSizedFromAbove(type, each.field) });
    if (mistake !== undefined) error(coordinate, mistake);
  }
  const found = guesses.all();
  const warnings = found.map(
    ({ coordinate, message }): SchemaProblem => ({ severity: 'warning', coordinate, message }),
  );
  return {
    problems: [
      ...problems,
      ...warnings,
      ...findUnpricedSizes({ schema, model, tariffs, annotations: silent }),
      ...findUnreadForms(schema, options.names),
    ],
    guesses: found,
  };

  function isSizedFromAbove(type: Holder, { name }: GraphQLField<unknown, unknown>): boolean {
    const objects = isObjectType(type) ? [type] : schema.getPossibleTypes(type);
    return objects.some((object) => sizes.sized.has(`${object.name}.${name}`));
  }

  /** A weight that no price takes up would ask for less than its author meant. */
  function refuseWeight(type: GraphQLInterfaceType | GraphQLUnionType | GraphQLInputObjectType): void {
    coordinates.add(type.name);
    if (!annotations.isWeighed(type, type.name)) return;
    if (isInputObjectType(type)) {
      error(type.name, '@cost on an input type counts nowhere: weigh its fields, or the arguments that take it');
      return;
    }
    const kind = isUnionType(type) ? 'a union' : 'an interface';
    error(type.name, `@cost on ${kind} counts nowhere: weigh its object types, or the fields that return it`);
  }

  function checkField(
    coordinate: string,
    type: GraphQLObjectType | GraphQLInterfaceType,
    field: GraphQLField<unknown, unknown>,
  ): void {
    weigh(field, coordinate);
    annotations.complexity(field, coordinate, defaultListSize);
    for (const argument of field.args) weighInput(argument, `${coordinate}(${argument.name}:)`);
    const isList = isListType(getNullableType(field.type));
    const found = problems.length;
    const listSize = annotations.listSize(field, coordinate);
    const inherited = listSize ? undefined : readInherited(type, field);
    const inferred = annotations.inferredListSize(field);
    const maxSize = annotations.maxSize(field, coordinate);
    if (annotations.defaultSize(field, coordinate) !== undefined && !isList) {
      error(coordinate, 'defaultSize on a field that returns no list: put it on the list');
    }
    if (maxSize !== undefined)
      bounded.push({ coordinate, type, field, maxSize, listSize: listSize ?? inherited ?? inferred });
    // Arguments that may be filters leave open how many items they find.
    const isSure = inferred !== undefined && inferred.exactLevels >= 0;
    const counted: FieldListSize | undefined = listSize ?? inherited ?? (isSure ? inferred : undefined);
    const isComposite = isCompositeType(getNamedType(field.type));
    const { multipliers, isComputed } = complexityOf(type, field);
    if (counted === undefined) {
      if (!isList || isComputed || !isComposite) return;
      if (multipliers.length === 0) guesses.addUnsized(coordinate, type, field);
      else if (problems.length === found) {
        guesses.addCounted({ coordinate, type, field, counted: NO_SIZE, multipliers });
      }
      return;
    }
    if (listSize !== undefined) {
      if (!isList && listSize.sizedFields.length === 0) {
        error(coordinate, '@listSize on a field that returns no list and names no sizedFields');
      }
      for (const path of listSize.slicingArguments) {
        const mistake = findPathMistake(field, path, { opensScalars: false });
        if (mistake !== undefined) error(coordinate, `slicingArguments: ${mistake}`);
      }
      checkSizedFields(coordinate, getNamedType(field.type), readSizedFields(listSize.sizedFields));
    }
    if (!isComposite || inherited !== undefined || problems.length > found) return;
    // What an author's function prices whole has no size that counts, but perhaps lists below it that have theirs from it.
    if (isComputed && isList) return;
    guesses.addCounted({ coordinate, type, field, counted, multipliers });
  }

  /** What an implementer takes over of its interfaces is read, and found wanting, there. */
  function readInherited(
    type: GraphQLObjectType | GraphQLInterfaceType,
    { name }: GraphQLField<unknown, unknown>,
  ): ListSize | undefined {
    for (const each of type.getInterfaces()) {
      const field = each.getFields()[name];
      const found = field && silent.listSize(field, `${each.name}.${name}`);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * What prices a field beside its size, its own or that of the first interface which says a price: the multipliers of `@complexity`,
   * or a function of the author's, which says the price of a list as a whole.
   */
  function complexityOf(
    type: GraphQLObjectType | GraphQLInterfaceType,
    { name }: GraphQLField<unknown, unknown>,
  ): { multipliers: readonly string[]; isComputed: boolean } {
    for (const each of [type, ...type.getInterfaces()]) {
      const field = each.getFields()[name];
      const coordinate = `${each.name}.${name}`;
      if (field === undefined) continue;
      if (silent.weight(field, coordinate) !== undefined) break;
      const complexity = silent.complexity(field, coordinate, defaultListSize);
      if (complexity === undefined) continue;
      const multipliers = silent.multipliers(field);
      return { multipliers, isComputed: typeof complexity === 'function' && multipliers.length === 0 };
    }
    return { multipliers: [], isComputed: false };
  }

  function checkSizedFields(coordinate: string, type: GraphQLNamedType, fields: SizedFields): void {
    for (const name of new Set([...fields, ...fields.below.keys()])) {
      const found = fieldsOfName(schema, type, name);
      if (found.length === 0) error(coordinate, `sizedFields: ${type.name} has no field "${name}"`);
      for (const { holder, field } of found) {
        if (fields.has(name) && !isListType(getNullableType(field.type))) {
          error(coordinate, `sizedFields: ${holder.name}.${name} is no list`);
        }
        const below = fields.below.get(name);
        if (below === undefined) continue;
        const own = silent.listSize(field, `${holder.name}.${name}`) ?? silent.inferredListSize(field);
        if (own?.sizedFields.length) {
          error(
            coordinate,
            `sizedFields: ${holder.name}.${name} sizes what is below it by itself: name it there alone`,
          );
        }
        checkSizedFields(coordinate, getNamedType(field.type), below);
      }
    }
  }
}

type Holder = GraphQLObjectType | GraphQLInterfaceType;

const NO_SIZE: ListSize = {
  assumedSize: undefined,
  slicingArguments: [],
  sizedFields: [],
  requireOneSlicingArgument: undefined,
};
