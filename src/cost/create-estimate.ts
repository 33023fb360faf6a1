import type { ActualCost, CostEstimate, FieldCost, FieldSums, MeasuredCost } from './cost-plan.js';
import {
  FIELD_COST,
  REQUESTS,
  type ResolvedProfile,
  type Tariff,
  TYPE_COST,
  tariffsOf,
} from './settings/cost-profile.js';
import { toTokens } from './values/to-tokens.js';

/** Source of the numbers that are computed only when they are read. */
export interface NumberSource {
  sum(tariff: Tariff): number;
  fields(): readonly FieldCost[];
}

/** Creates an estimate with a known cost. Its other numbers come from `source`. */
export function createEstimate(profile: ResolvedProfile, cost: number, source: NumberSource): CostEstimate {
  return profile.countsConnections
    ? new ConnectionNumbers(profile, cost, source)
    : new CostNumbers(profile, cost, source);
}

/** Creates an actual cost. The numbers that no other parameter sets come from `source`. */
export function createActual(
  profile: ResolvedProfile,
  cost: number,
  source: NumberSource,
  measures: readonly MeasuredCost[],
  fieldSums: FieldSums | undefined,
): ActualCost {
  const actual = createEstimate(profile, cost, source) as CostEstimate & {
    measures: readonly MeasuredCost[];
    fieldSums?: FieldSums;
  };
  actual.measures = measures;
  if (fieldSums !== undefined) actual.fieldSums = fieldSums;
  return actual;
}

/**
 * Estimate that computes its numbers when they are read. It is a class because most requests read
 * only the cost. Closures would take memory for each number and request.
 */
class CostNumbers implements CostEstimate {
  readonly cost: number;
  readonly #profile: ResolvedProfile;
  readonly #source: NumberSource;
  #fields: readonly FieldCost[] | undefined;

  constructor(profile: ResolvedProfile, cost: number, source: NumberSource) {
    this.cost = cost;
    this.#profile = profile;
    this.#source = source;
  }

  get fields(): readonly FieldCost[] {
    this.#fields ??= this.#source.fields();
    return this.#fields;
  }

  get typeCost(): number {
    return this.amount(TYPE_COST);
  }

  get fieldCost(): number {
    return this.amount(FIELD_COST);
  }

  get nodes(): number {
    return this.amount(tariffsOf(this.#profile, 'NODES')[0]!);
  }

  protected amount(tariff: Tariff): number {
    return toTokens(this.#source.sum(tariff));
  }

  toJSON(): object {
    const { cost, typeCost, fieldCost, fields } = this;
    return { cost, typeCost, fieldCost, fields };
  }
}

class ConnectionNumbers extends CostNumbers {
  get requests(): number {
    return this.amount(REQUESTS);
  }

  override toJSON(): object {
    const { requests, nodes } = this;
    return { ...super.toJSON(), requests, nodes };
  }
}
