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

/** An argument of a field or of a directive, or a field of an input object: what its use costs. */
export interface InputModel {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** The value when none is given, coerced; undefined: none. */
  readonly defaultValue: unknown;
  /** As annotated; undefined: the profile's default. */
  readonly weight: number | undefined;
  /** Whether each element of the list has this weight, instead of the list as a whole. */
  readonly perElement: boolean;
  /** The input object type of the value or of its elements. */
  readonly object: InputObjectModel | undefined;
}

export interface InputObjectModel {
  readonly name: string;
  /** Read on first use: input types may be recursive. */
  fields(): readonly InputModel[];
  /** Whether a value of this type can cost anything beyond the profile's defaults. */
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

/** Whether the use of this argument can cost anything in any profile. */
export function canCost(argument: InputModel): boolean {
  return argument.weight !== undefined || argument.object !== undefined;
}

/** How the values of arguments and input fields are weighed. */
export interface InputWeights {
  /** Weight of a use of input object type that is not annotated. */
  readonly inputObjectWeight: number;
  /** Each element of a list is a use by itself, the list one more where it is annotated, and null is none. */
  readonly weighsInputItems: boolean;
}

/**
 * What a present value costs: the weight of the argument, once or for each element, and the weights of the input fields used
 * in it, for each element of a list. Custom scalars are never looked into.
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
 * Counts the elements of a list, and of lists of lists those of the inner ones. An element that is null, or an inner list
 * without elements, counts as one: the API has to look at it.
 */
function countElements(type: GraphQLInputType, value: unknown): number {
  const nullable = getNullableType(type);
  if (!isListType(nullable) || !Array.isArray(value)) return value === null ? 0 : 1;
  let count = 0;
  for (const element of value) count += Math.max(1, countElements(nullable.ofType, element));
  return count;
}

/** By the type rather than the value: what a custom scalar holds may be a list too. */
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
