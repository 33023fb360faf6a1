import type { CompiledOperation } from './compile-operation.js';
import { CostError } from './cost-error.js';
import type { BoundPlan, CostEstimate, CostMeasure, CostPlan, FieldCost, MeasuredCost } from './cost-plan.js';
import { estimateFields } from './field-costs.js';
import { finishAmount } from './finish-amount.js';
import { compileFormula } from './formulas.js';
import { readListSize } from './list-size.js';
import { compileMeasure, createFieldMatcher } from './measure.js';
import { FIELD_COST, NODES, REQUESTS, type ResolvedProfile, type Tariff, TYPE_COST } from './profile.js';
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
    measure: (matches) => {
      const program = compileMeasure(compiled, profile.tariffs, createFieldMatcher(matches));
      const measure: CompiledMeasure = {
        program,
        estimate: (given) => bind(given).measure(measure),
      };
      return measure;
    },
  };
}

interface CompiledMeasure extends CostMeasure {
  readonly program: Program;
}

/** A class, as requests make one each and ask it for little. */
class Request implements BoundPlan {
  readonly #shared: Shared;
  readonly #input: ProgramInput;
  #estimate: CostEstimate | undefined;

  constructor(shared: Shared, input: ProgramInput) {
    this.#shared = shared;
    this.#input = input;
  }

  estimate(): CostEstimate {
    if (this.#estimate === undefined) {
      const [sum] = this.#shared.cost.run(this.#input);
      this.#estimate = new Estimate(this.#shared, this.#input, this.#shared.finish(sum!));
    }
    return this.#estimate;
  }

  measure(measure: CostMeasure): MeasuredCost {
    const [cost, calls] = (measure as CompiledMeasure).program.run(this.#input);
    return { cost: finishAmount(cost!), calls: finishAmount(calls!) };
  }
}

/** Only `cost` is worked out for every request. */
class Estimate implements CostEstimate {
  readonly cost: number;
  readonly #shared: Shared;
  readonly #input: ProgramInput;
  #fields: readonly FieldCost[] | undefined;

  constructor(shared: Shared, input: ProgramInput, cost: number) {
    this.cost = cost;
    this.#shared = shared;
    this.#input = input;
  }

  get fields(): readonly FieldCost[] {
    this.#fields ??= estimateFields(this.#shared.compiled, this.#shared.profile.tariffs, this.#input);
    return this.#fields;
  }

  get typeCost(): number {
    return this.#amount(TYPE_COST);
  }

  get fieldCost(): number {
    return this.#amount(FIELD_COST);
  }

  get requests(): number {
    return this.#amount(REQUESTS);
  }

  get nodes(): number {
    return this.#amount(NODES);
  }

  #amount(tariff: Tariff): number {
    return finishAmount(this.#shared.formula(tariff).run(this.#input)[0]!);
  }

  toJSON(): object {
    const { cost, typeCost, fieldCost, fields } = this;
    return { cost, typeCost, fieldCost, fields };
  }
}
