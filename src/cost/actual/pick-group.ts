import { isIncluded } from '../compile/condition.js';
import { fieldsOf, type PlanGroup, type PlanPosition, type TypeTelling, typesOf } from '../compile/plan-tree.js';
import { namesKey, tellingOf } from './type-telling.js';
import { runtimeTypeOf } from './typed-execution.js';

/** Which group of its position an object of a response belongs to. */
export type GroupPicker = (object: object) => number;

/**
 * By what tells, and by nothing else: a `__typename` that every object has, the response names where they are different
 * in every group, or the type that was noted when the operation ran. Where none does, as in a response from elsewhere,
 * the most expensive of the groups that the object fits: else whoever picks the names would decide how much is given back.
 * @param amountOf what an object of a group costs at most
 */
export function createGroupPicker(
  position: PlanPosition,
  values: readonly unknown[],
  amountOf: (group: PlanGroup) => number,
): GroupPicker {
  const { groups } = position;
  if (groups.length <= 1) return () => 0;
  let telling: TypeTelling | undefined;
  let groupOfType: Map<string, number> | undefined;
  const groupOfShape = new Map<string, number>();
  let names: ReadonlySet<string>[] | undefined;

  function byType(name: unknown): number | undefined {
    if (typeof name !== 'string') return undefined;
    groupOfType ??= indexByType(groups);
    return groupOfType.get(name);
  }

  function byShape({ conditional, groupOfNames }: TypeTelling, object: object): number {
    const keys = Object.keys(object);
    const shape = keys.join();
    const known = groupOfShape.get(shape);
    if (known !== undefined) return known;
    const told = groupOfNames?.get(namesKey(keys.filter((key) => !conditional.has(key))));
    const index = told ?? mostExpensiveOf(fitting(keys));
    groupOfShape.set(shape, index);
    return index;
  }

  /** Those with these very names; else those that have them all; else any. */
  function fitting(keys: readonly string[]): readonly number[] {
    names ??= groups.map((group) => new Set(includedNames(group, values)));
    const having = [...names.keys()].filter((index) => keys.every((key) => names![index]!.has(key)));
    const exact = having.filter((index) => names![index]!.size === keys.length);
    return exact.length > 0 ? exact : having.length > 0 ? having : [...names.keys()];
  }

  function mostExpensiveOf(candidates: readonly number[]): number {
    if (candidates.length === 1) return candidates[0]!;
    return candidates.reduce((best, each) => (amountOf(groups[each]!) > amountOf(groups[best]!) ? each : best));
  }

  return (object) => {
    telling ??= tellingOf(position);
    const { typenameKey } = telling;
    const told =
      typenameKey === undefined
        ? telling.groupOfNames === undefined && byType(runtimeTypeOf(object))
        : byType(Object.hasOwn(object, typenameKey) && (object as Record<string, unknown>)[typenameKey]);
    return typeof told === 'number' ? told : byShape(telling, object);
  };
}

function indexByType(groups: readonly PlanGroup[]): Map<string, number> {
  return new Map(groups.flatMap((group, index) => typesOf(group.types).map((type) => [type.name, index] as const)));
}

function includedNames(group: PlanGroup, values: readonly unknown[]): string[] {
  return fieldsOf(group)
    .filter((field) => isIncluded(field.condition, values))
    .map((field) => field.responseName);
}
