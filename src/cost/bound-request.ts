import type { Amount } from '../model/rule.js';
import type { ResponseTotals } from './actual/actual-totals.js';
import type { ResponseError } from './actual/nulled-positions.js';
import type { CompiledOperation } from './compile/compiled-operation.js';
import type {
  ActualCost,
  AlsoAsked,
  AmountSums,
  BoundPlan,
  CostEstimate,
  CostMeasure,
  CostPlan,
  FieldCost,
  MeasuredCost,
  ResizedPlan,
} from './cost-plan.js';
import { createActual, createEstimate, type NumberSource } from './create-estimate.js';
import { type Explanation, explainOperation } from './explain/explain-operation.js';
import { findMostExpensivePaths, type MostExpensivePath } from './explain/find-most-expensive-paths.js';
import type { OperationOutline } from './explain/outline-operation.js';
import { outlineVariables } from './explain/outline-variables.js';
import type { ProgramInput } from './price/algebra.js';
import type { MeasureFormula } from './price/compile-measure.js';
import type { Program } from './price/finish-program.js';
import { createMostExpensive } from './price/most-expensive.js';
import { RequestPricing } from './price/request-pricing.js';
import type { SizePlace } from './resize/find-size-arguments.js';
import { type SizeArgument, sizeArgumentOf } from './resize/size-argument.js';
import { type ResolvedProfile, type Tariff, tariffsOf } from './settings/cost-profile.js';
import { toTokens } from './values/to-tokens.js';

export interface CompiledMeasure extends CostMeasure {
  readonly tariffs: readonly Tariff[];
  /** Program that computes the cost of the whole operation. */
  readonly whole: Program | undefined;
  readonly formula: MeasureFormula | undefined;
}

/** Result of an execution. */
export interface GivenResponse {
  readonly data: unknown;
  /** Errors of the response. Undefined if there are none. */
  readonly errors: readonly ResponseError[] | undefined;
}

/** Members of a cost plan that `BoundRequest` uses. */
export interface RequestedPlan {
  readonly compiled: CompiledOperation;
  readonly profile: ResolvedProfile;
  /** Arguments that size lists, each with the plan in which its value is a variable. */
  readonly sizePlaces: readonly { readonly place: SizePlace; readonly costPlan: CostPlan }[];
  /** Variables that can affect the price. */
  readonly sizing: OperationOutline['sizing'];
  cost(input: ProgramInput): number;
  /** Converts the sum of the tariffs of the profile to the cost. */
  finish(sum: number): number;
  sum(tariff: Tariff, input: ProgramInput): number;
  fields(input: ProgramInput): readonly FieldCost[];
  amountSums(amounts: readonly Amount[], input: ProgramInput): AmountSums[];
  /**
   * Counts a response and passes the totals to `use`. The totals are valid only while `use` runs.
   */
  total<Result>(response: GivenResponse, input: ProgramInput, use: (totals: ResponseTotals) => Result): Result;
}

/**
 * Cost plan with the variables of one request. It is a class because every request creates one and
 * uses few of its methods. Closures would take memory for each method.
 */
export class BoundRequest implements BoundPlan, NumberSource {
  readonly #plan: RequestedPlan;
  readonly #input: ProgramInput;
  #estimate: CostEstimate | undefined;
  #mostExpensivePaths: readonly MostExpensivePath[] | undefined;

  constructor(plan: RequestedPlan, input: ProgramInput) {
    this.#plan = plan;
    this.#input = input;
  }

  estimate(): CostEstimate {
    if (this.#estimate === undefined) {
      this.#estimate = createEstimate(this.#plan.profile, this.#plan.cost(this.#input), this);
    }
    return this.#estimate;
  }

