import type { FieldModel } from '../schema/schema-model.js';
import { callWeight, isConnection, itemWeight, mostExpensiveType, type Tariff } from '../settings/cost-profile.js';

/** Price of a field without its arguments, directives and nested fields. */
interface ListPrice {
  /** Cost of one call, without the returned objects. */
  readonly callCost: number;
  /** Cost of each returned value. For an object it is that of the most expensive possible type. */
  readonly itemCost: number;
  /** Cost of one call with the returned values. A list has its `fallbackSize`. */
  readonly cost: number;
}

/** Returns the price of a field: the sum of its prices under all tariffs, divided by `per`. */
export function listPrice(field: FieldModel, { tariffs, per }: { tariffs: readonly Tariff[]; per: number }): ListPrice {
  const size = field.listDepth > 0 ? field.fallbackSize : 1;
  let callCost = 0;
  let itemCost = 0;
  let cost = 0;
  for (const tariff of tariffs) {
    const call = callCostOf(tariff, field);
    const item = itemCostOf(tariff, field);
    callCost += call;
    itemCost += item;
    cost += call + size * (tariff.multipliesInnerLists ? field.innerListSize : 1) * item;
  }
  return { callCost: callCost / per, itemCost: itemCost / per, cost: cost / per };
}

function callCostOf(tariff: Tariff, field: FieldModel): number {
  if (tariff.connections === undefined) return callWeight(tariff, field);
  return tariff.connections === 'requests' && isConnection(field) ? 1 : 0;
}

function itemCostOf(tariff: Tariff, field: FieldModel): number {
  const weight = itemWeight(tariff, field);
  if (weight !== undefined || field.child === undefined) return weight ?? 0;
  const weights = field.child.possible.types.map((type) => type.weight);
  return weights.length === 0 ? 0 : mostExpensiveType(tariff, weights);
}
