import { type GraphQLField, getNullableType, isListType } from 'graphql';
import { MAX_COST } from '../../model/limit-parameters.js';
import type { ComplexityFunction } from './complexity-function.js';
import { type SizeForm, sizeFormOf, sizingNumber, sizingValueAt } from './size-form-of.js';

interface ComplexityDirective {
  /** Number that is added to the price of one item. */
  readonly value: number;
  /**
   * Arguments, or paths below them, whose values multiply the price. For a list, its length is the
   * factor.
   */
  readonly multipliers: readonly string[];
  readonly field: GraphQLField<unknown, unknown>;
  /** Assumed number of items of a list if no multiplier has a value. */
  readonly fallbackSize: number;
}

/**
 * Returns the price function of `@complexity(value:, multipliers:)`. It computes the same price as
 * graphql-query-complexity, with one exception. If all multipliers of a list are absent or
 * negative, graphql-query-complexity charges for one item, and this function for `fallbackSize`
 * items. Otherwise a caller could request the whole list at the lowest price by omitting the
 * argument.
 */
export function complexityOfDirective(directive: ComplexityDirective): ComplexityFunction {
  const { value, multipliers, field, fallbackSize } = directive;
  const paths = multipliers.map((path): Multiplier => {
    const [name = '', ...below] = path.split('.');
    const argument = field.args.find((each) => each.name === name);
    return { steps: [name, ...below], form: argument === undefined ? 'enum' : sizeFormOf(argument.type, below) };
  });
  const factorWithoutAny = isListType(getNullableType(field.type)) ? fallbackSize : 1;
  return ({ args, childComplexity }) => {
    const given = paths.flatMap((path) => factorOf(args, path) ?? []);
    const factor = given.length === 0 ? factorWithoutAny : given.reduce((product, each) => product * each, 1);
    return (value + childComplexity) * factor;
  };
}

interface Multiplier {
  readonly steps: readonly string[];
  readonly form: SizeForm;
}

function factorOf(args: Readonly<Record<string, unknown>>, { steps, form }: Multiplier): number | undefined {
  const factor = sizingNumber(sizingValueAt(args, steps), form);
  return factor !== undefined && factor >= 0 ? Math.min(factor, MAX_COST) : undefined;
}
