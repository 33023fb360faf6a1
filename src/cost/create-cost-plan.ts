import type { DocumentNode } from 'graphql';
import type { Amount } from '../model/rule.js';
import { ActualTotals, canCost, type ResponseTotals } from './actual/actual-totals.js';
import { createResponseCounter, type ResponseCounter } from './actual/create-response-counter.js';
import { ErroredTotals, type EstimatedTotals } from './actual/errored-totals.js';
import { findNulledPositions, type ResponseError } from './actual/nulled-positions.js';
import { createTypedExecution, type TypedExecution } from './actual/typed-execution.js';
import { BoundRequest, type CompiledMeasure, type GivenResponse, type RequestedPlan } from './bound-request.js';
import type { CompiledOperation, PlanField, PlanGroup, PlanPosition } from './compile/compiled-operation.js';
import { coerceVariables } from './compile/operation-variables.js';
import { type RejectedSlots, readSizes } from './compile/read-sizes.js';
import type { ActualCost, AmountSums, CostEstimate, CostMeasure, CostPlan, FieldCost, FieldsOf } from './cost-plan.js';
import { type Explanation } from './explain/explain-operation.js';
import { type OperationOutline, outlineOperation } from './explain/outline-operation.js';
import { findRejection } from './find-rejection.js';
import type { ProgramInput } from './price/algebra.js';
import { compileFormula } from './price/compile-formula.js';
import { compileMeasure, type MeasureFormula } from './price/compile-measure.js';
import { createFieldEstimates, type FieldEstimates } from './price/field-estimates.js';
import { createFieldMatcher, type FieldMatcher } from './price/field-matcher.js';
import { estimateFields } from './price/field-totals.js';
import type { Program } from './price/finish-program.js';
import { callsFunctions } from './price/price-function-of.js';
import { RequestPricing } from './price/request-pricing.js';
import { findSizeArguments } from './resize/find-size-arguments.js';
import type { SchemaModel } from './schema/schema-model.js';
import { type ResolvedProfile, type Tariff, tariffsOf } from './settings/cost-profile.js';
import { CostError } from './values/cost-error.js';
import { toTokens } from './values/to-tokens.js';

interface CostPlanOptions {
  readonly compiled: CompiledOperation;
  readonly profile: ResolvedProfile;
  readonly minimumCost: number;
  readonly document: DocumentNode;
  readonly model: SchemaModel;
  /** Compiles the only operation of another document for the same schema. */
  readonly compile: (document: DocumentNode) => CostPlan;
}

type SizePlaces = RequestedPlan['sizePlaces'];

/** Maximum number of steps of a plan that is compiled a second time, for its size arguments. */
const MAX_RESIZED_STEPS = 1000;
const NO_PLACES: SizePlaces = [];

type Variables = Readonly<Record<string, unknown>> | null | undefined;

export function createCostPlan(options: CostPlanOptions): CostPlan {
  return new Plan(options);
}

/**
 * Cost plan. It is a class because closures would use memory for each plan, and many plans are used
 * only once.
 */
class Plan implements CostPlan, RequestedPlan {
  readonly compiled: CompiledOperation;
  readonly profile: ResolvedProfile;
  readonly #minimumCost: number;
  readonly #document: DocumentNode;
  readonly #model: SchemaModel;
  readonly #compile: CostPlanOptions['compile'];
  readonly #cost: Program;
  #formulas: Map<Tariff, Program> | undefined;
  #constant: BoundRequest | undefined;
  #callsFunctions: boolean | undefined;
  /**
   * Cached result of `typed`. Null if there is no typed execution; undefined if it has not been
   * computed.
   */
  #typed: TypedExecution | null | undefined;
  #fieldEstimates: FieldEstimates | undefined;
  /** Groups for which a measure counts different fields on different types. */
  #divided: Set<PlanGroup> | undefined;
  /** Cached result of `sizing`. */
  #sizing: OperationOutline['sizing'] | undefined;
  #sizePlaces: SizePlaces | undefined;
  /** Counter for responses. Undefined if none has been created, or while it is in use. */
  #counter: ResponseCounter | undefined;

  constructor({ compiled, profile, minimumCost, document, model, compile }: CostPlanOptions) {
    this.compiled = compiled;
    this.profile = profile;
    this.#minimumCost = minimumCost;
    this.#document = document;
    this.#model = model;
    this.#compile = compile;
    this.#cost = compileFormula(compiled, profile.tariffs);
  }