  measure(measure: CostMeasure): MeasuredCost {
    const { whole, formula } = measure as CompiledMeasure;
    if (formula === undefined) return { cost: toTokens(whole!.run(this.#input)[0]!), calls: 0 };
    const [cost, calls] = formula.program.run(this.#input);
    return { cost: toTokens(cost!), calls: toTokens(calls!) };
  }

  amountSums(amounts: readonly Amount[]): readonly AmountSums[] {
    return this.#plan.amountSums(amounts, this.#input);
  }

  actualAmountSums(
    amounts: readonly Amount[],
    data: unknown,
    errors: readonly ResponseError[] = [],
  ): readonly AmountSums[] {
    const response: GivenResponse = { data, errors: errors.length > 0 ? errors : undefined };
    return this.#plan.total(response, this.#input, (totals) =>
      amounts.map((amount) => {
        const tariffs = tariffsOf(this.#plan.profile, amount);
        return { total: toTokens(totals.sum(tariffs)), fields: totals.fields(tariffs) };
      }),
    );
  }

  actual(data: unknown, measures: readonly CostMeasure[] = [], also?: AlsoAsked): ActualCost {
    const { profile } = this.#plan;
    const { tariffs } = profile;
    const response: GivenResponse = { data, errors: also?.errors?.length ? also.errors : undefined };
    return this.#plan.total(response, this.#input, (totals) => {
      const measured = measures.map((measure) => {
        const { tariffs: asked, formula } = measure as CompiledMeasure;
        if (formula === undefined) return { cost: toTokens(totals.sum(asked)), calls: 0 };
        const { cost, calls } = totals.measure(asked, formula);
        return { cost: toTokens(cost), calls: toTokens(calls) };
      });
      const produced = new Produced(this.#plan, this.#input, response);
      const fieldSums = also?.fieldSums ? totals.fieldSums(tariffs) : undefined;
      return createActual(profile, this.#plan.finish(totals.sum(tariffs)), produced, measured, fieldSums);
    });
  }

  explain(): Explanation {
    const { compiled, profile } = this.#plan;
    return explainOperation({
      compiled,
      tariffs: profile.tariffs,
      cost: this.estimate().cost,
      input: this.#input,
    });
  }

  outlineVariables(): Readonly<Record<string, unknown>> | undefined {
    const { compiled, sizing } = this.#plan;
    return outlineVariables(compiled.variables, this.#input.variables, sizing);
  }

  /**
   * Returns the most expensive paths, and caches them. If the operation has no variables, all its
   * requests share one instance, and so share these paths.
   */
  mostExpensivePaths(): readonly MostExpensivePath[] {
    if (this.#mostExpensivePaths === undefined) {
      const { compiled, profile } = this.#plan;
      const { tariffs } = profile;
      const request = new RequestPricing(this.#input);
      const most = createMostExpensive(tariffs, request);
      this.#mostExpensivePaths = findMostExpensivePaths({
        root: compiled.root,
        tariffs,
        request,
        most,
        count: 3,
      });
    }
    return this.#mostExpensivePaths;
  }

  sizeArguments(): readonly SizeArgument<ResizedPlan>[] {
    const { variables, context } = this.#input;
    const { all } = this.#plan.compiled.variables;
    const given: Record<string, unknown> = Object.create(null);
    for (const one of all) {
      const value = one && variables.raw(one.name);
      if (value !== undefined) given[one!.name] = value;
    }
    return this.#plan.sizePlaces.flatMap(({ place, costPlan }) => {
      const raw = place.literal === undefined ? given[place.variable] : undefined;
      const bind = (changed: typeof given) => ({ costPlan, plan: costPlan.bind(changed, context) });
      return sizeArgumentOf(place, given, { raw, bind }) ?? [];
    });
  }

  sum(tariff: Tariff): number {
    return this.#plan.sum(tariff, this.#input);
  }

  fields(): readonly FieldCost[] {
    return this.#plan.fields(this.#input);
  }
}

/** Numbers of a response that are rarely used. Each method counts the response again. */
class Produced implements NumberSource {
  readonly #plan: RequestedPlan;
  readonly #input: ProgramInput;
  readonly #response: GivenResponse;

  constructor(plan: RequestedPlan, input: ProgramInput, response: GivenResponse) {
    this.#plan = plan;
    this.#input = input;
    this.#response = response;
  }

  sum(tariff: Tariff): number {
    return this.#plan.total(this.#response, this.#input, (totals) => totals.sum([tariff]));
  }

  fields(): readonly FieldCost[] {
    return this.#plan.total(this.#response, this.#input, (totals) => totals.fields(this.#plan.profile.tariffs));
  }
}
