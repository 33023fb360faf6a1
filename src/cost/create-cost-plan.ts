import { totalActual } from './actual-cost.js';
import type { CompiledOperation } from './compile-operation.js';
import { CostError } from './cost-error.js';
import { createActual, createEstimate, type NumberSource } from './cost-numbers.js';
import type {
  ActualCost,
  BoundPlan,
  CostEstimate,
  CostMeasure,
  CostPlan,
  FieldCost,
  MeasuredCost,
} from './cost-plan.js';
import { estimateFields } from './field-costs.js';
import { finishAmount } from './finish-amount.js';
import { compileFormula } from './formulas.js';
import { readListSize } from './list-size.js';
import { compileMeasure, createFieldMatcher, type FieldMatcher } from './measure.js';
import type { ResolvedProfile, Tariff } from './profile.js';
import type { Program, ProgramInput } from './program.js';
import { findSlicingViolation } from './slicing-violation.js';

export interface CostPlanOptions {
  readonly compiled: CompiledOperation;
  readonly profile: ResolvedProfile;
  readonly minimumCost: number;
}

type Variables = Readonly<Record<string, unknown>> | null | undefined;

/** What all requests with one plan share. */
interface Shared extends CostPlanOptions {
  readonly cost: Program;
  /** The formula of a number that is not always asked for. */
  formula(tariff: Tariff): Program;
  finish(sum: number): number;
}

export function createCostPlan(options: CostPlanOptions): CostPlan {
  const { compiled, profile, minimumCost } = options;
  const { variables, sizeSlots } = compiled;
  const formulas = new Map<Tariff, Program>();
  const shared: Shared = {
    ...options,
    cost: compileFormula(compiled, profile.tariffs),
    formula: (tariff) => {
      const formula = formulas.get(tariff) ?? compileFormula(compiled, [tariff]);
      formulas.set(tariff, formula);
      return formula;
    },
    finish: (sum) => Math.max(minimumCost, profile.finish(finishAmount(sum))),
  };
  let constant: Request | undefined;

  function bind(given: Variables): Request {
    if (variables.names.length === 0) {
      constant ??= read({});
      return constant;
    }
    if (given !== undefined && given !== null && (typeof given !== 'object' || Array.isArray(given))) {
      throw new CostError('BAD_USER_INPUT', 'expected an object of variables');
    }
    return read(given ?? {});
  }

  function read(given: Readonly<Record<string, unknown>>): Request {
    const values = variables.coerce(given);
    const sizes: number[] = [];
    let violated: Set<number> | undefined;
    for (const slot of sizeSlots) {
      const { size, violates } = readListSize(slot.model, slot.sources, values);
      sizes.push(size);
      if (violates) {
        violated ??= new Set();
        violated.add(slot.index);
      }
    }
    if (violated !== undefined || compiled.hasViolation) {
      const error = findSlicingViolation(compiled, values.values, violated ?? new Set());
      if (error) throw error;
    }
    return new Request(shared, { variables: values, sizes });
  }

  return {
    bind,
    estimate: (given) => bind(given).estimate(),
    actual: (given, data, measures) => bind(given).actual(data, measures),
    measure: (matches) => {
      const matcher = createFieldMatcher(matches);
      const measure: CompiledMeasure = {
        matcher,
        program: compileMeasure(compiled, profile.tariffs, matcher),
        estimate: (given) => bind(given).measure(measure),
      };
      return measure;
    },
  };
}

interface CompiledMeasure extends CostMeasure {
  readonly matcher: FieldMatcher;
  readonly program: Program;
}

/** A class, as every request makes one and asks it for little. */
class Request implements BoundPlan, NumberSource {
  readonly #shared: Shared;
  readonly #input: ProgramInput;
  #estimate: CostEstimate | undefined;

  constructor(shared: Shared, input: ProgramInput) {
    this.#shared = shared;
    this.#input = input;
  }

  estimate(): CostEstimate {
    if (this.#estimate === undefined) {
      const cost = this.#shared.finish(this.#shared.cost.run(this.#input)[0]!);
      this.#estimate = createEstimate(this.#shared.profile, cost, this);
    }
    return this.#estimate;
  }

  measure(measure: CostMeasure): MeasuredCost {
    const [cost, calls] = (measure as CompiledMeasure).program.run(this.#input);
    return { cost: finishAmount(cost!), calls: finishAmount(calls!) };
  }

  actual(data: unknown, measures: readonly CostMeasure[] = []): ActualCost {
    const { compiled, profile, finish } = this.#shared;
    const { tariffs } = profile;
    const totals = totalActual(compiled, tariffs, data, this.#input);
    const measured = measures.map((measure) => {
      const { cost, calls } = totals.measure(tariffs, (measure as CompiledMeasure).matcher);
      return { cost: finishAmount(cost), calls: finishAmount(calls) };
    });
    const source = { sum: (tariff: Tariff) => totals.sum([tariff]), fields: () => totals.fields(tariffs) };
    return createActual(profile, finish(totals.sum(tariffs)), source, measured);
  }

  sum(tariff: Tariff): number {
    return this.#shared.formula(tariff).run(this.#input)[0]!;
  }

  fields(): readonly FieldCost[] {
    return estimateFields(this.#shared.compiled, this.#shared.profile.tariffs, this.#input);
  }
}
