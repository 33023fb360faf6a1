import {
  type CompiledOperation,
  fieldsOf,
  nameCountOf,
  type PlanField,
  type PlanGroup,
  type PlanPosition,
} from '../compile/compiled-operation.js';
import type { Tariff } from '../settings/cost-profile.js';
import type { Value } from './algebra.js';
import { createPricing, fieldPrice, itemsOf, type Pricing } from './create-pricing.js';
import type { FieldMatcher } from './field-matcher.js';
import { finishProgram, type Program } from './finish-program.js';
import { FormulaAlgebra } from './formula-algebra.js';

/** Values of a measure for a limit on some fields, before rounding. */
export interface Measured {
  readonly cost: number;
  readonly calls: number;
}

/** Compiled form of a measure for a limit on some fields, for one plan. */
export interface MeasureFormula {
  readonly matcher: FieldMatcher;
  /** Program with two results: the cost and the calls. */
  readonly program: Program;
}

/** Compiles the formula of a measure to a program with two results: the cost and the calls. */
export function compileMeasure(
  { root }: CompiledOperation,
  tariffs: readonly Tariff[],
  matcher: FieldMatcher,
): Program {
  const written = new FormulaAlgebra();
  if (root === undefined) return finishProgram(written, [0, 0]);
  const pricings = tariffs.map((tariff) => createPricing(written, tariff));
  const { cost, calls } = createMeasureWalk(pricings, matcher, { isAskedOnce: true })(root);
  return finishProgram(written, [cost, calls]);
}

/** The largest cost and the largest number of calls. They need not occur in the same response. */
interface MeasuredValues<Open> {
  /** Cost of the outermost matching fields, with everything below them. */
  readonly cost: Value<Open>;
  readonly calls: Value<Open>;
}

/** Function that returns the maximum values of a measure for one object at a position. */
export type MeasureWalk<Open> = (position: PlanPosition) => MeasuredValues<Open>;

/**
 * Creates the function that computes a measure, with any algebra.
 * @param isAskedOnce whether the function is called only once. Positions to which only one path
 * leads are then not cached
 */
export function createMeasureWalk<Open>(
  pricings: readonly Pricing<Open>[],
  matcher: FieldMatcher,
  { isAskedOnce = false }: { isAskedOnce?: boolean } = {},
): MeasureWalk<Open> {
  const { algebra } = pricings[0]!;
  const known = new Map<PlanPosition, MeasuredValues<Open>>();

  function ofPosition(position: PlanPosition): MeasuredValues<Open> {
    if (isAskedOnce && !position.isShared) return mostExpensive(position);
    let values = known.get(position);
    if (values === undefined) {
      values = mostExpensive(position);
      known.set(position, values);
    }
    return values;
  }

  function mostExpensive({ groups }: PlanPosition): MeasuredValues<Open> {
    const costs: Value<Open>[] = [];
    const calls: Value<Open>[] = [];
    for (const group of groups) {
      for (const matching of matcher.matching(group)) {
        const values = ofGroup(group, matching);
        if (values === NOTHING) continue;
        costs.push(values.cost);
        calls.push(values.calls);
      }
    }
    // Groups without a match need no zero in the maximum, because no result is negative.
    return costs.length === 0 ? NOTHING : { cost: algebra.maximum(costs), calls: algebra.maximum(calls) };
  }

  function ofGroup(group: PlanGroup, matching: ReadonlySet<PlanField>): MeasuredValues<Open> {
    const costs: Value<Open>[] = [];
    const calls: Value<Open>[] = [];
    for (const field of fieldsOf(group)) {
      const isMatch = matching.size > 0 && matching.has(field);
      const below = field.child === undefined ? NOTHING : ofPosition(field.child);
      // Skip fields that neither match nor have matches below them, which is true for most fields.
      if (!isMatch && below === NOTHING) continue;
      const names = nameCountOf(field);
      costs.push(
        algebra.scale(isMatch ? priceOf(field) : conditional(field, itemsOf(algebra, field, below.cost)), names),
      );
      const ofItems = itemsOf(algebra, field, below.calls);
      calls.push(algebra.scale(conditional(field, isMatch ? algebra.sum(1, ofItems) : ofItems), names));
    }
    return costs.length === 0 ? NOTHING : { cost: totalOf(costs), calls: totalOf(calls) };
  }

  function priceOf(field: PlanField): Value<Open> {
    let sum: Value<Open> = 0;
    for (const pricing of pricings) sum = algebra.sum(sum, fieldPrice(pricing, field));
    return sum;
  }

  function totalOf(values: readonly Value<Open>[]): Value<Open> {
    let constant = 0;
    const open: Open[] = [];
    for (const value of values) {
      if (typeof value === 'number') constant += value;
      else open.push(value);
    }
    return algebra.total(constant, open);
  }

  function conditional(field: PlanField, value: Value<Open>): Value<Open> {
    return value === 0 ? 0 : algebra.multiply(algebra.included(field.condition), value);
  }

  return ofPosition;
}

/** Result for a position where no field matches, which is true for most positions. */
const NOTHING = { cost: 0, calls: 0 };
