import {
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import { defaultValueOf } from '../values/coerce-input.js';

/** Argument of a field or directive, or field of an input object, with its weight. */
export interface InputModel {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** Coerced default value. Undefined if there is no default. */
  readonly defaultValue: unknown;
  /** Annotated weight. Undefined if the default of the profile applies. */
  readonly weight: number | undefined;
  /** Whether the weight applies to each element of the list instead of to the list as a whole. */
  readonly perElement: boolean;
  /** Input object type of the value or of its elements. */
  readonly object: InputObjectModel | undefined;
}

export interface InputObjectModel {
  readonly name: string;
  /** Returns the input fields. They are read on first use, because input types may be recursive. */
  fields(): readonly InputModel[];
  /**
   * Returns whether any input field that a value of this type can contain has an annotated weight.
   */
  isWeighted(): boolean;
}

export interface InputModels {
  argument(definition: GraphQLArgument, coordinate: string): InputModel;
}

export function createInputModels(annotations: Annotations): InputModels {
  const objects = new Map<GraphQLInputObjectType, InputObjectModel>();
  const weightOf = (...input: Parameters<Annotations['inputWeight']>) => annotations.inputWeight(...input) ?? NO_WEIGHT;

  function objectOf(type: GraphQLInputType): InputObjectModel | undefined {
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return undefined;
    const known = objects.get(named);
    if (known) return known;
    let fields: readonly InputModel[] | undefined;
    let weighted: boolean | undefined;
    const model: InputObjectModel = {
      name: named.name,
      fields: () => {
        fields ??= Object.values(named.getFields()).map((field) => ({
          name: field.name,
          type: field.type,
          defaultValue: defaultValueOf(field),
          ...weightOf(field, `${named.name}.${field.name}`),
          object: objectOf(field.type),
        }));
        return fields;
      },
      isWeighted: () => {
        weighted ??= reachable(model).some((each) => each.fields().some((field) => field.weight !== undefined));
        return weighted;
      },
    };
    objects.set(named, model);
    return model;
  }

  return {
    argument: (definition, coordinate) => ({
      name: definition.name,
      type: definition.type,
      defaultValue: defaultValueOf(definition),
      ...weightOf(definition, coordinate),
      object: objectOf(definition.type),
    }),
  };
}

const NO_WEIGHT = { weight: undefined, perElement: false };

function reachable(start: InputObjectModel): InputObjectModel[] {
  const found = new Set([start]);
  for (const model of found) for (const field of model.fields()) if (field.object) found.add(field.object);
  return [...found];
}

/** Returns whether a value of this argument can have a cost in at least one profile. */
export function canCost(argument: InputModel): boolean {
  return argument.weight !== undefined || argument.object !== undefined;
}

/** Settings of a profile for the weights of arguments and input fields. */
export interface InputWeights {
  /** Weight of one input object whose argument or input field has no weight annotation. */
  readonly inputObjectWeight: number;
  /**
   * Whether each element of a list has the weight of the list's argument or input field. If the
   * weight is annotated, the list itself has it too. A null value has no weight.
   */
  readonly weighsInputItems: boolean;
}

/**
 * Returns the cost of a value: the weight of the argument, plus the weights of the input fields in
 * the value. With `perElement` or `weighsInputItems`, the weight of the argument counts for each
 * element. Input fields always count for each element of a list. The content of custom scalars is
 * ignored.
 */
export function weighInput(input: InputModel, value: unknown, weights: InputWeights): number {
  if (input.perElement) {
    const own = (input.weight ?? 0) * countElements(input.type, value);
    return input.object === undefined ? own : own + weighFields(input.object, value, weights);
  }
  if (weights.weighsInputItems) return weighItems(input, input.type, value, weights);
  const { inputObjectWeight } = weights;
  const own = input.weight ?? (input.object === undefined ? 0 : inputObjectWeight);
  if (input.object === undefined || (inputObjectWeight === 0 && !input.object.isWeighted())) return own;
  return own + weighFields(input.object, value, weights);
}

/**
 * Counts the elements of a list. For a list of lists, it counts the elements of the inner lists. A
 * null element or an empty inner list counts as one, because the API has to process it.
 */
function countElements(type: GraphQLInputType, value: unknown): number {
  const nullable = getNullableType(type);
  if (!isListType(nullable) || !Array.isArray(value)) return value === null ? 0 : 1;
  let count = 0;
  for (const element of value) count += Math.max(1, countElements(nullable.ofType, element));
  return count;
}

/**
 * Returns the cost of a value with `weighsInputItems`. Whether the value is a list depends on the
 * type, because the value of a custom scalar may be an array too.
 */
function weighItems(input: InputModel, type: GraphQLInputType, value: unknown, weights: InputWeights): number {
  if (value === null) return 0;
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value)) {
    let sum = input.weight ?? 0;
    for (const element of value) sum += weighItems(input, nullable.ofType, element, weights);
    return sum;
  }
  if (input.object === undefined) return input.weight ?? 0;
  return (input.weight ?? weights.inputObjectWeight) + weighFields(input.object, value, weights);
}

function weighFields(object: InputObjectModel, value: unknown, weights: InputWeights): number {
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  if (Array.isArray(value)) {
    for (const element of value) sum += weighFields(object, element, weights);
    return sum;
  }
  for (const field of object.fields()) {
    if (!Object.hasOwn(value, field.name)) continue;
    const inner = (value as Record<string, unknown>)[field.name];
    if (inner !== undefined) sum += weighInput(field, inner, weights);
  }
  return sum;
}
