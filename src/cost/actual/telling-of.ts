import {
  type PlanField,
  type PlanGroup,
  type PlanPart,
  type PlanPosition,
  responseNamesOf,
  type TypeTelling,
} from '../compile/compiled-operation.js';

/**
 * Returns the features that identify the group of an object at a position. They are computed on
 * first use, because most operations have one group at each position and need none.
 */
export function tellingOf(position: PlanPosition): TypeTelling {
  position.telling ??= readTelling(position.groups);
  return position.telling;
}

/**
 * Returns whether a response may leave open which group an object belongs to, or the weight of its
 * type.
 */
export function isOpen(position: PlanPosition): boolean {
  const { groups } = position;
  if (groups.length < 2 && (groups[0]?.types.weights.length ?? 1) < 2) return false;
  const { saysTypes, groupOfNames, hasOpenWeight } = tellingOf(position);
  return hasOpenWeight || (!saysTypes && groupOfNames === undefined);
}

/**
 * Returns a key of the names of an object, independent of their order. Names that identify nothing
 * are left out.
 */
export function namesKey({ conditional, partOfName }: TypeTelling, names: readonly string[]): string {
  const telling = new Set<string>();
  for (const name of names) if (!conditional.has(name)) telling.add(partOfName.get(name) ?? name);
  return [...telling].sort().join();
}

/** Maximum number of names that are looked up on every object. */
const MAX_TYPENAME_KEYS = 8;

/**
 * Reads the features of all groups. The time is proportional to the plan: parts that hundreds of
 * groups share are read once.
 */
function readTelling(groups: readonly PlanGroup[]): TypeTelling {
  const names: NamesTold = { conditional: new Set(), partOfName: new Map(), typenames: new Set(), others: new Set() };
  const parts = new Map<PlanPart, PartTelling>();
  for (const group of groups) {
    for (const field of group.fields) readName(names, field);
    for (const part of group.parts) if (!parts.has(part)) parts.set(part, readPart(names, part, `#${parts.size}`));
  }
  const { conditional, partOfName, typenames, others } = names;
  const believed = [...typenames].filter((name) => !others.has(name));
  const always = believed.filter((name) => !conditional.has(name));
  const typenameKeys = [...new Set([...always, ...believed])].slice(0, MAX_TYPENAME_KEYS);
  const keys = new Set(typenameKeys);
  const says = ({ fields }: PlanPart): boolean =>
    fields.some((field) => isTypename(field) && !isConditional(field) && keys.has(field.responseName));
  const sayingParts = new Set([...parts.keys()].filter(says));
  const groupOfNames = new Map<string, number>();
  let saysTypes = true;
  let hasOpenWeight = false;
  for (const [index, group] of groups.entries()) {
    const own = group.fields.map(({ responseName }) => responseName).filter((name) => !conditional.has(name));
    for (const part of group.parts) if (parts.get(part)!.tells) own.push(parts.get(part)!.name);
    groupOfNames.set(own.sort().join(), index);
    if (says(group) || group.parts.some((part) => sayingParts.has(part))) continue;
    saysTypes = false;
    if (group.types.weights.length > 1) hasOpenWeight = true;
  }
  return {
    typenameKeys,
    saysTypes,
    conditional,
    partOfName,
    groupOfNames: groupOfNames.size < groups.length ? undefined : groupOfNames,
    hasOpenWeight,
  };
}

interface NamesTold {
  readonly conditional: Set<string>;
  readonly partOfName: Map<string, string>;
  /** Names of `__typename`, and of other fields. */
  readonly typenames: Set<string>;
  readonly others: Set<string>;
}

interface PartTelling {
  /** Name of the part. It contains `#`, which no response name contains. */
  readonly name: string;
  /** Whether any of its names is always in the response. */
  readonly tells: boolean;
}

function readName({ conditional, partOfName, typenames, others }: NamesTold, field: PlanField): void {
  for (const name of responseNamesOf(field)) {
    if (isConditional(field)) conditional.add(name);
    if (isTypename(field)) typenames.add(name);
    else others.add(name);
    // All names of a field are present together.
    if (name !== field.responseName) partOfName.set(name, field.responseName);
  }
}

function readPart(names: NamesTold, { fields }: PlanPart, name: string): PartTelling {
  let tells = false;
  for (const field of fields) {
    readName(names, field);
    if (isConditional(field)) continue;
    tells = true;
    for (const each of responseNamesOf(field)) names.partOfName.set(each, name);
  }
  return { name, tells };
}

function isTypename({ model }: PlanField): boolean {
  return model.name === '__typename';
}

function isConditional({ condition }: PlanField): boolean {
  return condition.kind !== 'always';
}
