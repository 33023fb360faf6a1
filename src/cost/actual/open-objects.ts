import { isIncluded } from '../compile/condition.js';
import { fieldsOf, type PlanField, type PlanGroup, type PlanPosition } from '../compile/plan-tree.js';
import { priceFunctionOf } from '../price/complexity-function.js';
import type { ProgramInput } from '../price/cost-program.js';
import { callAmount } from '../price/field-amounts.js';
import type { MostExpensive } from '../price/most-expensive.js';
import { itemWeight, mostExpensiveType, type Tariff } from '../profile.js';
import { fittingGroups } from './pick-group.js';

/** Prices objects that can be of several types, as the most expensive of these. */
export interface OpenObjects {
  /** One object that came as an item of a field: at most what the field promises. */
  item(tariff: Tariff, field: PlanField, object: object): number;
}

/** Objects below are priced once for each type that those above can be: past this many, promises are taken instead. */
const MAX_PRICED = 10_000;

/**
 * For responses of which nobody has noted the types. By every tariff the most expensive candidate, as it came; never above the
 * estimate, as the lists of one type may be long where those of another were promised.
 */
export function createOpenObjects(
  input: ProgramInput,
  mostExpensiveOf: (tariff: Tariff) => MostExpensive,
): OpenObjects {
  const candidates = new Map<PlanPosition, Map<string, readonly PlanGroup[]>>();
  let left = MAX_PRICED;

  function candidatesOf(position: PlanPosition, object: object): readonly PlanGroup[] {
    const shapes = candidates.get(position) ?? new Map<string, readonly PlanGroup[]>();
    candidates.set(position, shapes);
    const keys = Object.keys(object);
    const shape = keys.join();
    const known =
      shapes.get(shape) ?? fittingGroups(position, keys, input.variables.values).map((at) => position.groups[at]!);
    shapes.set(shape, known);
    return known;
  }

  function priceItem(tariff: Tariff, field: PlanField, object: object): number {
    const { model, child } = field;
    const most = mostExpensiveOf(tariff).item(field);
    if (child === undefined || left-- <= 0) return most;
    const weight = itemWeight(tariff, model);
    let highest = 0;
    for (const group of candidatesOf(child, object)) {
      let sum = weight ?? mostExpensiveType(tariff, group.types.weights);
      for (const each of fieldsOf(group)) {
        if (!isIncluded(each.condition, input.variables.values) || !Object.hasOwn(object, each.responseName)) continue;
        sum += priceField(tariff, each, (object as Record<string, unknown>)[each.responseName]);
      }
      highest = Math.max(highest, sum);
    }
    return Math.min(highest, most);
  }

  function priceField(tariff: Tariff, field: PlanField, value: unknown): number {
    const { model, child } = field;
    if (model.isFree) return 0;
    const isPromised =
      (tariff.countsCalls && priceFunctionOf(field) !== undefined) ||
      (model.listDepth > 1 && !tariff.multipliesInnerLists);
    if (isPromised) return mostExpensiveOf(tariff).field(field);
    const items = (model.listDepth === 0 ? [value] : [value].flat(model.listDepth)).filter(isThere);
    const call = callAmount(tariff, field, input);
    if (child === undefined) return call + Math.max(0, items.length * (itemWeight(tariff, model) ?? 0));
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
