import type { Amount } from '../model/rule.js';
import type { ResponseError } from './actual/nulled-positions.js';
import type { TypedExecution } from './actual/typed-execution.js';
import type { Explanation } from './explain/explain-operation.js';
import type { MostExpensivePath } from './explain/find-most-expensive-paths.js';
import type { SizeArgument } from './resize/size-argument.js';
import type { FieldCost, FieldSums } from './values/field-cost.js';

export type { FieldCost, FieldSums, ResponseError, TypedExecution };

/** Cost of an operation, in whole tokens. Every number is between 0 and 2^31 - 1. */
export interface CostEstimate {
  readonly cost: number;
  /**
   * Largest number of calls of each field in any response, and its largest cost without the
   * selections below it. Like `typeCost`, `fieldCost`, `nodes` and `requests`, it is computed when
   * it is first read.
   */
  readonly fields: readonly FieldCost[];
  /**
   * Type cost as the draft specification of the cost directives defines it, regardless of the
   * profile. `fieldCost` is the field cost of that draft.
   */
  readonly typeCost: number;
  readonly fieldCost: number;
  /**
   * Largest number of objects that the operation can return. In the profile `github`, it is the
   * number of nodes of its connections.
   */
  readonly nodes: number;
  /**
   * Number of requests that are needed to load every connection. One request loads one page of one
   * connection of one object. Present only in the profile `github`.
   */
  readonly requests?: number;
}

/**
 * Price of one operation as a formula of its variables. It is compiled once and evaluated for each
 * request.
 */
export interface CostPlan {
  /**
   * Whether the prices are upper bounds, because exact pricing takes too many steps. They may be
   * above the exact prices but never below. The actual cost of an executed operation is then equal
   * to the estimated cost.
   */
  readonly isUpperBound: boolean;
  /** Whether the price depends on price functions, of the schema or of the option `estimators`. */
  readonly asksFunctions: boolean;
  /**
   * Number of steps that the compilation took. The time to evaluate the plan is proportional to it.
   */
  readonly steps: number;
  /**
   * Reads the variables once for all calculations of one request.
   * @param variables variables as the caller sent them
   * @param context context of the request, for price functions of the schema. Empty if absent
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
   * Execution that makes the types of the returned objects known to `actual`. Undefined if
   * responses show the types anyway, if the types do not affect the cost, or if responses are
   * incremental. Without this execution, an object of unknown type costs as much as the most
   * expensive possible type, up to the estimate of its position. For limits on fields, such an
   * object counts at this estimate.
   */
  readonly typed: TypedExecution | undefined;
  /** `bind(variables).explain()` */
  explain(variables?: Readonly<Record<string, unknown>> | null): Explanation;
  /** Number of characters of the document as sent. Infinity if unknown. */
  readonly documentLength: number;
  /**
   * Returns the text of the operation and its fragments, without the data of the caller. Strings
   * are replaced with empty strings and numbers with 0, unless they size a list. Comments are
   * removed. Names that clients choose, enum values and Booleans remain. The call takes as long as
   * printing the document.
   */
  outline(): string;
  /**
   * Compiles the measure for a limit on some fields. A field also matches by its coordinates on the
   * interfaces of its type. Otherwise a client could bypass the limit by selecting the field on an
   * interface.
   * @param matches returns whether a coordinate (`Type.field`) is one of those fields. It is called
   * only before `measure` returns. The value `OPERATION` measures the cost of the whole operation,
   * including its base cost, and counts no calls
   * @param amount unit of the cost. `COST` if absent
   */
  measure(matches: FieldsOf, amount?: Amount): CostMeasure;
}

/**
 * Fields that a limit counts, as a function of their coordinate; `OPERATION` for the whole
 * operation.
 */
export type FieldsOf = ((coordinate: string) => boolean) | 'OPERATION';

/** Cost plan with the variables of one request. */
export interface BoundPlan {
  /** Returns the largest cost that a response can have. */
  estimate(): CostEstimate;
  measure(measure: CostMeasure): MeasuredCost;
  /**
   * Returns the largest possible sum in each of the amounts, such as `COST` or `NODES`. The result
   * is not cached, and the time is proportional to the size of the plan.
   */
  amountSums(amounts: readonly Amount[]): readonly AmountSums[];
  /**
   * Returns the actual sum of a response in each of the amounts. Errors have the same effect as in
   * `actual`.
   */
  actualAmountSums(amounts: readonly Amount[], data: unknown, errors?: readonly ResponseError[]): readonly AmountSums[];
  /**
   * Returns the actual cost of a response. One pass over the response computes the cost, the
   * measures and, if requested, `fieldSums`. The other numbers are computed when they are read.
   * These other numbers are wrong if the response object has been changed in the meantime.
   *
   * A position that an error set to null counts at its estimate, because the response does not show
   * which resolvers ran there. The paths of `also.errors` lead to such positions. If an error has
   * no path, or its path does not lead to a null, every number is the estimate of the operation.
   * The same is true for `data: null`. If `data` is undefined, nothing has run. Errors never raise
   * a number above its estimate. Only a list that is longer than estimated can do so.
   */
  actual(data: unknown, measures?: readonly CostMeasure[], also?: AlsoAsked): ActualCost;
  /** Returns the estimate, divided among the fields of the operation. */
  explain(): Explanation;
  /**
   * Returns the variables of the request with the data of the caller replaced by placeholders, such
   * as empty strings. Numbers that size a list and the values for `@skip` and `@include` remain.
   * Returns undefined if there are more than 500 values.
   */
  outlineVariables(): Readonly<Record<string, unknown>> | undefined;
  /**
   * Returns the three paths with the highest own cost, which excludes the fields below them. The
   * time is proportional to the size of the plan, and does not depend on the number of paths.
   */
  mostExpensivePaths(): readonly MostExpensivePath[];
  /**
   * Returns the arguments that size lists by a number above 1, at most four. A number in the
   * document is replaced by a variable, for which the operation is compiled a second time. So the
   * numbers of operations with many steps are omitted. Returns none if the price depends on price
   * functions or is an upper bound.
   */
  sizeArguments(): readonly SizeArgument<ResizedPlan>[];
}

/** The plan of a request with another value of a size argument. */
export interface ResizedPlan {
  readonly costPlan: CostPlan;
  readonly plan: BoundPlan;
}

/** Optional arguments of `BoundPlan.actual`. */
export interface AlsoAsked {
  /** Whether to compute `fieldSums`. @default false */
  readonly fieldSums?: boolean | undefined;
  /** Errors of the response. @default none */
  readonly errors?: readonly ResponseError[] | undefined;
}

/**
 * Compiled measure of a limit: the fields that it counts, and the unit. It is valid only for the
 * plan that created it.
 */
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

/** Sum of an operation in one amount, such as `COST` or `NODES`, including its base cost. */
export interface AmountSums {
  readonly total: number;
  /** Sums of the fields, each without the selections below it. */
  readonly fields: readonly FieldCost[];
}

/** Cost of a response. The inherited numbers are those of the response, not maxima. */
export interface ActualCost extends CostEstimate {
  /** Sums by field. Only present if requested. */
  readonly fieldSums?: FieldSums;
  /** Results in the order of the requested measures. */
  readonly measures: readonly MeasuredCost[];
}
