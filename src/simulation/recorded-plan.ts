import type { FieldsOf, MeasuredCost } from '../cost/cost-plan.js';
import type { Amount } from '../model/rule.js';
import { RECORDED_AMOUNTS } from '../model/usage-record.js';
import type { FieldReach } from './field-reach.js';

/**
 * Recorded field of an operation: the number of its calls, and its cost including the fields below
 * it.
 */
export interface RecordedField extends MeasuredCost {
  readonly coordinate: string;
  /**
   * Amounts without the selections below the field, in the order of `RECORDED_AMOUNTS`. Undefined
   * if none is recorded.
   */
  readonly amounts: readonly number[] | undefined;
}

/** Selection of coordinates of a recorded plan, by their positions. */
export interface RecordedSelection {
  /** Index of the amount in `RECORDED_AMOUNTS`. -1 means tokens. */
  readonly amount: number;
  readonly isWhole: boolean;
  readonly matching: readonly boolean[];
}

/**
 * Substitute for the plan of an operation whose document is no longer available. Only its
 * coordinates are recorded.
 */
export interface RecordedPlan {
  readonly coordinates: readonly string[];
  measure(matches: FieldsOf, amount?: Amount): RecordedSelection;
  /**
   * Returns the cost and calls of a selection.
   * @param amounts amounts of the entire operation; null if not recorded, which counts as zero
   */
  measured(
    selection: RecordedSelection,
    fields: readonly RecordedField[],
    amounts: readonly number[] | null,
  ): MeasuredCost;
}

/**
 * Maximum number of passes to compute shares. Each pass adds one level of nesting, and operations
 * are rarely deeper.
 */
const MAX_PASSES = 20;
const SETTLED = 1e-9;
const OBJECTS = RECORDED_AMOUNTS.indexOf('NODES');

/**
 * Creates a plan that measures field patterns on the recorded data of each coordinate. For a single
 * coordinate the result is exact. If several coordinates match and one can be below another in this
 * operation, their cost must not count twice. The cost of a field is then divided among its
 * possible parent fields in proportion to their costs. That is an approximation.
 *
 * Objects, type cost and field cost are recorded without the selections below a field. The plan
 * adds those, divided in proportion to the objects of the parent fields. The result is exact if
 * each field is selected under only one parent field.
 */
export function createRecordedPlan(coordinates: readonly string[], reach: FieldReach): RecordedPlan {
  const names = coordinates.map((coordinate) => reach.coordinatesOf(coordinate));
  const places = new Map(coordinates.map((coordinate, place) => [coordinate, place]));
  // A field is not its own parent here, because its recorded cost is already that of its outermost
  // occurrence.
  const parents = coordinates.map((child) =>
    coordinates.flatMap((parent, place) => (parent !== child && reach.leadsTo(parent, child) ? [place] : [])),
  );

  /** Returns the share of each field that is below a matching field. */
  function sharesBelow(matching: readonly boolean[], weights: readonly number[]): number[] {
    let shares = new Array<number>(coordinates.length).fill(0);
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const next = shares.map((share, place) => {
        let all = 0;
        let below = 0;
        for (const parent of parents[place]!) {
          all += weights[parent]!;
          below += weights[parent]! * (matching[parent] ? 1 : shares[parent]!);
        }
        return all === 0 ? share : below / all;
      });
      const isSettled = next.every((share, place) => Math.abs(share - shares[place]!) < SETTLED);
      shares = next;
      if (isSettled) break;
    }
    return shares;
  }

  function sumBelow(matching: readonly boolean[], fields: readonly RecordedField[], amount: number): number {
    const own = new Array<number>(coordinates.length).fill(0);
    const weights = new Array<number>(coordinates.length).fill(0);
    for (const field of fields) {
      const place = places.get(field.coordinate);
      if (place === undefined) continue;
      own[place] = field.amounts?.[amount] ?? 0;
      // A selection on objects occurs once per object, so the weight is the number of objects.
      weights[place] = field.amounts?.[OBJECTS] || field.calls;
    }
    const shares = sharesBelow(matching, weights);
    return Math.round(own.reduce((sum, each, place) => sum + each * (matching[place] ? 1 : shares[place]!), 0));
  }

  return {
    coordinates,
    measure: (matches, amount = 'COST') => ({
      amount: RECORDED_AMOUNTS.indexOf(amount as (typeof RECORDED_AMOUNTS)[number]),
      isWhole: matches === 'OPERATION',
      matching: names.map((all) => matches === 'OPERATION' || all.filter(matches).length > 0),
    }),
    measured({ amount, isWhole, matching }, fields, amounts) {
      if (amount >= 0)
        return { cost: isWhole ? (amounts?.[amount] ?? 0) : sumBelow(matching, fields, amount), calls: 0 };
      const costs = new Array<number>(coordinates.length).fill(0);
      const weights = new Array<number>(coordinates.length).fill(0);
      let calls = 0;
      for (const field of fields) {
        const place = places.get(field.coordinate);
        if (place === undefined) continue;
        costs[place] = field.cost;
        weights[place] = field.cost || field.calls;
        if (matching[place]) calls += field.calls;
      }
      const isOne = matching.filter(Boolean).length === 1;
      const shares = isOne ? undefined : sharesBelow(matching, weights);
      const outermost = (cost: number, place: number) => (matching[place] ? cost * (1 - (shares?.[place] ?? 0)) : 0);
      return { cost: Math.round(costs.reduce((sum, cost, place) => sum + outermost(cost, place), 0)), calls };
    },
  };
}
