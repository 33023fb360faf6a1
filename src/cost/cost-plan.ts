import type { Amount } from '../model/rule.js';
import type { ResponseError } from './actual/nulled-positions.js';
import type { TypedExecution } from './actual/typed-execution.js';
import type { Explanation } from './explain/explain-operation.js';
import type { MostExpensivePath } from './explain/find-most-expensive-paths.js';
import type { FieldCost, FieldSums } from './values/field-cost.js';

export type { FieldCost, FieldSums, ResponseError, TypedExecution };

/** What an operation costs, in whole tokens; every number lies between 0 and 2^31 - 1. */
export interface CostEstimate {
  readonly cost: number;
  /** Worked out when first read, as are the numbers below. Largest calls and own cost of each field in any response. */
  readonly fields: readonly FieldCost[];
  /** The cost-directives draft's two numbers, whatever the profile. */
  readonly typeCost: number;
  readonly fieldCost: number;
  /** How many objects the operation can return. Profile `github`: the nodes of its connections. */
  readonly nodes: number;
  /** Profile `github`: requests needed to fill every connection. */
  readonly requests?: number;
}

/** The price of one operation as a formula: compiled once, evaluated for each request. */
export interface CostPlan {
  /**
   * Whether the operation takes too many steps to be priced exactly: its prices are then never below the true ones, but may
   * be above them, and what ran costs what was estimated.
   */
  readonly isUpperBound: boolean;
  /** Whether functions of the schema or of estimators have a say in the price. */
  readonly asksFunctions: boolean;
  /** Of work that compiling it took: what walks over the plan takes time in proportion to them. */
  readonly steps: number;
  /**
   * Reads the variables once, for all that is asked about one request.
   * @param variables as the caller sent them
   * @param context of the request, for price functions of the schema. @default an empty one
   * @throws CostError BAD_USER_INPUT for values that their types refuse, COST_SLICING_ARGUMENT, MAX_LIST_SIZE_EXCEEDED
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
   * How to run the operation so that `actual` knows which types came; undefined: its responses tell. Where it is not run
   * like that, an object that could be of several types costs what it would as the most expensive of these, but never more than
   * its position promises; for limits on fields it counts as much as that promises.
   */
  readonly typed: TypedExecution | undefined;
  /** `bind(variables).explain()` */
  explain(variables?: Readonly<Record<string, unknown>> | null): Explanation;
  /** Letters of the document as it was sent; Infinity where that is not known. */
  readonly documentLength: number;
  /**
   * The operation and the fragments that it uses, printed without what its caller has written into it but for what its price is
   * made of: texts are empty and numbers 0, unless they size a list; comments are gone. Names that clients choose, values of
   * enums and Booleans stay. Takes as long as printing the document.
   */
  outline(): string;
  /**
   * Compiles what a limit on some fields counts. A field of an object also goes by its coordinates on the interfaces
   * of that object, so that no way of selecting it passes by the limit.
   * @param matches whether a coordinate (`Type.field`) is one of those fields; called now, never later. `OPERATION`: the
   * operation as a whole, with what it costs before any of its fields, and no calls
   * @param amount what its cost is in. @default 'COST'
   */
  measure(matches: FieldsOf, amount?: Amount): CostMeasure;
}

export type FieldsOf = ((coordinate: string) => boolean) | 'OPERATION';

/** A plan with the variables of one request. */
export interface BoundPlan {
  /** The largest cost that a response can have. */
  estimate(): CostEstimate;
  measure(measure: CostMeasure): MeasuredCost;
  /** What it comes to at most in each of the amounts: worked out each time, in time that grows with the plan. */
  amountSums(amounts: readonly Amount[]): readonly AmountSums[];
  /** What a response came to in them. It is read as by `actual`. */
  actualAmountSums(amounts: readonly Amount[], data: unknown, errors?: readonly ResponseError[]): readonly AmountSums[];
  /**
   * What a response did cost: one pass over it for cost and measures, and for `fieldSums` where that is said. The other
   * numbers are worked out when they are read, from the response as it is then.
   *
   * A position that an error made null counts at its estimate in every number: what ran there is gone from the response.
   * That is found by the paths of `also.errors`. An error without a path, or with one that does not lead to a null,
   * leaves the whole estimate, as `data: null` does; without `data` (undefined) nothing has run. Errors never bring a
   * number above its estimate.
   */
  actual(data: unknown, measures?: readonly CostMeasure[], also?: AlsoAsked): ActualCost;
  /** Why the estimate is what it is. */
  explain(): Explanation;
  /**
   * The variables in the same shape, with nothing as it was sent but numbers that size a list and what `@skip` and `@include`
   * ask for; undefined where there are more than a few hundred values.
   */
  outlineVariables(): Readonly<Record<string, unknown>> | undefined;
  /** The three paths with the highest own cost, in time that grows with the plan and not with the number of paths. */
  mostExpensivePaths(): readonly MostExpensivePath[];
}

export interface AlsoAsked {
  /** Whether `fieldSums` is asked for. @default false */
  readonly fieldSums?: boolean | undefined;
  /** The errors of the response. @default none */
  readonly errors?: readonly ResponseError[] | undefined;
}

/** Made by a plan, and good for that plan only. */
export interface CostMeasure {
  estimate(variables?: Readonly<Record<string, unknown>> | null): MeasuredCost;
}

export interface MeasuredCost {
  /** The largest cost, in the amount asked for, of the outermost matching fields with what is below them, each counted once. */
  readonly cost: number;
  /** The largest number of times that matching fields are resolved. */
  readonly calls: number;
}

/** What an operation comes to in an amount, with what it costs before any of its fields. */
export interface AmountSums {
  readonly total: number;
  /** Each without what is selected below it. */
  readonly fields: readonly FieldCost[];
}

export interface ActualCost extends CostEstimate {
  /** Only where it was asked for. */
  readonly fieldSums?: FieldSums;
  /** In the order of the measures asked for. */
  readonly measures: readonly MeasuredCost[];
}
