import {
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLInt,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isUnionType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import { askEstimators } from '../annotations/ask-estimators.js';
import type { ComplexityFunction, FieldComplexity } from '../annotations/author-function.js';
import type { FieldListSize } from '../annotations/merge-list-sizes.js';
import { readSizedFields } from '../annotations/sized-fields.js';
import { sizeFormOf } from '../annotations/sizing-value.js';
import { createTypeSets } from './create-type-sets.js';
import { canCost, createInputModels, type InputModel } from './input-model.js';
import { PAGE_FIELDS } from './page-fields.js';
import type { FieldModel, SchemaModel, SizedLists, SlicingPath, TypeModel, TypeSet } from './schema-model.js';

interface SchemaModelOptions {
  annotations: Annotations;
  defaultListSize: number;
  introspectionListSize: number;
  /** Whether a slicing argument has to be given also where `requireOneSlicingArgument` is not said. */
  requiresSlicing: boolean;
  /** Whether the size of a page replaces that of a list which it sizes. */
  pageSizeWins: boolean;
  /** What `__schema` and `__type` cost each, with all that is below; undefined: as other fields do. */
  introspectionPrice: number | undefined;
  /** Price what has neither a weight nor a list size of its own; the first number counts. */
  estimators: readonly ComplexityFunction[];
}

/** Prices and sizes of a schema, each type and field read on first use. */
export function createSchemaModel(schema: GraphQLSchema, options: SchemaModelOptions): SchemaModel {
  const { annotations } = options;
  const inputs = createInputModels(annotations);
  const sets = createTypeSets();
  const types = new Map<GraphQLNamedType, TypeModel>();
  const byName = new Map<string, TypeModel>();
  const directives = new Map<string, readonly InputModel[]>();
  const functions = new Map<FieldComplexity, number>();
  let hasFunctions = false;

  function composite(type: GraphQLNamedType | undefined | null): TypeModel | undefined {
    if (!isCompositeType(type)) return undefined;
    const known = types.get(type);
    if (known) return known;
    const fields = new Map<string, FieldModel | undefined>();
    let possible: TypeSet | undefined;
    const model: TypeModel = {
      id: types.size,
      name: type.name,
      type,
      isAbstract: isAbstractType(type),
      weight: isAbstractType(type) ? undefined : annotations.weight(type, type.name),
      get possible() {
        possible ??= isAbstractType(type)
          ? sets.of(schema.getPossibleTypes(type).map((each) => composite(each)!))
          : sets.of([model]);
        return possible;
      },
      field(name) {
        let field = fields.get(name);
        if (field === undefined && !fields.has(name)) {
          const definition = definitionOf(type, name);
          field = definition && readField(model, definition);
          // Names that do not exist come from callers: remembering them would let memory grow.
          if (field) fields.set(name, field);
        }
        return field;
      },
      divisionMark: 0,
    };
    types.set(type, model);
    return model;
  }

  function definitionOf(type: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
    if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
    if (type === schema.getQueryType()) {
      if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
      if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
    }
    if (isUnionType(type)) return undefined;
    const fields = type.getFields();
    return Object.hasOwn(fields, name) ? fields[name] : undefined;
  }

  function readField(owner: TypeModel, definition: GraphQLField<unknown, unknown>): FieldModel {
    const { name } = definition;
    const coordinate = `${owner.name}.${name}`;
    const isMeta = name.startsWith('__');
    // An implementer that is not annotated takes over what the first of its interfaces says: the price of a field must not depend on
    // whether it is selected on the interface or on the object.
    const selectable = inheritedFields(owner, definition);
    const inherited = isMeta ? [] : selectable;
    const annotated = firstOf(inherited, (field, at) => annotations.listSize(field, at));
    const listSize: FieldListSize | undefined =
      annotated ?? firstOf(inherited, (field) => annotations.inferredListSize(field));
    const maxSize = firstOf(inherited, (field, at) => annotations.maxSize(field, at));
    const ownDefault = firstOf(inherited, (field, at) => annotations.defaultSize(field, at));
    const defaultSize =
      ownDefault ?? (isIntrospectionType(owner.type) ? options.introspectionListSize : options.defaultListSize);
    const fallbackSize = listSize?.assumedSize ?? ownDefault ?? options.defaultListSize;
    const price = firstOf(
      inherited,
      (field, at) => annotations.weight(field, at) ?? annotations.complexity(field, at, fallbackSize),
    );
    const complexity = complexityOf(typeof price === 'function' ? price : undefined, selectable);
    if (complexity !== undefined) hasFunctions = true;
    const flatPrice = isMeta && name !== TypeNameMetaFieldDef.name ? options.introspectionPrice : undefined;
    const weight = flatPrice ?? (typeof price === 'number' ? price : undefined);
    const args = definition.args.map((argument) => {
      const model = inputs.argument(argument, `${coordinate}(${argument.name}:)`);
      if (model.weight !== undefined) return model;
      const weight = firstOf(inherited, (field, at) => {
        const same = field.args.find((candidate) => candidate.name === argument.name);
        return same && annotations.inputWeight(same, `${at}(${argument.name}:)`);
      });
      return { ...model, ...weight };
    });
    const named = getNamedType(definition.type);
    // What is below a flat price is not looked at.
    const child = flatPrice === undefined ? composite(named) : undefined;
    const leafWeight = child === undefined ? annotations.weight(named, named.name) : undefined;
    const pricedArguments = args.filter(canCost);
    const slicing = listSize === undefined ? [] : readSlicing(listSize, args);
    const listDepth = depthOf(definition.type);
    let signature: string | undefined;
    let pageDistance: number | undefined;
    let coordinates: readonly string[] | undefined;
    const field: FieldModel = {
      name,
      owner,
      definition,
      coordinate,
      coordinates: () => {
        coordinates ??= [coordinate, ...inherited.slice(1).map((each) => each.coordinate)];
        return coordinates;
      },
      weight,
      complexity,
      isFree: name === '__typename' || flatPrice === 0,
      arguments: args,
      pricedArguments,
      slicing,
      refusesSeveral: listSize !== undefined && listSize.requireOneSlicingArgument !== false,
      refusesNone: (listSize && (listSize.requireOneSlicingArgument ?? options.requiresSlicing)) ?? false,
      pageSizeWins: options.pageSizeWins,
      sizedFields: listSize && sizedListsOf(listSize),
      exactLevels: listSize?.exactLevels ?? Number.POSITIVE_INFINITY,
      isPage: listDepth > 0 && isPage(owner.type, definition),
      pageDistance: () => {
        pageDistance ??= listDepth > 0 || isMeta ? 0 : pageDistanceOf(owner.type, definition);
        return pageDistance;
      },
      isSizeInferred: annotated === undefined && listSize !== undefined,
      maxSize,
      fallbackSize: listSize?.assumedSize ?? defaultSize,
      fallbackSource: listSize?.assumedSize === undefined ? 'fallback' : 'assumedSize',
      defaultSize,
      isDefaultSaid: ownDefault !== undefined,
      listDepth,
      innerListSize: Math.min(defaultSize ** Math.max(0, listDepth - 1), Number.MAX_SAFE_INTEGER),
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
      signature: () => {
        signature ??= JSON.stringify([
          weight,
          // It is told the type, and may ask.
          field.complexity === undefined ? 0 : [functionId(field.complexity), owner.name],
          String(definition.type),
          listSize,
          maxSize,
          field.fallbackSize,
          field.defaultSize,
          field.isPage,
          field.pageDistance(),
          args.map((each) => [
            each.name,
            String(each.type),
            each.weight,
            each.perElement,
            defaultText(each.defaultValue),
          ]),
        ]);
        return signature;
      },
    };
    return field;
  }

  /**
   * Estimators have the first word, but on fields that are annotated for what is more than they know.
   * @param own the function of the field itself
   */
  function complexityOf(own: ComplexityFunction | undefined, fields: readonly Located[]): FieldComplexity | undefined {
    const { name } = fields[0]!.definition;
    if (options.estimators.length === 0 || name === TypeNameMetaFieldDef.name) return own;
    if (name.startsWith('__') && options.introspectionPrice !== undefined) return undefined;
    const isAnnotated = fields.some(
      ({ definition, coordinate }) =>
        annotations.isWeighed(definition, coordinate) || annotations.listSize(definition, coordinate) !== undefined,
    );
    if (isAnnotated) return own;
    const estimators = own === undefined ? options.estimators : [...options.estimators, own];
    return askEstimators({ estimators, fields });
  }

  function isPage(type: GraphQLCompositeType, definition: GraphQLField<unknown, unknown>): boolean {
    return !isUnionType(type) && annotations.pages?.isPage(type, definition) === true;
  }

  function pageDistanceOf(type: GraphQLCompositeType, definition: GraphQLField<unknown, unknown>): number {
    return isUnionType(type) ? 0 : (annotations.pages?.distance(type, definition) ?? 0);
  }

  /** The field itself, then the fields of that name on the interfaces of its type. */
  function inheritedFields({ type }: TypeModel, own: GraphQLField<unknown, unknown>): readonly Located[] {
    const { name } = own;
    const interfaces = isUnionType(type) ? [] : type.getInterfaces();
    const inherited = interfaces.flatMap((each) => {
      const definition = each.getFields()[name];
      return definition === undefined ? [] : [{ definition, type: each, coordinate: `${each.name}.${name}` }];
    });
    return [{ definition: own, type, coordinate: `${type.name}.${name}` }, ...inherited];
  }

  function functionId(complexity: FieldComplexity): number {
    const id = functions.get(complexity) ?? functions.size + 1;
    functions.set(complexity, id);
    return id;
  }

  return {
    schema,
    get hasFunctions() {
      return hasFunctions;
    },
    composite: (name) => {
      const known = byName.get(name);
      if (known) return known;
      const type = composite(schema.getType(name));
      if (type) byName.set(name, type);
      return type;
    },
    root: (operation) => {
      if (operation === 'query') return composite(schema.getQueryType());
      return composite(operation === 'mutation' ? schema.getMutationType() : schema.getSubscriptionType());
    },
    directiveArguments: (name) => {
      const known = directives.get(name);
      if (known) return known;
      const definition = schema.getDirective(name);
      if (!definition) return [];
      const models = definition.args.map((argument) => inputs.argument(argument, `@${name}(${argument.name}:)`));
      const priced = models.filter(canCost);
      directives.set(name, priced);
      return priced;
    },
  };
}

interface Located {
  definition: GraphQLField<unknown, unknown>;
  type: GraphQLCompositeType;
  coordinate: string;
}

function firstOf<T>(
  fields: readonly Located[],
  read: (definition: GraphQLField<unknown, unknown>, coordinate: string) => T | undefined,
): T | undefined {
  for (const { definition, coordinate } of fields) {
    const value = read(definition, coordinate);
    if (value !== undefined) return value;
  }
  return undefined;
}

function sizedListsOf({ sizedFields, sizesPages }: FieldListSize): SizedLists | undefined {
  if (sizesPages) return PAGE_FIELDS;
  return sizedFields.length === 0 ? undefined : readSizedFields(sizedFields);
}

/** Paths that name no argument are mistakes of the schema, reported by its check, and give no size. */
function readSlicing(listSize: FieldListSize, args: readonly InputModel[]): SlicingPath[] {
  return listSize.slicingArguments.flatMap((path) => {
    const [name, ...below] = path.split('.');
    const argument = args.find((each) => each.name === name);
    if (argument === undefined) return [];
    const isPlainInt =
      below.length === 0 && getNullableType(argument.type) === GraphQLInt && (listSize.exactLevels ?? 0) >= 0;
    const form = sizeFormOf(argument.type, below);
    const valueWhenNegative = inputAt(argument, below)?.defaultValue;
    return [{ argument, below, form, hasDefault: hasDefault(argument, below), valueWhenNegative, isPlainInt }];
  });
}

/** The argument, or the input field that a path leads to. */
function inputAt(argument: InputModel, below: readonly string[]): InputModel | undefined {
  let input: InputModel | undefined = argument;
  for (const name of below) input = input?.object?.fields().find((each) => each.name === name);
  return input;
}

function hasDefault(argument: InputModel, below: readonly string[]): boolean {
  let value = argument.defaultValue;
  let input: InputModel | undefined = argument;
  for (const name of below) {
    input = input?.object?.fields().find((each) => each.name === name);
    const inner: unknown =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
    value = inner ?? input?.defaultValue;
  }
  return value !== undefined && value !== null;
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

/** Equal for equal default values. */
export function defaultText(value: unknown): string {
  return value === undefined
    ? ''
    : (JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? '');
}
