import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isUnionType,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import { askEstimators } from '../annotations/ask-estimators.js';
import type { ComplexityFunction, FieldComplexity } from '../annotations/complexity-function.js';
import type { FieldListSize } from '../annotations/merge-list-sizes.js';
import { readSizedFields } from '../annotations/sized-fields.js';
import { defaultText } from './default-text.js';
import { firstOf, inheritedFields, type LocatedField } from './inherited-fields.js';
import { canCost, type InputModel, type InputModels } from './input-model.js';
import { PAGE_FIELDS } from './page-fields.js';
import { readSlicingPaths } from './read-slicing-paths.js';
import type { FieldModel, SizedLists, TypeModel } from './schema-model.js';

/** Annotations of a schema, and settings that also affect the prices of its fields. */
export interface FieldModelOptions {
  annotations: Annotations;
  defaultListSize: number;
  introspectionListSize: number;
  /** Whether a slicing argument is required if `requireOneSlicingArgument` is absent. */
  requiresSlicing: boolean;
  /**
   * Whether the size that a field sets for a list in its `sizedFields` replaces the size of the
   * list itself. Otherwise the larger size applies.
   */
  pageSizeWins: boolean;
  /**
   * Price of `__schema` and of `__type`, including everything below them. Undefined if they are
   * priced like other fields.
   */
  introspectionPrice: number | undefined;
  /**
   * Estimators for fields that have neither a weight nor a list size annotation. The first number
   * that an estimator returns is the price.
   */
  estimators: readonly ComplexityFunction[];
}

interface FieldModels {
  /** Whether any of the fields that have been read has a price function. */
  readonly hasFunctions: boolean;
  read(owner: TypeModel, definition: GraphQLField<unknown, unknown>): FieldModel;
}

/**
 * Creates a reader that returns the models of fields.
 * @param compositeOf returns the model of an object, interface or union type, and undefined for
 * other types
 */
export function createFieldModels(
  options: FieldModelOptions,
  inputs: InputModels,
  compositeOf: (type: GraphQLNamedType) => TypeModel | undefined,
): FieldModels {
  const { annotations } = options;
  const signatureOf = createFieldSignatures();
  let hasFunctions = false;

  function read(owner: TypeModel, definition: GraphQLField<unknown, unknown>): FieldModel {
    const { name } = definition;
    const isMeta = name.startsWith('__');
    // A field inherits each annotation that it lacks from the first interface that has it.
    // Otherwise its price would depend on whether it is selected on the interface or on the object.
    const selectable = inheritedFields(owner.type, definition);
    const inherited = isMeta ? [] : selectable;
    const { coordinate } = selectable[0]!;
    const sizes = readSizes(owner, inherited, options);
    const { listSize } = sizes;
    const price = firstOf(
      inherited,
      (field, at) => annotations.weight(field, at) ?? annotations.complexity(field, at, sizes.sizeForFunctions),
    );
    const complexity = complexityOf(typeof price === 'function' ? price : undefined, selectable, options);
    if (complexity !== undefined) hasFunctions = true;
    const flatPrice = isMeta && name !== TypeNameMetaFieldDef.name ? options.introspectionPrice : undefined;
    const weight = flatPrice ?? (typeof price === 'number' ? price : undefined);
    const args = definition.args.map((argument) =>
      withInheritedWeight(inputs.argument(argument, `${coordinate}(${argument.name}:)`), inherited, annotations),
    );
    const named = getNamedType(definition.type);
    // A flat price includes everything below the field.
    const child = flatPrice === undefined ? compositeOf(named) : undefined;
    const leafWeight = child === undefined ? annotations.weight(named, named.name) : undefined;
    const pricedArguments = args.filter(canCost);
    const slicing = listSize === undefined ? [] : readSlicingPaths(listSize, args);
    const listDepth = depthOf(definition.type);
    const field: FieldModel = {
      name,
      owner,
      definition,
      coordinate,
      coordinates: once(() => [coordinate, ...inherited.slice(1).map((each) => each.coordinate)]),
      weight,
      complexity,
      isFree: name === '__typename' || flatPrice === 0,
      arguments: args,
      pricedArguments,
      slicing,
      rejectsSeveral: listSize !== undefined && listSize.requireOneSlicingArgument !== false,
      rejectsNone: (listSize && (listSize.requireOneSlicingArgument ?? options.requiresSlicing)) ?? false,
      pageSizeWins: options.pageSizeWins,
      sizedFields: listSize && sizedListsOf(listSize),
      exactLevels: listSize?.exactLevels ?? Number.POSITIVE_INFINITY,
      isPage: listDepth > 0 && isPage(owner, definition, annotations),
      pageDistance: once(() => (listDepth > 0 || isMeta ? 0 : pageDistanceOf(owner, definition, annotations))),
      isSizeInferred: sizes.isInferred,
      maxSize: sizes.maxSize,
      fallbackSize: listSize?.assumedSize ?? sizes.defaultSize,
      fallbackSource: listSize?.assumedSize === undefined ? 'fallback' : 'assumedSize',
      defaultSize: sizes.defaultSize,
      isDefaultGiven: sizes.isDefaultGiven,
      listDepth,
      innerListSize: Math.min(sizes.defaultSize ** Math.max(0, listDepth - 1), Number.MAX_SAFE_INTEGER),
      child,
      leafWeight,
      isBare:
        child === undefined &&
        price === undefined &&
        complexity === undefined &&
        flatPrice === undefined &&
        leafWeight === undefined &&
        pricedArguments.length === 0 &&
        slicing.length === 0,
      compiled: { mark: 0, plain: undefined },
      signature: once(() => signatureOf(field, listSize)),
    };
    return field;
  }

  return {
    get hasFunctions() {
      return hasFunctions;
    },
    read,
  };
}

