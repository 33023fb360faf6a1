import { type PlanField, type PlanGroup, type PlanPosition, typesOf } from '../compile/compiled-operation.js';
import { mostExpensiveType, type Tariff } from '../settings/cost-profile.js';
import { fieldPrice, itemPrice, objectOfGroupPrice } from './create-pricing.js';
import type { RequestPricing } from './request-pricing.js';

/** The highest cost of parts of an operation, by all of its tariffs. */
export interface MostExpensive {
  /** An object of the group, with what is selected on it. */
  object(group: PlanGroup): number;
  /** One call, with all that is below. */
  field(field: PlanField): number;
  /** One item of what a call returns, with what is selected on it. */
  item(field: PlanField): number;
  /** Which of its groups gives a position its price. */
  groupOf(position: PlanPosition): PlanGroup | undefined;
  /** Which type gives a group its price. */
  typeOf(group: PlanGroup): string;
}

/** What objects and calls cost at most, for the variables at hand. */
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
