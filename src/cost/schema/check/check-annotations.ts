import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
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
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { defaultValueOf } from '../../input-values.js';
import { type AnnotationsOptions, createAnnotations, type SchemaProblem } from '../annotations.js';
import { type FieldListSize, type ListSize, saysNoSize } from '../merge-list-sizes.js';
import type { ExpandedOverlay } from '../overlay/expand-overlay.js';
import { meantCoordinate } from '../overlay/nearest-coordinate.js';
import { readSizedFields, type SizedFields } from '../sized-fields.js';
import { checkMaxSize, type MaxSizeCheck } from './check-max-size.js';
import { findPathMistake } from './find-path-mistake.js';
import { findUnreadForms } from './find-unread-forms.js';

export interface CheckOptions extends Omit<AnnotationsOptions, 'report' | 'overlay'> {
  overlay: ExpandedOverlay;
  /** What is said of an overlay that does not fit. @default 'error' */
  mistakesOfOverlay: SchemaProblem['severity'] | undefined;
  defaultListSize: number;
  requiresSlicing: boolean;
}

/**
 * Reads every annotation of a schema. Errors are mistakes, and warnings the lists that nothing gives a size, first those
 * that never have one, then those that have none while their arguments are left out, then what is written in a form that is
 * not read: one for each, with its coordinate.
 */
