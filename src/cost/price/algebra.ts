import type { ArgumentValue } from '../compile/argument-value.js';
import type { Condition } from '../compile/condition.js';
import type { VariableValues } from '../compile/operation-variables.js';
import type { ListSizeSlot } from '../compile/read-size-sources.js';
import type { InputWeights } from '../schema/input-model.js';

/** Values of one request from which prices are computed. They are read once per request. */
export interface ProgramInput {
  readonly variables: VariableValues;
  /** Sizes of lists, by slot index. */
  readonly sizes: readonly number[];
  /**
   * Context of the request, for price functions of the schema; undefined where a price is computed
   * without a request.
   */
  readonly context: object | undefined;
}

/**
 * Function that prices one field, supplied by the author of the schema. It returns undefined to
 * leave the price to the usual rules.
 */
export type PriceFunction = (childComplexity: number, input: ProgramInput) => number | undefined;

/** A number if it is known, or else the algebra's representation of a value that is still open. */
export type Value<Open> = number | Open;

/**
 * Arithmetic for prices. One algebra computes the numbers of one request, where no value is open.
 * Another writes a formula, in which the values that requests decide stay open. `create-pricing.ts`
 * walks a plan the same way for both.
 *
 * Values stay within `BOUND`.
 */
export interface Algebra<Open> {
  size(size: number | ListSizeSlot): Value<Open>;
  /** Returns 1 if the condition holds, else 0. */
  included(condition: Condition): Value<Open>;
  /** Returns the weight of one argument, for the value that it has. */
  weight(argument: ArgumentValue, weights: InputWeights): Value<Open>;
  /**
   * Returns the price that a price function gives to calls that return such items, or `otherwise`
   * if the function returns none.
   */
  price(price: PriceFunction, item: Value<Open>, otherwise: Value<Open>): Value<Open>;

  sum(left: Value<Open>, right: Value<Open>): Value<Open>;
  /** Returns the sum of a number and open values. */
  total(constant: number, open: readonly Open[]): Value<Open>;
  scale(value: Value<Open>, factor: number): Value<Open>;
  multiply(left: Value<Open>, right: Value<Open>): Value<Open>;
  /** Returns the highest of values that exclude each other. */
  maximum(values: readonly Value<Open>[]): Value<Open>;
  notNegative(value: Value<Open>): Value<Open>;
}

/**
 * Bound of all values. Sums up to it are exact, and the product of two values within it does not
 * overflow. It is far above the largest cost that leaves the engine, so saturation at the bound
 * does not change that cost.
 */
export const BOUND = 2 ** 52;

export function bounded(value: number): number {
  return value > BOUND ? BOUND : value < -BOUND ? -BOUND : value;
}

/** Returns the sum of two values. Most values are known numbers and need no call of the algebra. */
export function sum<Open>(algebra: Algebra<Open>, left: Value<Open>, right: Value<Open>): Value<Open> {
  return typeof left === 'number' && typeof right === 'number' ? bounded(left + right) : algebra.sum(left, right);
}

export function notNegative<Open>(algebra: Algebra<Open>, value: Value<Open>): Value<Open> {
  if (typeof value === 'number') return value < 0 ? 0 : value;
  return algebra.notNegative(value);
}