/** Returns the argument, with the weight from an interface if the argument itself has no weight. */
function withInheritedWeight(
  argument: InputModel,
  inherited: readonly LocatedField[],
  annotations: Annotations,
): InputModel {
  if (argument.weight !== undefined) return argument;
  const weight = firstOf(inherited, (field, at) => {
    const same = field.args.find((candidate) => candidate.name === argument.name);
    return same && annotations.inputWeight(same, `${at}(${argument.name}:)`);
  });
  return { ...argument, ...weight };
}

function isPage({ type }: TypeModel, definition: GraphQLField<unknown, unknown>, { pages }: Annotations): boolean {
  return !isUnionType(type) && pages?.isPage(type, definition) === true;
}

function pageDistanceOf(
  { type }: TypeModel,
  definition: GraphQLField<unknown, unknown>,
  { pages }: Annotations,
): number {
  return isUnionType(type) ? 0 : (pages?.distance(type, definition) ?? 0);
}

/**
 * Creates a function that returns the same string for fields that cost the same with any selection.
 */
function createFieldSignatures(): (field: FieldModel, listSize: FieldListSize | undefined) => string {
  const functions = new Map<FieldComplexity, number>();

  function functionId(complexity: FieldComplexity): number {
    const id = functions.get(complexity) ?? functions.size + 1;
    functions.set(complexity, id);
    return id;
  }

  return (field, listSize) =>
    JSON.stringify([
      field.weight,
      // A price function receives the object type, so the price may depend on the type.
      field.complexity === undefined ? 0 : [functionId(field.complexity), field.owner.name],
      String(field.definition.type),
      listSize,
      field.maxSize,
      field.fallbackSize,
      field.defaultSize,
      field.isPage,
      field.pageDistance(),
      field.arguments.map((each) => [
        each.name,
        String(each.type),
        each.weight,
        each.perElement,
        defaultText(each.defaultValue),
      ]),
    ]);
}

interface FieldSizes {
  readonly listSize: FieldListSize | undefined;
  /** Whether the list size is inferred from the names of arguments. */
  readonly isInferred: boolean;
  readonly maxSize: number | undefined;
  readonly defaultSize: number;
  readonly isDefaultGiven: boolean;
  /** Size that a price function uses for a list whose size nothing else determines. */
  readonly sizeForFunctions: number;
}

function readSizes(owner: TypeModel, inherited: readonly LocatedField[], options: FieldModelOptions): FieldSizes {
  const { annotations, defaultListSize, introspectionListSize } = options;
  const annotated = firstOf(inherited, (field, at) => annotations.listSize(field, at));
  const listSize: FieldListSize | undefined =
    annotated ?? firstOf(inherited, (field) => annotations.inferredListSize(field));
  const ownDefault = firstOf(inherited, (field, at) => annotations.defaultSize(field, at));
  return {
    listSize,
    isInferred: annotated === undefined && listSize !== undefined,
    maxSize: firstOf(inherited, (field, at) => annotations.maxSize(field, at)),
    defaultSize: ownDefault ?? (isIntrospectionType(owner.type) ? introspectionListSize : defaultListSize),
    isDefaultGiven: ownDefault !== undefined,
    sizeForFunctions: listSize?.assumedSize ?? ownDefault ?? defaultListSize,
  };
}

/**
 * Returns the function that prices a field. Estimators take precedence, except for fields with a
 * weight or list size annotation, because estimators do not read these.
 * @param own price function from the annotations of the field
 */
function complexityOf(
  own: ComplexityFunction | undefined,
  fields: readonly LocatedField[],
  { annotations, estimators, introspectionPrice }: FieldModelOptions,
): FieldComplexity | undefined {
  const { name } = fields[0]!.definition;
  if (estimators.length === 0 || name === TypeNameMetaFieldDef.name) return own;
  if (name.startsWith('__') && introspectionPrice !== undefined) return undefined;
  const isAnnotated = fields.some(
    ({ definition, coordinate }) =>
      annotations.isWeighed(definition, coordinate) || annotations.listSize(definition, coordinate) !== undefined,
  );
  if (isAnnotated) return own;
  return askEstimators({ estimators: own === undefined ? estimators : [...estimators, own], fields });
}

function sizedListsOf({ sizedFields, sizesPages }: FieldListSize): SizedLists | undefined {
  if (sizesPages) return PAGE_FIELDS;
  return sizedFields.length === 0 ? undefined : readSizedFields(sizedFields);
}

function depthOf(type: GraphQLOutputType): number {
  let depth = 0;
  let current = type;
  while (isNonNullType(current) || isListType(current)) {
    if (isListType(current)) depth++;
    current = current.ofType;
  }
  return depth;
}

/** Returns a function that computes its value on the first call. */
function once<T extends {}>(compute: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
