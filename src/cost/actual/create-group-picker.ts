import {
  fieldsOf,
  type PlanGroup,
  type PlanPosition,
  responseNamesOf,
  type TypeFeatures,
  typesOf,
} from '../compile/compiled-operation.js';
import { isIncluded } from '../compile/condition.js';
import { namesKey, typeFeaturesOf } from './type-features-of.js';
import { runtimeTypeOf } from './typed-execution.js';

/**
 * Function that returns the index of the group to which an object of a response belongs, or `OPEN`.
 */
export type GroupPicker = (object: object) => number;

/** Result of a picker if the object does not show to which group it belongs. */
export const OPEN = -1;

/**
 * Creates the picker for a position of the cost plan. It identifies the group of an object by its
 * `__typename`, by the type noted during execution, or by response names that only one group has. A
 * `__typename` counts only if no other field has the same response name.
 *
 * Response names that occur in several groups identify no group. Otherwise a client could choose
 * aliases that make its objects look cheap, and so increase its refund.
 */
export function createGroupPicker(position: PlanPosition, values: readonly unknown[]): GroupPicker {
  const { groups } = position;
  if (groups.length <= 1) return () => 0;
  let typeFeatures: TypeFeatures | undefined;
  let groupOfType: Map<string, number> | undefined;
  const groupOfShape = new Map<string, number>();

  function byType(name: unknown): number | undefined {
    if (typeof name !== 'string') return undefined;
    groupOfType ??= indexByType(groups);
    return groupOfType.get(name);
  }

  function byShape(features: TypeFeatures, object: object): number {
    const keys = Object.keys(object);
    const shape = keys.join();
    const known = groupOfShape.get(shape);
    if (known !== undefined) return known;
    let index = features.groupOfNames?.get(namesKey(features, keys));
    if (index === undefined) {
      const fitting = fittingGroups(position, keys, values);
      index = fitting.length === 1 ? fitting[0]! : OPEN;
    }
    groupOfShape.set(shape, index);
    return index;
  }

  return (object) => {
    typeFeatures ??= typeFeaturesOf(position);
    for (const key of typeFeatures.typenameKeys) {
      const index = byType(Object.hasOwn(object, key) && (object as Record<string, unknown>)[key]);
      if (index !== undefined) return index;
    }
    const noted = typeFeatures.groupOfNames === undefined ? byType(runtimeTypeOf(object)) : undefined;
    return noted ?? byShape(typeFeatures, object);
  };
}

/**
 * Returns the indices of the groups that an object with these names can belong to. These are the
 * groups with exactly these names. Without such a group, they are the groups with these and other
 * names, or else all groups.
 */
export function fittingGroups(
  { groups }: PlanPosition,
  keys: readonly string[],
  values: readonly unknown[],
): readonly number[] {
  const having: number[] = [];
  const exact: number[] = [];
  for (const [index, group] of groups.entries()) {
    const names = new Set(includedNames(group, values));
    if (!keys.every((key) => names.has(key))) continue;
    having.push(index);
    if (names.size === keys.length) exact.push(index);
  }
  return exact.length > 0 ? exact : having.length > 0 ? having : [...groups.keys()];
}

function indexByType(groups: readonly PlanGroup[]): Map<string, number> {
  return new Map(groups.flatMap((group, index) => typesOf(group.types).map((type) => [type.name, index] as const)));
}

function includedNames(group: PlanGroup, values: readonly unknown[]): string[] {
  return fieldsOf(group)
    .filter((field) => isIncluded(field.condition, values))
    .flatMap(responseNamesOf);
}
