import {
  fieldsOf,
  type PlanField,
  type PlanGroup,
  type PlanPosition,
  responseNamesOf,
} from '../compile/compiled-operation.js';
import { bareItemPrice, callPrice, fieldPrice, functionOf, itemPrice } from '../price/create-pricing.js';
import type { RequestPricing } from '../price/request-pricing.js';
import type { Tariff } from '../settings/cost-profile.js';
import { fittingGroups } from './create-group-picker.js';

/**
 * Prices of objects that can be of several types: an object costs as much as its most expensive
 * candidate type.
 */
interface OpenObjects {
  /**
   * Returns the price of one object that is an item of a field. It is at most the estimate of the
   * item.
   */
  item(tariff: Tariff, field: PlanField, object: object): number;
}

/**
 * Maximum number of prices of objects that are computed per tariff and response. Further objects
 * cost their estimate. An object is priced once for each candidate type of each object above it, so
 * the number can grow exponentially with the depth. Each tariff has a separate limit, because the
 * first tariff would use up a shared one.
 */
const MAX_PRICED = 10_000;

/**
 * Creates the prices of objects whose type was not noted during execution. Under each tariff, an
 * object has the price of its content in the response, computed for its most expensive candidate
 * type. The price is limited to the estimate. Otherwise it could exceed the estimate, because a
 * list in the response may be longer than in the estimate of another candidate type.
 */
export function createOpenObjects(request: RequestPricing): OpenObjects {
  const { numbers } = request;
  const candidates = new Map<PlanPosition, Map<string, readonly PlanGroup[]>>();
  const priced = new Map<Tariff, number>();

  function candidatesOf(position: PlanPosition, object: object): readonly PlanGroup[] {
    const shapes = candidates.get(position) ?? new Map<string, readonly PlanGroup[]>();
    candidates.set(position, shapes);
    const keys = Object.keys(object);
    const shape = keys.join();
    const known =
      shapes.get(shape) ??
      fittingGroups(position, keys, request.input.variables.values).map((at) => position.groups[at]!);
    shapes.set(shape, known);
    return known;
  }

  function priceItem(tariff: Tariff, field: PlanField, object: object): number {
    const { child } = field;
    const most = itemPrice(request.of(tariff), field);
    const count = priced.get(tariff) ?? 0;
    if (child === undefined || count >= MAX_PRICED) return most;
    priced.set(tariff, count + 1);
    let highest = 0;
    for (const group of candidatesOf(child, object)) {
      let sum = bareItemPrice(tariff, field, group);
      for (const each of fieldsOf(group)) {
        if (numbers.included(each.condition) === 0) continue;
        for (const name of responseNamesOf(each)) {
          if (!Object.hasOwn(object, name)) continue;
          sum += priceField(tariff, each, (object as Record<string, unknown>)[name]);
        }
      }
      highest = Math.max(highest, sum);
    }
    return Math.min(highest, most);
  }

  function priceField(tariff: Tariff, field: PlanField, value: unknown): number {
    const { model, child } = field;
    if (model.isFree) return 0;
    const pricing = request.of(tariff);
    const isPromised =
      functionOf(pricing, field) !== undefined || (model.listDepth > 1 && !tariff.multipliesInnerLists);
    if (isPromised) return fieldPrice(pricing, field);
    const items = (model.listDepth === 0 ? [value] : [value].flat(model.listDepth)).filter(isThere);
    const call = callPrice(pricing, field);
    if (child === undefined) return call + Math.max(0, items.length * bareItemPrice(tariff, field));
    const below = items.reduce<number>((sum, item) => {
      return sum + (typeof item === 'object' ? priceItem(tariff, field, item as object) : 0);
    }, 0);
    return call + Math.max(0, below);
  }

  return { item: priceItem };
}

function isThere(value: unknown): boolean {
  return value !== null && value !== undefined;
}
