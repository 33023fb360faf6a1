import { type GraphQLField, getNullableType, isListType } from 'graphql';
import { MAX_COST } from '../../model/limit-parameters.js';
import type { ComplexityFunction } from './complexity-function.js';
import { type SizeForm, sizeFormOf, sizingNumber, sizingValueAt } from './size-form-of.js';

interface ComplexityDirective {
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
