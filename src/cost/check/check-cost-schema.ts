import {
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLSchema,
  type GraphQLUnionType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { type AnnotationsOptions, createAnnotations } from '../annotations/annotations.js';
import type { SchemaProblem } from '../annotations/schema-problem.js';
import type { ExpandedOverlay } from '../overlay/expand-overlay.js';
import { meantCoordinate } from '../overlay/meant-coordinate.js';
import type { SchemaModel } from '../schema/schema-model.js';
import type { Tariff } from '../settings/cost-profile.js';
import { checkMaxSize } from './check-max-size.js';
import { createFieldCheck } from './create-field-check.js';
import { createListGuesses } from './create-list-guesses.js';
import { findSizeLikeFields } from './find-size-like-fields.js';
import { findSizedLists } from './find-sized-lists.js';
import { findUnpricedSizes } from './find-unpriced-sizes.js';
import { findUnreadForms } from './find-unread-forms.js';
import type { ListGuess } from './list-guess.js';

interface CheckOptions extends Omit<AnnotationsOptions, 'report' | 'overlay'> {
  overlay: ExpandedOverlay;
  /** Builds the model of the schema with these prices. */
  modelOf: (prices: ExpandedOverlay['prices']) => SchemaModel;
  tariffs: readonly Tariff[];
  /** Severity of the mistakes in an overlay. @default 'error' */
  mistakesOfOverlay: SchemaProblem['severity'] | undefined;
  defaultListSize: number;
  requiresSlicing: boolean;
}

export interface CheckedSchema {
  /**
   * Mistakes, followed by warnings. Mistakes have the severity `error`, except mistakes in an
   * overlay, which have the severity `mistakesOfOverlay`. The warnings have this order:
   * - lists that never have a size
   * - lists that have no size if their arguments are absent
   * - arguments that look like list sizes
   * - list arguments whose length has no price
   * - annotations without effect
   */
  readonly problems: SchemaProblem[];
  /** Lists that the warnings about list sizes refer to. */
  readonly guesses: readonly ListGuess[];
}

/** Checks every annotation of a schema and of the overlay. */
export function checkCostSchema(schema: GraphQLSchema, options: CheckOptions): CheckedSchema {
  const { overlay } = options;
  const { problems, guesses } = findProblems(schema, { ...options, overlay: overlay.prices });
  return { problems: attribute(schema, withoutRepeats(problems, overlay), options), guesses };
}

/** Sets the overlay key of the mistakes that the overlay causes, and moves these to the front. */
function attribute(schema: GraphQLSchema, found: SchemaProblem[], options: CheckOptions): SchemaProblem[] {
  const { overlay, mistakesOfOverlay: severity = 'error' } = options;
  const isError = (problem: SchemaProblem) => problem.severity === 'error';
  if (overlay.problems.length === 0 && (overlay.keys.size === 0 || !found.some(isError))) return found;
  // If a mistake also occurs without the overlay, the schema causes it.
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
  return [
    ...known.filter(({ overlayKey }) => overlayKey !== undefined),
    ...known.filter(({ overlayKey }) => !overlayKey),
  ];
}

/**
 * Removes problems on types whose overlay entry was copied from an interface, because the same
 * problem is already reported on the interface.
 */
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
  const model = modelOf(overlay);
  const sizes = findSizedLists(model);
  const guesses = createListGuesses({ schema, model, annotations: silent, sizes, defaultListSize, requiresSlicing });
  const fields = createFieldCheck({
    schema,
    annotations,
    silent,
    defaultListSize,
    guesses,
    report: error,
    countMistakes: () => problems.length,
  });
  /** Coordinates that an overlay may have entries for. */
  const coordinates = new Set<string>();

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
    else {
      coordinates.add(type.name);
      if (annotations.isWeighed(type, type.name)) error(type.name, rejectionOfWeight(type));
    }
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) weighInput(field, `${type.name}.${field.name}`);
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const coordinate = `${type.name}.${field.name}`;
      weigh(field, coordinate);
      for (const argument of field.args) weighInput(argument, `${coordinate}(${argument.name}:)`);
      fields.check(coordinate, type, field);
    }
  }
  for (const directive of schema.getDirectives()) {
    for (const argument of directive.args) weighInput(argument, `@${directive.name}(${argument.name}:)`);
  }
  for (const coordinate of Object.keys(overlay)) {
    if (coordinates.has(coordinate)) continue;
    const meant = meantCoordinate(coordinate, coordinates);
    error(coordinate, `the overlay has a coordinate that the schema does not have${meant}`);
  }
  for (const { coordinate, type, field, ...size } of fields.bounded) {
    const objects = isObjectType(type) ? [type] : schema.getPossibleTypes(type);
    const isSized = objects.some((object) => sizes.sized.has(`${object.name}.${field.name}`));
    const mistake = checkMaxSize({ ...size, field, isSized });
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
      ...findSizeLikeFields({
        schema,
        model,
        annotations: silent,
        excluded: read.inference.excluded,
        defaultListSize,
        requiresSlicing,
      }),
      ...findUnpricedSizes({ schema, model, tariffs, annotations: silent }),
      ...findUnreadForms(schema, options.names),
    ],
    guesses: found,
  };
}

/**
 * Returns the message for a weight on a type where it has no effect. Ignoring such a weight would
 * make operations cheaper than the author intended.
 */
function rejectionOfWeight(type: GraphQLInterfaceType | GraphQLUnionType | GraphQLInputObjectType): string {
  if (isInputObjectType(type)) {
    return '@cost on an input type has no effect: put it on its fields, or on the arguments of this type';
  }
  const kind = isUnionType(type) ? 'a union' : 'an interface';
  return `@cost on ${kind} has no effect: put it on its object types, or on the fields that return it`;
}
