import type { ArgumentValue } from '../compile/argument-value.js';
import type { Condition } from '../compile/condition.js';
import type { VariableValues } from '../compile/operation-variables.js';
import type { ListSizeSlot } from '../compile/read-size-sources.js';
import type { InputWeights } from '../schema/input-model.js';

/** What prices of one request are worked out from; read once per request. */
export interface ProgramInput {
  readonly variables: VariableValues;
  /** The sizes of lists, by slot. */
  readonly sizes: readonly number[];
  /** Of the request, for functions of the schema's author; undefined where prices are asked for without one. */
  readonly context: object | undefined;
}

/** The price of one field by a function of the schema's author; undefined: it has nothing to say. */
export type PriceFunction = (childComplexity: number, input: ProgramInput) => number | undefined;

/** A number where it is known, else what an algebra has for what is left open. */
export type Value<Open> = number | Open;

/**
 * What prices are worked out with: the numbers of one request, where nothing is open, or a formula that leaves open what
 * requests decide. The walk that prices a plan is written once for both: `price-field.ts`.
 *
 * Values stay within `BOUND`.
 */
export interface Algebra<Open> {
  size(size: number | ListSizeSlot): Value<Open>;
  /** 1 where the condition holds, else 0. */
  included(condition: Condition): Value<Open>;
  /** The weight of one argument, by the value it has. */
  weight(argument: ArgumentValue, weights: InputWeights): Value<Open>;
  /** What a price function says of calls that return such items, or `otherwise` where it says nothing. */
  price(price: PriceFunction, item: Value<Open>, otherwise: Value<Open>): Value<Open>;

  sum(left: Value<Open>, right: Value<Open>): Value<Open>;
  /** Of what happens together: a number, and what is open. */
  total(constant: number, open: readonly Open[]): Value<Open>;
  scale(value: Value<Open>, factor: number): Value<Open>;
  multiply(left: Value<Open>, right: Value<Open>): Value<Open>;
  /** Of what excludes each other. */
  maximum(values: readonly Value<Open>[]): Value<Open>;
  notNegative(value: Value<Open>): Value<Open>;
}

/**
 * Sums stay exact up to this bound and never exceed it, so that no product of two of them overflows. It lies far above
 * the largest cost that leaves the engine, so that saturation here is never seen there.
 */
export const BOUND = 2 ** 52;

export function bounded(value: number): number {
  return value > BOUND ? BOUND : value < -BOUND ? -BOUND : value;
}

/** Most of what is added and multiplied is known beforehand, and asks no algebra. */
export function sum<Open>(algebra: Algebra<Open>, left: Value<Open>, right: Value<Open>): Value<Open> {
  return typeof left === 'number' && typeof right === 'number' ? bounded(left + right) : algebra.sum(left, right);
}

export function notNegative<Open>(algebra: Algebra<Open>, value: Value<Open>): Value<Open> {
  if (typeof value === 'number') return value < 0 ? 0 : value;
  return algebra.notNegative(value);
}
