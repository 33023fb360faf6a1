import type { FieldsOf, MeasuredCost } from '../cost/cost-plan.js';
import type { Amount } from '../model/rule.js';
import { RECORDED_AMOUNTS } from '../model/usage-record.js';
import type { FieldReach } from './field-reach.js';

/** One field of an operation that was recorded: how often it was resolved, and its cost with what is below it. */
export interface RecordedField extends MeasuredCost {
  readonly coordinate: string;
  /** Without what is below it, in the order of `RECORDED_AMOUNTS`; undefined: none of them. */
  readonly amounts: readonly number[] | undefined;
}

/** Which of the coordinates of a recorded plan are meant, by their places. */
export interface RecordedSelection {
  /** Its place in `RECORDED_AMOUNTS`; -1: tokens. */
  readonly amount: number;
  readonly isWhole: boolean;
  readonly matching: readonly boolean[];
}

/** Stands for the plan of an operation whose document is gone: what is left of it are its coordinates. */
export interface RecordedPlan {
  readonly coordinates: readonly string[];
  measure(matches: FieldsOf, amount?: Amount): RecordedSelection;
  /** @param amounts of the whole operation; null: not recorded, so that they come to nothing */
  measured(
    selection: RecordedSelection,
    fields: readonly RecordedField[],
    amounts: readonly number[] | null,
  ): MeasuredCost;
}

/** Passes until the shares stand still; operations are hardly ever deeper. */
const MAX_PASSES = 20;
const SETTLED = 1e-9;
const OBJECTS = RECORDED_AMOUNTS.indexOf('NODES');

/**
 * Measures field patterns on what was recorded of each coordinate. One coordinate is exact. Where a pattern matches
 * several, of which one can stand below another one in this operation, their cost must not be counted twice: it is
 * divided as the costs of the fields are on which they are selected, which is an approximation.
 *
 * Objects, type cost and field cost are recorded without what is below a field: that is added, divided the same way. It is
 * exact where each field is selected on one other.
 */
export function createRecordedPlan(coordinates: readonly string[], reach: FieldReach): RecordedPlan {
  const names = coordinates.map((coordinate) => reach.coordinatesOf(coordinate));
  const places = new Map(coordinates.map((coordinate, place) => [coordinate, place]));
  // A field below itself is left out: its cost was measured at the outermost place.
  const parents = coordinates.map((child) =>
    coordinates.flatMap((parent, place) => (parent !== child && reach.leadsTo(parent, child) ? [place] : [])),
  );

  /** What part of each field stands below a matching one. */
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
      // What is selected on objects is as many times there as they are.
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