export function checkCostSchema(schema: GraphQLSchema, options: CheckOptions): SchemaProblem[] {
  const { overlay, mistakesOfOverlay: severity = 'error', ...read } = options;
  const all = findProblems(schema, { ...read, overlay: overlay.prices });
  const found = withoutRepeats(all, overlay);
  const isError = (problem: SchemaProblem) => problem.severity === 'error';
  if (overlay.problems.length === 0 && (overlay.keys.size === 0 || !found.some(isError))) return found;
  // What is wrong without the overlay too is a mistake in the schema.
  const idOf = ({ coordinate, message }: SchemaProblem) => `${coordinate}: ${message}`;
  const inSchema = new Set(
    findProblems(schema, { ...read, overlay: {} })
      .filter(isError)
      .map(idOf),
  );
  const ofOverlay = ({ coordinate, message }: SchemaProblem): SchemaProblem => {
    const overlayKey = overlay.keys.get(coordinate) ?? coordinate;
    return { severity, coordinate, message, overlayKey };
  };
  const known = [...overlay.problems, ...found].map((problem) =>
    isError(problem) && !inSchema.has(idOf(problem)) ? ofOverlay(problem) : problem,
  );
  // What is only a guess is told behind what is wrong.
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

function findProblems(schema: GraphQLSchema, options: FindOptions): SchemaProblem[] {
  const { defaultListSize, requiresSlicing, ...read } = options;
  const { overlay } = read;
  const problems: SchemaProblem[] = [];
  const report = (problem: SchemaProblem): void => void problems.push(problem);
  const error = (coordinate: string, message: string): void => report({ severity: 'error', coordinate, message });
  const annotations = createAnnotations({ ...read, report });
  const silent = createAnnotations(read);
  const coordinates = new Set<string>();
  const sized = new Set<string>();
  /** A list of whose size nothing is known is this long. */
  const fallback = `the default list size (${defaultListSize}) counts`;
  const suggestion = { assumedSize: defaultListSize, requiresSlicing };
  const unsized: Pick<SchemaProblem, 'coordinate' | 'message'>[] = [];
  const sometimes: SchemaProblem[] = [];
  const returnedUnsized = findReturnedUnsized();
  const bounded: (Omit<MaxSizeCheck, 'isSized'> & { coordinate: string })[] = [];

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
  for (const { coordinate, ...each } of bounded) {
    const mistake = checkMaxSize({ ...each, isSized: sized.has(coordinate) });
    if (mistake !== undefined) error(coordinate, mistake);
  }
  for (const each of unsized) if (!sized.has(each.coordinate)) report({ severity: 'warning', ...each });
  return [...problems, ...sometimes, ...findUnreadForms(schema, options.names)];

  /** Object types that some field returns without a size for their lists. */
  function findReturnedUnsized(): Set<GraphQLNamedType> {
    const found = new Set<GraphQLNamedType>();
    for (const type of Object.values(schema.getTypeMap())) {
      if (isIntrospectionType(type) || !isObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        if (silent.inferredListSize(field)?.sizesPages) continue;
        const listSize = silent.listSize(field, `${type.name}.${field.name}`) ?? readInherited(type, field);
        if (listSize?.sizedFields.length) continue;
        const named = getNamedType(field.type);
        for (const each of isUnionType(named) || isInterfaceType(named) ? schema.getPossibleTypes(named) : [named]) {
          found.add(each);
        }
      }
    }
    return found;
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
    if (maxSize !== undefined)
      bounded.push({ coordinate, field, maxSize, listSize: listSize ?? inherited ?? inferred });
    // Arguments that may be filters leave open how many items they find.
    const isSure = inferred !== undefined && inferred.exactLevels >= 0;
    const counted: FieldListSize | undefined = listSize ?? inherited ?? (isSure ? inferred : undefined);
    const isComposite = isCompositeType(getNamedType(field.type));
    const { multipliers, isComputed } = complexityOf(type, field);
    if (counted === undefined) {
      if (!isList || isComputed) return;
      if (multipliers.length > 0) {
        if (isComposite && problems.length === found) warnOfAbsence(coordinate, field, { ...NO_SIZE, multipliers });
        return;
      }
      const message = `nothing gives this list a size: ${fallback}; add @listSize(assumedSize: ${defaultListSize}), with the most that it returns`;
      if (isComposite) unsized.push({ coordinate, message });
      return;
    }
    for (const below of sizedLists(field, counted)) sized.add(below.coordinate);
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
    if (saysNoSize(counted) && multipliers.length === 0) warnOfDefault(coordinate, field, counted);
    else warnOfAbsence(coordinate, field, { ...counted, multipliers: isList ? multipliers : [] });
  }

  /** Half of an annotation takes away what would be inferred without it, and leaves the list no size at all. */
  function warnOfDefault(coordinate: string, field: GraphQLField<unknown, unknown>, counted: ListSize): void {
    const { sizedFields } = counted;
    const isList = isListType(getNullableType(field.type));
    // A page without a size leaves its lists their own.
    if (!isList && !sizedLists(field, counted).some(isLeftUnsized)) return;
    const slicingArguments = annotations.inferredListSize(field)?.slicingArguments ?? [];
    const whole = annotationOf({ slicingArguments, sizedFields }, suggestion);
    unsized.push({
      coordinate,
      message: `@listSize has neither an assumedSize nor slicingArguments: ${fallback}, always; write @listSize(${whole}), with the most that it returns`,
    });
  }

  function isLeftUnsized({ coordinate, holder, field }: SizedList): boolean {
    if (!isCompositeType(getNamedType(field.type))) return false;
    const own = silent.listSize(field, coordinate) ?? readInherited(holder, field) ?? silent.inferredListSize(field);
    return own === undefined || saysNoSize(own);
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

  /**
   * Arguments that may all be left out leave a list without a size of which the schema does not say another one. Where there are
   * multipliers, they alone say how often it counts.
   */
  function warnOfAbsence(
    coordinate: string,
    field: GraphQLField<unknown, unknown>,
    counted: FieldListSize & { readonly multipliers: readonly string[] },
  ): void {
    const { assumedSize, slicingArguments, requireOneSlicingArgument = requiresSlicing, multipliers } = counted;
    if (assumedSize !== undefined || (slicingArguments.length > 0 && requireOneSlicingArgument)) return;
    const paths = multipliers.length > 0 ? multipliers : slicingArguments;
    if (paths.some((path) => isAlwaysGiven(field.args, path.split('.')))) return;
    const names = paths.join(', ');
    const absent = paths.length === 1 ? `${names} is not` : `none of ${names} is`;
    const added = annotationOf({ ...counted, sizedFields: namesOfSized(field, counted) }, suggestion);
    sometimes.push({
      severity: 'warning',
      coordinate,
      message: `where ${absent} given, ${fallback}; add @listSize(${added}), with the most that it returns then`,
    });
  }

  function checkSizedFields(coordinate: string, type: GraphQLNamedType, fields: SizedFields): void {
    for (const name of new Set([...fields, ...fields.below.keys()])) {
      const found = fieldsOfName(type, name);
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

  /** The lists that a field sizes, as `sizedFields` would name them. */
  function namesOfSized(
    field: GraphQLField<unknown, unknown>,
    { sizedFields, sizesPages }: FieldListSize,
  ): readonly string[] {
    if (!sizesPages) return sizedFields;
    const paths = silent.pages
      ?.listsOf(getNamedType(field.type))
      .map(({ path }) => path.join(' { ') + ' }'.repeat(path.length - 1));
    return [...new Set(paths)];
  }

  function sizedLists(field: GraphQLField<unknown, unknown>, { sizedFields, sizesPages }: FieldListSize): SizedList[] {
    if (sizesPages) {
      // Lists further down are those of objects that other fields return too.
      const lists = silent.pages?.listsOf(getNamedType(field.type)).filter(({ path }) => path.length === 1) ?? [];
      return lists
        .filter(({ holder }) => !returnedUnsized.has(holder))
        .map((list) => ({ ...list, coordinate: `${list.holder.name}.${list.field.name}` }));
    }
    const found: SizedList[] = [];
    function add(type: GraphQLNamedType, fields: SizedFields): void {
      for (const name of fields) {
        for (const each of fieldsOfName(type, name)) found.push({ ...each, coordinate: `${each.holder.name}.${name}` });
      }
      for (const [name, below] of fields.below) {
        for (const { field: inner } of fieldsOfName(type, name)) add(getNamedType(inner.type), below);
      }
    }
    add(getNamedType(field.type), readSizedFields(sizedFields));
    return found;
  }

  /** On a type, or on the types that a value of it can be. */
  function fieldsOfName(type: GraphQLNamedType, name: string) {
    const holders = isUnionType(type)
      ? type.getTypes()
      : isInterfaceType(type)
        ? [type, ...schema.getPossibleTypes(type)]
        : [type];
    return holders.flatMap((holder) => {
      if (!isObjectType(holder) && !isInterfaceType(holder)) return [];
      const field = holder.getFields()[name];
      return field === undefined ? [] : [{ holder, field }];
    });
  }
}

const NO_SIZE: ListSize = {
  assumedSize: undefined,
  slicingArguments: [],
  sizedFields: [],
  requireOneSlicingArgument: undefined,
};

/** A list that a field above it sizes. */
interface SizedList {
  readonly coordinate: string;
  readonly holder: GraphQLObjectType | GraphQLInterfaceType;
  readonly field: GraphQLField<unknown, unknown>;
}

/** Whether no operation can leave it out: each step is required, or has a default beside which null is possible. */
function isAlwaysGiven(
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

/**
 * The arguments of an annotation that says what is known, and a size beside it. It refuses no call that was right before: by
 * default an annotation takes one argument only, and in some profiles also no call without any.
 */
function annotationOf(
  { slicingArguments, sizedFields }: Pick<ListSize, 'slicingArguments' | 'sizedFields'>,
  { assumedSize, requiresSlicing }: { assumedSize: number; requiresSlicing: boolean },
): string {
  const lists = [
    ['slicingArguments', slicingArguments],
    ['sizedFields', sizedFields],
  ] as const;
  const parts = lists
    .filter(([, names]) => names.length > 0)
    .map(([name, names]) => `${name}: ${JSON.stringify(names)}`);
  const refusesCalls = slicingArguments.length > (requiresSlicing ? 0 : 1);
  return [`assumedSize: ${assumedSize}`, ...parts, ...(refusesCalls ? ['requireOneSlicingArgument: false'] : [])].join(
    ', ',
  );
}