  bind(given?: Variables, context?: object): BoundRequest {
    if (this.compiled.variables.all.length === 0) {
      if (context !== undefined && this.asksFunctions) return this.#read({}, context);
      this.#constant ??= this.#read({}, undefined);
      return this.#constant;
    }
    if (given !== undefined && given !== null && (typeof given !== 'object' || Array.isArray(given))) {
      throw new CostError('BAD_USER_INPUT', 'expected an object of variables');
    }
    return this.#read(given ?? {}, context);
  }

  /** Whether price functions are called. Two equal requests may then have different prices. */
  get asksFunctions(): boolean {
    const { mayCallFunctions, root } = this.compiled;
    this.#callsFunctions ??= mayCallFunctions && root !== undefined && callsFunctions(root);
    return this.#callsFunctions;
  }

  #read(given: Readonly<Record<string, unknown>>, context: object | undefined): BoundRequest {
    const { compiled } = this;
    const variables = coerceVariables(compiled.variables, given);
    const rejected: RejectedSlots = { unsliced: undefined, tooLarge: undefined };
    const sizes = readSizes(compiled.sizeSlots, variables, rejected);
    if (compiled.hasRejection || rejected.unsliced !== undefined || rejected.tooLarge !== undefined) {
      const error = findRejection(compiled, variables, rejected);
      if (error) throw error;
    }
    return new BoundRequest(this, { variables, sizes, context });
  }

  get isUpperBound(): boolean {
    return this.compiled.isUpperBound;
  }

  get steps(): number {
    return this.compiled.steps;
  }

  get typed(): TypedExecution | undefined {
    if (this.#typed === undefined) {
      const { root, hasChoice } = this.compiled;
      const { schema } = this.#model;
      const isAsked = root !== undefined && (hasChoice || this.#divided !== undefined);
      this.#typed = (isAsked && createTypedExecution(root, this.#document, schema, this.#isDivided)) || null;
    }
    return this.#typed ?? undefined;
  }

  estimate(given?: Variables): CostEstimate {
    return this.bind(given).estimate();
  }

  actual(
    given: Variables,
    data: unknown,
    measures?: readonly CostMeasure[],
    errors?: readonly ResponseError[],
  ): ActualCost {
    return this.bind(given).actual(data, measures, { errors });
  }

  explain(given?: Variables): Explanation {
    return this.bind(given).explain();
  }

  get documentLength(): number {
    const { loc } = this.#document;
    return loc ? loc.end - loc.start : Number.POSITIVE_INFINITY;
  }

  outline(): string {
    const { text, sizing } = outlineOperation({
      model: this.#model,
      document: this.#document,
      operation: this.compiled.operation,
    });
    this.#sizing = sizing;
    return text;
  }

  /** Variables that can affect the price. */
  get sizing(): OperationOutline['sizing'] {
    if (this.#sizing === undefined) this.outline();
    return this.#sizing!;
  }

  get sizePlaces(): SizePlaces {
    this.#sizePlaces ??= this.#findSizePlaces();
    return this.#sizePlaces;
  }

  #findSizePlaces(): SizePlaces {
    const { operation } = this.compiled;
    if (this.isUpperBound || this.asksFunctions) return NO_PLACES;
    const { places, document } = findSizeArguments({ model: this.#model, document: this.#document, operation });
    const resized = document && this.steps <= MAX_RESIZED_STEPS ? this.#compileResized(document) : undefined;
    return places.flatMap((place) => {
      const costPlan = place.literal === undefined ? this : resized;
      return costPlan ? { place, costPlan } : [];
    });
  }

  #compileResized(document: DocumentNode): CostPlan | undefined {
    try {
      const resized = this.#compile(document);
      return resized.isUpperBound ? undefined : resized;
    } catch (error) {
      if (error instanceof CostError) return undefined;
      throw error;
    }
  }

  measure(matches: FieldsOf, amount: Amount = 'COST'): CostMeasure {
    const tariffs = tariffsOf(this.profile, amount);
    const isWhole = matches === 'OPERATION';
    const measure: CompiledMeasure = {
      tariffs,
      whole: isWhole ? compileFormula(this.compiled, tariffs) : undefined,
      formula: isWhole ? undefined : this.#formulaOf(tariffs, createFieldMatcher(matches)),
      estimate: (given) => this.bind(given).measure(measure),
    };
    return measure;
  }

  readonly #isDivided = (group: PlanGroup): boolean => this.#divided?.has(group) ?? false;

  #formulaOf(tariffs: readonly Tariff[], matcher: FieldMatcher): MeasureFormula {
    const program = compileMeasure(this.compiled, tariffs, matcher);
    for (const group of matcher.divided) {
      if (this.#isDivided(group)) continue;
      this.#divided ??= new Set();
      this.#divided.add(group);
      // Discard both caches, because they depend on the divided groups.
      this.#typed = undefined;
      this.#counter = undefined;
    }
    return { matcher, program };
  }

  /** Converts the sum of the tariffs of the profile to the cost. */
  finish(sum: number): number {
    return Math.max(this.#minimumCost, this.profile.finish(toTokens(sum)));
  }

  cost(input: ProgramInput): number {
    return this.finish(this.#cost.run(input)[0]!);
  }

  /**
   * Counts a response and passes the totals to `use`. The totals are valid only while `use` runs.
   */
  total<Result>({ data, errors }: GivenResponse, input: ProgramInput, use: (totals: ResponseTotals) => Result): Result {
    const { compiled } = this;
    const request = new RequestPricing(input);
    if (compiled.root === undefined) return use(new ActualTotals(compiled, undefined, request));
    if (compiled.isUpperBound) return use(this.#upperBoundTotals(data, request, input));
    const counter = this.#counter ?? this.#createCounter(compiled.root, input);
    // While the counter is in use, a price function may compute the cost of another response to the
    // same operation. That computation must use another counter.
    this.#counter = undefined;
    const counts = counter.count(data);
    const produced = new ActualTotals(compiled, counts, request);
    let totals: ResponseTotals = produced;
    const open = counter.open();
    if (errors !== undefined || open !== undefined) {
      // If `data` is null, the response does not show which resolvers ran, so the nulled positions
      // are unknown. If it is undefined, nothing has run, so errors add no cost.
      const sizeOf = ({ size }: PlanField) => request.numbers.size(size);
      const nulled = data === null ? undefined : findNulledPositions(counts, data, errors ?? [], open, sizeOf);
      const paid = nulled && new ActualTotals(compiled, counts, request, nulled);
      if (data !== undefined) totals = new ErroredTotals(produced, paid, this.#estimated(input));
    }
    const result = use(totals);
    if (counter.isReusable()) this.#counter = counter;
    return result;
  }

  /**
   * Returns the totals of a plan whose prices are upper bounds. They are equal to the estimate,
   * because a bound cannot be divided into the costs of single objects. If `data` is undefined,
   * nothing has run, and the totals are 0.
   */
  #upperBoundTotals(data: unknown, request: RequestPricing, input: ProgramInput): ResponseTotals {
    const nothing = new ActualTotals(this.compiled, undefined, request);
    return data === undefined ? nothing : new ErroredTotals(nothing, undefined, this.#estimated(input));
  }

  #estimated(input: ProgramInput): EstimatedTotals {
    const { tariffs } = this.profile;
    return {
      sum: (asked) => {
        if (asked === tariffs) return this.#cost.run(input)[0]!;
        return asked.reduce((sum, tariff) => sum + this.sum(tariff, input), 0);
      },
      fields: (asked) => this.#fieldsBy(asked, input),
      measure: ({ program }) => {
        const [cost, calls] = program.run(input);
        return { cost: cost!, calls: calls! };
      },
    };
  }

  #createCounter(root: PlanPosition, input: ProgramInput): ResponseCounter {
    const { tariffs } = this.profile;
    const isCounted = (field: PlanField): boolean => canCost(field, tariffs);
    const { hasConditions } = this.compiled;
    const { values } = input.variables;
    return createResponseCounter({ root, values, hasConditions, isCounted, isDivided: this.#isDivided });
  }

  fields(input: ProgramInput): readonly FieldCost[] {
    this.#fieldEstimates ??= createFieldEstimates(this.compiled, this.profile.tariffs);
    return this.#fieldEstimates(input);
  }

  amountSums(amounts: readonly Amount[], input: ProgramInput): AmountSums[] {
    return amounts.map((amount) => {
      const tariffs = tariffsOf(this.profile, amount);
      const total = tariffs.reduce((sum, tariff) => sum + this.sum(tariff, input), 0);
      return { total: toTokens(total), fields: this.#fieldsBy(tariffs, input) };
    });
  }

  #fieldsBy(tariffs: readonly Tariff[], input: ProgramInput): readonly FieldCost[] {
    if (tariffs === this.profile.tariffs) return this.fields(input);
    return estimateFields(this.compiled, tariffs, new RequestPricing(input));
  }

  /**
   * Returns the sum of one tariff. Such sums are rarely needed, so their formulas are compiled on
   * first use.
   */
  sum(tariff: Tariff, input: ProgramInput): number {
    this.#formulas ??= new Map();
    const formula = this.#formulas.get(tariff) ?? compileFormula(this.compiled, [tariff]);
    this.#formulas.set(tariff, formula);
    return formula.run(input)[0]!;
  }
}
