import {
  type PlanField,
  type PlanGroup,
  type PlanPart,
  type PlanPosition,
  responseNamesOf,
  type TypeFeatures,
} from '../compile/compiled-operation.js';

/**
 * Returns the features that identify the group of an object at a position. They are computed on
 * first use, because most operations have one group at each position and never need them.
 */
export function typeFeaturesOf(position: PlanPosition): TypeFeatures {
  position.typeFeatures ??= readTypeFeatures(position.groups);
  return position.typeFeatures;
}

/**
 * Returns whether a response may fail to show the group of an object at the position, or the weight
 * of its type.
 */
export function isOpen(position: PlanPosition): boolean {
  const { groups } = position;
  if (groups.length < 2 && (groups[0]?.types.weights.length ?? 1) < 2) return false;
  const { identifiesTypes, groupOfNames, hasOpenWeight } = typeFeaturesOf(position);
  return hasOpenWeight || (!identifiesTypes && groupOfNames === undefined);
}

/**
 * Returns a key of the response names of an object, independent of their order. The key omits names
 * of fields with `@skip` or `@include`, because they may be absent.
 */
export function namesKey({ conditional, partOfName }: TypeFeatures, names: readonly string[]): string {
  const identifying = new Set<string>();
  for (const name of names) if (!conditional.has(name)) identifying.add(partOfName.get(name) ?? name);
  return [...identifying].sort().join();
}

/** Maximum number of response names of `__typename` that are looked up on every object. */
const MAX_TYPENAME_KEYS = 8;

/**
 * Reads the features of all groups. Parts that hundreds of groups share are read once, so the time
 * is proportional to the size of the plan.
 */
function readTypeFeatures(groups: readonly PlanGroup[]): TypeFeatures {
  const names: NameSets = { conditional: new Set(), partOfName: new Map(), typenames: new Set(), others: new Set() };
  const parts = new Map<PlanPart, PartFeatures>();
  for (const group of groups) {
    for (const field of group.fields) readName(names, field);
    for (const part of group.parts) if (!parts.has(part)) parts.set(part, readPart(names, part, `#${parts.size}`));
  }
  const { conditional, partOfName, typenames, others } = names;
  const believed = [...typenames].filter((name) => !others.has(name));
  const always = believed.filter((name) => !conditional.has(name));
  const typenameKeys = [...new Set([...always, ...believed])].slice(0, MAX_TYPENAME_KEYS);
  const keys = new Set(typenameKeys);
  const hasTypename = ({ fields }: PlanPart): boolean =>
    fields.some((field) => isTypename(field) && !isConditional(field) && keys.has(field.responseName));
  const partsWithTypename = new Set([...parts.keys()].filter(hasTypename));
  const groupOfNames = new Map<string, number>();
  let identifiesTypes = true;
  let hasOpenWeight = false;
  for (const [index, group] of groups.entries()) {
    const own = group.fields.map(({ responseName }) => responseName).filter((name) => !conditional.has(name));
    for (const part of group.parts) if (parts.get(part)!.isAlwaysPresent) own.push(parts.get(part)!.name);
    groupOfNames.set(own.sort().join(), index);
    if (hasTypename(group) || group.parts.some((part) => partsWithTypename.has(part))) continue;
    identifiesTypes = false;
    if (group.types.weights.length > 1) hasOpenWeight = true;
  }
  return {
    typenameKeys,
    identifiesTypes,
    conditional,
    partOfName,
    groupOfNames: groupOfNames.size < groups.length ? undefined : groupOfNames,
    hasOpenWeight,
  };
}

interface NameSets {
  readonly conditional: Set<string>;
  readonly partOfName: Map<string, string>;
  /** Response names of `__typename`. */
  readonly typenames: Set<string>;
  readonly others: Set<string>;
}

interface PartFeatures {
  /** Name of the part. It contains `#`, so it cannot be equal to a response name. */
  readonly name: string;
  /**
   * Whether any field of the part has no `@skip` or `@include`, so that it is always in the
   * response.
   */
  readonly isAlwaysPresent: boolean;
}

function readName({ conditional, partOfName, typenames, others }: NameSets, field: PlanField): void {
  for (const name of responseNamesOf(field)) {
    if (isConditional(field)) conditional.add(name);
    if (isTypename(field)) typenames.add(name);
    else others.add(name);
    // An object that has one of the response names of a field has all of them.
    if (name !== field.responseName) partOfName.set(name, field.responseName);
  }
}

function readPart(names: NameSets, { fields }: PlanPart, name: string): PartFeatures {
  let isAlwaysPresent = false;
  for (const field of fields) {
    readName(names, field);
    if (isConditional(field)) continue;
    isAlwaysPresent = true;
    for (const each of responseNamesOf(field)) names.partOfName.set(each, name);
  }
  return { name, isAlwaysPresent };
}

function isTypename({ model }: PlanField): boolean {
  return model.name === '__typename';
}

function isConditional({ condition }: PlanField): boolean {
  return condition.kind !== 'always';
}
