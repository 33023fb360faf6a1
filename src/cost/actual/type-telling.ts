import { fieldsOf, type PlanField, type PlanGroup, type PlanPosition, type TypeTelling } from '../compile/plan-tree.js';

/** Worked out when first asked for: most operations have one group at each position. */
export function tellingOf(position: PlanPosition): TypeTelling {
  position.telling ??= readTelling(position.groups);
  return position.telling;
}

/** Whether a response leaves open which group an object belongs to, or what the object itself weighs. */
export function isOpen(position: PlanPosition): boolean {
  const { groups } = position;
  if (groups.some(hasOpenWeight)) return true;
  if (groups.length < 2) return false;
  const { typenameKey, groupOfNames } = tellingOf(position);
  return typenameKey === undefined && groupOfNames === undefined;
}

/** The names in one text, in an order that nobody chooses. */
export function namesKey(names: string[]): string {
  return names.sort().join();
}

function readTelling(groups: readonly PlanGroup[]): TypeTelling {
  const all = groups.map(fieldsOf);
  const conditional = new Set(all.flatMap((fields) => fields.filter(isConditional).map(nameOf)));
  const groupOfNames = new Map<string, number>();
  for (const [index, fields] of all.entries()) {
    groupOfNames.set(namesKey(fields.map(nameOf).filter((name) => !conditional.has(name))), index);
  }
  const [first = [], ...others] = all.map((fields) => new Set(fields.filter(isTypename).map(nameOf)));
  const typenameKey = [...first].find((name) => others.every((names) => names.has(name)));
  return { typenameKey, conditional, groupOfNames: groupOfNames.size < groups.length ? undefined : groupOfNames };
}

function hasOpenWeight(group: PlanGroup): boolean {
  return group.types.weights.length > 1 && !fieldsOf(group).some(isTypename);
}

function isTypename(field: PlanField): boolean {
  return field.model.name === '__typename' && !isConditional(field);
}

function isConditional({ condition }: PlanField): boolean {
  return condition.kind !== 'always';
}

function nameOf({ responseName }: PlanField): string {
  return responseName;
}
