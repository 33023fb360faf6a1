import { isIncluded } from './guard.js';
import { fieldsOf, type PlanField, type PlanGroup, type PlanPosition, typesOf } from './plan-tree.js';

/** Which group of its position an object of a response belongs to. */
export type GroupPicker = (object: object) => number;

/**
 * By `__typename` where the operation asks for it, else by which response names the object has. Where that leaves several
 * groups, the dearest counts: else the order of fragments would decide how much is given back.
 * @param amountOf what an object of a group costs at most
 */
export function createGroupPicker(
  { groups }: PlanPosition,
  values: readonly unknown[],
  amountOf: (group: PlanGroup) => number,
): GroupPicker {
  if (groups.length <= 1) return () => 0;
  let typenameKeys: readonly string[] | undefined;
  let groupOfType: Map<string, number> | undefined;
  const groupOfShape = new Map<string, number>();
  let names: ReadonlySet<string>[] | undefined;

  function byTypename(object: object): number | undefined {
    typenameKeys ??= findTypenameKeys(groups);
    for (const key of typenameKeys) {
      const name = Object.hasOwn(object, key) && (object as Record<string, unknown>)[key];
      if (typeof name !== 'string') continue;
      groupOfType ??= indexByType(groups);
      const index = groupOfType.get(name);
      if (index !== undefined) return index;
    }
    return undefined;
  }

  function byShape(object: object): number {
    const keys = Object.keys(object);
    const shape = keys.join();
    const known = groupOfShape.get(shape);
    if (known !== undefined) return known;
    names ??= groups.map((group) => new Set(includedNames(group, values)));
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const [index, own] of names.entries()) {
      const found = keys.filter((key) => own.has(key)).length;
      // A name that is missing counts as much as one that does not belong.
      const score = found * 2 - own.size;
      if (score > bestScore || (score === bestScore && amountOf(groups[index]!) > amountOf(groups[best]!))) {
        best = index;
        bestScore = score;
      }
    }
    groupOfShape.set(shape, best);
    return best;
  }

  return (object) => byTypename(object) ?? byShape(object);
}

function findTypenameKeys(groups: readonly PlanGroup[]): readonly string[] {
  const isTypename = (field: PlanField): boolean => field.model.name === '__typename';
  const fields = groups.flatMap((group) => fieldsOf(group).filter(isTypename));
  return [...new Set(fields.map((field) => field.responseName))];
}

function indexByType(groups: readonly PlanGroup[]): Map<string, number> {
  return new Map(groups.flatMap((group, index) => typesOf(group.types).map((type) => [type.name, index] as const)));
}

function includedNames(group: PlanGroup, values: readonly unknown[]): string[] {
  return fieldsOf(group)
    .filter((field) => isIncluded(field.guard, values))
    .map((field) => field.responseName);
}
