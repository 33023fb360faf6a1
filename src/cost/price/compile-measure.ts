import {
  type CompiledOperation,
  fieldsOf,
  nameCountOf,
  type PlanField,
  type PlanGroup,
  type PlanPosition,
} from '../compile/plan-tree.js';
import type { Tariff } from '../profile.js';
import type { Value } from './algebra.js';
import { finishProgram, type Program } from './cost-program.js';
import type { FieldMatcher } from './field-matcher.js';
import { FormulaAlgebra } from './formula-algebra.js';
import { createPricing, fieldPrice, itemsOf, type Pricing } from './price-field.js';

/** What a limit on some fields counts: before it is rounded. */
export interface Measured {
  readonly cost: number;
  readonly calls: number;
}

/** A limit on some fields, as a plan knows it. */
export interface MeasureFormula {
  readonly matcher: FieldMatcher;
  /** Its results are the cost and the calls. */
  readonly program: Program;
}

/** The formula of a measure; its results are the cost and the calls. */
export function compileMeasure(
  { root }: CompiledOperation,
  tariffs: readonly Tariff[],
  matcher: FieldMatcher,
): Program {
  const written = new FormulaAlgebra();
  if (root === undefined) return finishProgram(written, [0, 0]);
  const measure = createMeasureWalk(
    tariffs.map((tariff) => createPricing(written, tariff)),
    matcher,
  );
  return finishProgram(written, [measure.cost(root), measure.calls(root)]);
}

/** What an object at a position counts at most for a limit on some fields; the largest cost and the most calls each by itself. */
export interface MeasureWalk<Open> {
  /** Of the outermost matching fields below it, with all that is below them. */
  cost(position: PlanPosition): Value<Open>;
  calls(position: PlanPosition): Value<Open>;
}

/** By whatever algebra the prices are worked out. */
export function createMeasureWalk<Open>(pricings: readonly Pricing<Open>[], matcher: FieldMatcher): MeasureWalk<Open> {
  const { algebra } = pricings[0]!;
  const costs = new Map<PlanPosition, Value<Open>>();
  const calls = new Map<PlanPosition, Value<Open>>();

  function costOf(field: PlanField, isMatch: boolean): Value<Open> {
    if (!isMatch) return conditional(field, below(field, costs, costOf));
    let sum: Value<Open> = 0;
    for (const pricing of pricings) sum = algebra.sum(sum, fieldPrice(pricing, field));
    return sum;
  }

  function callsOf(field: PlanField, isMatch: boolean): Value<Open> {
    return conditional(field, algebra.sum(isMatch ? 1 : 0, below(field, calls, callsOf)));
  }

  function below(field: PlanField, known: Map<PlanPosition, Value<Open>>, of: typeof costOf): Value<Open> {
    return field.child === undefined ? 0 : itemsOf(algebra, field, mostExpensive(field.child, known, of));
  }

  function mostExpensive(
    position: PlanPosition,
    known: Map<PlanPosition, Value<Open>>,
    of: typeof costOf,
  ): Value<Open> {
    const earlier = known.get(position);
    if (earlier !== undefined) return earlier;
    const candidates = !matcher.touches(position)
      ? []
      : position.groups.flatMap((group) => matcher.matching(group).map((matching) => total(group, matching, of)));
    const value = candidates.length === 0 ? 0 : algebra.maximum(candidates);
    known.set(position, value);
    return value;
  }

  function total(group: PlanGroup, matching: ReadonlySet<PlanField>, of: typeof costOf): Value<Open> {
    let constant = 0;
    const open: Open[] = [];
    for (const field of fieldsOf(group)) {
      const isMatch = matching.has(field);
      // Most fields are neither, and there is a formula for each field that is limited.
      if (!isMatch && field.child === undefined) continue;
      const value = algebra.scale(of(field, isMatch), nameCountOf(field));
      if (typeof value === 'number') constant += value;
      else open.push(value);
    }
    return algebra.total(constant, open);
  }

  function conditional(field: PlanField, value: Value<Open>): Value<Open> {
    return value === 0 ? 0 : algebra.multiply(algebra.included(field.condition), value);
  }

  return {
    cost: (position) => mostExpensive(position, costs, costOf),
    calls: (position) => mostExpensive(position, calls, callsOf),
  };
}
