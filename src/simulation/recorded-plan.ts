import type { FieldsOf, MeasuredCost } from '../cost/cost-plan.js';
import type { Amount } from '../model/rule.js';
import type { FieldReach } from './field-reach.js';

/** One field of an operation that was recorded: how often it was resolved, and its cost with what is below it. */
export interface RecordedField extends MeasuredCost {
  readonly coordinate: string;
}

/** Which of the coordinates of a recorded plan are meant, by their places. */
export interface RecordedSelection {
  readonly matching: readonly boolean[];
}

/** Stands for the plan of an operation whose document is gone: what is left of it are its coordinates. */
export interface RecordedPlan {
  readonly coordinates: readonly string[];
  /** Of other amounts than tokens nothing was recorded: they come to nothing, and their limits deny no caller. */
  measure(matches: FieldsOf, amount?: Amount): RecordedSelection;
  measured(selection: RecordedSelection, fields: readonly RecordedField[]): MeasuredCost;
}

/** Passes until the shares stand still; operations are hardly ever deeper. */
const MAX_PASSES = 20;
const SETTLED = 1e-9;

/**
 * Measures field patterns on what was recorded of each coordinate. One coordinate is exact. Where a pattern matches
 * several, of which one can stand below another one in this operation, their cost must not be counted twice: it is
 * divided as the costs of the fields are on which they are selected, which is an approximation.
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

  return {
    coordinates,
    measure: (matches, amount = 'COST') => ({
      matching: names.map((all) => amount === 'COST' && (matches === 'OPERATION' || all.filter(matches).length > 0)),
    }),
    measured({ matching }, fields) {
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
