import type { ArgumentValue } from '../compile/argument-value.js';
import type { Condition } from '../compile/condition.js';
import type { VariableValues } from '../compile/operation-variables.js';
import type { ListSizeSlot } from '../compile/read-size-sources.js';
import type { InputWeights } from '../schema/input-model.js';

/** Values of one request from which all its prices are computed. */
export interface ProgramInput {
  readonly variables: VariableValues;
  /** Sizes of lists, by slot index. */
  readonly sizes: readonly number[];
  /**
   * Context of the request, for price functions of the schema. Undefined if a price is computed
   * without a request.
   */
  readonly context: object | undefined;
}

/** Price function of one field. If it returns undefined, the other rules determine the price. */
export type PriceFunction = (childComplexity: number, input: ProgramInput) => number | undefined;

/**
 * A number, if the value is known. Otherwise the algebra's representation of a value that depends
 * on the request.
 */
export type Value<Open> = number | Open;

/**
 * Arithmetic for prices, with two implementations. One computes the numbers of one request. The
 * other writes a formula in which values that depend on the request are not known yet (`Open`).
 * `create-pricing.ts` walks a plan in the same way for both.
 *
 * The absolute value of every result is at most `BOUND`.
 */
export interface Algebra<Open> {
  size(size: number | ListSizeSlot): Value<Open>;
  /** Returns 1 if the condition is true, else 0. */
  included(condition: Condition): Value<Open>;
  /** Returns the weight of one argument with its value. */
  weight(argument: ArgumentValue, weights: InputWeights): Value<Open>;
  /**
   * Returns the price that a price function returns for a call whose items cost `item` each.
   * Returns `otherwise` if the function returns no price.
   */
  price(price: PriceFunction, item: Value<Open>, otherwise: Value<Open>): Value<Open>;

  sum(left: Value<Open>, right: Value<Open>): Value<Open>;
  /** Returns the sum of a number and of values that are not known yet. */
  total(constant: number, open: readonly Open[]): Value<Open>;
  scale(value: Value<Open>, factor: number): Value<Open>;
  multiply(left: Value<Open>, right: Value<Open>): Value<Open>;
  /** Returns the highest of the values. */
  maximum(values: readonly Value<Open>[]): Value<Open>;
  notNegative(value: Value<Open>): Value<Open>;
}

/**
 * Bound of all values. Sums up to it are exact, and the product of two such values does not
 * overflow. Values above it are replaced with it. This does not change any resulting cost, because
 * the maximum cost is far below the bound.
 */
export const BOUND = 2 ** 52;

export function bounded(value: number): number {
  return value > BOUND ? BOUND : value < -BOUND ? -BOUND : value;
}

/**
 * Returns the sum of two values. Known numbers, the most common case, need no call of the algebra.
 */
export function sum<Open>(algebra: Algebra<Open>, left: Value<Open>, right: Value<Open>): Value<Open> {
  return typeof left === 'number' && typeof right === 'number' ? bounded(left + right) : algebra.sum(left, right);
}

export function notNegative<Open>(algebra: Algebra<Open>, value: Value<Open>): Value<Open> {
  if (typeof value === 'number') return value < 0 ? 0 : value;
  return algebra.notNegative(value);
}
