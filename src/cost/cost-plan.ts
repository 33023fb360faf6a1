import type { Amount } from '../model/rule.js';
import type { ResponseError } from './actual/nulled-positions.js';
import type { TypedExecution } from './actual/typed-execution.js';
import type { Explanation } from './explain/explain-operation.js';
import type { MostExpensivePath } from './explain/find-most-expensive-paths.js';
import type { FieldCost, FieldSums } from './values/field-cost.js';

export type { FieldCost, FieldSums, ResponseError, TypedExecution };

/** Cost of an operation, in whole tokens. Every number is between 0 and 2^31 - 1. */
export interface CostEstimate {
  readonly cost: number;
  /**
   * Largest number of calls and largest own cost of each field in any response. Computed on first
   * read, like the numbers below.
   */
  readonly fields: readonly FieldCost[];
  /**
   * Type cost of the cost-directives draft, in every profile. `fieldCost` is the field cost of the
   * draft.
   */
  readonly typeCost: number;
  readonly fieldCost: number;
  /**
   * Number of objects that the operation can return. In the profile `github`, number of nodes of
   * its connections.
   */
  readonly nodes: number;
  /** Number of requests that fill every connection. Only in the profile `github`. */
  readonly requests?: number;
}

/** Price of one operation as a formula, which is compiled once and evaluated for each request. */
export interface CostPlan {
  /**
   * Whether exact pricing takes too many steps, so that the prices are upper bounds. They may be
   * above the exact prices but never below. If anything ran, the actual cost equals the estimated
   * cost.
   */
  readonly isUpperBound: boolean;
  /** Whether functions of the schema or of estimators affect the price. */
  readonly asksFunctions: boolean;
  /**
   * Number of steps that the compilation took. A walk over the plan takes time in proportion to it.
   */
  readonly steps: number;
  /**
   * Reads the variables once for all calculations of one request.
   * @param variables as the caller sent them
   * @param context of the request, for price functions of the schema.
   * @default an empty one
   * @throws CostError BAD_USER_INPUT for values that their types reject, COST_SLICING_ARGUMENT,
   * MAX_LIST_SIZE_EXCEEDED
   */
  bind(variables?: Readonly<Record<string, unknown>> | null, context?: object): BoundPlan;
  /** `bind(variables).estimate()` */
  estimate(variables?: Readonly<Record<string, unknown>> | null): CostEstimate;
  /** `bind(variables).actual(data, measures, { errors })` */
  actual(
    variables: Readonly<Record<string, unknown>> | null | undefined,
    data: unknown,
    measures?: readonly CostMeasure[],
    errors?: readonly ResponseError[],
  ): ActualCost;
  /**
   * Execution variant that lets `actual` see the types of the returned objects. Undefined if the
   * responses show them anyway. In a normal execution, an object of several possible types costs as
   * much as the most expensive type. It never costs more than the estimate of its position. For
   * limits on fields it counts at that estimate.
   */
  readonly typed: TypedExecution | undefined;
  /** `bind(variables).explain()` */
  explain(variables?: Readonly<Record<string, unknown>> | null): Explanation;
  /** Number of characters of the document as sent. Infinity if unknown. */
  readonly documentLength: number;
  /**
   * Returns the printed operation with the fragments that it uses, without the data of the caller.
   * Texts become empty and numbers 0, unless they size a list; comments are removed. Names that
   * clients choose, enum values and Booleans stay. Takes as long as printing the document.
   */
  outline(): string;
  /**
   * Compiles the measure for a limit on some fields. A field of an object also matches by its
   * coordinates on the interfaces of that object, so that no selection of it bypasses the limit.
   * @param matches whether a coordinate (`Type.field`) is one of those fields; called now, never
   * later. `OPERATION` is the operation as a whole with its base cost, and no calls
   * @param amount unit of the cost.
   * @default 'COST'
   */
  measure(matches: FieldsOf, amount?: Amount): CostMeasure;
}

export type FieldsOf = ((coordinate: string) => boolean) | 'OPERATION';

/** Plan with the variables of one request. */
export interface BoundPlan {
  /** Returns the largest cost that a response can have. */
  estimate(): CostEstimate;
  measure(measure: CostMeasure): MeasuredCost;
  /**
   * Returns the largest sum in each of the amounts. Each call computes it again, in time that grows
   * with the plan.
   */
  amountSums(amounts: readonly Amount[]): readonly AmountSums[];
  /**
   * Returns the actual sum of a response in each of the amounts. The response is read as by
   * `actual`.
   */
  actualAmountSums(amounts: readonly Amount[], data: unknown, errors?: readonly ResponseError[]): readonly AmountSums[];
  /**
   * Returns the actual cost of a response. One pass over the response computes the cost, the
   * measures and, if requested, `fieldSums`. The other numbers are computed on read, from the
   * response at that time.
   *
   * A position that an error made null counts at its estimate in every number, because the response
   * no longer shows what ran there. The paths of `also.errors` lead to such positions. An error
   * without a path, or with a path that does not lead to a null, keeps the whole estimate.
   * `data: null` does so too. If `data` is undefined, nothing has run. Errors never raise a number
   * above its estimate.
   */
  actual(data: unknown, measures?: readonly CostMeasure[], also?: AlsoAsked): ActualCost;
  /** Explains the parts of the estimate. */
  explain(): Explanation;
  /**
   * Returns the variables in the same shape with their values removed. Numbers that size a list and
   * the values for `@skip` and `@include` stay. Returns undefined if there are more than a few
   * hundred values.
   */
  outlineVariables(): Readonly<Record<string, unknown>> | undefined;
  /**
   * Returns the three paths with the highest own cost. The time grows with the plan and not with
   * the number of paths.
   */
  mostExpensivePaths(): readonly MostExpensivePath[];
}

export interface AlsoAsked {
  /** Whether to compute `fieldSums`. @default false */
  readonly fieldSums?: boolean | undefined;
  /** Errors of the response. @default none */
  readonly errors?: readonly ResponseError[] | undefined;
}

/** Measure of a limit. It is valid only for the plan that created it. */
export interface CostMeasure {
  estimate(variables?: Readonly<Record<string, unknown>> | null): MeasuredCost;
}

export interface MeasuredCost {
  /**
   * Largest cost, in the requested amount, of the outermost matching fields and everything below
   * them. Each field counts once.
   */
  readonly cost: number;
  /** Largest number of calls of matching fields. */
  readonly calls: number;
}

/** Sum of an operation in one amount, including its base cost. */
export interface AmountSums {
  readonly total: number;
  /** Sums of the fields, each without the selections below it. */
  readonly fields: readonly FieldCost[];
}

export interface ActualCost extends CostEstimate {
  /** Sums by field. Only present if requested. */
  readonly fieldSums?: FieldSums;
  /** Results in the order of the requested measures. */
  readonly measures: readonly MeasuredCost[];
}
