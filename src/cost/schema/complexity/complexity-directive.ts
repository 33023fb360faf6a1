import { type GraphQLField, getNullableType, isListType } from 'graphql';
import type { ComplexityFunction } from './author-function.js';

export interface ComplexityDirective {
  /** What is added to the price of one item. */
  readonly value: number;
  /** Arguments, or paths below them, that are multiplied: numbers, or lists by their length. */
  readonly multipliers: readonly string[];
  readonly field: GraphQLField<unknown, unknown>;
  /** How many items a list is taken to have where none of the multipliers is given. */
  readonly fallbackSize: number;
}

/**
 * `@complexity(value:, multipliers:)` as graphql-query-complexity works it out, but for lists whose multipliers are all
 * left out, or below zero: there they count once, and here as often as any list of unknown size, or leaving out an
 * argument would be the cheapest way to ask for everything.
 */
export function complexityOfDirective(directive: ComplexityDirective): ComplexityFunction {
  const { value, multipliers, field, fallbackSize } = directive;
  const paths = multipliers.map((path) => path.split('.'));
  const factorWithoutAny = isListType(getNullableType(field.type)) ? fallbackSize : 1;
  return ({ args, childComplexity }) => {
    const given = paths.flatMap((path) => factorOf(args, path) ?? []);
    const factor = given.length === 0 ? factorWithoutAny : given.reduce((product, each) => product * each, 1);
    return (value + childComplexity) * factor;
  };
}

function factorOf(args: Readonly<Record<string, unknown>>, path: readonly string[]): number | undefined {
  const found = path.reduce<unknown>((value, step) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return isObject ? (value as Record<string, unknown>)[step] : undefined;
  }, args);
  if (Array.isArray(found)) return found.length;
  return typeof found === 'number' && found >= 0 ? found : undefined;
}
