import { type PlanField, type PlanGroup, type PlanPosition, typesOf } from '../compile/compiled-operation.js';
import { mostExpensiveType, type Tariff } from '../settings/cost-profile.js';
import { fieldPrice, itemPrice, objectOfGroupPrice } from './create-pricing.js';
import type { RequestPricing } from './request-pricing.js';

/** Highest costs of parts of an operation, summed over all tariffs. */
export interface MostExpensive {
  /** Returns the cost of an object of the group, with the selections on it. */
  object(group: PlanGroup): number;
  /** Returns the cost of one call, with everything below it. */
  field(field: PlanField): number;
  /** Returns the cost of one item of a call, with the selections on it. */
  item(field: PlanField): number;
  /** Returns the group that determines the price of a position. */
  groupOf(position: PlanPosition): PlanGroup | undefined;
  /** Returns the name of the type that determines the price of a group. */
  typeOf(group: PlanGroup): string;
}

/** Creates the functions that compute maximum costs, with the variables of one request. */
export function createMostExpensive(tariffs: readonly Tariff[], request: RequestPricing): MostExpensive {
  const pricings = request.ofAll(tariffs);
  const mostExpensiveGroups = new Map<PlanPosition, PlanGroup | undefined>();

  function object(group: PlanGroup): number {
    return pricings.reduce((sum, pricing) => sum + objectOfGroupPrice(pricing, group), 0);
  }

  function groupOf(position: PlanPosition): PlanGroup | undefined {
    if (mostExpensiveGroups.has(position)) return mostExpensiveGroups.get(position);
    let mostExpensive: PlanGroup | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const group of position.groups) {
      const amount = object(group);
      if (amount > most) {
        most = amount;
        mostExpensive = group;
      }
    }
    mostExpensiveGroups.set(position, mostExpensive);
    return mostExpensive;
  }

  return {
    object,
    field: (field) => pricings.reduce((sum, pricing) => sum + fieldPrice(pricing, field), 0),
    item: (field) => pricings.reduce((sum, pricing) => sum + itemPrice(pricing, field), 0),
    groupOf,
    typeOf: (group) => {
      const weigh = (weight: number | undefined): number =>
        tariffs.reduce((sum, tariff) => sum + mostExpensiveType(tariff, [weight]), 0);
      const types = typesOf(group.types);
      return types.reduce((a, b) => (weigh(b.weight) > weigh(a.weight) ? b : a)).name;
    },
  };
}
