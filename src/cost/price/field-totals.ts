import {
  type CompiledOperation,
  fieldsOf,
  nameCountOf,
  type PlanGroup,
  type PlanPosition,
} from '../compile/compiled-operation.js';
import type { Tariff } from '../settings/cost-profile.js';
import type { FieldCost } from '../values/field-cost.js';
import { toTokens } from '../values/to-tokens.js';
import { BOUND } from './algebra.js';
import { itemsOf, ownPrice } from './create-pricing.js';
import type { RequestPricing } from './request-pricing.js';

/** Number of calls, and own cost (without the selections below), by coordinate. */
export type FieldTotals = Map<string, { calls: number; cost: number }>;

/**
 * Returns, for each field, the largest number of calls and the highest own cost that any response
 * can have. If an object can be of several types, each field has its highest value, and the values
 * of two fields may be from different types. If every object has only one possible type, the sum of
 * the costs is the cost of the operation without its base cost.
 */
export function estimateFields(
  { root }: CompiledOperation,
  tariffs: readonly Tariff[],
  request: RequestPricing,
): readonly FieldCost[] {
  const totals: FieldTotals = new Map();
  if (root) createFieldWalk(tariffs, request)(totals, root, 1);
  return listFields(totals);
}

/** Returns the fields that are called, with calls and cost rounded up to whole numbers. */
export function listFields(totals: FieldTotals): readonly FieldCost[] {
  const fields: FieldCost[] = [];
  for (const [coordinate, { calls, cost }] of totals) {
    if (calls > 0) fields.push({ coordinate, calls: toTokens(calls), cost: toTokens(cost) });
  }
  return fields;
}

export function addFieldTotal(totals: FieldTotals, coordinate: string, calls: number, cost: number): void {
  const known = totals.get(coordinate);
  if (known === undefined) {
    totals.set(coordinate, { calls: Math.min(calls, BOUND), cost: Math.min(cost, BOUND) });
    return;
  }
  known.calls = Math.min(known.calls + calls, BOUND);
  known.cost = Math.min(known.cost + cost, BOUND);
}

/** Creates a function that adds the maximum totals of `times` objects at a position to `totals`. */
export function createFieldWalk(tariffs: readonly Tariff[], request: RequestPricing) {
  const pricings = request.ofAll(tariffs);
  const { numbers } = request;
  /**
   * Totals of one object at a position, for positions to which several paths lead or that have
   * several groups.
   */
  const known = new Map<PlanPosition, FieldTotals>();

  function walk(totals: FieldTotals, position: PlanPosition, times: number): void {
    const { groups, isShared } = position;
    if (groups.length === 0 || times === 0) return;
    if (groups.length === 1 && !isShared) walkGroup(totals, groups[0]!, times);
    else addAll(totals, perObject(position), times);
  }

  function perObject(position: PlanPosition): FieldTotals {
    const earlier = known.get(position);
    if (earlier) return earlier;
    const mostExpensive: FieldTotals = new Map();
    for (const group of position.groups) {
      const own: FieldTotals = new Map();
      walkGroup(own, group, 1);
      for (const [coordinate, { calls, cost }] of own) {
        const other = mostExpensive.get(coordinate);
        mostExpensive.set(coordinate, {
          calls: Math.max(calls, other?.calls ?? 0),
          cost: Math.max(cost, other?.cost ?? 0),
        });
      }
    }
    known.set(position, mostExpensive);
    return mostExpensive;
  }

  function walkGroup(totals: FieldTotals, group: PlanGroup, times: number): void {
    for (const field of fieldsOf(group)) {
      if (numbers.included(field.condition) === 0) continue;
      const calls = numbers.multiply(times, nameCountOf(field));
      if (field.model.name !== '__typename') {
        const own = pricings.reduce((sum, pricing) => sum + ownPrice(pricing, field), 0);
        addFieldTotal(totals, field.coordinate, calls, Math.min(calls * own, BOUND));
      }
      if (field.child) walk(totals, field.child, itemsOf(numbers, field, calls));
    }
  }

  return walk;
}

function addAll(totals: FieldTotals, added: FieldTotals, times: number): void {
  for (const [coordinate, { calls, cost }] of added) {
    addFieldTotal(totals, coordinate, Math.min(calls * times, BOUND), Math.min(cost * times, BOUND));
  }
}
