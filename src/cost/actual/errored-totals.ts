import type { Measured, MeasureFormula } from '../price/compile-measure.js';
import type { Tariff } from '../settings/cost-profile.js';
import type { FieldCost, FieldSums } from '../values/field-cost.js';
import { type ActualTotals, fieldSumsOf, type ResponseTotals } from './actual-totals.js';

/**
 * Estimates of the operation: the highest values of any response. The results of `sum` and
 * `measure` are not rounded to whole tokens.
 */
export interface EstimatedTotals {
  sum(tariffs: readonly Tariff[]): number;
  measure(measure: MeasureFormula): Measured;
  fields(tariffs: readonly Tariff[]): readonly FieldCost[];
}

/**
 * Cost of a response with errors: the cost of its content, plus the estimate of each position that
 * an error set to null. The estimates of these positions never raise a number above the estimate of
 * the operation.
 */
export class ErroredTotals implements ResponseTotals {
  readonly #produced: ActualTotals;
  /**
   * Totals that include the nulled positions. Undefined if these positions are unknown. The
   * estimate of the operation then counts.
   */
  readonly #paid: ActualTotals | undefined;
  readonly #estimated: EstimatedTotals;

  constructor(produced: ActualTotals, paid: ActualTotals | undefined, estimated: EstimatedTotals) {
    this.#produced = produced;
    this.#paid = paid;
    this.#estimated = estimated;
  }

  sum(tariffs: readonly Tariff[]): number {
    return bounded(this.#produced.sum(tariffs), this.#paid?.sum(tariffs), this.#estimated.sum(tariffs));
  }

  measure(tariffs: readonly Tariff[], measure: MeasureFormula): Measured {
    const produced = this.#produced.measure(tariffs, measure);
    const paid = this.#paid?.measure(tariffs, measure);
    const estimated = this.#estimated.measure(measure);
    return {
      cost: bounded(produced.cost, paid?.cost, estimated.cost),
      calls: bounded(produced.calls, paid?.calls, estimated.calls),
    };
  }

  fields(tariffs: readonly Tariff[]): readonly FieldCost[] {
    const produced = byCoordinate(this.#produced.fields(tariffs));
    const paid = this.#paid && byCoordinate(this.#paid.fields(tariffs));
    const estimated = byCoordinate(this.#estimated.fields(tariffs));
    const coordinates = new Set([...(paid ?? estimated).keys(), ...produced.keys()]);
    return [...coordinates].map((coordinate) => {
      const came = produced.get(coordinate) ?? NONE;
      const known = paid?.get(coordinate);
      const most = estimated.get(coordinate) ?? NONE;
      return {
        coordinate,
        calls: bounded(came.calls, known?.calls, most.calls),
        cost: bounded(came.cost, known?.cost, most.cost),
      };
    });
  }

  fieldSums(tariffs: readonly Tariff[]): FieldSums {
    return fieldSumsOf(this.fields(tariffs));
  }
}

const NONE = { calls: 0, cost: 0 };

/**
 * Returns `paid`, or the estimate if `paid` is higher or undefined. Returns at least `produced`,
 * the number for the content of the response. The content may exceed the estimate, because a list
 * may be longer than estimated.
 */
function bounded(produced: number, paid: number | undefined, estimated: number): number {
  return Math.max(produced, paid === undefined ? estimated : Math.min(paid, estimated));
}

function byCoordinate(fields: readonly FieldCost[]): Map<string, FieldCost> {
  return new Map(fields.map((field) => [field.coordinate, field]));
}
