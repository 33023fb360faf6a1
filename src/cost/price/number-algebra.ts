import { type ArgumentValue, argumentValue, isConstant } from '../compile/argument-value.js';
import { type Condition, isIncluded } from '../compile/condition.js';
import type { ListSizeSlot } from '../compile/read-size-sources.js';
import { type InputWeights, weighInput } from '../schema/input-model.js';
import { type Algebra, bounded, type PriceFunction, type ProgramInput } from './algebra.js';

/** Algebra that computes numbers with the variables of one request. */
export class NumberAlgebra implements Algebra<never> {
  readonly #input: ProgramInput;
  #conditions: Map<Condition, boolean> | undefined;

  constructor(input: ProgramInput) {
    this.#input = input;
  }

  size(size: number | ListSizeSlot): number {
    return typeof size === 'number' ? size : this.#input.sizes[size.index]!;
  }

  included(condition: Condition): number {
    if (condition.kind === 'always') return 1;
    this.#conditions ??= new Map();
    return isIncluded(condition, this.#input.variables.values, this.#conditions) ? 1 : 0;
  }

  weight(argument: ArgumentValue, weights: InputWeights): number {
    const value = isConstant(argument) ? argument.constant : argumentValue(argument, this.#input.variables);
    return value === undefined ? 0 : weighInput(argument.input, value, weights);
  }

  price(price: PriceFunction, item: number, otherwise: number): number {
    return bounded(price(item, this.#input) ?? otherwise);
  }

  sum(left: number, right: number): number {
    return bounded(left + right);
  }

  total(constant: number): number {
    return bounded(constant);
  }

  scale(value: number, factor: number): number {
    return bounded(value * factor);
  }

  multiply(left: number, right: number): number {
    return bounded(left * right);
  }

  maximum(values: readonly number[]): number {
    let most = Number.NEGATIVE_INFINITY;
    for (const value of values) if (value > most) most = value;
    return most;
  }

  notNegative(value: number): number {
    return value < 0 ? 0 : value;
  }
}
