import { type GraphQLArgument, type GraphQLInputField, getNullableType, isListType } from 'graphql';
import { MAX_COST } from '../../model/limit-parameters.js';
import {
  type AnnotatedElement,
  type AnnotationSource,
  directivesOf,
  overlayEntry,
  rejectUnknownMembers,
} from './annotation-source.js';

/** Weight of an argument or input field. */
export interface InputWeight {
  readonly weight: number;
  /** Whether the weight applies to each element of the list instead of to the list as a whole. */
  readonly perElement: boolean;
}

const ONLY_INPUTS = 'perElement: expected only on arguments and input fields that take a list: leave perElement out';

/** Members of `@cost` and of `extensions.cost`. */
export const COST_MEMBERS: readonly string[] = ['weight', 'perElement'];

/** Weight as written in the schema or the overlay, before validation. */
interface RawWeight {
  readonly weight?: unknown;
  readonly perElement?: unknown;
}

interface WeightReader {
  /** Returns the weight of a field, or of a type that fields return. */
  weight(element: AnnotatedElement, coordinate: string): number | undefined;
  /**
   * Returns the weight of an argument of a field or directive, or of a field of an input object.
   */
  inputWeight(input: GraphQLArgument | GraphQLInputField, coordinate: string): InputWeight | undefined;
  /** Whether the element has a weight annotation, valid or not. */
  isWeighed(element: AnnotatedElement, coordinate: string): boolean;
}

/**
 * Creates a reader of weights. The overlay takes precedence over `@cost`, which takes precedence
 * over `extensions.cost`.
 */
export function createWeightReader(source: AnnotationSource): WeightReader {
  const { names, reject } = source;

  /**
   * Returns the weight and `perElement` of the first source that has a weight: overlay, directive,
   * extensions.
   */
  function rawWeight(element: AnnotatedElement, coordinate: string): RawWeight {
    const inOverlay = overlayEntry(source, coordinate);
    // An overlay from a JSON file may contain null, which counts as absent.
    if (inOverlay?.cost !== undefined && inOverlay.cost !== null)
      return { weight: inOverlay.cost, perElement: inOverlay.perElement };
    const directive = directivesOf(element, names.cost)[0];
    if (directive !== undefined && directive['weight'] !== undefined && directive['weight'] !== null) return directive;
    return costExtension(element, coordinate);
  }

  /** Returns the content of `extensions.cost`, which is a weight or an object with a weight. */
  function costExtension(element: AnnotatedElement, coordinate: string): RawWeight {
    const value = element.extensions?.['cost'];
    if (typeof value !== 'object' || value === null) return { weight: value };
    rejectUnknownMembers(value, { name: 'cost', known: COST_MEMBERS, coordinate }, source);
    return value;
  }

  function weight(element: AnnotatedElement, coordinate: string): number | undefined {
    const raw = rawWeight(element, coordinate);
    if (raw.perElement !== undefined && readPerElement(raw, coordinate)) reject(coordinate, ONLY_INPUTS);
    return readWeight(raw, coordinate);
  }

  function inputWeight(input: GraphQLArgument | GraphQLInputField, coordinate: string): InputWeight | undefined {
    const raw = rawWeight(input, coordinate);
    const weight = readWeight(raw, coordinate);
    if (weight === undefined) return undefined;
    const perElement = readPerElement(raw, coordinate);
    if (!perElement || isListType(getNullableType(input.type))) return { weight, perElement };
    reject(coordinate, `perElement: ${input.type} is not a list: leave perElement out`);
    return { weight, perElement: false };
  }

  function readWeight({ weight: raw }: RawWeight, coordinate: string): number | undefined {
    if (raw === undefined) return undefined;
    return toWeight(raw) ?? reject(coordinate, `weight: expected a number, got ${JSON.stringify(raw)}`);
  }

  function readPerElement({ perElement = false }: RawWeight, coordinate: string): boolean {
    if (typeof perElement !== 'boolean') {
      reject(coordinate, `perElement: expected true or false, got ${JSON.stringify(perElement)}`);
    }
    return perElement === true;
  }

  return {
    weight,
    inputWeight,
    isWeighed: (element, coordinate) => rawWeight(element, coordinate).weight !== undefined,
  };
}

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Converts a number or a decimal string to a weight, limited to ±`MAX_COST`. Returns undefined for
 * any other value.
 */
export function toWeight(raw: unknown): number | undefined {
  const number =
    typeof raw === 'number' ? raw : typeof raw === 'string' && DECIMAL.test(raw.trim()) ? Number(raw) : Number.NaN;
  if (Number.isNaN(number)) return undefined;
  return Math.min(Math.max(number, -MAX_COST), MAX_COST);
}
